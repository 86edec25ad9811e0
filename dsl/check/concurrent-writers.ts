import type { EdgeIr, Ir, RouteIr } from "../ir.ts";
import { clausesOf } from "../lower/clauses.ts";
import type { Span } from "../source.ts";
import type { Clause } from "../syntax/ast.ts";
import type { GraphCheck } from "./context.ts";
import type { Overlap } from "./overlap.ts";

/** Somebody who changes a field. */
export interface Writer {
  readonly node: string;
  readonly field: string;
  /** By which the value is merged: the field's reducer, unless `via` says another. */
  readonly reducer: string;
  readonly span: Span;
  /** A `set` on an arrow, done in the commit of the node that the arrow leaves. */
  readonly onArrow: boolean;
}

/** Everybody who changes a field, in the order of the text. */
export function writersOf(ir: Ir, check: GraphCheck): readonly Writer[] {
  const reducers = new Map(ir.fields.map((field) => [field.name, field.reducer.name]));
  const onNodes = [...check.symbols.nodes.values()].flatMap((node) =>
    clausesOf(node, check.symbols).flatMap((clause) =>
      changesIn(clause).map((change) => ({ ...change, node: node.name.text, onArrow: false })),
    ),
  );
  const onArrows = ir.edges.flatMap(setsOfEdge).map((change) => ({ ...change, onArrow: true }));
  return [...onNodes, ...onArrows]
    .map(({ via, ...change }) => ({
      ...change,
      reducer: via ?? reducers.get(change.field) ?? "replace",
    }))
    .toSorted((a, b) => a.span.start - b.span.start);
}

interface Change {
  readonly field: string;
  readonly span: Span;
  readonly via?: string | undefined;
}

function changesIn(clause: Clause): readonly Change[] {
  switch (clause.kind) {
    case "writes":
      return clause.writes.map(({ field, via }) => ({
        field: field.text,
        span: field.span,
        via: via?.name.text,
      }));
    case "edits":
      return clause.fields.map((field) => ({
        field: field.text,
        span: field.span,
        via: "replace",
      }));
    case "set":
      return clause.assigns.map(({ field }) => ({ field: field.text, span: field.span }));
    default:
      return [];
  }
}

/** Reports each field that two node runs can replace at the same time, once, at the later of the two writers. */
export function checkConcurrentWriters(ir: Ir, overlap: Overlap, check: GraphCheck): void {
  const writers = writersOf(ir, check);
  for (const field of ir.fields) {
    if (field.scope === "agent") continue;
    const own = writers.filter((writer) => writer.field === field.name);
    const clash = firstClash(own, overlap);
    if (clash !== undefined) reportClash(field.name, clash, check);
  }
}

type Clash = readonly [Writer, Writer];

function firstClash(writers: readonly Writer[], overlap: Overlap): Clash | undefined {
  if (writers.every((writer) => writer.reducer !== "replace")) return undefined;
  for (const [index, second] of writers.entries())
    for (const first of writers.slice(0, index + 1)) {
      const isOrderSafe = first.reducer !== "replace" && second.reducer !== "replace";
      const isOneRun = first !== second && first.node === second.node;
      if (!isOrderSafe && !isOneRun && overlap.has(first.node, second.node)) return [first, second];
    }
  return undefined;
}

function reportClash(field: string, [first, second]: Clash, { report }: GraphCheck): void {
  const alone = first === second;
  report({
    code: "M3301",
    message: alone
      ? `runs of \`${second.node}\` for several items replace \`${field}\` at the same time`
      : `\`${first.node}\` and \`${second.node}\` can replace \`${field}\` at the same time`,
    span: second.span,
    hint: "say how writes merge (`via append`, `via union(…)`, `via sum`, …), or let one of them wait",
    ...(alone
      ? {}
      : { related: [{ span: first.span, message: `\`${first.node}\` writes it here` }] }),
  });
}

function setsOfEdge(edge: EdgeIr): readonly (Change & { readonly node: string })[] {
  const nodes = edge.from.kind === "start" ? ["start"] : edge.from.nodes;
  const sets = setsOfRoute(edge.route);
  const inner = eachesIn(edge.route).flatMap((each) => each.edges.flatMap(setsOfEdge));
  return [...nodes.flatMap((node) => sets.map((set) => ({ node, ...set }))), ...inner];
}

function setsOfRoute(route: RouteIr): readonly Change[] {
  const [start, end] = route.span ?? [0, 0];
  const own = (route.sets ?? []).map(({ field }) => ({ field, span: { start, end } }));
  return [...own, ...routesIn(route).flatMap(setsOfRoute)];
}

function routesIn(route: RouteIr): readonly RouteIr[] {
  switch (route.kind) {
    case "to":
    case "pick":
      return [];
    case "choice":
      return route.branches.map((branch) => branch.route);
    case "match":
      return route.cases.map((one) => one.route);
    case "each":
      return [route.each.entry, ...(route.each.then === undefined ? [] : [route.each.then])];
  }
}

function eachesIn(route: RouteIr): readonly { readonly edges: readonly EdgeIr[] }[] {
  const own = route.kind === "each" ? [route.each] : [];
  return [...own, ...routesIn(route).flatMap(eachesIn)];
}
