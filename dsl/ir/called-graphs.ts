/** Takes a called graph out of the IR that holds it. */
import type { CalledIr, CallIr, DottedIr, Ir } from "./ir.ts";

/** The graph that a node of kind `graph` calls by this name, as if it had been compiled alone. */
export function calledGraph(ir: Ir, name: string): Ir | undefined {
  const { graphs = [], ...self } = ir;
  const all: readonly CalledIr[] = [self, ...graphs];
  const found = calleeOf(ir, name, all);
  if (found === undefined) return undefined;
  const { source = ir.source, ...callee } = found;
  return withGraphs(source === undefined ? callee : { ...callee, source }, all);
}

/** The graphs among the tools of a node, each with its name there. */
export function graphsAmong(
  ir: Ir,
  tools: readonly DottedIr[],
): readonly { readonly as: string; readonly ir: Ir }[] {
  return tools.flatMap((tool) => {
    const [as = ""] = isGraphTool(ir, tool) ? tool : [];
    const graph = as === "" ? undefined : calledGraph(ir, as);
    return graph === undefined ? [] : [{ as, ir: graph }];
  });
}

/** Returns whether a name among the tools of a node means a graph. */
export function isGraphTool({ calls = [] }: CalledIr, [name, ...more]: DottedIr): boolean {
  return more.length === 0 && calls.some((call) => call.name === name);
}

/** A graph with all that it calls out of `all`, directly or not. */
export function withGraphs(graph: CalledIr, all: readonly CalledIr[]): Ir {
  const { calls = [] } = graph;
  if (calls.length === 0) return graph;
  const found = new Map<string, CalledIr>();
  let frontier: readonly CalledIr[] = [graph];
  while (frontier.length > 0) {
    const next = frontier.flatMap((one) =>
      (one.calls ?? []).flatMap((call) => meant(call, all) ?? []),
    );
    frontier = [...new Set(next)].filter((one) => one.hash !== graph.hash && !found.has(one.hash));
    for (const one of frontier) found.set(one.hash, one);
  }
  const graphs = [...found.values()].map((one) => withoutSameSource(one, graph));
  return graphs.length === 0 ? graph : { ...graph, graphs };
}

/** A text is kept once. */
function withoutSameSource(one: CalledIr, { source }: CalledIr): CalledIr {
  const { source: own, ...rest } = one;
  return own === undefined || (own.file === source?.file && own.text === source.text) ? rest : one;
}

/** The graph that `graph` calls so, out of `all`. */
export function calleeOf(
  graph: CalledIr,
  name: string,
  all: readonly CalledIr[],
): CalledIr | undefined {
  const call = graph.calls?.find((one) => one.name === name);
  return call && meant(call, all);
}

/**
 * Returns the hash that stands for the graphs that call each other in a round with this one;
 * undefined if there is no round.
 */
export function roundOf({ calls = [] }: CalledIr): string | undefined {
  return calls.flatMap((call) => ("round" in call ? [call.round] : []))[0];
}

function meant(call: CallIr, all: readonly CalledIr[]): CalledIr | undefined {
  if ("hash" in call) return all.find(({ hash }) => hash === call.hash);
  return all.find(
    ({ name, calls = [] }) =>
      name === call.name && calls.some((one) => "round" in one && one.round === call.round),
  );
}
