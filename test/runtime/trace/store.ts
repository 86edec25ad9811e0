/** Trace stores in folders of their own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openRunStore } from "../../../runtime/store/open-store.ts";
import type { RunStore } from "../../../runtime/store/run-store.ts";
import {
  openTraces,
  type Row,
  type TraceOptions,
  type TraceSource,
  type TraceStore,
} from "../../../runtime/trace/trace-store.ts";

/** A folder that is gone after the test. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "madrigal-traces-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The store of runs in a folder, as another process opens it; closed after the test. */
export function storeIn(folder: string): RunStore {
  const store = openRunStore(join(folder, "runs.sqlite"));
  onTestFinished(() => store.close());
  return store;
}

/** A store that has read a source; closed after the test. */
export async function traced(
  source: TraceSource,
  folder = newFolder(),
  options: TraceOptions = {},
): Promise<TraceStore> {
  const traces = await openTraces(folder, "kernel", options);
  onTestFinished(() => traces.close());
  await traces.ingest(source);
  return traces;
}

/** Everything derived that a store holds, in one order. */
export async function contents(traces: TraceStore): Promise<Record<string, readonly Row[]>> {
  return {
    events: await traces.query("FROM event_log ORDER BY run_id, seq, part"),
    blobs: await traces.query("FROM blob_log ORDER BY run_id, hash"),
    runs: await traces.query("FROM run_log ORDER BY run_id"),
    graphs: await traces.query("FROM graph_log ORDER BY graph_hash"),
  };
}

/** The rows of a query as lines, values separated by blanks. */
export async function lines(traces: TraceStore, sql: string): Promise<string> {
  const rows = await traces.query(sql);
  return rows.map((row) => Object.values(row).map(cell).join(" ")).join("\n");
}

function cell(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
