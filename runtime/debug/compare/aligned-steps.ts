/** The steps of two runs beside each other. */

import { alignedByKey, type Pair, pairedByKey } from "../../compare/align.ts";
import { nameInLabel } from "../../records/records.ts";
import type { WalkEntry } from "../run-outline.ts";
import { type ContentDifference, contentDifference } from "./step-content.ts";

/** One place: a step of one run, or the same step of both. */
export interface AlignedEntry {
  readonly a: WalkEntry | undefined;
  readonly b: WalkEntry | undefined;
  /** `moved`: it is the same, and came behind another one there than here. */
  readonly kind: "same" | "differs" | "moved" | "only in A" | "only in B";
  readonly difference?: ContentDifference;
}

/** Runs that differ so much are compared by the order of their nodes alone. */
const COMPARISONS_MAX = 4_000_000;

/** Aligns the entries of two runs. Steps of one graph match by their place in the graph, others by node, in the order of commits. */
export function alignedEntries(
  a: readonly WalkEntry[],
  b: readonly WalkEntry[],
  isOneGraph: boolean,
): readonly AlignedEntry[] {
  const [left, right] = [a.filter(isStep), b.filter(isStep)];
  if (!isOneGraph) {
    const byNode = { keyOf: nodeKey, comparisonsMax: COMPARISONS_MAX };
    const pairs = alignedByKey(left, right, byNode);
    if (pairs !== undefined) return withMoves(pairs, right);
  }
  const keyOf = isOneGraph ? placeKey : nodeKey;
  const keys = new Map([...numbered(left, keyOf), ...numbered(right, keyOf)]);
  return withMoves(
    pairedByKey(left, right, (entry) => keys.get(entry) ?? ""),
    right,
  );
}

function isStep({ kind }: WalkEntry): boolean {
  return kind === "step" || kind === "edit";
}

function placeKey(entry: WalkEntry): string {
  const { path, commit, did, values } = entry;
  if (commit === undefined)
    return JSON.stringify(["edit", path, entry.step, Object.keys(values ?? {})]);
  // A rewind marks the keys of what begins anew behind it.
  const key = did?.key.replaceAll(/~\d+/g, "");
  return JSON.stringify([path, commit.node, key, did?.ordinal]);
}

function nodeKey({ path, commit, values }: WalkEntry): string {
  const around = path.map(nameInLabel);
  if (commit === undefined) return JSON.stringify(["edit", around, Object.keys(values ?? {})]);
  return JSON.stringify([around, commit.node]);
}

/** With each key how often it stood before in the same list. */
function numbered(
  entries: readonly WalkEntry[],
  keyOf: (entry: WalkEntry) => string,
): readonly (readonly [WalkEntry, string])[] {
  const counts = new Map<string, number>();
  return entries.map((entry) => {
    const key = keyOf(entry);
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return [entry, `${key} ${count}`] as const;
  });
}

function withMoves(
  pairs: readonly Pair<WalkEntry>[],
  right: readonly WalkEntry[],
): readonly AlignedEntry[] {
  const places = new Map(right.map((entry, index) => [entry, index]));
  const inB = pairs.map(([a, b]) => (a && b && places.get(b)) ?? undefined);
  const overtakes = overtaking(inB);
  return pairs.map(([a, b], index): AlignedEntry => {
    if (a === undefined) return { a, b, kind: "only in B" };
    if (b === undefined) return { a, b, kind: "only in A" };
    const found = contentDifference(a, b);
    const order = overtakes[index];
    // Where an element comes to stand in a list follows from what is there already.
    const isOther = found !== undefined && !(found.kind === "state" && order !== undefined);
    if (isOther) return { a, b, kind: "differs", difference: found };
    return { a, b, kind: order === "later" ? "moved" : "same" };
  });
}

/** Of places that should rise: which come `later` in the one list than in the other, and which are overtaken by such. */
function overtaking(
  places: readonly (number | undefined)[],
): readonly ("later" | "overtaken" | undefined)[] {
  let least = Number.POSITIVE_INFINITY;
  const leastBehind = places.toReversed().map((place) => {
    const before = least;
    least = Math.min(least, place ?? least);
    return before;
  });
  leastBehind.reverse();
  let most = -1;
  return places.map((place, index) => {
    if (place === undefined) return undefined;
    const isLater = place < most;
    most = Math.max(most, place);
    if (isLater) return "later";
    return (leastBehind[index] ?? most) < place ? "overtaken" : undefined;
  });
}
