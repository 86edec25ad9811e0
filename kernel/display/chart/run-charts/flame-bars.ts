/** Turns times by stack into bars, each below the bar that contains it. */
import type { traceQueries } from "../../../../runtime/index.ts";
import { fitted } from "../../graph/text-width.ts";
import { counted } from "../../visible.ts";

export interface FlameBar {
  readonly name: string;
  readonly kind: string;
  readonly depth: number;
  readonly top: number;
  readonly bottom: number;
  readonly begin_s: number;
  readonly end_s: number;
  readonly total_s: number;
  /** Spent in nothing below it. */
  readonly own_s: number;
  readonly count: number;
  /** As much of the name as the bar has room for. */
  readonly shown: string;
}

interface StackNode {
  readonly name: string;
  readonly kind: string;
  own: number;
  count: number;
  readonly below: Map<string, StackNode>;
}

/** The width in pixels below which bars are drawn together. */
const NARROW = 0.5;
const TEXT_SIZE = 11;

/** Returns the bars in drawing order: those above before those below, widest first. */
export function flameBars(
  frames: readonly traceQueries.FlameFrame[],
  of: { readonly graph: string; readonly width: number },
): readonly FlameBar[] {
  const root = emptyStackNode(of.graph, "graph");
  for (const { stack, kind, dur_us, count } of frames) {
    const path = JSON.parse(stack) as readonly string[];
    const place = path.reduce<StackNode>((above, name, index) => {
      // A node may be called as a model is.
      const isLast = index === path.length - 1;
      return below(above, name, isLast ? kind : "node");
    }, root);
    place.own += dur_us / 1e6;
    place.count += count;
  }
  const total = secondsOf(root);
  const bars: FlameBar[] = [];
  draw(root, { begin: 0, depth: 0, bars, perSecond: total === 0 ? 0 : of.width / total });
  return frames.length === 0 ? [] : bars;
}

function emptyStackNode(name: string, kind: string): StackNode {
  return { name, kind, own: 0, count: 0, below: new Map() };
}

function below(above: StackNode, name: string, kind: string): StackNode {
  const key = `${kind} ${name}`;
  const found = above.below.get(key) ?? emptyStackNode(name, kind);
  above.below.set(key, found);
  return found;
}

/**
 * Returns the seconds of a place: its own, or those of the places below it where they ran in
 * parallel.
 */
function secondsOf(place: StackNode): number {
  return Math.max(place.own, sum([...place.below.values()].map(secondsOf)));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

interface FlamePlace {
  readonly begin: number;
  readonly depth: number;
  readonly bars: FlameBar[];
  readonly perSecond: number;
}

function draw(place: StackNode, at: FlamePlace): void {
  const { begin, depth, bars, perSecond } = at;
  const seconds = secondsOf(place);
  const parts = [...place.below.values()]
    .map((one) => ({ place: one, seconds: secondsOf(one) }))
    .sort((a, b) => b.seconds - a.seconds || (a.place.name < b.place.name ? -1 : 1));
  const room = seconds * perSecond - 8;
  bars.push({
    name: place.name,
    kind: place.kind,
    depth,
    top: depth,
    bottom: depth + 1,
    begin_s: begin,
    end_s: begin + seconds,
    total_s: seconds,
    own_s: Math.max(0, seconds - sum(parts.map((part) => part.seconds))),
    count: place.count === 0 ? 1 : place.count,
    shown: room < 20 ? "" : fitted(place.name, { room, size: TEXT_SIZE }),
  });
  let next = begin;
  const wide = parts.filter((part) => part.seconds * perSecond >= NARROW);
  for (const part of wide) {
    draw(part.place, { ...at, begin: next, depth: depth + 1 });
    next += part.seconds;
  }
  const narrow = parts.slice(wide.length);
  const rest = sum(narrow.map((part) => part.seconds));
  if (rest * perSecond < NARROW) return;
  const others = emptyStackNode(counted(narrow.length, "other"), "others");
  others.own = rest;
  others.count = sum(narrow.map((part) => part.place.count));
  draw(others, { ...at, begin: next, depth: depth + 1 });
}
