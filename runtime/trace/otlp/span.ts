/** Defines OTLP spans, as they are sent and as imported ones are stored. */
import type { EventRow, GraphRow, RunRow } from "../schema/tables.ts";
import type { KeyValue } from "./any-value.ts";

/** One run, as the trace has it. */
export interface TakenRows {
  readonly run: RunRow;
  readonly events: readonly EventRow[];
  readonly graphs: readonly GraphRow[];
}

export const SPAN_KIND = { internal: 1, client: 3 } as const;
export const STATUS_ERROR = 2;

/** By this name of the instrumentation our own spans are known. */
export const SCOPE = "madrigal";

export interface OtlpEvent {
  readonly timeUnixNano: string;
  readonly name: string;
  readonly attributes: readonly KeyValue[];
}

export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly KeyValue[];
  readonly events: readonly OtlpEvent[];
  readonly status?: { readonly code: number; readonly message?: string };
}

/** The body of a request to `/v1/traces`. */
export interface OtlpTraces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly {
      readonly scope: { readonly name: string; readonly version?: string };
      readonly spans: readonly OtlpSpan[];
    }[];
  }[];
}

export type Attributes = Readonly<Record<string, unknown>>;

/** A span that came in, with what was said of all of its request beside it; times are nanoseconds since the epoch, as texts. */
export interface ImportedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly start: string;
  readonly end: string;
  readonly attributes: Attributes;
  readonly events: readonly ImportedEvent[];
  readonly links?: readonly unknown[];
  readonly status: { readonly code: number; readonly message?: string };
  readonly resource: Attributes;
  readonly scope: string;
}

export interface ImportedEvent {
  readonly name: string;
  readonly time: string;
  readonly attributes: Attributes;
}

/** Nanoseconds as OTLP writes them, of milliseconds that are exact to the microsecond. */
export function toNanos(ms: number): string {
  const us = Math.round(ms * 1_000);
  return us === 0 ? "0" : `${us}000`;
}

/** Milliseconds of nanoseconds, to the microsecond. */
export function toMs(nanos: string): number {
  return Number(nanos.slice(0, -3)) / 1_000;
}
