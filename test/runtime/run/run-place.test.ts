import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { type Run, RunError, Session } from "../../../runtime/index.ts";

const text = `graph Count(n: int) returns values {
  state { values: int[] = [] via append }
  run add = size(values) writes values
  limit 100 steps
  start -> add -> { values.length < n -> add, else -> end }
}`;

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

function sessionOn(store: "disk" | "memory"): Session {
  const folder = mkdtempSync(join(tmpdir(), "madrigal-place-"));
  const made = new Session({ store, cwd: folder, env: { MADRIGAL_HOME: folder } });
  closing.push(async () => {
    await made.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return made;
}

function start(session: Session, keep: "none" | "memory" | "disk"): Run {
  const graph = session.compile(text, { scope: { size: (list: number[]) => list.length } }).Count;
  if (graph === undefined) throw new Error("no graph");
  return graph.run({ n: 3 }, { store: keep });
}

async function counted(session: Session, runId: string): Promise<unknown> {
  const traces = await session.traces();
  const [row] = await traces.query("SELECT count(*) AS n FROM steps WHERE run_id = $1", [runId]);
  return Number(row?.n);
}

test("contract: a run is kept on disk, in memory, or nowhere but in its handle, as `store` says", async () => {
  const session = sessionOn("disk");
  const runs = (["disk", "memory", "none"] as const).map((keep) => start(session, keep));
  const outputs = await Promise.all(runs.map((run) => run.output));
  expect(outputs).toEqual(runs.map(() => ({ values: [0, 1, 2] })));
  const [disk, memory, none] = runs.map(({ id }) => id);
  expect(new Set(session.list().map(({ runId }) => runId))).toEqual(new Set([disk, memory]));
  expect(session.store.list().map(({ runId }) => runId)).toEqual([disk]);
  expect(await counted(session, disk ?? "")).toBe(3);
  expect(await counted(session, memory ?? "")).toBe(3);
  expect(await counted(session, none ?? "")).toBe(0);
  expect(session.open(memory ?? "").state).toEqual({ values: [0, 1, 2] });
  expect(() => session.open(none ?? "")).toThrow(/M5101|no run/);
});

test("a run that is kept nowhere is rewound and goes on like any other", async () => {
  const run = start(sessionOn("memory"), "none");
  await run.output;
  await run.rewind(1);
  expect(run.state).toEqual({ values: [0] });
  await run.continue();
  expect(run.status).toBe("succeeded");
  expect(run.steps.map(({ step }) => step)).toEqual([1, 2, 3]);
});

test("a session without a disk refuses to put one run there", () => {
  const session = sessionOn("memory");
  expect(() => start(session, "disk")).toThrow(RunError);
  expect(() => start(session, "disk")).toThrow("this session keeps its runs in memory");
});
