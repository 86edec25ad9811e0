/** Writes a run as bodies of requests to `/v1/traces`, which are also the lines of a file. */
import { text } from "../any-value.ts";
import { type OtlpSpan, type OtlpTraces, SCOPE } from "../span.ts";
import { type RunRows, toSpans } from "./to-spans.ts";

export interface WriteOptions {
  /** Set to include the texts of people, models and tools; by default they are left out, as OpenTelemetry recommends. */
  readonly content?: boolean;
  /** `service.name`. */
  readonly service?: string;
}

/** So many spans go in one request. */
const SPANS_MAX = 512;

/** The whole run, in portions. */
export function toOtlp(rows: RunRows, options: WriteOptions = {}): OtlpTraces[] {
  const spans = toSpans(rows, options.content === true);
  const portions: OtlpTraces[] = [];
  for (let first = 0; first < spans.length; first += SPANS_MAX) {
    portions.push(request(rows, spans.slice(first, first + SPANS_MAX), options));
  }
  return portions;
}

function request(
  { run }: RunRows,
  spans: readonly OtlpSpan[],
  { service }: WriteOptions,
): OtlpTraces {
  const attributes = [
    text("service.name", service ?? "madrigal"),
    text("telemetry.sdk.name", "madrigal"),
    text("telemetry.sdk.language", "nodejs"),
    text("madrigal.run_id", run.run_id),
    text("madrigal.thread_id", run.thread_id),
    text("madrigal.graph", run.graph),
  ];
  return {
    resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope: { name: SCOPE }, spans }] }],
  };
}
