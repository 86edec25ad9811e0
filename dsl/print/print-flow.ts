/** Prints edges as arrows, a chain a line. */

import { canonicalJson, withoutSpans } from "../ir/hash.ts";
import type {
  AssignIr,
  CountIr,
  EachIr,
  EdgeIr,
  ReducerIr,
  RouteIr,
  SourceIr,
  TargetIr,
} from "../ir/ir.ts";
import { isNodeTarget } from "../ir/targets-in.ts";
import { printArgs, printDuration, printExpression, printNumber } from "./print-expression.ts";

/** Returns the `state` blocks of the items of an `each`, by its id. */
type StatesOfEach = (each: string) => readonly string[];

/** The arrows of a graph, a chain a line; the edges that are read back are the same ones in the same order. */
export function printEdges(edges: readonly EdgeIr[], statesOf: StatesOfEach): readonly string[] {
  return printFlows({ edges, at: 0, isInEach: false, statesOf });
}

function printFlows(cursor: Cursor): readonly string[] {
  const lines: string[] = [];
  for (let edge = takeNextEdge(cursor); edge !== undefined; edge = takeNextEdge(cursor)) {
    const { text } = printChain(edge.route, edge.on, cursor);
    lines.push(`${printSource(edge.from)} -> ${text}`);
  }
  return lines;
}

/** `a = 1, b = 2 via replace`. */
export function printAssigns(assigns: readonly AssignIr[]): string {
  return assigns
    .map(({ field, value, via }) => {
      const tail = via === undefined ? "" : ` ${printVia(via)}`;
      return `${field} = ${printExpression(value)}${tail}`;
    })
    .join(", ");
}

/** `via union(f => f.url)`. */
export function printVia({ name, args }: ReducerIr): string {
  return `via ${name}${args.length === 0 ? "" : printArgs(args.map((value) => ({ value })))}`;
}

/** A number, or the name of what holds it. */
export function printCount(count: CountIr): string {
  return typeof count === "number" ? printNumber(count) : count.name;
}

/** The edges not printed yet. */
interface Cursor {
  readonly edges: readonly EdgeIr[];
  at: number;
  /** The body of an `each` is best one chain; outside, what follows a branch reads better as a line of its own. */
  readonly isInEach: boolean;
  readonly statesOf: StatesOfEach;
}

/** A piece of text, and the sources that an arrow behind it would have. */
interface PrintedChain {
  readonly text: string;
  readonly exits: readonly SourceIr[];
}

function takeNextEdge(cursor: Cursor): EdgeIr | undefined {
  const edge = cursor.edges[cursor.at];
  cursor.at += 1;
  return edge;
}

/** A route, and behind it the edges that an arrow there would read back as. */
function printChain(route: RouteIr, on: EdgeIr["on"], cursor: Cursor): PrintedChain {
  let printed = printRoute(route, on, cursor);
  for (
    let next = takeBehind(printed.exits, cursor);
    next !== undefined;
    next = takeBehind(printed.exits, cursor)
  ) {
    const { text, exits } = printRoute(next.route, next.on, cursor);
    printed = { text: `${printed.text} -> ${text}`, exits };
  }
  return printed;
}

/** An arrow behind several exits is an edge from each of them, all with one route. */
function takeBehind(
  exits: readonly SourceIr[],
  cursor: Cursor,
  route?: RouteIr,
): EdgeIr | undefined {
  const next = cursor.edges.slice(cursor.at, cursor.at + exits.length);
  const [first] = next;
  if (first === undefined || next.length < exits.length) return undefined;
  const isBehind = next.every(
    (edge, index) =>
      isSame(edge.from, exits[index]) &&
      edge.on === first.on &&
      isSame(edge.route, route ?? first.route),
  );
  if (!isBehind) return undefined;
  cursor.at += exits.length;
  return first;
}

function isSame(a: unknown, b: unknown): boolean {
  return canonicalJson(withoutSpans(a)) === canonicalJson(withoutSpans(b));
}

function printRoute(route: RouteIr, on: EdgeIr["on"], cursor: Cursor): PrintedChain {
  const clauses = printClauses(route, on);
  switch (route.kind) {
    case "to":
      return {
        text: `${printTargets(route.targets)}${clauses}`,
        exits: exitsOf(route.targets, "to"),
      };
    case "pick":
      return {
        text: `${route.targets.map(printTarget).join(" | ")}${clauses}`,
        exits: exitsOf(route.targets, "pick"),
      };
    case "choice": {
      const branches = route.branches.map((branch) => {
        const { text, exits } = printChain(branch.route, "done", branchCursor(cursor));
        const condition = branch.when === undefined ? "else" : printExpression(branch.when);
        return { text: `${condition} -> ${text}`, exits };
      });
      return printGroup("", branches, clauses);
    }
    case "match": {
      const cases = route.cases.map((one) => {
        const { text, exits } = printChain(one.route, "done", branchCursor(cursor));
        const values = one.values?.map((value) => JSON.stringify(value)).join(" | ");
        return { text: `${values ?? "else"} -> ${text}`, exits };
      });
      return printGroup(`match ${printExpression(route.subject)} `, cases, clauses);
    }
    case "each":
      return printEach(route.each, clauses, cursor);
  }
}

function branchCursor(cursor: Cursor): Cursor {
  return cursor.isInEach ? cursor : { ...cursor, edges: [], at: 0 };
}

function printGroup(
  head: string,
  branches: readonly PrintedChain[],
  clauses: string,
): PrintedChain {
  const text = `${head}{ ${branches.map((branch) => branch.text).join(", ")} }${clauses}`;
  const exits = branches.flatMap((branch) => branch.exits);
  const plain = exits.flatMap((exit) => (exit.kind === "any" ? exit.nodes : []));
  const others = exits.filter((exit) => exit.kind !== "any");
  return { text, exits: [...anyOf(plain), ...others] };
}

function printEach(each: EachIr, clauses: string, cursor: Cursor): PrintedChain {
  const body = printBody(each, cursor);
  const options = [
    each.parallel === undefined ? "" : ` parallel ${printCount(each.parallel)}`,
    each.need === undefined ? "" : ` need ${printCount(each.need)}`,
    each.when === undefined ? "" : ` when ${printExpression(each.when)}`,
    each.onErrorSkip ? " on error skip" : "",
  ].join("");
  const head = `each ${each.variable} of ${printExpression(each.items)}${options}`;
  const failing = (each.failing ?? []).map(({ on, route }) => printRoute(route, on, cursor));
  const text = [`${head} {${body}}${clauses}`, ...failing.map((one) => one.text)].join(" -> ");
  if (each.then === undefined) return { text, exits: [] };
  // The arrows for its failure lead on to what follows the `each`, too.
  takeBehind(
    failing.flatMap((one) => one.exits),
    cursor,
    each.then,
  );
  const then = printChain(each.then, "done", cursor);
  return { text: `${text} -> ${then.text}`, exits: then.exits };
}

/** A chain stands on the line of its `each`; with further arrows each has a line of its own. */
function printBody({ id, entry, edges }: EachIr, { statesOf }: Cursor): string {
  const inner: Cursor = { edges, at: 0, isInEach: true, statesOf };
  const lines = [...statesOf(id), printChain(entry, "done", inner).text, ...printFlows(inner)];
  return lines.length === 1 ? ` ${lines.join("")} ` : `\n${lines.join("\n")}\n`;
}

function printClauses(route: RouteIr, on: EdgeIr["on"]): string {
  return [
    route.when === undefined ? "" : ` when ${printExpression(route.when)}`,
    route.max === undefined ? "" : ` max ${printCount(route.max)}`,
    route.afterMs === undefined ? "" : ` after ${printDuration(route.afterMs)}`,
    on === "done" ? "" : ` on ${on}`,
    route.detached === true ? " detached" : "",
    route.sets === undefined ? "" : ` set ${printAssigns(route.sets)}`,
  ].join("");
}

function printTargets(targets: readonly TargetIr[]): string {
  const printed = targets.map(printTarget);
  return printed.length === 1 ? printed.join("") : `[${printed.join(", ")}]`;
}

function printTarget({ node, args, label }: TargetIr): string {
  const given = args.length === 0 ? "" : printArgs(args);
  return `${node}${given}${label === undefined ? "" : ` ${JSON.stringify(label)}`}`;
}

function printSource(source: SourceIr): string {
  switch (source.kind) {
    case "start":
      return "start";
    case "any":
      return source.nodes.join(" | ");
    case "join": {
      const need = source.need === undefined ? "" : ` need ${printCount(source.need)}`;
      return `[${source.nodes.join(", ")}]${need}`;
    }
  }
}

function exitsOf(targets: readonly TargetIr[], kind: "to" | "pick"): readonly SourceIr[] {
  const nodes = [...new Set(targets.map((target) => target.node))].filter(isNodeTarget);
  return kind === "to" && nodes.length > 1 ? [{ kind: "join", nodes }] : anyOf(nodes);
}

function anyOf(nodes: readonly string[]): readonly SourceIr[] {
  return nodes.length === 0 ? [] : [{ kind: "any", nodes: [...new Set(nodes)] }];
}
