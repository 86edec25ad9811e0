/** A run as a file: what SQL says of it elsewhere is what it said here. */
import { spawnSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type ArtifactOptions, type Run, Session, scripted } from "../../../../runtime/index.ts";
import { zipOf } from "../../../../runtime/store/transfer/zip.ts";
import { newFolder } from "../store.ts";

interface Context {
  artifact(options: ArtifactOptions): Promise<{ readonly id: string }>;
}

const TEXT = `model m = "scripted"
graph Research(question: string) returns report {
  state {
    found: string[] = [] via append
    report: string = ""
  }
  agent search { model m; prompt \`Search \${question}.\`; writes found }
  run keep = kept(found) writes found
  run write = written(found) writes report { tell read as observation }
  run read = seen(inbox) writes found
  start -> search -> keep -> write -> read -> end
}`;

const scope = {
  kept: async (found: readonly string[], ctx: Context) => {
    await ctx.artifact({ name: "search.json", kind: "search", data: found });
    return ["kept"];
  },
  written: async (found: readonly string[], ctx: Context) => {
    await ctx.artifact({ name: "report.md", kind: "report", data: `# ${found.join(", ")}` });
    return "done";
  },
  seen: () => ["read"],
};

function newSession(): Session {
  const session = new Session({ store: "disk", env: { MADRIGAL_HOME: newFolder() } });
  onTestFinished(() => session.close());
  return session;
}

async function researched(session: Session): Promise<Run> {
  const [graph] = Object.values(session.compile(TEXT, { scope }));
  if (graph === undefined) throw new Error("no graph");
  const models = { m: scripted({ search: ["a quote"] }) };
  const run = graph.run({ question: "why" }, { models });
  await run.output;
  return run as Run;
}

const VIEWS = {
  events: "FROM events WHERE run_id = $1 ORDER BY seq, part",
  artifacts: "FROM artifacts WHERE run_id = $1 ORDER BY seq",
  messages: "FROM messages WHERE run_id = $1 ORDER BY seq",
  log: "FROM execution_log WHERE run_id = $1 ORDER BY seq, part",
  runs: "SELECT status, steps, input, output, graph_hash, thread_id FROM runs WHERE run_id = $1",
};

async function told(session: Session, runId: string): Promise<Record<string, unknown>> {
  const traces = await session.traces();
  const rows = Object.entries(VIEWS).map(
    async ([name, sql]) => [name, await traces.query(sql, [runId])] as const,
  );
  return Object.fromEntries(await Promise.all(rows));
}

test("A94 [DB] a run that is exported and imported elsewhere: goal, state, artifacts, messages and log are the same in SQL", async () => {
  const [here, there] = [newSession(), newSession()];
  const run = await researched(here);
  const { file, leftOut } = here.stored.export(run.id, join(newFolder(), "run.madrigal-run"));
  expect(leftOut).toEqual([]);
  expect(there.stored.import(file)).toBe(run.id);
  const before = await told(here, run.id);
  expect(await told(there, run.id)).toEqual(before);
  // What was searched, what was reported, and the log of it, made from its events when it is asked for.
  const names = before.artifacts as { readonly name: string; readonly kind: string }[];
  expect(names.map(({ name, kind }) => `${kind} ${name}`)).toEqual([
    "search search.json",
    "report report.md",
  ]);
  const sentences = before.log as { readonly text: string }[];
  expect(sentences.map(({ text }) => text)).toContain("keep#1 made search.json");
  expect(readFileSync(file, "utf8").length).toBeGreaterThan(0);
});

/** By another program than ours: what an archive holds, and its files. */
function unzipped(file: string): Record<string, string> {
  const code =
    "import json,sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print(json.dumps({n: z.read(n).decode() for n in z.namelist()}))";
  const { stdout, stderr, status } = spawnSync("python3", ["-c", code, file]);
  expect([status, String(stderr)]).toEqual([0, ""]);
  return JSON.parse(String(stdout));
}

test("W34 [DB] the zip of a run has what was searched, the log made from its events, and the report", async () => {
  const [here, there] = [newSession(), newSession()];
  const run = await researched(here);
  const archive = join(newFolder(), "run.zip");
  const { entries } = await here.stored.archive(run.id, archive);
  expect(statSync(archive).mode & 0o777).toBe(0o600);
  const files = unzipped(archive);
  expect(Object.keys(files)).toEqual(entries);
  expect(entries).toEqual([
    "run.madrigal-run",
    "log/execution.txt",
    "search/search.json",
    "report/report.md",
  ]);
  expect(JSON.parse(files["search/search.json"] ?? "")).toEqual(["a quote"]);
  expect(files["report/report.md"]).toBe("# a quote, kept");
  const traces = await here.traces();
  const rows = await traces.query(
    "SELECT text FROM execution_log WHERE run_id = $1 ORDER BY seq, part",
    [run.id],
  );
  const lines = (files["log/execution.txt"] ?? "").trimEnd().split("\n");
  // The time, then what `execution_log` says of the events.
  expect(lines.map((line) => line.slice(25))).toEqual(rows.map(({ text }) => text));
  // The run itself is in it too, for programs that unpack it and for `import`.
  const file = join(newFolder(), "run.madrigal-run");
  writeFileSync(file, files["run.madrigal-run"] ?? "");
  expect(there.stored.import(file)).toBe(run.id);
  const elsewhere = newSession();
  expect(elsewhere.stored.import(archive)).toBe(run.id);
  expect(await told(elsewhere, run.id)).toEqual(await told(here, run.id));
});

test("an archive that is cut off, or holds no run, is refused with the reason", async () => {
  const session = newSession();
  const run = await researched(session);
  const archive = join(newFolder(), "run.zip");
  await session.stored.archive(run.id, archive);
  const bytes = readFileSync(archive);
  const refused = (given: Uint8Array) => {
    const file = join(newFolder(), "other.zip");
    writeFileSync(file, given);
    return () => newSession().stored.import(file);
  };
  expect(refused(bytes.subarray(0, bytes.length - 30))).toThrow(/it is a damaged archive/);
  const other = zipOf([{ name: "notes.txt", bytes: Buffer.from("nothing") }]);
  expect(refused(other ?? Buffer.of())).toThrow(/an archive without a `run.madrigal-run`/);
});

test("names of artifacts lead nowhere in an archive, and each has its own", async () => {
  const session = newSession();
  const text = `graph G() returns last { state { last: string = "" }\n run make = made() writes last\n start -> make -> end }`;
  const names = [
    "../../etc/passwd",
    "a.txt",
    "A.txt",
    ".hidden",
    "ü \u0000 日.md",
    "x".repeat(500),
  ];
  const made = async (ctx: Context) => {
    for (const name of names) await ctx.artifact({ name, kind: "file", data: name });
    await ctx.artifact({ name: "execution.txt", kind: "log", data: "mine" });
    return "done";
  };
  const graph = session.compile(text, { scope: { made } }).G;
  const run = graph?.run({});
  await run?.output;
  const archive = join(newFolder(), "run.zip");
  const { entries } = await session.stored.archive(run?.id ?? "", archive);
  expect(Object.keys(unzipped(archive))).toEqual(entries);
  expect(entries.slice(2).sort()).toEqual([
    "file/A.txt",
    "file/__.._etc_passwd",
    "file/_hidden",
    "file/a-2.txt",
    `file/${"x".repeat(120)}`,
    "file/ü _ 日.md",
    "log/execution-2.txt",
  ]);
  await expect(session.stored.archive(run?.id ?? "", "/proc/no/run.zip")).rejects.toMatchObject({
    code: "M5116",
  });
});
