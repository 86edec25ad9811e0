/** Runs whose program is no file: a cell's, or one that TypeScript compiled. Other processes find its imports and go on with it. */
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { type Child, projectRoot, startNode } from "../../../support/child.ts";
import { madrigal } from "../../../support/warm/madrigal.ts";
import { fileOf } from "../../notebook/cells.ts";
import { document, put, said, workspace } from "../calling.ts";

// Real kernels on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const graph = `graph Ask(q: string) returns v {
  state { v: string = "" }
  human h { ask \`ok?\`; writes v }
  run a = echo(v) writes v
  start -> h -> a -> end
}
`;
const program = `import { echo } from "./echo.ts"\n${graph}`;
const echo = "export const echo = (text: string) => text + text;\n";

/** A program in TypeScript that starts the run and ends when it asks. */
function host(home: string, text: string, options: string): Child {
  const script = `import { close, compile } from ${JSON.stringify(join(projectRoot, "kernel/index.ts"))};
const { Ask } = compile(${JSON.stringify(text)}, { ${options} });
const run = Ask?.run({ q: "x" });
await run?.output.catch(({ code }) => console.log(code));
await close();
`;
  put(home, "host.ts", script);
  return startNode([join(home, "host.ts")], { home });
}

const scope = "scope: { echo: (text: string) => text + text }";

/** A workspace in which a run of TypeScript waits for an answer. */
async function waiting(text = program, options = scope): Promise<string> {
  const home = workspace({ "echo.ts": echo, "sub/note.txt": "" });
  const { stdout, stderr } = await host(home, text, options).ended;
  expect({ stdout, stderr }).toEqual({ stdout: "M5301\n", stderr: "" });
  return home;
}

async function newest(home: string): Promise<string> {
  return JSON.parse((await madrigal(["runs", "--json"], { home })).stdout).runs[0].run_id;
}

test("a run from TypeScript is answered, re-run, debugged, forked, replayed and compared from any folder", async () => {
  const home = await waiting();
  const first = await newest(home);
  for (const cwd of [home, join(home, "..")]) {
    expect(await document(home, ["fork", first, "0"], { cwd })).toMatchObject({ exit: 3 });
    const answered = await document(home, ["answer", "last", "h", "yes"], { cwd });
    expect(answered).toMatchObject({ exit: 0, json: { output: { v: "yesyes" } } });
    const again = await document(home, ["rerun", "last"], { cwd });
    expect(again).toMatchObject({ exit: 0, json: { output: { v: "yesyes" } } });
    expect(await document(home, ["replay", "last"], { cwd })).toMatchObject({ json: { ok: true } });
    const debugged = await madrigal(["debug", "last"], {
      home,
      cwd,
      stdin: "fork 1\ncontinue\nprint v\n",
    });
    expect(debugged).toMatchObject({ code: 0, stdout: expect.stringContaining("yesyes") });
    const forked = await document(home, ["fork", "last", "1", "--set", '{"v": "no"}'], { cwd });
    expect(forked).toMatchObject({ exit: 0, json: { output: { v: "nono" } } });
    const compared = await madrigal(["diff", first, "last"], { home, cwd });
    expect(compared.stdout).toContain("nono");
  }
});

test("a program ends although the question of its run has a deadline, and the run is answered later", async () => {
  const home = await waiting(program.replace("`ok?`", "`ok?` within 2h"));
  const answered = await document(home, ["answer", "last", "h", "yes"]);
  expect(answered).toMatchObject({ exit: 0, json: { output: { v: "yesyes" } } });
});

test("a path that is relative to the working folder of the program names the program's file", async () => {
  const home = workspace({ "lib/echo.ts": echo, "lib/ask.madrigal": program });
  await host(home, program, `${scope}, file: "lib/ask.madrigal"`).ended;
  const { json } = await document(home, ["show", "last"]);
  expect(json.file).toBe("HOME/lib/ask.madrigal");
  const answered = await document(home, ["answer", "last", "h", "yes"], { cwd: join(home, "lib") });
  expect(answered).toMatchObject({ exit: 0, json: { output: { v: "yesyes" } } });
});

test("what is imported is nowhere: the error says where it was looked for, and what goes on with the run", async () => {
  const home = await waiting(program.replace("./echo.ts", "./gone.ts"));
  expect(await said(home, ["resume", "last"], { cwd: join(home, "sub") })).toMatchInlineSnapshot(`
    "exit 1
    ! error[M7204]: \`./gone.ts\` can't be loaded: Cannot find module \`HOME/gone.ts\`
    !   at cell:1:22
    !   hint: the run's program was given as text, and imports from HOME; \`compile(text, { file })\` names its file; where the run was started, \`runs.open("RUN").resume()\` goes on with it; \`madrigal answer RUN INTERRUPT VALUE --later\` stores an answer until then"
  `);
});

test("a function that only the other process has: the answer is stored, and that process goes on", async () => {
  const home = await waiting(graph);
  expect(await said(home, ["answer", "last", "h", "yes"])).toMatchInlineSnapshot(`
    "exit 1
    ! error[M8303]: no function is called \`echo\`
    !   hint: where the run was started, \`runs.open("RUN").resume()\` goes on with it; \`madrigal answer RUN INTERRUPT VALUE --later\` stores an answer until then; in a notebook, run the cell that declares it first"
  `);
  expect(await said(home, ["answer", "last", "h", "yes", "--later"])).toMatchInlineSnapshot(`
    "exit 0
    stored; it is taken in by: madrigal resume RUN"
  `);
  const script = `import { close, compile, runs } from ${JSON.stringify(join(projectRoot, "kernel/index.ts"))};
compile(${JSON.stringify(graph)}, { ${scope} });
const run = runs.open("last");
await run.resume();
console.log(await run.output);
await close();
`;
  put(home, "host.ts", script);
  const { stdout } = await startNode([join(home, "host.ts")], { home }).ended;
  expect(stdout).toBe("{ v: 'yesyes' }\n");
});

test("run from a notebook in a folder below, which calls a graph of another file", async () => {
  const home = workspace({
    "books/ask.ipynb": fileOf(
      `import { echo } from "./echo.ts"
import { Loud } from "../lib/loud.madrigal"
graph Ask(q: string) returns v {
  state { v: string = "" }
  human h { ask \`ok?\`; writes v }
  run a = echo(v) writes v
  graph b = Loud(v) writes v
  start -> h -> a -> b -> end
}`,
      'const run = Ask.run({ q: "x" });\nawait run.continue();\nrun.status',
    ),
    "books/echo.ts": echo,
    "lib/loud.madrigal": `import { shout } from "./shout.ts"
graph Loud(text: string) returns loud {
  state { loud: string = "" }
  run say = shout(text) writes loud
  start -> say -> end
}
`,
    "lib/shout.ts": "export const shout = (text: string) => text.toUpperCase();\n",
  });
  const { code, stdout } = await madrigal(["exec", "books/ask.ipynb"], { home });
  expect({ code, stdout }).toMatchObject({ code: 0 });
  const first = await newest(home);
  for (const cwd of [home, join(home, "..")]) {
    expect(await document(home, ["fork", first, "0"], { cwd })).toMatchObject({ exit: 3 });
    const { exit, json } = await document(home, ["answer", "last", "h", "yes"], { cwd });
    expect({ exit, json }).toMatchObject({ exit: 0, json: { output: { v: "YESYES" } } });
    expect(await document(home, ["rerun", "last"], { cwd })).toMatchObject({ exit: 0 });
  }
});
