/** Keeps the graphs that were drawn, so that a page can ask for a node of one. */
import type { Ir } from "../../../dsl/index.ts";

const graphs = new Map<string, Ir>();
const KEPT = 200;

export function rememberGraph(ir: Ir): void {
  graphs.delete(ir.hash);
  graphs.set(ir.hash, ir);
  const [oldest] = graphs.keys();
  if (graphs.size > KEPT && oldest !== undefined) graphs.delete(oldest);
}

/** The graph of this hash; undefined for one that was not drawn lately. */
export function drawnGraph(hash: string): Ir | undefined {
  return graphs.get(hash);
}
