/** The tools for files, on a real folder. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFileTools, type FileToolsOptions, scripted } from "../../../../runtime/index.ts";
import { temporaryFolder } from "../../../support/child.ts";
import { ask } from "../../asks/asking.ts";

type Call = (input: object, context: object) => Promise<unknown>;

function workspace(options: Partial<FileToolsOptions> = {}) {
  const root = temporaryFolder();
  mkdirSync(join(root, "docs"));
  writeFileSync(join(root, "docs/a.md"), "one\ntwo\nthree\n");
  writeFileSync(join(root, "docs/b.md"), "Two\n");
  writeFileSync(join(root, "docs/c.bin"), Buffer.from([0xff, 0, 1]));
  const tools = createFileTools({ root, ...options });
  const made: unknown[] = [];
  const context = {
    signal: new AbortController().signal,
    artifact: async (one: object) => {
      made.push(one);
      return { id: "1" };
    },
  };
  const call = (name: keyof typeof tools, input: object = {}) =>
    (tools[name] as unknown as Call)(input, context);
  return { root, call, made, tools };
}

test("E80 reading comes in stretches of lines", async () => {
  const { call } = workspace();
  expect(await call("read", { path: "docs/a.md" })).toEqual({
    path: "docs/a.md",
    text: "one\ntwo\nthree",
    from: 1,
    to: 3,
    of: 3,
  });
  expect(await call("read", { path: "./docs//a.md", from: 2, lines: 1 })).toMatchObject({
    text: "two",
    to: 2,
  });
});

test("E80 a stretch has at most 20,000 characters", async () => {
  const { call, root } = workspace();
  writeFileSync(join(root, "long.txt"), `${"x".repeat(9_999)}\n`.repeat(5));
  expect(await call("read", { path: "long.txt" })).toMatchObject({ from: 1, to: 2, of: 5 });
  expect(await call("read", { path: "long.txt", from: 3 })).toMatchObject({ from: 3, to: 4 });
});

test("E80 files are listed, and found by pattern and by words", async () => {
  const { call } = workspace();
  expect(await call("list")).toEqual({
    found: [{ path: "docs", kind: "folder" }],
    isCut: false,
  });
  expect(await call("glob", { pattern: "**/*.md" })).toEqual({
    found: ["docs/a.md", "docs/b.md"],
    isCut: false,
  });
  expect(await call("grep", { text: "two", ignoreCase: true })).toEqual({
    found: [
      { path: "docs/a.md", line: 2, text: "two" },
      { path: "docs/b.md", line: 1, text: "Two" },
    ],
    isCut: false,
  });
  expect(await call("grep", { text: "two" })).toMatchObject({ found: [{ path: "docs/a.md" }] });
});

test.each<[string, string[]]>([
  ["report.md", ["report.md", "old/report.md"]],
  ["REPORT", ["report.md", "old/report.md", "report-2025.md", "my report.txt"]],
  ["*.txt", ["my report.txt"]],
  ["reprot", ["report.md", "old/report.md"]],
  ["docs/", ["docs/a.md", "docs/b.md", "docs/c.bin"]],
  ["violin", []],
])(
  "M40 a file is found by a part of its name, a pattern or a misspelt name: %s",
  async (name, found) => {
    const { call, root } = workspace();
    mkdirSync(join(root, "old"));
    for (const path of ["report.md", "report-2025.md", "my report.txt", "old/report.md", ".env"])
      writeFileSync(join(root, path), "x");
    expect(await call("find", { name })).toEqual({ found, isCut: false });
  },
);

test("M40 the 20 files that are closest are found, and it is said that there are more", async () => {
  const { call, root } = workspace();
  for (let at = 0; at < 25; at += 1) writeFileSync(join(root, `song-${at}.md`), "x");
  const { found, isCut } = (await call("find", { name: "song" })) as {
    found: string[];
    isCut: boolean;
  };
  expect([found.length, found[0], isCut]).toEqual([20, "song-0.md", true]);
  await expect(call("find", { name: "song-7.md" })).resolves.toEqual({
    found: ["song-7.md"],
    isCut: false,
  });
});

test("M40 an agent finds a file by name, pages down in it and looks for words, and is asked about nothing", async () => {
  const { tools, root } = workspace();
  writeFileSync(
    join(root, "docs/swan.txt"),
    Array.from(
      { length: 900 },
      (_, at) => `line ${at + 1}${at === 700 ? " Leaning her breast" : ""}`,
    ).join("\n"),
  );
  const text = `model m = "scripted"
config { guard: { approve: "conservative" } }
graph G() returns report {
  state { report: string }
  agent surf { model m; tools files.list, files.find, files.open; prompt \`Go.\`; writes report; limit 9 turns }
  start -> surf -> end
}`;
  const open = (more: object) => ({
    tool: "files.open",
    input: { path: "docs/swan.txt", ...more },
  });
  const models = {
    m: scripted({
      surf: [
        {
          calls: [
            { tool: "files.list", input: { path: "docs" } },
            { tool: "files.find", input: { name: "swan" } },
          ],
        },
        { calls: [open({}), open({ from: 401 })] },
        { calls: [open({ find: "leaning * breast" })] },
        "found",
      ],
    }),
  };
  const { run } = ask(text, { models, scope: { files: tools } });
  const told: unknown[] = [];
  run.events$.subscribe((event) => {
    if (event.kind === "tool.result") told.push(event.value ?? event.failure);
    if (event.kind === "interrupt.opened") told.push(event);
  });
  await run.output;
  expect(told).toMatchObject([
    {
      found: [
        { path: "docs/a.md" },
        { path: "docs/b.md" },
        { path: "docs/c.bin" },
        { path: "docs/swan.txt" },
      ],
    },
    { found: ["docs/swan.txt"] },
    { from: 1, to: 400, of: 900 },
    { from: 401, to: 800 },
    { from: 701, text: expect.stringMatching(/^line 701 Leaning/) },
  ]);
});

test("E80 each change is kept with its diff", async () => {
  const { call, made, root } = workspace();
  await call("edit", { path: "docs/a.md", old: "two", new: "2" });
  await call("append", { path: "docs/a.md", text: "four\n" });
  expect(readFileSync(join(root, "docs/a.md"), "utf8")).toBe("one\n2\nthree\nfour\n");
  await call("write", { path: "new/deep/x.md", text: "x\n" });
  await call("move", { from: "new/deep/x.md", to: "y.md" });
  expect(readFileSync(join(root, "y.md"), "utf8")).toBe("x\n");
  await call("delete", { path: "y.md" });
  expect(made.map((one) => (one as { kind: string }).kind)).toEqual(Array(5).fill("patch"));
  expect(made[0]).toMatchObject({
    path: "docs/a.md",
    data: expect.stringContaining("\n-two\n+2\n"),
  });
  await expect(call("read", { path: "y.md" })).rejects.toMatchObject({ code: "M8321" });
});

test.each([
  ["M8321", "read", { path: "docs/none.md" }],
  ["M8322", "edit", { path: "docs/a.md", old: "e\n", new: "" }],
  ["M8322", "edit", { path: "docs/a.md", old: "five", new: "" }],
  ["M8322", "edit", { path: "docs/a.md", old: "", new: "x" }],
  ["M8323", "write", { path: "x.md", text: "123456" }],
  ["M8324", "read", { path: "docs/c.bin" }],
  ["M8325", "move", { from: "docs/a.md", to: "docs/b.md" }],
] as const)("%s: %s %j", async (code, name, input) => {
  const { call, root } = workspace({ writeBytesMax: 5 });
  await expect(call(name, input)).rejects.toMatchObject({ code });
  expect(readFileSync(join(root, "docs/a.md"), "utf8")).toBe("one\ntwo\nthree\n");
});

test("an agent's change is an artifact of its run, and a refusal is told to it", async () => {
  const { tools } = workspace();
  const text = `model m = "scripted"
graph G() returns report {
  state { report: string }
  agent work { model m; tools files.*; prompt \`Go.\`; writes report; limit 9 turns }
  start -> work -> end
}`;
  const models = {
    m: scripted({
      work: [
        { calls: [{ tool: "files.read", input: { path: "/etc/passwd" } }] },
        { calls: [{ tool: "files.write", input: { path: "x.md", text: "hello\n" } }] },
        "done",
      ],
    }),
  };
  const { run } = ask(text, { models, scope: { files: tools } });
  const told: unknown[] = [];
  run.events$.subscribe((event) => {
    if (event.kind === "tool.result") told.push(event.failure?.message ?? "ok");
  });
  await run.output;
  expect(told).toEqual([expect.stringContaining('"/etc/passwd" is not reached'), "ok"]);
  expect(run.artifacts).toMatchObject([{ name: "x.md", kind: "patch", path: "x.md" }]);
});
