/** Exports, imports, copies and deletes whole runs. */

import { systemClock } from "../clock.ts";
import { PrivateValues } from "../redaction/private-values.ts";
import type { Redactor } from "../redaction/redact.ts";
import { newRunId } from "../run/run-id.ts";
import { link } from "../scheduler/program/link.ts";
import type { Pruned, PruneOptions, RunStore } from "../store/run-store.ts";
import { type Exported, readRunFile, writeRunFile } from "../store/transfer/run-file.ts";
import { exportedRun, type Hide, importRun } from "../store/transfer/transfer.ts";
import { earlierRuns } from "../threads/thread-talks.ts";
import type { TraceStore } from "../trace/trace-store.ts";
import { KeptStates } from "./lasting-states.ts";
import { RememberedAnswers } from "./remembered-answers.ts";
import { SessionMemories } from "./session-memories.ts";

export interface ExportOptions {
  /** As the log has it, also what looks like a secret; what is known to be one is in no log. */
  readonly exact?: boolean;
}

/** A cassette that was made of a run. */
export interface ExportedCalls {
  readonly runId: string;
  readonly file: string;
  readonly calls: number;
  /** The nodes with calls that it lacks, since the log has their requests only in part. */
  readonly leftOut: readonly string[];
}

export interface RunImportOptions {
  /** Under an id of its own; without it, a stored run of its id is M5114. */
  readonly copy?: boolean;
  /** In the place of the stored run of its id. */
  readonly replace?: boolean;
  /** Into this thread instead of the one it had. */
  readonly thread?: string;
}

export interface StoredRunsParts {
  readonly redactor: Redactor;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The session's own store. */
  readonly own: RunStore;
  /** The store that has the run an id means. */
  readonly storeWith: (id: string) => RunStore;
  readonly traces: () => Promise<Pick<TraceStore, "query">>;
}

/** All of a session's stores, as one. */
export class StoredRuns {
  /** The kept fields of threads. */
  readonly threads: KeptStates;
  /** The kept fields of users. */
  readonly users: KeptStates;
  readonly memories: SessionMemories;
  /** The answers that hold for whole threads. */
  readonly answers: RememberedAnswers;
  readonly #parts: StoredRunsParts;

  constructor(parts: StoredRunsParts) {
    this.#parts = parts;
    this.threads = new KeptStates("thread", parts.own);
    this.users = new KeptStates("user", parts.own);
    this.memories = new SessionMemories(parts.own, parts.redactor);
    this.answers = new RememberedAnswers(parts.own, {
      hide: (runId) => this.#hide(parts.own, runId),
      now: systemClock.now,
    });
  }

  /** Writes a run to a file: its graph, its log, its artifacts. Whoever drives it goes on; the file has what is stored now. */
  export(id: string, file: string | undefined, { exact = false }: ExportOptions = {}): Exported {
    const store = this.#parts.storeWith(id);
    const { runId } = store.find(id);
    const content = exportedRun(store, runId, exact ? (value) => value : this.#hide(store, runId));
    const path = file ?? `${runId}.madrigal-run`;
    writeRunFile(path, content);
    const { hidden, leftOut, run } = content;
    return { runId, file: path, records: run.records.length, hidden, leftOut };
  }

  /** The same in a zip archive, beside what the run made (`KIND/NAME`) and what it did (`log/execution.txt`). */
  async archive(
    id: string,
    file: string,
    options: ExportOptions = {},
  ): Promise<Exported & { readonly entries: readonly string[] }> {
    const { archiveRun } = await import("./archive-run.ts");
    const write = (path: string) => this.export(id, path, options);
    return await archiveRun(file, { write, traces: await this.#parts.traces() });
  }

  /** Writes the model calls of a run as a cassette, `ID.cassette.jsonl` unless it is named. */
  async cassette(id: string, file?: string): Promise<ExportedCalls> {
    const { callsOfLog, writeCassette } = await import("../agents/models/cassette/from-log.ts");
    const { memoriesIn } = await import("../threads/logged-memory.ts");
    const { hideSecrets } = await import("../agents/models/cassette/cassette-handle.ts");
    const store = this.#parts.storeWith(id);
    const { runId } = store.find(id);
    const [meta, records] = [store.meta(runId), store.read(runId)];
    const earlier = () =>
      earlierRuns(meta, (thread) => store.list({ thread })).map((one) => store.read(one));
    const memories = memoriesIn(link(meta.ir), records, earlier);
    const { calls, leftOut } = callsOfLog(records, {
      hide: hideSecrets(this.#parts.env),
      memoryOf: (intent) => memories.get(intent),
    });
    const path = file ?? `${runId}.cassette.jsonl`;
    writeCassette(path, calls);
    return { runId, file: path, calls: calls.length, leftOut };
  }

  /** Takes a run from a file, whole or not at all; its id. What a thread or a user keeps is not touched. */
  import(file: string, { copy = false, replace, thread }: RunImportOptions = {}): string {
    const content = readRunFile(file);
    return importRun(this.#parts.own, content, {
      ...(copy ? { runId: newRunId() } : {}),
      ...(thread === undefined ? {} : { threadId: thread }),
      ...(replace === undefined ? {} : { replace }),
    });
  }

  /** Takes a run away; M5105 while somebody drives it. Its id. */
  delete(id: string): string {
    const store = this.#parts.storeWith(id);
    const { runId } = store.find(id);
    store.delete(runId);
    return runId;
  }

  /** Takes all runs of a thread away, and what it keeps; their ids. */
  deleteThread(thread: string): readonly string[] {
    return this.#parts.own.deleteThread(thread);
  }

  /** All runs of a thread and what it keeps, as another thread; the new ids, oldest first. */
  copyThread(from: string, to: string): readonly string[] {
    return this.#parts.own.copyThread({ from, to, newRunId });
  }

  /** Clears out old runs, and artifacts that no run names. */
  prune(options?: PruneOptions): Pruned {
    return this.#parts.own.prune(options);
  }

  #hide(store: RunStore, runId: string): Hide {
    const { redactForTrace } = this.#parts.redactor;
    const priv = PrivateValues.of(store.meta(runId).ir);
    if (priv !== undefined) for (const record of store.read(runId)) priv.learn(record);
    return (value) => {
      const shown = priv === undefined ? value : priv.hide(value);
      return hidden(redactForTrace(shown), redactForTrace) as typeof value;
    };
  }
}

/** Values that stand beside the name that says what they are, as in a write or a patch. */
function hidden(value: unknown, redact: (value: unknown) => unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([key, part]) => [key, hidden(part, redact)] as const);
  const name = nameIn(value);
  const own = members.map(([key, part]) =>
    key === "value" && name !== undefined && typeof part === "string"
      ? ([key, under(name, part, redact)] as const)
      : ([key, part] as const),
  );
  if (own.every(([key, part]) => part === Reflect.get(value, key))) return value;
  return Array.isArray(value) ? own.map(([, part]) => part) : Object.fromEntries(own);
}

function under(name: string, value: string, redact: (value: unknown) => unknown): unknown {
  return Reflect.get(redact({ [name]: value }) as object, name);
}

/** The field of a write, the last name of a patch's path. */
function nameIn(value: object): string | undefined {
  if ("field" in value && typeof value.field === "string") return value.field;
  if (!("path" in value) || !Array.isArray(value.path)) return undefined;
  return value.path.findLast((part: unknown) => typeof part === "string");
}
