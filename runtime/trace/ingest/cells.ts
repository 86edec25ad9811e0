/** Makes the columns that rows of several kinds of events have: spans, usage, errors, writes and patches. */

import type { TransientEvent } from "../../events/kinds/call-events.ts";
import type { RunEvent } from "../../events/kinds/run-event.ts";
import type { Failure } from "../../failure.ts";
import type { KnownPrice } from "../../price.ts";
import type { LoggedWrite } from "../../records/records.ts";
import type { Patch } from "../../state/patch.ts";
import type { Usage } from "../../usage.ts";
import type { EventRow } from "../schema/tables.ts";
import { stringify } from "./json-size.ts";
import { redactUnder, shortened, type TraceInto, toTraceJson } from "./trace-json.ts";

/** The facts that a row needs beside its event. */
export interface RowContext extends TraceInto {
  readonly graph: string;
  /** The `seq` of the record that began the run: the span that attempts are parts of. */
  readonly runSpan: number;
  /** The open attempt of a node run, by its number: the span that calls are parts of. */
  readonly attemptSpan: (nodeRun: number) => number | undefined;
}

/** Some columns of a row. */
export type Cells = EventRow;

/** Transient events have no row. */
export type StoredEvent = Exclude<RunEvent, TransientEvent>;

/** A called graph is part of the attempt that called it. */
export function spanAround({ caller }: StoredEvent, context: RowContext): number {
  const around = caller === undefined ? undefined : context.attemptSpan(caller);
  return around ?? context.runSpan;
}

/** Tokens of nothing are unknown, not 0; so is the cost of tokens without a price. */
export function usageColumns(usage: Usage | undefined): Cells {
  if (usage === undefined) return {};
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cached_tokens: usage.cachedTokens,
    reasoning_tokens: usage.reasoningTokens,
    cache_write_tokens: usage.cacheWriteTokens ?? 0,
    cost_usd: usage.costUsd,
  };
}

/** The price by which a call has its cost; NULL where it is unknown. */
export function priceColumns(price: KnownPrice | undefined): Cells {
  if (price === undefined) return {};
  const { input, output, cachedInput = input, cacheWrite = input, source, asOf = null } = price;
  return {
    price_in: input,
    price_out: output,
    price_cached: cachedInput,
    price_cache_write: cacheWrite,
    price_source: source,
    price_as_of: asOf,
  };
}

/** A failure in its own columns, and whole. */
export function failureColumns(failure: Failure, context: RowContext): Cells {
  return { ...errorColumns(failure), payload: toTraceJson(failure, context) };
}

/** Class and code of a failure. */
export function errorColumns(failure: Failure): Cells {
  return { error_class: failure.class, error_code: failure.code };
}

/** Writes, with their values redacted and cut. */
export function writesOf(writes: readonly LoggedWrite[], { redact, blobs }: RowContext): unknown {
  return writes.map((write) => ({
    ...write,
    value: shortened(redactUnder(write.field, write.value, redact), blobs),
  }));
}

/** Patches stay patches: only their values are redacted and cut. */
export function patchesJson(
  patches: readonly Patch[],
  { redact, blobs }: RowContext,
): string | null {
  if (patches.length === 0) return null;
  // Items of a list are often the same.
  const texts = new Map<unknown, string>();
  const valueText = (value: unknown): string => {
    const text = texts.get(value) ?? stringify(shortened(value, blobs));
    texts.set(value, text);
    return text;
  };
  const kept = patches.map(({ value, ...rest }) => {
    const text = stringify(rest);
    if (value === undefined) return text;
    const shown = redactUnder(rest.path.at(-1), value, redact);
    return `${text.slice(0, -1)},"value":${valueText(shown)}}`;
  });
  return `[${kept.join(",")}]`;
}

/** The named members that are there. */
export function pick<T extends object, K extends keyof T>(
  value: T,
  ...names: K[]
): Partial<Pick<T, K>> {
  const entries = names.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]]]));
  return Object.fromEntries(entries) as Partial<Pick<T, K>>;
}
