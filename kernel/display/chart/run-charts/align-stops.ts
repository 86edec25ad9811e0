/** Aligns the nodes of two runs by their longest common sequence. */
import { debugging, RunError, type traceQueries } from "../../../../runtime/index.ts";
import { counted } from "../../visible.ts";

/**
 * The work of one run at one place of the alignment; consecutive node runs of one node count as
 * one.
 */
export interface AlignedStop {
  readonly place: number;
  readonly run: "A" | "B";
  readonly node: string;
  readonly count: number;
  readonly status: string;
  readonly seconds: number | null;
  readonly kind: "in both" | "differs" | "only in A" | "only in B";
  /** `search ×4`. */
  readonly text: string;
}

interface StopGroup {
  readonly node: string;
  readonly stops: readonly traceQueries.PathStop[];
}

export function alignedStops(
  a: readonly traceQueries.PathStop[],
  b: readonly traceQueries.PathStop[],
): readonly AlignedStop[] {
  const [left, right] = [grouped(a), grouped(b)];
  return align(left, right).flatMap(([one, other], place) => {
    const kind = kindOf(one, other);
    return [
      ...(one === undefined ? [] : [stopOf(one, { place, run: "A", kind } as const)]),
      ...(other === undefined ? [] : [stopOf(other, { place, run: "B", kind } as const)]),
    ];
  });
}

/** Twelve searches in a row are one thing that a run did. */
function grouped(stops: readonly traceQueries.PathStop[]): readonly StopGroup[] {
  const groups: { node: string; stops: traceQueries.PathStop[] }[] = [];
  for (const stop of stops) {
    const last = groups.at(-1);
    if (last?.node === stop.node) last.stops.push(stop);
    else groups.push({ node: stop.node, stops: [stop] });
  }
  return groups;
}

function kindOf(a: StopGroup | undefined, b: StopGroup | undefined): AlignedStop["kind"] {
  if (a === undefined) return "only in B";
  if (b === undefined) return "only in A";
  return a.stops.length === b.stops.length && statusOf(a) === statusOf(b) ? "in both" : "differs";
}

function stopOf(group: StopGroup, at: Pick<AlignedStop, "place" | "run" | "kind">): AlignedStop {
  const { node, stops } = group;
  const status = statusOf(group);
  const known = stops.filter(({ dur_us }) => dur_us !== null);
  const seconds =
    known.length === 0 ? null : known.reduce((sum, { dur_us }) => sum + (dur_us ?? 0), 0) / 1e6;
  const times = stops.length === 1 ? "" : ` ×${stops.length}`;
  const ended = status === "succeeded" ? "" : `, ${status}`;
  return { ...at, node, count: stops.length, status, seconds, text: `${node}${times}${ended}` };
}

function statusOf({ stops }: StopGroup): string {
  return [...new Set(stops.map(({ status }) => status))].sort().join(", ");
}

/** More than that many comparisons take seconds; runs that differ so much are compared in SQL. */
const COMPARISONS_MAX = 4_000_000;

function align(
  a: readonly StopGroup[],
  b: readonly StopGroup[],
): readonly debugging.Pair<StopGroup>[] {
  const keyOf = ({ node }: StopGroup) => node;
  const pairs = debugging.alignedByKey(a, b, { keyOf, comparisonsMax: COMPARISONS_MAX });
  if (pairs !== undefined) return pairs;
  throw new RunError(
    "M7610",
    `${counted(a.length)} and ${counted(b.length)} node runs that differ can't be aligned`,
    { hint: "`deltas(a, b)` adds them up by node; so does `FROM compare_runs('A', 'B')`" },
  );
}
