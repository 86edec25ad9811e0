/** Writes arrows of several nodes as one, where they lead to the same places. */
import { canonicalJson, withoutSpans } from "../ir/hash.ts";
import type { FlowDecl } from "../syntax/tree/ast.ts";

/** Returns the text of one arrow for all of these; undefined if there is none. */
export function sharedFlow(flows: readonly FlowDecl[], text: string): string | undefined {
  if (!flows.every(({ source }) => source.kind === "any")) return undefined;
  const sources = flows.flatMap(({ source }) => source.nodes.map((node) => node.text));
  if (sources.includes("start")) return undefined;
  const targets = sameHops(flows, text) ?? othersOf(flows, text, sources);
  return targets === undefined ? undefined : `${sources.join(" | ")} -> ${targets}`;
}

/** The text behind the first arrow, where all have the same hops. */
function sameHops([first, ...others]: readonly FlowDecl[], text: string): string | undefined {
  const start = first?.hops[0]?.span.start;
  if (first === undefined || start === undefined) return undefined;
  const wanted = canonicalJson(withoutSpans(first.hops));
  // Two arrows count for themselves, and one of both would count for both.
  if (wanted.includes('"kind":"max"')) return undefined;
  const isSame = others.every(({ hops }) => canonicalJson(withoutSpans(hops)) === wanted);
  return isSame ? text.slice(start, first.span.end) : undefined;
}

/** `a | b | end` for `a -> b | end` and `b -> a | end`: each has all of the targets but itself. */
function othersOf(
  flows: readonly FlowDecl[],
  text: string,
  sources: readonly string[],
): string | undefined {
  const lists = flows.map((flow) => targetsOf(flow, text));
  const [first] = lists;
  const [source = ""] = sources;
  if (first === undefined || sources.length !== flows.length) return undefined;
  for (let at = 0; at <= first.length; at++) {
    const all = [...first.slice(0, at), source, ...first.slice(at)];
    const isShared = lists.every((list, index) => {
      const others = all.filter((target) => target !== sources[index]);
      return list !== undefined && others.join("|") === list.join("|");
    });
    if (isShared) return all.join(" | ");
  }
  return undefined;
}

/** The targets that a node chooses of, as they are written; undefined if the arrow has more than them. */
function targetsOf({ hops }: FlowDecl, text: string): readonly string[] | undefined {
  const [hop, ...more] = hops;
  if (hop?.kind !== "one-of" || more.length > 0 || hop.clauses.length > 0) return undefined;
  return hop.refs.map(({ span }) => text.slice(span.start, span.end));
}
