/** `madrigal exec`: notebooks through the real kernel. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { readNotebook } from "../../../kernel/notebook/read-notebook.ts";
import { type Ended, startMadrigal } from "../../support/child.ts";
import { executeByNbclient } from "../../support/nbclient.ts";
import { missing } from "../../support/python-env.ts";
import { madrigal } from "../../support/warm/madrigal.ts";
import { exitCode, put, workspace } from "../cli/calling.ts";
import { cell, fileOf, shown } from "./cells.ts";

// Real kernels and servers on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

interface Said {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

function said(ended: Ended, home: string): Said {
  const clean = (text: string) =>
    text
      .replaceAll(home, "HOME")
      .replaceAll(/\d+\.\d\ds/g, "TIME")
      .trim();
  return { exit: exitCode(ended), stdout: clean(ended.stdout), stderr: clean(ended.stderr) };
}

async function exec(home: string, ...words: readonly string[]): Promise<Said> {
  return said(await madrigal(["exec", ...words], { home }), home);
}

function written(home: string, path = ".madrigal/out/n.ipynb"): string {
  const file = join(home, path);
  return shown(readNotebook(readFileSync(file, "utf8"), file));
}

test("contract: exec tells each cell and writes the notebook with its outputs", async () => {
  const home = workspace({
    "n.ipynb": fileOf(
      cell("# Two cells", { markdown: true }),
      'console.log("a"); const one = 1;',
      "",
      cell("oops();", { tags: ["skip-execution"] }),
      "one + 1",
    ),
  });
  expect(await exec(home, "n.ipynb", "--html")).toEqual({
    exit: 0,
    stdout: `cell 1/2 ok TIME
cell 2/2 ok TIME
notebook: HOME/.madrigal/out/n.ipynb
page: HOME/.madrigal/out/n.html`,
    stderr: "",
  });
  expect(written(home)).toMatchInlineSnapshot(`
    "[1] console.log("a"); const one = 1;
      stdout: "a\\n"
    [ ] 
    [ ] oops();
    [2] one + 1
      execute_result: "2""
  `);
  expect(readFileSync(join(home, ".madrigal/out/n.html"), "utf8")).toContain("<h1>Two cells</h1>");
});

test("contract: exec names the cell and the line of an error, and writes what there is", async () => {
  const source =
    "const first = 1;\n\nfunction fail() {\n  throw new RangeError('deep');\n}\nfail();";
  const home = workspace({ "n.ipynb": fileOf("'before'", source, "'behind'") });
  const { exit, stdout, stderr } = await exec(home, "n.ipynb");
  expect({ exit, stdout }).toEqual({
    exit: 1,
    stdout: "cell 1/3 ok TIME\ncell 2/3 failed TIME\nnotebook: HOME/.madrigal/out/n.ipynb",
  });
  expect(stderr.split("\n")[0]).toBe("cell 2 (line 4): RangeError deep");
  expect(written(home)).toMatch(
    /\[2\] const first = 1;\n {2}error: RangeError: deep\n\[ \] 'behind'$/,
  );
});

test("a type error is told by its code and line", async () => {
  const home = workspace({ "n.ipynb": fileOf('const a = 1;\nconst b: number = "x";') });
  const { exit, stderr } = await exec(home, "n.ipynb");
  expect(exit).toBe(1);
  expect(stderr.split("\n")[0]).toMatch(/^cell 1 \(line 2\): TS2322 Type 'string' is not/);
});

test("a cell that may fail does not end the notebook", async () => {
  const failing = cell("throw new Error('wanted')", { tags: ["raises-exception"] });
  const home = workspace({ "n.ipynb": fileOf(failing, "'behind'") });
  expect((await exec(home, "n.ipynb")).exit).toBe(0);
  expect(written(home)).toContain("[2] 'behind'\n  execute_result:");
});

test("contract: exec --json is one document", async () => {
  const home = workspace({ "n.ipynb": fileOf("console.log('a')", "throw new Error('no')") });
  const { exit, stdout } = await exec(home, "n.ipynb", "--json", "--out", "results");
  expect(exit).toBe(1);
  expect(JSON.parse(stdout)).toEqual({
    version: 1,
    notebook: "HOME/results/n.ipynb",
    ok: false,
    cells: [
      { index: 1, id: "c1", ok: true, duration_ms: expect.any(Number) },
      {
        index: 2,
        id: "c2",
        ok: false,
        duration_ms: expect.any(Number),
        error: { name: "Error", message: "no", line: 1 },
      },
    ],
    error: expect.objectContaining({ code: "M7703" }),
  });
  expect(existsSync(join(home, "results/n.ipynb"))).toBe(true);
});

const STRAY =
  "void Promise.reject(new Error('let go'));\nawait new Promise((resolve) => setImmediate(() => setImmediate(resolve)));\n'after'";

test("an error that nobody waited for is a warning: the cell has not failed", async () => {
  const home = workspace({ "n.ipynb": fileOf(STRAY, "'behind'") });
  expect(await exec(home, "n.ipynb")).toEqual({
    exit: 0,
    stdout: "cell 1/2 ok TIME\ncell 2/2 ok TIME\nnotebook: HOME/.madrigal/out/n.ipynb",
    stderr: "warning: cell 1 (line 1): Error let go (not awaited, so the cell continued)",
  });
  expect(written(home)).toContain("  error: Error: let go\n  execute_result:");
});

test("exec --json agrees with the exit code about it, and keeps it apart from a failure", async () => {
  const home = workspace({
    "n.ipynb": fileOf(STRAY, `${STRAY};\nthrow new Error('no')`),
  });
  const { exit, stdout } = await exec(home, "n.ipynb", "--json");
  const { ok, cells } = JSON.parse(stdout);
  expect({ exit, ok }).toEqual({ exit: 1, ok: false });
  const strays = [{ name: "Error", message: "let go", line: 1 }];
  expect(cells).toEqual([
    expect.objectContaining({ ok: true, strays }),
    expect.objectContaining({
      ok: false,
      error: { name: "Error", message: "no", line: 4 },
      strays,
    }),
  ]);
  expect(cells[0]).not.toHaveProperty("error");
});

test("parameters are set behind the tagged cell", async () => {
  const file = fileOf(cell("const n: number = 1;", { tags: ["parameters"] }), "`${n}`");
  const home = workspace({ "n.ipynb": file });
  expect((await exec(home, "n.ipynb", "--param", "n=7")).exit).toBe(0);
  expect(written(home)).toMatch(/\[3\] `\$\{n\}`\n {2}execute_result: .*7/);
});

test.each([
  ["a synchronous loop", "while (true) {}"],
  ["an await that never ends", "await new Promise(() => {})"],
])("%s is interrupted when its time is over", async (_, source) => {
  const home = workspace({ "n.ipynb": fileOf(source, "'behind'") });
  const { exit, stderr } = await exec(home, "n.ipynb", "--timeout", "5");
  expect(exit).toBe(1);
  expect(stderr).toContain("error[M7704]: cell 1 took longer than 5 s and was interrupted");
  expect(written(home)).toMatch(/error: Cancelled: .*\n\[ \] 'behind'$/);
});

test("Ctrl-C interrupts the cell, writes what there is and ends the kernel", async () => {
  const wait = "console.log('waiting', process.pid); await new Promise(() => {})";
  const home = workspace({ "n.ipynb": fileOf("'a'", wait, "'behind'") });
  const child = startMadrigal(["exec", "n.ipynb"], { home });
  await child.said("cell 1/3 ok");
  child.signal("SIGINT");
  const { exit, stderr } = said(await child.ended, home);
  expect(exit).toBe(130);
  expect(stderr).toContain("error[M7705]: SIGINT interrupted the notebook in cell");
  expect(written(home)).toContain("[ ] 'behind'");
});

test("a kernel that dies is told, and what its cells showed is kept", async () => {
  const home = workspace({
    "n.ipynb": fileOf("'a'", "process.kill(process.pid, 'SIGKILL')", "'b'"),
  });
  const { exit, stderr } = await exec(home, "n.ipynb");
  expect(exit).toBe(1);
  expect(stderr).toContain("error[M7711]: cell 2: the kernel ended (signal SIGKILL)");
  expect(written(home)).toContain("[1] 'a'\n  execute_result:");
});

test.each([
  ["broken.ipynb", "{", "M7701", 1],
  [
    "python.ipynb",
    '{"nbformat":4,"nbformat_minor":5,"metadata":{"kernelspec":{"name":"python3"}},"cells":[]}',
    "M7702",
    1,
  ],
] as const)("%s is refused", async (name, text, code, exit) => {
  const home = workspace({ [name]: text });
  const refused = await exec(home, name);
  expect(refused).toMatchObject({ exit, stdout: "" });
  expect(refused.stderr).toContain(`error[${code}]`);
});

test.each([
  [["gone.ipynb"], "M7201"],
  [["n.ipynb", "--timeout", "soon"], "M7104"],
  [["n.ipynb", "--timeout", "0"], "M7104"],
  [["n.ipynb", "--param", "n"], "M7104"],
] as const)("exec %j is a wrong call", async (words, code) => {
  const home = workspace({ "n.ipynb": fileOf("1") });
  const { exit, stderr } = await exec(home, ...words);
  expect({ exit, code: /error\[(\w+)\]/.exec(stderr)?.[1] }).toEqual({ exit: 2, code });
  expect(readdirSync(home)).toEqual(["n.ipynb"]);
});

const withoutPython = await missing("python-env");

test.skipIf(withoutPython !== undefined)(
  `nbclient gets the same outputs${withoutPython === undefined ? "" : ` (${withoutPython})`}`,
  async () => {
    const home = workspace();
    const file = fileOf(
      'console.log("a"); console.error("b"); console.log("c");',
      'import { display } from "madrigal";\ndisplay([{ a: 1, b: "<b>" }]);\n[1, 2, 3]',
      cell("throw new TypeError('x')", { tags: ["raises-exception"] }),
      "undefined",
    );
    put(home, "n.ipynb", file);
    expect((await exec(home, "n.ipynb")).exit).toBe(0);
    const { ok, text, notebook } = await executeByNbclient("n.ipynb", home);
    expect({ ok, text }).toEqual({ ok: true, text: expect.any(String) });
    const ours = readNotebook(readFileSync(join(home, ".madrigal/out/n.ipynb"), "utf8"), "n");
    expect(ours.cells).toEqual(notebook.cells);
  },
);

test("a module that is edited between two cells is read again, by the graphs that call it too", async () => {
  const home = workspace({
    "tools.ts": "export const greet = (name: string) => `hi ${name}`;\n",
    "n.ipynb": fileOf(
      'import { greet } from "./tools.ts"',
      "graph Greet(name: string) returns said {\n  state { said: string }\n  run say = greet(name) writes said\n  start -> say\n}",
      '[greet("Ann"), (await Greet.run({ name: "Ann" }).output).said].join()',
      `(await import("node:fs")).writeFileSync("tools.ts", "export const greet = (name: string) => 'good day, ' + name;")`,
      '[greet("Ann"), (await Greet.run({ name: "Ann" }).output).said].join()',
    ),
  });
  expect(await exec(home, "n.ipynb")).toMatchObject({ exit: 0 });
  const results = written(home).match(/execute_result: .*Ann.*/g);
  expect(results).toEqual([
    "execute_result: \"'hi Ann,hi Ann'\"",
    "execute_result: \"'good day, Ann,good day, Ann'\"",
  ]);
});

test("runs that nobody awaited are named at the end, with the command that goes on with them", async () => {
  const graph = `graph Slow(n: number) returns out {
  state { out: number }
  run hold = wait() writes out
  start -> hold -> end
}`;
  const [wait, starts] = [
    "const wait = async () => { await new Promise(() => {}); return 1; };",
    "await Slow.run({ n: 1 });",
  ];
  const home = workspace({ "n.ipynb": fileOf(wait, graph, starts) });
  const { exit, stderr } = await exec(home, "n.ipynb");
  expect(exit).toBe(0);
  const [, short] =
    /^warning: run ([0-9a-f]{8}) of Slow was under way when the notebook ended, and is paused/m.exec(
      stderr,
    ) ?? [];
  expect(stderr).toContain(`\`madrigal resume ${short}\` goes on with it`);
  expect(written(home)).toContain("`await Slow.run(…).output` does");
  const { stdout } = await madrigal(["runs", "--json"], { home });
  expect(stdout).toMatch(/"status": ?"paused"/);
  const json = await exec(home, "n.ipynb", "--json");
  expect(JSON.parse(json.stdout)).toMatchObject({
    ok: true,
    paused: [{ graph: "Slow", status: "running" }],
  });
});
