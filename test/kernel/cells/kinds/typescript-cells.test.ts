import { expect, test } from "vitest";
import { openTestNotebook, useTypes } from "../notebook.ts";

useTypes();

async function outputs(...cells: readonly string[]): Promise<string> {
  const notebook = openTestNotebook();
  let last = "";
  for (const cell of cells) last = await notebook.run(cell);
  return last;
}

test("the value of the last expression is the result; what has none shows nothing", async () => {
  expect(await outputs("1 + 1")).toMatchInlineSnapshot(`"result 2"`);
  expect(await outputs("const a = 1")).toMatchInlineSnapshot(`""`);
  expect(await outputs("undefined")).toMatchInlineSnapshot(`""`);
  expect(await outputs("null")).toMatchInlineSnapshot(`"result null"`);
  expect(await outputs("Promise.resolve(1)")).toMatchInlineSnapshot(`"result Promise { 1 }"`);
  expect(await outputs("await Promise.resolve(1)")).toMatchInlineSnapshot(`"result 1"`);
});

test("names of earlier cells are read, written and declared again", async () => {
  expect(await outputs("let x = 1; const f = () => x", "x = 5", "f() + x")).toMatchInlineSnapshot(
    `"result 10"`,
  );
  expect(
    await outputs("const x: number = 1", 'const x = "text"', "x.length"),
  ).toMatchInlineSnapshot(`"result 4"`);
});

test("types that are wrong are shown at their place, and the cell does not run", async () => {
  expect(
    await outputs("const value = 1;\nconsole.log('ran');\n  valeu + 1"),
  ).toMatchInlineSnapshot(`
    "error TS2552: Cannot find name 'valeu'. Did you mean 'value'?
    error[TS2552]: Cannot find name 'valeu'. Did you mean 'value'?
      ┌─ Cell[1]:3:3
    3 │   valeu + 1
      │   ^^^^^"
  `);
});

test("hostile text in a cell that is wrong is shown, not acted on", async () => {
  expect(await outputs('const a: number = "\u001b[2J\u202e";')).toMatchInlineSnapshot(`
    "error TS2322: Type 'string' is not assignable to type 'number'.
    error[TS2322]: Type 'string' is not assignable to type 'number'.
      ┌─ Cell[1]:1:7
    1 │ const a: number = "␛[2J�";
      │       ^"
  `);
});

test("what is printed is a stream, in its order, with characters that were split", async () => {
  expect(
    await outputs(`console.log("one", { a: [1] });
process.stdout.write(new Uint8Array([0xe2, 0x82]));
process.stdout.write(Buffer.from([0xac]));
console.error("two");
process.stdout.write("dGhyZWU=", "base64");`),
  ).toMatchInlineSnapshot(`
    "stdout one { a: [ 1 ] }
    stdout €
    stderr two
    stdout three
    result true"
  `);
});

test("a stack names cells, with lines and columns of their own text", async () => {
  expect(
    await outputs(
      "interface A { a: number }\n\nlet x = 1;\nfunction f(v: A) {\n  // comment\n  if (v.a > 1)\n    throw new RangeError(`deep ${v.a}`);\n  return x;\n}",
      "const before = 5\nawait null\nf({ a: 2 })",
    ),
  ).toMatchInlineSnapshot(`
    "error RangeError: deep 2
    RangeError: deep 2
      ┌─ Cell[1]:7:11
    7 │     throw new RangeError(\`deep \${v.a}\`);
      │           ^^^^^^^^^^^^^^
      at f (Cell[1]:7:11)
      at Cell[2]:3:2"
  `);
});

test("what a cell declared before it threw is there", async () => {
  expect(await outputs("const before = 5; throw new Error('no')", "before")).toMatchInlineSnapshot(
    `"result 5"`,
  );
});

test("causes, collected errors and things that are no errors are shown", async () => {
  expect(
    await outputs(
      'throw new Error("outer", { cause: new AggregateError([new TypeError("a"), "b"], "both") })',
    ),
  ).toMatchInlineSnapshot(`
    "error Error: outer
    Error: outer
      ┌─ Cell[1]:1:7
    1 │ throw new Error("outer", { cause: new AggregateError([new TypeError("a"), "b"], "both") })
      │       ^^^^^^^^^
    caused by AggregateError: both
      ┌─ Cell[1]:1:35
    1 │ throw new Error("outer", { cause: new AggregateError([new TypeError("a"), "b"], "both") })
      │                                   ^^^^^^^^^^^^^^^^^^
    [1/2] TypeError: a
      ┌─ Cell[1]:1:55
    1 │ throw new Error("outer", { cause: new AggregateError([new TypeError("a"), "b"], "both") })
      │                                                       ^^^^^^^^^^^^^
    [2/2] Thrown: 'b'"
  `);
  expect(await outputs("throw { status: 404 }")).toMatchInlineSnapshot(`
    "error Thrown: { status: 404 }
    Thrown: { status: 404 }"
  `);
  expect(await outputs("const e = new Error('own'); e.cause = e; throw e")).toMatchInlineSnapshot(`
    "error Error: own
    Error: own
      ┌─ Cell[1]:1:11
    1 │ const e = new Error('own'); e.cause = e; throw e
      │           ^^^^^^^^^"
  `);
  expect(await outputs('throw new Error("\\u001b[2J")')).toMatchInlineSnapshot(`
    "error Error: ␛[2J
    Error: ␛[2J
      ┌─ Cell[1]:1:7
    1 │ throw new Error("\\u001b[2J")
      │       ^^^^^^^^^"
  `);
});

test("a cell can't end the kernel", async () => {
  expect(await outputs("process.exit(3)")).toMatchInlineSnapshot(`
    "error M7502: \`process.exit\` would end the kernel
    error[M7502]: \`process.exit\` would end the kernel
      ┌─ Cell[1]:1:9
    1 │ process.exit(3)
      │         ^^^^
      hint: throw an error to end the cell; end the kernel from the notebook's menu"
  `);
});

test("modules are required, and a cell knows where it is", async () => {
  expect(
    await outputs('import { basename } from "node:path"; basename("/a/b")'),
  ).toMatchInlineSnapshot(`"result 'b'"`);
  expect(await outputs("import.meta.filename.endsWith('cell.ts')")).toMatchInlineSnapshot(
    `"result true"`,
  );
});

test('contract: `import … from "tslab"` gives display, newDisplay and print', async () => {
  expect(
    await outputs(`import { display, newDisplay } from "tslab";
display.html("<b>hi</b>");
const place = newDisplay();
place.text("one");
place.text("two");`),
  ).toMatchInlineSnapshot(`
    "display [text/html] 
    display one
    update two"
  `);
  expect(
    await outputs(`import * as tslab from "tslab";
import { print } from "tslab";
print("a", 1);
const { versions } = await import("tslab");
tslab.versions.node === versions.node`),
  ).toMatchInlineSnapshot(`
    "stdout a 1
    result true"
  `);
});

test("what `tslab` gives has types", async () => {
  const wrong = 'import { display } from "tslab";\ndisplay.html(1);\ndisplay.htlm("a")';
  expect(await outputs(wrong)).toMatchInlineSnapshot(`
    "error TS2345: Argument of type 'number' is not assignable to parameter of type 'DisplayContent'.
    error[TS2345]: Argument of type 'number' is not assignable to parameter of type 'DisplayContent'.
      ┌─ Cell[1]:2:14
    2 │ display.html(1);
      │              ^
    error[TS2339]: Property 'htlm' does not exist on type 'Display'.
      ┌─ Cell[1]:3:9
    3 │ display.htlm("a")
      │         ^^^^"
  `);
});

test("a silent cell has no result, and its name is not that of the next cell", async () => {
  const notebook = openTestNotebook();
  expect(await notebook.run("1 + 1", { silent: true })).toBe("");
  expect(await notebook.run("throw new Error('hidden')", { silent: true })).toMatchInlineSnapshot(`
    "error Error: hidden
    Error: hidden
      ┌─ Hidden[2]:1:7
    1 │ throw new Error('hidden')
      │       ^^^^^^^^^"
  `);
});

test("expressions after a cell have their own ends", async () => {
  const notebook = openTestNotebook();
  const userExpressions = { sum: "a + 1", wrong: "b", thrown: "JSON.parse('{')" };
  const { spent: _time, ...reply } = await notebook.reply("const a = 1", { userExpressions });
  expect(reply).toMatchInlineSnapshot(`
    {
      "status": "ok",
      "userExpressions": {
        "sum": {
          "data": {
            "text/plain": "2",
          },
          "metadata": {},
          "status": "ok",
        },
        "thrown": {
          "ename": "SyntaxError",
          "evalue": "Expected property name or '}' in JSON at position 1 (line 1 column 2)",
          "status": "error",
          "traceback": [
            "[31;1mSyntaxError[0m: Expected property name or '}' in JSON at position 1 (line 1 column 2)",
            "  at Expression[1]:1:6",
          ],
        },
        "wrong": {
          "ename": "TS2304",
          "evalue": "Cannot find name 'b'.",
          "status": "error",
          "traceback": [
            "[31;1merror[TS2304][0m[1m: Cannot find name 'b'.[0m",
            "  [34m┌─[0m Expression[1]:1:1",
            "[34m1 │[0m b",
            "  [34m│[0m [31;1m^[0m",
            "  hint: no cell that has run declares \`b\`: run the cell that does, or check the spelling",
          ],
        },
      },
    }
  `);
});

test("a magic that there is not is said, with the nearest one", async () => {
  expect(await outputs("%%graf\ngraph A() {}")).toMatchInlineSnapshot(`
    "error M7507: there is no magic \`%%graf\`
    error[M7507]: there is no magic \`%%graf\`
      ┌─ Cell[1]:1:1
    1 │ %%graf
      │ ^^^^^^
      hint: did you mean \`%%graph\`? a cell begins with \`%%graph\`, \`%%sql\`, \`%%bash\`, \`%%python\`, or TypeScript; \`%help\` lists all magics"
  `);
  expect(await outputs("%time 1 + 1")).toMatchInlineSnapshot(`
    "error M7507: there is no magic \`%time\`
    error[M7507]: there is no magic \`%time\`
      ┌─ Cell[1]:1:1
    1 │ %time 1 + 1
      │ ^^^^^
      hint: did you mean \`%timeit\`? a cell begins with \`%%graph\`, \`%%sql\`, \`%%bash\`, \`%%python\`, or TypeScript; \`%help\` lists all magics"
  `);
  expect(await outputs("const a = 1\n%time a")).toMatchInlineSnapshot(`
    "error TS1005: ',' expected.
    error[TS1005]: ',' expected.
      ┌─ Cell[1]:2:7
    2 │ %time a
      │       ^
      hint: \`%%graph\`, \`%%sql\`, \`%%bash\`, \`%%python\` and \`%%time\` stand on the first line of a cell, \`%timeit\`, \`%config\`, \`%runs\`, \`%traces\`, \`%memory\`, \`%answers\`, \`%test\`, \`%who\`, \`%debug\`, \`%cells\`, \`%reload\`, \`%cd\`, \`%env\`, \`%help\` in one of their own"
  `);
});

test("`!` before a name that a cell declared is TypeScript", async () => {
  expect(await outputs("const ls = false", "!ls")).toBe("result true");
});

test("a promise that was not awaited: what is shown of it, and what an error says", async () => {
  expect(await outputs("new Promise<number>(() => {})")).toMatchInlineSnapshot(`
    "result Promise { <pending> }
      hint: \`await\` it to see its value"
  `);
  expect(
    await outputs("const output = Promise.resolve({ report: 'r' })", "output.report"),
  ).toMatchInlineSnapshot(`
    "error TS2339: Property 'report' does not exist on type 'Promise<{ report: string; }>'.
    error[TS2339]: Property 'report' does not exist on type 'Promise<{ report: string; }>'.
      ┌─ Cell[2]:1:8
    1 │ output.report
      │        ^^^^^^
      hint: await it first: \`(await output).report\`"
  `);
  expect(await outputs("const n: number = Promise.resolve(1)")).toMatchInlineSnapshot(`
    "error TS2322: Type 'Promise<number>' is not assignable to type 'number'.
    error[TS2322]: Type 'Promise<number>' is not assignable to type 'number'.
      ┌─ Cell[1]:1:7
    1 │ const n: number = Promise.resolve(1)
      │       ^
      hint: await the promise first"
  `);
});

test("what is written out of habit has a hint", async () => {
  const hint = async (code: string) =>
    /hint: .*/.exec(await outputs(code))?.[0].replaceAll(process.cwd(), "HERE");
  expect(await hint("?console")).toMatchInlineSnapshot(
    `"hint: Shift+Tab on a name tells what it is, and Tab what can follow it"`,
  );
  expect(await hint("console.log?")).toBe(await hint("?console"));
  expect(await hint("npm install zod")).toMatchInlineSnapshot(
    `"hint: a command of a shell begins with \`!\`, in a cell with nothing else: \`!npm install zod\`; or it stands below \`%%bash\`"`,
  );
  expect(await hint('import pad from "@left/pad/x"')).toMatchInlineSnapshot(
    `"hint: run \`npm install @left/pad\` in HERE, then run the cell again"`,
  );
  expect(await hint('import pad from "./gone.ts"')).toBeUndefined();
  expect(await hint("graph Broken { }")).toMatchInlineSnapshot(
    `"hint: is this a graph? It has parameters, if only none: \`graph Broken() returns … {\`"`,
  );
});

test("a stack that is deep inside of Node still names the line of the cell", async () => {
  expect(await outputs('require("left-pad")')).toMatch(/^ {2}┌─ Cell\[1\]:1:1$/m);
});
