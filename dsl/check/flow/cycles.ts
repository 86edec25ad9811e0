/** Reports cycles that nothing bounds. */
import type { Span } from "../../diagnostics/source.ts";
import type { Ir } from "../../ir/ir.ts";
import type { FlowCheck } from "../context.ts";
import type { Report } from "../report.ts";
import { type Arc, type FlowPlace, type Outgoing, outgoing, reach } from "./places.ts";

/** Every cycle needs a `max` on one of its arrows, or the graph a `limit … steps`. */
export function checkCycles({ ir, places, report }: FlowCheck): void {
  if (ir.limit?.quantities.some((quantity) => quantity.unit === "steps")) return;
  const free = onlyCycles(places.arcs.filter((arc) => !arc.isBounded));
  const next = outgoing(free);
  const reported = new Set<FlowPlace>();
  for (const arc of free) {
    if (reported.has(arc.from) || reported.has(arc.to)) continue;
    const behind = reach([arc.to], next);
    if (!behind.has(arc.from)) continue;
    for (const place of behind) if (reach([place], next).has(arc.to)) reported.add(place);
    reportCycle(shortestCycle(arc, next), ir, report);
  }
}

function reportCycle(cycle: readonly Arc[], ir: Ir, report: Report): void {
  report({
    code: "M3205",
    message: `\`${wayRound(cycle)}\` can go round for ever`,
    span: spanOfCycle(cycle, ir),
    hint: "write `max 5` behind one of its arrows, or `limit 100 steps` in the graph",
  });
}

/** The places of a cycle, from the one that the run comes back to. */
export function wayRound(cycle: readonly Arc[]): string {
  return [cycle.at(-1), ...cycle].map((arc) => arc?.to ?? "").join(" -> ");
}

/** The arrow that goes back. */
export function spanOfCycle(cycle: readonly Arc[], ir: Ir): Span {
  const closing = cycle.at(-1)?.span ?? cycle.find((arc) => arc.span)?.span;
  const [start, end] = closing ?? ir.span ?? [0, 0];
  return { start, end };
}

/** The arcs that can be part of a cycle: what nothing comes into, or nothing leaves, is peeled off again and again. */
export function onlyCycles(arcs: readonly Arc[]): readonly Arc[] {
  const led = peeled(arcs, { begin: (arc) => arc.from, end: (arc) => arc.to });
  return peeled(led, { begin: (arc) => arc.to, end: (arc) => arc.from });
}

interface Direction {
  readonly begin: (arc: Arc) => FlowPlace;
  readonly end: (arc: Arc) => FlowPlace;
}

/** Without the arcs that begin at a place which no other arc ends at. */
function peeled(arcs: readonly Arc[], { begin, end }: Direction): readonly Arc[] {
  const leaving = Map.groupBy(arcs, begin);
  const arriving = new Map<FlowPlace, number>();
  for (const arc of arcs) arriving.set(end(arc), (arriving.get(end(arc)) ?? 0) + 1);
  const off = new Set<FlowPlace>();
  const waiting = [...leaving.keys()].filter((place) => !arriving.has(place));
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    off.add(place);
    for (const arc of leaving.get(place) ?? []) {
      const left = (arriving.get(end(arc)) ?? 0) - 1;
      arriving.set(end(arc), left);
      if (left === 0) waiting.push(end(arc));
    }
  }
  return arcs.filter((arc) => !off.has(begin(arc)));
}

/** The shortest way round through `arc`, ending with the arrow that stands last in the text: the one that goes back. */
export function shortestCycle(arc: Arc, arcs: Outgoing): readonly Arc[] {
  const wayTo = new Map<FlowPlace, readonly Arc[]>([[arc.to, [arc]]]);
  const waiting = [arc.to];
  for (
    let place = waiting.shift();
    place !== undefined && !wayTo.has(arc.from);
    place = waiting.shift()
  )
    for (const next of arcs.get(place) ?? [])
      if (!wayTo.has(next.to)) {
        wayTo.set(next.to, [...(wayTo.get(place) ?? []), next]);
        waiting.push(next.to);
      }
  const cycle = arc.from === arc.to ? [arc] : (wayTo.get(arc.from) ?? [arc]);
  const last = cycle.reduce((a, b) => ((b.span?.[0] ?? -1) > (a.span?.[0] ?? -1) ? b : a), arc);
  const at = cycle.indexOf(last) + 1;
  return [...cycle.slice(at), ...cycle.slice(0, at)];
}
