import type { Ir, NodeKind } from "../../ir/ir.ts";
import { allEdges, picksIn } from "./routes.ts";

/** The kinds of node that call a function, which may return `command({ send })` or `command({ finish })`. */
const COMMANDING: readonly NodeKind[] = ["run", "tool", "reduce"];

/** Whether a node of this kind may say itself what follows. */
export function mayCommand({ kind }: { readonly kind: NodeKind }): boolean {
  return COMMANDING.includes(kind);
}

/** Whether `command({ send })` may start several node runs behind some arrow, of one node or of several. */
export function sendsSeveral(ir: Ir): boolean {
  const senders = ir.nodes.filter(mayCommand).map((node) => node.name);
  return allEdges(ir.edges).some(
    ({ from, route }) =>
      from.kind === "any" && picksIn(route) && from.nodes.some((node) => senders.includes(node)),
  );
}
