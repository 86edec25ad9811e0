/**
 * Traces of runs that nobody has made, for whoever needs many: plausible, the same for the same seed, and named so that
 * nobody takes them for real (`GeneratedSearch`, models `generated/…`, source `scripted`).
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { seeded } from "../../../runtime/explore/seeded.ts";
import { appendRows } from "../../../runtime/trace/columns/append.ts";
import {
  openDatabase,
  type TraceDatabase,
  walOf,
} from "../../../runtime/trace/database/database.ts";
import { toGraphRow } from "../../../runtime/trace/ingest/run-tail.ts";
import {
  type EventRow,
  eventLog,
  graphLog,
  type RunRow,
  runLog,
} from "../../../runtime/trace/schema/tables.ts";
import { openTraces, type TraceStore } from "../../../runtime/trace/trace-store.ts";
import { type GeneratedRun, generatedRun } from "./generated-run.ts";
import { generatedGraph } from "./graph.ts";
import { wordsOf } from "./words.ts";

/** How many: runs have about 150 events, and none is cut. */
export type HowMany = { readonly runs: number } | { readonly events: number };

export interface Filled {
  readonly runs: number;
  readonly events: number;
}

/** 2026-03-01T12:00:00Z, before any run of these days. */
const FIRST_AT = 1_772_366_400_000;
const BATCH_ROWS = 16_384;
// Of so many rows DuckDB writes whole row groups past its write-ahead log.
const TRANSACTION_ROWS = 125_000;

/** Writes generated runs into an open trace file; one of each hundred is still under way. */
export async function fillTraces(
  of: { readonly database: TraceDatabase; readonly seed: number } & HowMany,
): Promise<Filled> {
  const { database } = of;
  const isEnough = ({ runs, events }: Filled) =>
    "runs" in of ? runs >= of.runs : events >= of.events;
  const filled = { runs: 0, events: 0 };
  const runs = generatedRuns(of.seed);
  const { writer } = database;
  await write(database, { graphs: [graphRow()] });
  while (!isEnough(filled)) {
    await writer.run("BEGIN");
    const enough = filled.events + TRANSACTION_ROWS;
    while (!isEnough(filled) && filled.events < enough) {
      const batch: GeneratedRun[] = [];
      for (let rows = 0; rows < BATCH_ROWS && !isEnough(filled); ) {
        const made = runs.next().value;
        batch.push(made);
        rows += made.events.length;
        filled.runs += 1;
        filled.events += made.events.length;
      }
      await write(database, {
        events: batch.flatMap(({ events }) => events),
        runs: batch.map(({ run }) => run),
      });
    }
    await writer.run("COMMIT");
    // What is not checkpointed stays in memory.
    await writer.run("CHECKPOINT");
  }
  return filled;
}

/**
 * Opens a trace store over a new file of generated runs, and of `watches` behind them, as the traces of `owner`; close it
 * after use.
 */
export async function generatedTraces(
  of: {
    readonly folder: string;
    readonly owner?: string;
    readonly seed: number;
    readonly watches?: readonly GeneratedRun[];
  } & HowMany,
): Promise<TraceStore> {
  const { folder, owner = "generated", watches = [] } = of;
  const file = join(folder, `live-${owner}.duckdb`);
  for (const path of [file, walOf(file)]) rmSync(path, { force: true });
  const database = await openDatabase(file);
  if ("kind" in database) throw new Error(database.message);
  await fillTraces({ ...of, database });
  await write(database, {
    events: watches.flatMap(({ events }) => events),
    runs: watches.map(({ run }) => run),
  });
  database.close();
  return openTraces(folder, owner);
}

/** One run after the other, without an end; the same ones for the same seed. */
export function* generatedRuns(seed: number): Generator<GeneratedRun, never> {
  const random = seeded(seed);
  const words = wordsOf(random);
  const ir = generatedGraph();
  let startedAt = FIRST_AT;
  for (let number = 0; ; number += 1) {
    startedAt += Math.floor(-Math.log(1 - random()) * 20_000);
    yield generatedRun({
      runId: runIdAt(startedAt, random),
      threadId: `generated-${Math.floor(number / 5)}`,
      graph: ir.name,
      graphHash: ir.hash,
      startedAt,
      ...(number % 100 === 99 ? { openAfterMs: 2_000 + random() * 15_000 } : {}),
      random,
      words,
    });
  }
}

function graphRow() {
  const ir = generatedGraph();
  return toGraphRow({ graph: ir.name, graphHash: ir.hash, ir });
}

/** A UUID of version 7, as runs have. */
function runIdAt(at: number, random: () => number): string {
  const hex = (length: number) =>
    Math.floor(random() * 16 ** length)
      .toString(16)
      .padStart(length, "0");
  const time = at.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-8${hex(3)}-${hex(12)}`;
}

async function write(
  database: TraceDatabase,
  rows: {
    readonly graphs?: readonly ReturnType<typeof graphRow>[];
    readonly events?: readonly EventRow[];
    readonly runs?: readonly RunRow[];
  },
): Promise<void> {
  const connection = database.writer;
  const into = { ...database, connection };
  await appendRows(into, graphLog, rows.graphs ?? []);
  await appendRows(into, eventLog, rows.events ?? []);
  await appendRows(into, runLog, rows.runs ?? []);
}
