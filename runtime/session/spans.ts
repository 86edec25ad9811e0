/** Exports runs as OpenTelemetry spans and imports spans of other systems. */

import { closeSync, openSync, readSync } from "node:fs";
import { systemClock } from "../clock.ts";
import { RunError } from "../failure.ts";
import { namesRun, shortRunId } from "../run-names.ts";
import type { PruneOptions } from "../store/run-store.ts";
import type {
  SpanEndpointOptions,
  SpanExportOptions,
  SpansExported,
  SpansImported,
} from "../trace/otlp/exchange-spans.ts";
import type { Endpoint } from "../trace/otlp/import/endpoint.ts";
import type { ImportedFilter, ImportedRun } from "../trace/otlp/import/imported-runs.ts";
import { ImportedSpanFiles } from "../trace/otlp/import/imported-span-files.ts";
import type { TraceStore } from "../trace/trace-store.ts";

export interface SpansParts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly tracesDir: string;
  readonly redact: (value: unknown) => unknown;
  readonly traces: () => Promise<Pick<TraceStore, "query">>;
  /** The whole id of a run, by whatever names it. */
  readonly find: (id: string) => string;
  /** Returns whether a run has a log here. */
  readonly isOwn: (runId: string) => boolean;
}

/** Fewer digits of an id may well be those of a run with a log. */
const ID_LENGTH_MIN = 8;

/** Spans of a session's runs. What works with them is loaded when it is first needed. */
export class Spans {
  readonly #parts: SpansParts;
  readonly #files: ImportedSpanFiles;

  constructor(parts: SpansParts) {
    this.#parts = parts;
    this.#files = new ImportedSpanFiles(parts.tracesDir);
  }

  /**
   * Writes a run's spans to a file or sends them to an address (`http…`); without either, to where OpenTelemetry's variables
   * say, else to `ID.otlp.json`, with the whole id.
   */
  async export(id: string, to?: string, options: SpanExportOptions = {}): Promise<SpansExported> {
    const { env, traces, find } = this.#parts;
    const runId = this.taken(id) ?? find(id);
    const { exportSpans } = await import("../trace/otlp/exchange-spans.ts");
    return exportSpans(runId, { to, env, traces: await traces() }, options);
  }

  /** Takes the runs of a file in; M5434 where this workspace has the log of one. */
  async import(file: string): Promise<SpansImported> {
    const { importSpans } = await import("../trace/otlp/exchange-spans.ts");
    return importSpans(file, this.#taking());
  }

  /** Takes what is posted to it, until it is closed. */
  async listen(options: SpanEndpointOptions = {}): Promise<Endpoint> {
    const { takePosted } = await import("../trace/otlp/exchange-spans.ts");
    return takePosted(this.#taking(), options);
  }

  #taking() {
    const { traces } = this.#parts;
    const addScores = async (rows: string) => {
      const { ADD_SCORES } = await import("../trace/otlp/scores.ts");
      return (await traces()).query(ADD_SCORES, { rows });
    };
    return { ...this.#parts, files: this.#files, addScores };
  }

  /** The imported runs, newest first. */
  async list(filter: ImportedFilter = {}): Promise<readonly ImportedRun[]> {
    if (this.#files.list().length === 0) return [];
    const { importedRuns } = await import("../trace/otlp/import/imported-runs.ts");
    return await importedRuns(await this.#parts.traces(), filter);
  }

  /** Takes an imported run away, by whatever names it; its id, or nothing where none is meant. */
  delete(id: string): string | undefined {
    const runId = this.taken(id);
    if (runId !== undefined) this.#files.remove(runId);
    return runId;
  }

  /** Takes old imported runs away; which. */
  async prune({ olderThanMs, keep = 0, isTrial = false }: PruneOptions): Promise<string[]> {
    if (olderThanMs === undefined) return [];
    const { outdatedImports } = await import("../trace/otlp/import/imported-runs.ts");
    const before = systemClock.now() - olderThanMs;
    const old = outdatedImports(await this.list(), { before, keep });
    if (!isTrial) for (const { run_id } of old) this.#files.remove(run_id);
    return old.map(({ run_id }) => run_id);
  }

  /** M5435 where what an id means was imported. */
  assertHasLog(id: string): void {
    const runId = this.taken(id);
    if (runId !== undefined) throw hasNoLog(runId);
  }

  /** The id of an imported run that has no log here, by it or its beginning. */
  taken(id: string): string | undefined {
    if (id.length < ID_LENGTH_MIN) return undefined;
    const found = this.#files.list().filter(({ runId }) => namesRun(id, runId));
    const [only] = found;
    if (only === undefined || found.length > 1) return undefined;
    return this.#parts.isOwn(only.runId) ? undefined : only.runId;
  }
}

function hasNoLog(runId: string): RunError {
  return new RunError("M5435", `run ${shortRunId(runId)} was imported as spans, and has no log`, {
    runId,
    hint: "SQL, views, charts and `madrigal show` work; going on, replaying and forking need the program that made it",
  });
}

/** Tells whether a file begins as the spans of OTLP do, whatever else may be wrong with it. */
export function looksLikeSpans(path: string): boolean {
  const head = Buffer.alloc(200);
  try {
    const file = openSync(path, "r");
    try {
      readSync(file, head);
    } finally {
      closeSync(file);
    }
  } catch {
    // Whoever reads it whole says why it can't be.
    return false;
  }
  return /^\s*\{\s*"resourceSpans"/.test(head.toString("latin1"));
}
