/** The column writer beside DuckDB's row Appender and beside DuckDB's own copy from table to table, in memory. */
import { appendRows } from "../../../runtime/trace/columns/append.ts";
import {
  IN_MEMORY,
  openDatabase,
  type TraceDatabase,
} from "../../../runtime/trace/database/database.ts";
import { createTable, type EventRow, eventLog } from "../../../runtime/trace/schema/tables.ts";
import { generatedRuns } from "../../support/traces/fill-traces.ts";
import { alternate } from "../alternate.ts";
import type { Keep, Tell } from "../suite.ts";
import { appendByValue } from "./appender.ts";
import { processorMs } from "./processor-time.ts";

const ROWS = 40_960;
/** As many as the ingester writes in one transaction. */
const BATCH_ROWS = 4_096;
const RUNS = 9;
const SOURCE = "source_log";

/** Three ways to bring the same rows into a table, in the same batches, each a transaction. */
export async function writerRows(tell: Tell, keep: Keep): Promise<void> {
  tell("bench: writer");
  const database = await openDatabase(IN_MEMORY);
  if ("kind" in database) throw new Error(database.message);
  const rows = eventRows();
  const into = { ...database, connection: database.writer };
  const ours = () => inBatches(database, rows, (batch) => appendRows(into, eventLog, batch));
  const byValue = () => inBatches(database, rows, (batch) => appendByValue(into, batch));
  await database.writer.run(createTable({ name: SOURCE, columns: eventLog.columns }));
  await appendRows(into, { name: SOURCE, columns: eventLog.columns }, rows.slice(0, BATCH_ROWS));
  const native = () =>
    inBatches(database, rows, () => database.writer.run(`INSERT INTO event_log FROM ${SOURCE}`));
  const shared = { unit: "µs of processor time a row", goalOn: "ratio" } as const;
  const beside = await alternate({ ours, base: byValue }, { runs: RUNS, tell });
  const appender = { name: "row Appender", values: beside.base };
  keep({ ...shared, name: "writer / Appender", goal: 2, ours: beside.ours, base: appender });
  const copied = await alternate({ ours, base: native }, { runs: RUNS, tell });
  const insert = { name: "INSERT … SELECT", values: copied.base };
  keep({ ...shared, name: "writer / native", goal: 1 / 1.6, ours: copied.ours, base: insert });
  database.close();
}

function eventRows(): EventRow[] {
  const rows: EventRow[] = [];
  const runs = generatedRuns(1);
  while (rows.length < ROWS) for (const row of runs.next().value.events) rows.push(row);
  return rows.slice(0, ROWS);
}

async function inBatches(
  { writer }: TraceDatabase,
  rows: readonly EventRow[],
  write: (batch: readonly EventRow[]) => Promise<unknown>,
): Promise<number> {
  await writer.run(createTable(eventLog));
  const batches = Array.from({ length: ROWS / BATCH_ROWS }, (_, number) =>
    rows.slice(number * BATCH_ROWS, (number + 1) * BATCH_ROWS),
  );
  const ms = await processorMs(async () => {
    for (const batch of batches) await write(batch);
  });
  return (ms * 1_000) / ROWS;
}
