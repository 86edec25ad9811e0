/** Exports runs as spans, and imports spans as runs, for commands and notebooks. */

import { RunError } from "../../failure.ts";
import { shortRunId } from "../../run-names.ts";
import type { Redact } from "../ingest/trace-json.ts";
import type { QueryableTraces } from "../sql/queries.ts";
import { readRun } from "./export/read-run.ts";
import { type SendOptions, send } from "./export/send.ts";
import { isAddress, shownAddress, targetOf } from "./export/target.ts";
import { toOtlp } from "./export/write-otlp.ts";
import { type Endpoint, openEndpoint } from "./import/endpoint.ts";
import { type ImportedSpanFiles, runOf } from "./import/imported-span-files.ts";
import type { ReadSpans } from "./import/read-otlp.ts";
import { cleanSpan } from "./import/redact-spans.ts";
import { readSpansFile, writeSpansFile } from "./import/spans-file.ts";
import { addedRows, scoresIn } from "./scores.ts";
import type { OtlpTraces } from "./span.ts";

export interface SpanExportOptions extends SendOptions {
  /** With what people, models and tools said; by default spans tell what was done, and how long it took. */
  readonly content?: boolean;
}

export interface SpansExported {
  readonly runId: string;
  /** The file, or the address. */
  readonly to: string;
  readonly spans: number;
  /** Those that the receiver said it did not take. */
  readonly rejected: number;
  readonly reason?: string;
}

export interface SpansImported {
  readonly runs: readonly string[];
  readonly spans: number;
  readonly rejected: number;
  readonly reason?: string;
}

export interface SpanEndpointOptions {
  /** Without one, any that is free. */
  readonly port?: number;
  /** The token that a sender has to show. */
  readonly token?: string;
  /** Called after each request. */
  readonly taken?: (imported: SpansImported) => void;
}

interface Exporting {
  readonly to: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly traces: QueryableTraces;
}

/** Writes or sends the spans of a run that the trace has; M5430 where it has none. */
export async function exportSpans(
  runId: string,
  { to, env, traces }: Exporting,
  options: SpanExportOptions,
): Promise<SpansExported> {
  const target = to === undefined || isAddress(to) ? targetOf(env, to) : undefined;
  const rows = await readRun(traces, runId);
  if (rows === undefined || rows.events.length === 0) throw nothingOf(runId);
  const { content = false, ...sending } = options;
  const service = env.OTEL_SERVICE_NAME;
  const bodies = toOtlp(rows, { content, ...(service === undefined ? {} : { service }) });
  const spans = bodies.reduce((sum, body) => sum + spansIn(body), 0);
  if (target !== undefined) {
    const sent = await send(bodies, target, sending);
    return { runId, to: shownAddress(target.url), spans, ...sent };
  }
  const file = to ?? `${runId}.otlp.json`;
  writeSpansFile(file, bodies);
  return { runId, to: file, spans, rejected: 0 };
}

interface Taking {
  readonly files: ImportedSpanFiles;
  readonly redact: Redact;
  readonly isOwn: (runId: string) => boolean;
  readonly addScores: (rows: string) => Promise<unknown>;
}

/** Takes the runs of a file in; M5434 where one of them has a log here. */
export async function importSpans(file: string, taking: Taking): Promise<SpansImported> {
  const read = readSpansFile(file);
  const own = [...new Set(read.spans.map(runOf))].find(taking.isOwn);
  if (own !== undefined) throw isHere(own);
  return await importReadSpans(read, taking);
}

/** An endpoint that takes what is posted to it. */
export function takePosted(
  taking: Taking,
  { port, token, taken }: SpanEndpointOptions,
): Promise<Endpoint> {
  return openEndpoint({
    async take(read) {
      const imported = await importReadSpans(read, taking);
      taken?.(imported);
      return imported;
    },
    ...(port === undefined ? {} : { port }),
    ...(token === undefined ? {} : { token }),
  });
}

/** Spans of runs with a log here are not taken. */
async function importReadSpans(read: ReadSpans, taking: Taking): Promise<SpansImported> {
  const { files, isOwn, redact, addScores } = taking;
  const runs = [...Map.groupBy(read.spans, runOf)];
  const own = runs.filter(([runId]) => isOwn(runId));
  const others = runs.filter(([runId]) => !isOwn(runId)).flatMap(([, spans]) => spans);
  const clean = others.map((span) => cleanSpan(span, redact));
  const added = files.add(clean);
  const scores = scoresIn(clean);
  if (scores.length > 0) await addScores(addedRows(scores));
  const [first] = own;
  const reason = first === undefined ? read.reason : isHere(first[0]).message;
  return {
    runs: added,
    spans: others.length,
    rejected: read.rejected + own.reduce((sum, [, spans]) => sum + spans.length, 0),
    ...(reason === undefined ? {} : { reason }),
  };
}

function spansIn({ resourceSpans }: OtlpTraces): number {
  return resourceSpans[0]?.scopeSpans[0]?.spans.length ?? 0;
}

function nothingOf(runId: string): RunError {
  return new RunError("M5430", `the trace has nothing of run ${shortRunId(runId)}`, {
    runId,
    hint: "`madrigal show` shows its status; `madrigal trace rebuild` reads all logs anew",
  });
}

function isHere(runId: string): RunError {
  return new RunError("M5434", `run ${shortRunId(runId)} is here already, with its log`, {
    runId,
    hint: "set MADRIGAL_HOME to another workspace to look at these spans",
  });
}
