/** Orders the spans of another tool as a run: the run's own span, its node runs, and what happened in which order. */

import type { ImportedSpan } from "../span.ts";
import { agentName, type ForeignKind, foreignKind, graphNode } from "./foreign-facts.ts";

/** A span with its place in the run. */
export interface PlacedSpan {
  readonly span: ImportedSpan;
  readonly kind: ForeignKind | "run";
  readonly depth: number;
  readonly parent: PlacedSpan | undefined;
  /** The node run that it is, or that it is in. */
  readonly nodeRun: ForeignNodeRun | undefined;
}

export interface ForeignNodeRun {
  readonly number: number;
  readonly node: string;
  /** `search#2` */
  readonly label: string;
  /** The span that it is. */
  readonly spanId: string;
}

/** The beginning or the end of a span, or one of its events. */
export type Moment =
  | { readonly kind: "begin" | "end"; readonly time: string; readonly of: PlacedSpan }
  | {
      readonly kind: "event";
      readonly time: string;
      readonly of: PlacedSpan;
      readonly event: number;
    };

/** The spans from the outside in. Where several begin the trace, or one that is no work of many, the run is around them. */
export function placeSpans(spans: readonly ImportedSpan[]): PlacedSpan[] {
  const known = new Set(spans.map(({ spanId }) => spanId));
  const children = Map.groupBy(inTime(spans), ({ parentSpanId }) =>
    parentSpanId !== undefined && known.has(parentSpanId) ? parentSpanId : "",
  );
  const roots = children.get("") ?? [];
  const [only] = roots;
  const isRun =
    only !== undefined && roots.length === 1 && !["model", "tool"].includes(foreignKind(only));
  const all: PlacedSpan[] = [];
  const counts = new Map<string, number>();
  // A list, not a recursion: a trace may be as deep as somebody likes.
  const open = (isRun ? [only] : roots).map((span) => ({
    span,
    parent: undefined as PlacedSpan | undefined,
  }));
  let numbers = 0;
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const { span, parent } = next;
    const isOwn = isRun && span === only;
    const kind = isOwn ? "run" : kindIn(span, parent);
    const nodeRun = kind === "node" ? nodeRunOf(span, numbers, counts) : parent?.nodeRun;
    if (kind === "node") numbers += 1;
    const here: PlacedSpan = { span, kind, parent, nodeRun, depth: (parent?.depth ?? 0) + 1 };
    all.push(here);
    for (const child of children.get(span.spanId) ?? []) open.push({ span: child, parent: here });
  }
  return all;
}

/** Work right below the run is a node's; deeper down only what says so is. */
function kindIn(span: ImportedSpan, parent: PlacedSpan | undefined): ForeignKind {
  const kind = foreignKind(span);
  if (kind === "model" || kind === "tool" || kind === "node") return kind;
  const node = graphNode(span);
  if (node !== undefined && node !== parent?.nodeRun?.node) return "node";
  return parent === undefined || parent.kind === "run" ? "node" : kind;
}

function nodeRunOf(
  span: ImportedSpan,
  number: number,
  counts: Map<string, number>,
): ForeignNodeRun {
  const node = agentName(span);
  const count = (counts.get(node) ?? 0) + 1;
  counts.set(node, count);
  return { number, node, label: `${node}#${count}`, spanId: span.spanId };
}

function inTime(spans: readonly ImportedSpan[]): ImportedSpan[] {
  return [...spans].sort((a, b) => compareTimes(a.start, b.start));
}

/** Everything that happened, in its order: at one time what is outside begins first and ends last. */
export function moments(all: readonly PlacedSpan[]): Moment[] {
  const list: Moment[] = all.flatMap((of) => [
    { kind: "begin" as const, time: of.span.start, of },
    ...of.span.events.map((event, index) => ({
      kind: "event" as const,
      time: event.time,
      of,
      event: index,
    })),
    { kind: "end" as const, time: of.span.end, of },
  ]);
  return list.sort(
    (a, b) => compareTimes(a.time, b.time) || rank(a) - rank(b) || depthOf(a) - depthOf(b),
  );
}

/** Ranks moments at the same time: ends of earlier spans come first, and a span without duration ends behind its beginning. */
function rank({ kind, of }: Moment): number {
  if (kind === "begin") return 1;
  if (kind === "event") return 2;
  return of.span.start === of.span.end ? 3 : 0;
}

function depthOf({ kind, of }: Moment): number {
  return kind === "end" ? -of.depth : of.depth;
}

/** Texts of digits, by their number. */
export function compareTimes(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}
