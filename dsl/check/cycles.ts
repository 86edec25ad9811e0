import type { Ir } from "../ir.ts";
import type { GraphCheck } from "./context.ts";
import { type Arc, type Place, type Places, reach } from "./places.ts";

/** Every cycle needs a `max` on one of its arrows, or the graph a `limit … steps`. */
export function checkCycles(ir: Ir, places: Places, { report }: GraphCheck): void {
  if (ir.limit?.quantities.some((quantity) => quantity.unit === "steps")) return;
  const free = places.arcs.filter((arc) => !arc.isBounded);
  const reported = new Set<Place>();
  for (const arc of free) {
    if (reported.has(arc.from) || reported.has(arc.to) || !closes(arc, free)) continue;
    const cycle = shortestCycle(arc, free);
    for (const place of reach([arc.to], free))
      if (reach([place], free).has(arc.to)) reported.add(place);
    const closing = cycle.at(-1) ?? arc;
    const [start, end] = closing.span ?? arc.span ?? ir.span ?? [0, 0];
    report({
      code: "M3205",
      message: `\`${[closing.to, ...cycle.map((step) => step.to)].join(" -> ")}\` can go round for ever`,
      span: { start, end },
      hint: "write `max 5` behind one of its arrows, or `limit 100 steps` in the graph",
    });
  }
}

function closes(arc: Arc, arcs: readonly Arc[]): boolean {
  return reach([arc.to], arcs).has(arc.from);
}

/** The shortest way round through `arc`, ending with the arrow that stands last in the text: the one that goes back. */
function shortestCycle(arc: Arc, arcs: readonly Arc[]): readonly Arc[] {
  const wayTo = new Map<Place, readonly Arc[]>([[arc.to, [arc]]]);
  const waiting = [arc.to];
  for (
    let place = waiting.shift();
    place !== undefined && !wayTo.has(arc.from);
    place = waiting.shift()
  )
    for (const next of arcs)
      if (next.from === place && !wayTo.has(next.to)) {
        wayTo.set(next.to, [...(wayTo.get(place) ?? []), next]);
        waiting.push(next.to);
      }
  const cycle = arc.from === arc.to ? [arc] : (wayTo.get(arc.from) ?? [arc]);
  const last = cycle.reduce((a, b) => ((b.span?.[0] ?? -1) > (a.span?.[0] ?? -1) ? b : a), arc);
  const at = cycle.indexOf(last) + 1;
  return [...cycle.slice(at), ...cycle.slice(0, at)];
}
