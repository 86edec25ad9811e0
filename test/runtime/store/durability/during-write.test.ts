/** A machine that goes down in the middle of a write: wherever that was cut, each stage of a run stands as before it or behind it. */
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { LogRecord } from "../../../../runtime/records/records.ts";
import { foldLog } from "../../../../runtime/scheduler/fold.ts";
import { link } from "../../../../runtime/scheduler/program/link.ts";
import type { Program } from "../../../../runtime/scheduler/program/program.ts";
import { Session } from "../../../../runtime/session/session.ts";
import { openRunStore } from "../../../../runtime/store/open-store.ts";
import type { RunStore } from "../../../../runtime/store/run-store.ts";
import { workspaceIn } from "../../../../runtime/store/workspace.ts";
import { openTraces } from "../../../../runtime/trace/trace-store.ts";
import { temporaryFolder } from "../fixtures.ts";

const text = `graph Stages(topic: string) returns page {
  state {
    plan: string = ""
    page: string = ""
    ok: boolean = false
  }
  run outline = made(topic) writes plan
  run write = made(plan) writes page
  run review = approved(page) writes ok
  start -> outline -> write -> review -> end
}
`;
const scope = { made: (of: string) => `${of} made`, approved: () => true };

/** The bytes of a header, and of a page with its own. */
const HEAD = 32;
const FRAME = 24 + 4_096;

interface Left {
  readonly file: string;
  readonly wal: Buffer;
  readonly program: Program;
  readonly records: readonly LogRecord[];
}

/** The files of a run that went to its end, was taken back behind its first stage, and went to its end again. */
async function left(): Promise<Left> {
  const home = temporaryFolder();
  const session = new Session({ cwd: home, env: { MADRIGAL_HOME: home } });
  onTestFinished(() => session.close());
  const { Stages } = session.compile(text, { scope });
  if (Stages === undefined) throw new Error("no graph");
  const run = Stages.debug({ topic: "ants" }, { durability: "sync" });
  while (run.steps.length < 2) await run.step();
  await run.rewind(1);
  await run.continue();
  await run.settled();
  const folder = temporaryFolder();
  const { runsFile } = workspaceIn(home);
  // By another process: this one must not close a file that SQLite has locked.
  execFileSync("cp", [runsFile, `${runsFile}-wal`, folder]);
  const file = join(folder, "runs.sqlite");
  const records = session.store.read(run.id);
  return { file, wal: readFileSync(`${file}-wal`), program: link(Stages.ir), records };
}

/** The store as it opens when its last write came up to here. */
function openCut({ file, wal }: Left, at: number): RunStore {
  const copy = join(temporaryFolder(), "runs.sqlite");
  copyFileSync(file, copy);
  writeFileSync(`${copy}-wal`, wal.subarray(0, at));
  const store = openRunStore(copy);
  onTestFinished(() => store.close());
  return store;
}

/** In the midst of each page, and one byte short of its end. */
function cutsOf(wal: Buffer): readonly number[] {
  const frames = Math.floor((wal.length - HEAD) / FRAME);
  return Array.from({ length: frames }, (_, frame) => HEAD + frame * FRAME).flatMap((begin) => [
    begin + 2_000,
    begin + FRAME - 1,
  ]);
}

/** What SQL shows of the stages, and what follows from the records alone. */
async function stagesIn(store: RunStore, { program, records }: Left, length: number) {
  const traces = await openTraces(temporaryFolder(), "kernel");
  await traces.ingest(store);
  const rows = await traces.query(STAGES);
  await traces.close();
  const { open, steps } = foldLog(program, records.slice(0, length));
  const due = [...open.values()].map(({ node }) => program.nodes[node]?.ir.name ?? "");
  return { rows, steps, due };
}

const STAGES = `
  SELECT node, status
  FROM node_runs
  ORDER BY ALL`;

test("A95 A96 [CR] a crash during any write leaves each stage as before it or behind it: done, due or stale, never half", {
  timeout: 120_000,
}, async () => {
  const all = await left();
  const lengths = new Set<number>();
  const stages = new Set<string>();
  for (const at of cutsOf(all.wal)) {
    const store = openCut(all, at);
    const [found] = store.list();
    if (found === undefined) continue;
    const records = store.read(found.runId);
    expect(records).toEqual(all.records.slice(0, records.length));
    if (records.length === 0 || lengths.has(records.length)) continue;
    lengths.add(records.length);
    const { rows, steps, due } = await stagesIn(store, all, records.length);
    expect(found.steps).toBe(steps);
    const done = rows.filter(({ status }) => status === "succeeded");
    expect(done).toHaveLength(steps);
    expect(done.filter(({ node }) => due.includes(String(node)))).toEqual([]);
    for (const { status } of rows) stages.add(String(status));
  }
  expect(lengths.size).toBeGreaterThan(6);
  expect([...stages]).toEqual(expect.arrayContaining(["succeeded", "stale"]));
});
