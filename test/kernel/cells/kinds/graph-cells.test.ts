import { expect, test } from "vitest";
import { withoutRunIds } from "../../../support/without-run-ids.ts";
import { openTestNotebook, useTypes } from "../notebook.ts";

useTypes();

const FIND = `graph Find(q: string) returns report {
  state { report: string = "" }
  start -> look -> end
  run look = search(q) writes report
}`;

async function outputs(...cells: readonly string[]): Promise<string> {
  const notebook = openTestNotebook();
  let last = "";
  for (const cell of cells) last = await notebook.run(cell);
  return last;
}

test("a graph shows its drawing and is a value for later cells", async () => {
  const search = "const search = (q: string) => `found ${q}`";
  expect(await outputs(search, FIND)).toMatchInlineSnapshot(`
    "result [image/svg+xml] graph Find(q) returns report
      run look
      start -> look
      look -> end"
  `);
  expect(
    await outputs(search, FIND, 'const run = Find.run({ q: "it" }); await run.output'),
  ).toMatchInlineSnapshot(`"result { report: 'found it' }"`);
});

test("an input of another type is an error of the TypeScript cell", async () => {
  expect(
    await outputs("const search = (q: string) => q", FIND, "Find.run({ q: 1 })"),
  ).toMatchInlineSnapshot(`
    "error TS2322: Type 'number' is not assignable to type 'string'.
    error[TS2322]: Type 'number' is not assignable to type 'string'.
      ┌─ Cell[3]:1:12
    1 │ Find.run({ q: 1 })
      │            ^"
  `);
});

test("a mistake is shown with its frame, in lines of the whole cell", async () => {
  expect(
    await outputs(
      "const search = (q: string) => q",
      `%%graph\n\n${FIND.replace("-> look", "-> lok")}`,
    ),
  ).toMatchInlineSnapshot(`
    "error M2101: no node is called \`lok\`
    error[M2101]: no node is called \`lok\`
      ┌─ Cell[2]:5:12
    5 │   start -> lok -> end
      │            ^^^
      hint: did you mean \`look\`?"
  `);
});

test("an expression of the wrong type is shown at its place", async () => {
  expect(await outputs("const search = (q: number) => `${q}`", FIND)).toMatchInlineSnapshot(`
    "error M3503: \`string\` does not fit \`number\`
    error[M3503]: \`string\` does not fit \`number\`
      ┌─ Cell[2]:4:21
    4 │   run look = search(q) writes report
      │                     ^"
  `);
});

test("a function that no cell declares is an error, until one does", async () => {
  const notebook = openTestNotebook();
  expect(await notebook.run(FIND)).toMatchInlineSnapshot(`
    "error M2106: no function is called \`search\`
    error[M2106]: no function is called \`search\`
      ┌─ Cell[1]:4:14
    4 │   run look = search(q) writes report
      │              ^^^^^^"
  `);
  await notebook.run("function search(q: string) { return q }");
  expect(await notebook.run(FIND)).toContain("image/svg+xml");
});

test("a function that is declared again counts from the next run on", async () => {
  expect(
    await outputs(
      "let search = (q: string) => `old ${q}`",
      FIND,
      "search = (q: string) => `new ${q}`",
      'await Find.invoke({ q: "it" })',
    ),
  ).toContain("new it");
});

test("several graphs are shown one after the other", async () => {
  const two = `${FIND}\n${FIND.replace("Find", "Again")}`;
  const shown = await outputs("const search = (q: string) => q", two);
  expect(shown.match(/^display \[image/gm)).toHaveLength(2);
});

test("warnings stand beside the drawing", async () => {
  expect(
    await outputs(
      "const search = (q: string) => q",
      FIND.replace("{ report", '{ unread: string = ""\n report'),
    ),
  ).toMatch(/^display \[text\/html\] ⚠ warning\[M3208\]: `unread`.*\n.*┌─ Cell\[2\]:2:11/);
});

test("an import that can't be loaded is shown at its place", async () => {
  expect(await outputs(`import { search } from "./gone.ts"\n${FIND}`)).toMatch(
    /^error M7204: `.\/gone.ts` can't be loaded/,
  );
});

test("%%graph takes no options", async () => {
  expect(await outputs(`%%graph fast\n${FIND}`)).toContain("error M7504");
});

test("a run that is drawn in its cell is not drawn again as the cell's value", async () => {
  const notebook = openTestNotebook(undefined, { isDrawing: true });
  await notebook.run("const search = (q: string) => q");
  await notebook.run(FIND);
  const kinds = (shown: string) => shown.match(/^(?:display|update|result)/gm)?.join(" ");
  const own = await notebook.run('const run = Find.run({ q: "it" }); await run.settled(); run');
  expect(kinds(own)).toBe("display update");
  expect(own.match(/succeeded · /g)).toHaveLength(1);
  expect(kinds(await notebook.run("run"))).toBe("result");
  expect(
    kinds(await notebook.run("await run.rewind(0); await run.resume(); await run.settled(); run")),
  ).toMatch(/^display( update)+$/);
});

test("an empty graph cell is said to be one", async () => {
  expect(await outputs("%%graph\n// nothing yet\n")).toMatchInlineSnapshot(`
    "error M7505: there is no graph below \`%%graph\`
    error[M7505]: there is no graph below \`%%graph\`
      hint: for example: graph Hello(name: string) returns greeting { … }"
  `);
});

test("a function that throws is told once, with its place in the cell", async () => {
  const search = "const search = (q: string): string => {\n  throw new RangeError(`no ${q}`);\n};";
  expect(
    withoutRunIds(await outputs(search, FIND, 'await Find.invoke({ q: "glue" })')),
  ).toMatchInlineSnapshot(`
    "error M8301: \`search\` threw: no glue
    error[M8301]: \`search\` threw: no glue
      at node \`look\`, attempt 1, run RUN
      finished work is kept: correct the cause, then call \`await run.resume()\`
      hint: mend \`search\`: the next attempt calls it as it is then
    caused by RangeError
      ┌─ Cell[1]:2:9
    2 │   throw new RangeError(\`no \${q}\`);
      │         ^^^^^^^^^^^^^^
      at search (Cell[1]:2:9)"
  `);
});

test("a breakpoint as the value of a cell says what it is", async () => {
  const search = "const search = (q: string) => q";
  expect(
    await outputs(search, FIND, 'const d = Find.debug({ q: "it" }); d.setBreakpoint("look")'),
  ).toMatchInlineSnapshot(`"result breakpoint before \`look\`; call this to remove it"`);
});

test("a model that is not configured: the hint is for a notebook", async () => {
  const ask = `model fast = "openai/gpt-5"
graph Ask() returns a {
  state { a: string }
  agent say { model fast; prompt "Say."; writes a }
  start -> say -> end
}`;
  expect(await outputs(ask, "Ask.run({})")).toMatchInlineSnapshot(`
    "error M8101: Cell[1]:1:1 \`openai/gpt-5\` cannot run: the provider \`openai\` is not configured, OPENAI_API_KEY is not set
    error[M8101]: Cell[1]:1:1 \`openai/gpt-5\` cannot run: the provider \`openai\` is not configured, OPENAI_API_KEY is not set
      ┌─ Cell[2]:1:5
    1 │ Ask.run({})
      │     ^^^
      hint: set OPENAI_API_KEY, or run without a live model: \`models: { fast: "rules" }\` beside the input, or MADRIGAL_MODEL=rules"
  `);
});

test("a variable that hides a controller is told with what to do, at the call", async () => {
  const ask = `graph Ask() returns a {
  state { a: string }
  operator say { controller codex(); prompt "Say."; writes a }
  start -> say -> end
}`;
  expect(await outputs('const codex = "gpt";', ask, "Ask.run({})")).toMatchInlineSnapshot(`
    "error M8501: \`codex\` is no controller: a variable of the scope has the name of the controller that comes with Madrigal, and hides it
    error[M8501]: \`codex\` is no controller: a variable of the scope has the name of the controller that comes with Madrigal, and hides it
      ┌─ Cell[3]:1:5
    1 │ Ask.run({})
      │     ^^^
      hint: give the variable another name; a notebook has the old one until its kernel is restarted"
  `);
});
