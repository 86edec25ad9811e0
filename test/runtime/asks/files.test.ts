/** `human` nodes that ask for files: what may be given, what the state and the log have of it, and where the bytes are. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  ANSWER_BYTES_MAX,
  ANSWER_FILES_MAX,
  people,
  readGivenFile,
  Session,
  scripted,
} from "../../../runtime/index.ts";
import { ask, nextStop, rejection } from "./asking.ts";

const one = `graph G() returns report {
  state { report: Artifact }
  human upload { ask "Which report?"; writes report }
  start -> upload -> end
}`;
const several = one.replace("report: Artifact", "report: Artifact[] = []");

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "madrigal-files-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const bytes = new TextEncoder().encode("%PDF-1.7 a report");

async function waiting(text = one) {
  const { run } = ask(text);
  await nextStop(run);
  return run;
}

test("M13 a file that a person gives is an artifact of the run; the state and the log have a reference to it", async () => {
  const { run, session } = ask(one);
  await nextStop(run);
  expect(run.interrupts).toMatchObject([
    { kind: "input", schema: { contentMediaType: "application/octet-stream" } },
  ]);
  await run.answer("upload-0", { kind: "value", value: { name: "report.pdf", data: bytes } });
  const { report } = (await run.output) as { readonly report: Record<string, unknown> };
  expect(report).toEqual({
    id: expect.stringMatching(/^report\.pdf@[0-9a-f]{12}$/),
    name: "report.pdf",
    kind: "file",
    mime: "application/pdf",
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    bytes: bytes.length,
  });
  expect(run.artifacts).toMatchObject([{ id: report.id, producer: "upload" }]);
  expect(Buffer.from(run.artifact(String(report.id))).equals(bytes)).toBe(true);
  expect(JSON.stringify(session.store.read(run.id))).not.toContain("a report");
  expect(run.replay().ok).toBe(true);
  const fork = run.fork(run.steps.length);
  expect(fork.artifacts).toMatchObject([{ id: report.id }]);
});

test("a list of files takes several, and one alone; equal bytes are stored once", async () => {
  const run = await waiting(several);
  const files = [
    { name: "a.txt", data: "same" },
    { name: "b.txt", data: "same" },
  ];
  await run.answer("upload-0", { kind: "value", value: files });
  const { report } = (await run.output) as { readonly report: readonly { hash: string }[] };
  expect(report).toMatchObject([{ name: "a.txt" }, { name: "b.txt" }]);
  expect(new Set(report.map(({ hash }) => hash)).size).toBe(1);
  const other = await waiting(several);
  await other.answer("upload-0", { kind: "value", value: files[0] });
  expect(await other.output).toMatchObject({ report: [{ name: "a.txt" }] });
});

test("a file is a member of a form, too", async () => {
  const run = await waiting(
    one
      .replace("report: Artifact", "report: Form")
      .replace("graph G", "type Form = { title: string, file: Artifact }\ngraph G"),
  );
  const value = { title: "Sales", file: { name: "a.csv", data: "a,b\n1,2\n" } };
  await run.answer("upload-0", { kind: "value", value });
  expect(await run.output).toMatchObject({
    report: { title: "Sales", file: { name: "a.csv", mime: "text/csv" } },
  });
  expect(run.artifacts).toHaveLength(1);
});

test.each<[string, unknown, string, string]>([
  ["no file", "report.pdf", "M5311", "expected an object"],
  ["a name without bytes", { name: "report.pdf" }, "M5311", "nothing"],
  ["nothing in it", { name: "empty.pdf", data: new Uint8Array() }, "M5317", "`empty.pdf` is empty"],
  [
    "more than 25 MB",
    { name: "huge.bin", data: new Uint8Array(ANSWER_BYTES_MAX + 1) },
    "M5317",
    "larger than 25 MB",
  ],
  [
    "a reference to bytes that the run does not have",
    {
      ...{ id: "secret@1", name: "secret", kind: "file", mime: "text/plain" },
      ...{ hash: "0".repeat(64), bytes: 3 },
    },
    "M5317",
    "no file `secret@1`",
  ],
])("%s is refused, and the question stays open", async (_, value, code, words) => {
  const run = await waiting();
  const error = await rejection(run.answer("upload-0", { kind: "value", value }));
  expect(error.code).toBe(code);
  expect(error.message).toContain(words);
  expect(error.hint).toBeDefined();
  expect(run.interrupts).toHaveLength(1);
  await run.abort();
});

test("a hundred files are an answer, and one more is none", async () => {
  const run = await waiting(several);
  const files = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ name: `${at}.txt`, data: `${at}` }));
  const over = { kind: "value", value: files(ANSWER_FILES_MAX + 1) } as const;
  expect(await rejection(run.answer("upload-0", over))).toMatchObject({ code: "M5317" });
  await run.answer("upload-0", { kind: "value", value: files(ANSWER_FILES_MAX) });
  await run.output;
  expect(run.artifacts).toHaveLength(ANSWER_FILES_MAX);
});

test.each([
  ["../../x", "x"],
  ["..\\..\\x.exe", "x.exe"],
  ["/etc/passwd", "passwd"],
  ["..", "file"],
  ["", "file"],
  ["a\u0000b\u001b[31m\u202Efdp.exe", "ab[31mfdp.exe"],
  [`${"n".repeat(300)}.pdf`, `${"n".repeat(196)}.pdf`],
  ["ä".repeat(300), "ä".repeat(100)],
  ["\ud800.txt", "\ufffd.txt"],
])("the name %j is reduced to %j", async (given, name) => {
  const run = await waiting();
  await run.answer("upload-0", { kind: "value", value: { name: given, data: "x" } });
  expect(await run.output).toMatchObject({ report: { name } });
});

test("a later prompt shows a given picture, and names a given text", async () => {
  const text = `model m = "scripted"
graph G() returns said {
  state { files: Artifact[] = []  said: string }
  human upload { ask "Which files?"; writes files }
  agent look { model m; prompt \`Look at \${files}.\`; writes said }
  start -> upload -> look -> end
}`;
  const model = scripted(["seen"]);
  const { run, session } = ask(text, { models: { m: model } });
  await nextStop(run);
  const value = [
    { name: "a.png", data: new Uint8Array([137, 80, 78, 71]) },
    { name: "b.txt", data: "hello" },
  ];
  await run.answer("upload-0", { kind: "value", value });
  expect(await run.output).toEqual({ said: "seen" });
  const asked = JSON.stringify(session.store.read(run.id).filter(({ kind }) => kind === "intent"));
  expect(asked).toContain("image/png");
  expect(asked).toContain("b.txt");
});

test("a remembered file answers the later runs of its thread, each of which has its bytes", async () => {
  const session = new Session({ store: "memory", env: { MADRIGAL_HOME: "/nowhere" } });
  onTestFinished(() => session.close());
  const { G } = session.compile(one);
  const first = G?.run({}, { thread: "t" });
  await first?.continue();
  const value = { name: "report.pdf", data: bytes };
  await first?.answer("upload-0", { kind: "value", value, remember: "thread" });
  const given = (await first?.output) as { readonly report: { readonly id: string } };
  const second = G?.run({}, { thread: "t" });
  expect(await second?.output).toEqual(given);
  expect(Buffer.from(second?.artifact(given.report.id) ?? []).equals(bytes)).toBe(true);
});

test("a file that the run has is given again by its reference, under its own name and type", async () => {
  const text = `graph G() returns first, second {
  state { first: Artifact  second: Artifact }
  human upload { ask "Which report?"; writes first }
  human again { ask "And which again?"; writes second }
  start -> upload -> again -> end
}`;
  const { run } = ask(text);
  await nextStop(run);
  await run.answer("upload-0", { kind: "value", value: { name: "report.pdf", data: bytes } });
  await nextStop(run);
  const { first } = run.state;
  const value = { ...(first as object), name: "../../x.html", mime: "text/html" };
  await run.answer("again-1", { kind: "value", value });
  expect(await run.output).toEqual({ first, second: first });
});

test("simulated people give files by their bytes or by a path", async () => {
  const folder = newFolder();
  writeFileSync(join(folder, "paper.md"), "# Paper");
  for (const file of [people.file("paper.md", folder), { name: "paper.md", data: "# Paper" }]) {
    const { run } = ask(one, { answers: people.script({ upload: [file] }) });
    expect(await run.output).toMatchObject({ report: { name: "paper.md", mime: "text/markdown" } });
  }
});

test.each([
  ["missing.pdf", "can't be read"],
  ["folder", "is a folder"],
  ["empty.pdf", "is empty"],
  ["/dev/zero", "is no file"],
])("%s is no file to give", (path, words) => {
  const folder = newFolder();
  mkdirSync(join(folder, "folder"));
  writeFileSync(join(folder, "empty.pdf"), "");
  expect(() => readGivenFile(path, folder)).toThrow(
    expect.objectContaining({ code: "M5317", message: expect.stringContaining(words) }),
  );
});

test("a file that was given before the process ended is there in the next one and in a fork", async () => {
  const home = newFolder();
  const open = () => new Session({ cwd: home, env: { MADRIGAL_HOME: join(home, ".madrigal") } });
  const before = open();
  const run = before.compile(one).G?.run({});
  await run?.continue();
  const id = run?.id ?? "";
  const answer = { kind: "value", value: { name: "report.pdf", data: bytes } } as const;
  await run?.answer("upload-0", answer, { later: true });
  await before.close();
  const after = open();
  onTestFinished(() => after.close());
  const resumed = after.open(id);
  await resumed.resume();
  const { report } = (await resumed.output) as { readonly report: { readonly id: string } };
  for (const one of [resumed, resumed.fork(resumed.steps.length)])
    expect(Buffer.from(one.artifact(report.id)).equals(bytes)).toBe(true);
});
