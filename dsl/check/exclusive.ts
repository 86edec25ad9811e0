import type { Ir, NodeKind } from "../ir.ts";
import type { FlowCheck } from "./context.ts";
import { joinPlace, reach } from "./places.ts";
import { allEdges, picksIn } from "./routes.ts";

/** Whether some two of the nodes may both arrive at the join of all of them. */
export function arriveTogether(names: readonly string[], check: FlowCheck): boolean {
  const { ir, places, overlap } = check;
  if (names.length < 2 || sendsSeveral(ir)) return true;
  const arcs = places.next;
  const join = joinPlace(names);
  const reached = reach(["start"], arcs);
  // What is never reached is reported as that.
  if (!names.every((name) => reached.has(name))) return true;
  const behind = new Map(names.map((name) => [name, reach([name], arcs, (at) => at === join)]));
  return names.some((a, index) =>
    names
      .slice(index + 1)
      .some((b) => overlap.has(a, b) || behind.get(a)?.has(b) || behind.get(b)?.has(a)),
  );
}

// A function may return `command({ send })`, which starts several of the nodes behind its arrow.
const SENDING: readonly NodeKind[] = ["run", "tool", "reduce"];

function sendsSeveral(ir: Ir): boolean {
  const senders = ir.nodes.filter((node) => SENDING.includes(node.kind)).map((node) => node.name);
  return allEdges(ir.edges).some(
    ({ from, route }) =>
      from.kind === "any" && picksIn(route) && from.nodes.some((node) => senders.includes(node)),
  );
}
