/** Defines the messages between the main thread and the thread that has the traces. */
import type { Secret } from "../../redaction/redact.ts";
import type { AgentQuestion } from "../agent-sql/agent-traces.ts";
import type { TraceWarning } from "../database/trace-files.ts";
import type { StoreFiles } from "../ingest/source.ts";
import type { PublishedTraces } from "../published/published-files.ts";
import type { TracePruneOptions } from "../shared/prune.ts";
import type { CompactOptions } from "../shared/shared-traces.ts";
import type { SerializedError } from "../sql/serialized-error.ts";
import type { QueryParams } from "../sql/sql-parameters.ts";
import type { HandOverCall } from "./hand-over.ts";

/** The data that the thread starts with. */
export interface TracesWorkerData {
  readonly tracesDir: string;
  readonly owner: string;
  readonly secrets: readonly Secret[];
  /** The store that has the tables that people write. */
  readonly store: SourcePlace;
  /** Trace files of threads that died: this process may still have them open. */
  readonly lostFiles: readonly string[];
  /** The published traces that a thread before this one read. */
  readonly published: readonly PublishedTraces[];
  /** One number in shared memory: 1 once nothing of DuckDB is under way in the thread and nothing begins any more. */
  readonly atRest: Int32Array<SharedArrayBuffer>;
}

/** The place of a source: files, which the thread reads by a connection of its own, or a number, by which the main thread knows it. */
export type SourcePlace = StoreFiles | number;

/** A value that a query may name as a table: the main thread knows it by a number. */
export interface TablePlace {
  readonly name: string;
  readonly source: number;
}

/** A call of the thread to a value that the main thread has. */
export interface ValueCall {
  readonly method: "read";
  readonly args: readonly [at: number];
}

/** A call of a `TraceStore`, as data. */
export type TracesCall =
  | { readonly method: "ingest" | "rebuild"; readonly source: SourcePlace }
  | ({ readonly method: "query" } & AskedSql)
  | ({
      readonly method: "ask";
      readonly isWatched: boolean;
      readonly tables: readonly TablePlace[];
    } & AskedSql)
  | ({ readonly method: "answer" } & Omit<AgentQuestion, "signal">)
  | { readonly method: "compact"; readonly options: CompactOptions }
  | { readonly method: "publish"; readonly folder: string }
  | { readonly method: "readPublished"; readonly wanted: readonly PublishedTraces[] }
  | { readonly method: "prune"; readonly options: TracePruneOptions }
  | { readonly method: "share" | "takeOver" | "close" };

interface AskedSql {
  readonly sql: string;
  readonly params: QueryParams | undefined;
  readonly rowsMax: number | undefined;
}

export type ThreadReply = { readonly value: unknown } | { readonly failure: SerializedError };

/** A message of the main thread. */
export type ToTraces =
  | { readonly kind: "call"; readonly id: number; readonly call: TracesCall }
  | { readonly kind: "abort"; readonly id: number }
  /** The process ends: see `rest` in `serve-traces.ts`. */
  | { readonly kind: "rest" }
  | { readonly kind: "reply"; readonly id: number; readonly reply: ThreadReply };

/** A message of the thread; `warnings` are those since the last message with any. */
export type FromTraces =
  | { readonly kind: "opened"; readonly file: string; readonly warnings: readonly TraceWarning[] }
  | { readonly kind: "refused"; readonly failure: SerializedError }
  | {
      readonly kind: "reply";
      readonly id: number;
      readonly reply: ThreadReply;
      readonly warnings: readonly TraceWarning[];
    }
  | { readonly kind: "progress"; readonly id: number; readonly percent: number | undefined }
  | ({ readonly kind: "asked"; readonly id: number; readonly source: number } & (
      | HandOverCall
      | ValueCall
    ));
