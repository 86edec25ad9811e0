/** What a trace that is written while others work costs them: stalls of the thread, and the time until a row is seen. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as passed } from "node:timers/promises";
import { appendRows } from "../../../runtime/trace/columns/append.ts";
import { openDatabase, type TraceDatabase } from "../../../runtime/trace/database/database.ts";
import { type EventRow, eventLog } from "../../../runtime/trace/schema/tables.ts";
import { generatedRuns } from "../../support/traces/fill-traces.ts";
import type { Keep, Tell } from "../suite.ts";
import { clockMs } from "./processor-time.ts";

const ROWS_A_SECOND = 10_000;
const EVERY_MS = 250;
const SECONDS = 8;
const CHECKPOINT_ROWS = 50_000;
const P95 = `
SELECT node, quantile_cont(dur_us, 0.95)
FROM event_log
WHERE kind = 'attempt.finished'
GROUP BY node`;

/** 10,000 events a second for a while, written and asked as a kernel does it. */
export async function liveRows(tell: Tell, keep: Keep): Promise<void> {
  tell(`bench: ${ROWS_A_SECOND} events a second`);
  const folder = mkdtempSync(join(tmpdir(), "madrigal-bench-traces-"));
  const database = await openDatabase(join(folder, "traces.duckdb"));
  if ("kind" in database) throw new Error(database.message);
  const { stalls, fresh } = await lived(database);
  keep({
    name: "event loop stalled, longest",
    unit: "ms",
    goal: 25,
    goalOn: "ours",
    ours: stalls,
  });
  keep({ name: "flush and query", unit: "ms", goal: 10, goalOn: "ours", ours: fresh });
  database.close();
  rmSync(folder, { recursive: true, force: true });
}

async function lived(database: TraceDatabase) {
  const stalls: number[] = [];
  const fresh: number[] = [];
  const runs = generatedRuns(2);
  let sinceCheckpoint = 0;
  for (let second = 0; second < SECONDS; second += 1) {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    for (let part = 0; part < 1_000 / EVERY_MS; part += 1) {
      const rows = rowsOf(runs, (ROWS_A_SECOND * EVERY_MS) / 1_000);
      await passed(EVERY_MS);
      await written(database, rows);
      sinceCheckpoint += rows.length;
      if (sinceCheckpoint >= CHECKPOINT_ROWS) {
        await database.writer.run("CHECKPOINT");
        sinceCheckpoint = 0;
      }
    }
    delay.disable();
    // The monitor's own interval is in each of its figures.
    stalls.push(delay.max / 1e6 - 1);
    const few = rowsOf(runs, 100);
    fresh.push(
      await clockMs(async () => {
        await written(database, few);
        await database.reader.runAndReadAll(P95);
      }),
    );
  }
  return { stalls, fresh };
}

function rowsOf(runs: ReturnType<typeof generatedRuns>, count: number): readonly EventRow[] {
  const rows: EventRow[] = [];
  while (rows.length < count) for (const row of runs.next().value.events) rows.push(row);
  return rows;
}

async function written(database: TraceDatabase, rows: readonly EventRow[]): Promise<void> {
  const { writer: connection } = database;
  await connection.run("BEGIN");
  await appendRows({ ...database, connection }, eventLog, rows);
  await connection.run("COMMIT");
}
