/** Finds the work that `detached` arrows start, and joins that mix it with other work. */
import type { FlowCheck } from "../context.ts";
import {
  eachPlace,
  type FlowPlace,
  type FlowPlaces,
  type Outgoing,
  reach,
} from "../flow/places.ts";
import { allEdges, spanOf } from "../flow/routes.ts";

/** Work that a `detached` arrow starts: it goes on beside everything that follows where it began. */
export interface DetachedWork {
  readonly from: FlowPlace;
  readonly targets: readonly FlowPlace[];
  /** Every place that it comes to. */
  readonly inside: ReadonlySet<FlowPlace>;
  /** Every place that can be at work meanwhile; itself too, where it can be started once more. */
  readonly beside: ReadonlySet<FlowPlace>;
}

/** The detached work of a graph. */
export function detachedWork({ branches, eaches, next }: FlowPlaces): readonly DetachedWork[] {
  const starts = [...branches].flatMap(([from, leaving]) =>
    leaving.flatMap(({ detached }) => (detached.length === 0 ? [] : [{ from, targets: detached }])),
  );
  if (starts.length === 0) return [];
  const attached = withoutDetached(next);
  return starts.map(({ from, targets }) => {
    const inside = reach(targets, next);
    const around = eaches.filter(({ nodes }) => nodes.includes(from));
    const following = [
      ...(attached.get(from) ?? []).map(({ to }) => to),
      ...around.map(({ each }) => eachPlace(each)),
    ];
    const beside = new Set(reach(following, attached));
    if (beside.has(from) || around.length > 0) for (const place of inside) beside.add(place);
    return { from, targets, inside, beside };
  });
}

function withoutDetached(next: Outgoing): Outgoing {
  return new Map(
    [...next].map(([from, arcs]) => [from, arcs.filter(({ isDetached }) => !isDetached)]),
  );
}

/** A join waits for what can come to it: what is detached, and what is not, never come to the same one. */
export function checkDetachedJoins({ ir, places, report }: FlowCheck): void {
  const works = detachedWork(places);
  if (works.length === 0) return;
  const attached = reach(["start"], withoutDetached(places.next));
  for (const { from, route, span } of allEdges(ir.edges)) {
    if (from.kind !== "join") continue;
    for (const { inside } of works) {
      const away = from.nodes.find((node) => inside.has(node) && !attached.has(node));
      const here = from.nodes.find((node) => !inside.has(node));
      if (away === undefined || here === undefined) continue;
      report({
        code: "M4911",
        message: `\`[${from.nodes.join(", ")}]\` never has both: \`${away}\` runs detached, and \`${here}\` does not`,
        span: spanOf({ ...route, ...(span === undefined ? {} : { span }) }),
        hint: "remove `detached` from the arrow to wait for its target, or remove that target from the `[ ]`",
      });
      break;
    }
  }
}
