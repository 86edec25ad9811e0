/** What keeps a run from going on with a program: which nodes, fields and arrows are others than when it began. */
import { type CalledIr, canonicalJson, type Ir, withoutSpans } from "../../dsl/index.ts";
import { nodeShape } from "./same-shape.ts";

/** One line for each thing that is gone, new or another; of called graphs too. */
export function shapeDifferences(before: Ir, after: Ir): readonly string[] {
  const called = (before.graphs ?? []).flatMap((graph) => {
    const now = after.graphs?.find(({ name }) => name === graph.name);
    if (now === undefined) return [`graph \`${graph.name}\` is gone`];
    return ofGraph(graph, now).map((line) => `in \`${graph.name}\`: ${line}`);
  });
  const known = new Set(before.graphs?.map(({ name }) => name));
  const news = (after.graphs ?? []).filter(({ name }) => !known.has(name));
  return [
    ...ofGraph(before, after),
    ...called,
    ...news.map(({ name }) => `graph \`${name}\` is new`),
  ];
}

function ofGraph(before: CalledIr, after: CalledIr): readonly string[] {
  const lines = [
    ...named("node", [before.nodes, after.nodes], nodeShape),
    ...named("field", [before.fields, after.fields], (field) => field),
    ...named("parameter", [before.params, after.params], (param) => param),
    ...named("type", [before.types, after.types], (type) => type),
  ];
  if (!isSame(before.returns, after.returns)) lines.push("it returns other fields");
  if (!isSame(before.edges, after.edges)) lines.push("its arrows are others");
  if (lines.length > 0) return lines;
  const isMoved = !isSame(before.nodes.map(nodeShape), after.nodes.map(nodeShape));
  return isMoved ? ["its nodes stand in another order"] : [];
}

function named<T extends { readonly name: string }>(
  what: string,
  [before, after]: readonly [readonly T[], readonly T[]],
  shapeOf: (one: T) => unknown,
): string[] {
  const now = new Map(after.map((one) => [one.name, one]));
  const then = new Set(before.map(({ name }) => name));
  const changed = before.flatMap((one) => {
    const same = now.get(one.name);
    if (same === undefined) return [`${what} \`${one.name}\` is gone`];
    return isSame(shapeOf(one), shapeOf(same)) ? [] : [`${what} \`${one.name}\` is another`];
  });
  const added = after.filter(({ name }) => !then.has(name));
  return [...changed, ...added.map(({ name }) => `${what} \`${name}\` is new`)];
}

function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson(withoutSpans(one)) === canonicalJson(withoutSpans(other));
}
