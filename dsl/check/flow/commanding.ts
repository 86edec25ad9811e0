/** Decides which nodes may say by a command what follows them. */
import type { Ir, NodeKind } from "../../ir/ir.ts";
import { callsFunction } from "../../vocabulary/node-kinds.ts";
import { allEdges, picksIn } from "./routes.ts";

/**
 * Returns whether nodes of this kind may return a `command`, which names the next nodes: `command({
 * send })` or `command({ finish })`.
 */
export function mayCommand({ kind }: { readonly kind: NodeKind }): boolean {
  return callsFunction(kind);
}

/**
 * Returns whether `command({ send })` may start several node runs behind some arrow, of one node or
 * of several.
 */
export function sendsSeveral(ir: Ir): boolean {
  const senders = ir.nodes.filter(mayCommand).map((node) => node.name);
  return allEdges(ir.edges).some(
    ({ from, route }) =>
      from.kind === "any" && picksIn(route) && from.nodes.some((node) => senders.includes(node)),
  );
}
