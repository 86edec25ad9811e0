/** Draws a graph as a Mermaid flowchart. */

import type { EachIr, EdgeIr, ExprIr, Ir, NodeIr, RouteIr } from "../ir/ir.ts";
import { routesBehind } from "../ir/routes-behind.ts";
import { RETURN, routeFrom } from "../ir/targets-in.ts";
import { NODE_KINDS } from "../vocabulary/node-kinds.ts";
import { printDuration, printExpression } from "./print-expression.ts";
import { printAssigns, printCount } from "./print-flow.ts";

/** A graph as a Mermaid flowchart: a shape for each kind of node, a box for each `each`, conditions on the arrows. */
export function mermaid(ir: Ir): string {
  const drawing: MermaidDrawing = { arrows: [], joins: [], targets: new Set() };
  const boxes = ir.edges.flatMap((edge) => eachesIn(edge.route));
  for (const edge of ir.edges) drawEdge(edge, drawing);
  for (const node of ir.nodes) drawMessages(node, drawing);
  const nodes = ir.nodes.filter((node) => node.each === undefined).map(drawNode);
  return [
    "flowchart TD",
    '  start(["start"])',
    ...nodes.map((line) => `  ${line}`),
    ...boxes.flatMap((each) => drawEach(each, ir.nodes)).map((line) => `  ${line}`),
    ...drawing.joins.map((join) => `  ${join}(("all"))`),
    ...(drawing.targets.has("end") ? ['  finish(["end"])'] : []),
    ...(drawing.targets.has(RETURN) ? ['  back(["return"])'] : []),
    ...drawing.arrows.map((arrow) => `  ${arrow}`),
    "",
  ].join("\n");
}

/** Adds the arrows of messages that a node tells others by their names. */
function drawMessages({ name, tell }: NodeIr, drawing: MermaidDrawing): void {
  if (tell === undefined || tell.targets === "*") return;
  const all = [tell.as === undefined ? "tells" : `tells ${tell.as}`];
  for (const target of tell.targets)
    drawArrow(nodeId(name), nodeId(target), { all, dotted: true }, drawing);
}

interface MermaidDrawing {
  readonly arrows: string[];
  readonly joins: string[];
  /** All targets, `end` and `return` among them. */
  readonly targets: Set<string>;
}

/** The ids of targets that are no nodes. */
const ends = new Map([
  ["end", "finish"],
  [RETURN, "back"],
]);

/** Names get a prefix, since `end` and others mean something to Mermaid. */
function nodeId(node: string): string {
  return `n_${node}`;
}

function drawNode({ name, kind, params }: NodeIr): string {
  const [open, close] = NODE_KINDS[kind].shape;
  const given = params.length === 0 ? "" : `(${params.map((param) => param.name).join(", ")})`;
  return `${nodeId(name)}${open}"${kind} <b>${name}</b>${given}"${close}`;
}

function eachId(each: EachIr): string {
  return `each_${each.id.replace("#", "_")}`;
}

function drawEach(each: EachIr, nodes: readonly NodeIr[]): readonly string[] {
  const options = [
    each.parallel === undefined ? "" : `, ${printCount(each.parallel)} at once`,
    each.need === undefined ? "" : `, ${printCount(each.need)} needed`,
    each.when === undefined ? "" : `, when ${conditionLabel(each.when)}`,
    each.onErrorSkip ? ", errors skipped" : "",
  ].join("");
  const own = nodes.filter((node) => node.each === each.id).map(drawNode);
  const inner = [each.entry, ...each.edges.map((edge) => edge.route)].flatMap(eachesIn);
  const lines = [...own, ...inner.flatMap((one) => drawEach(one, nodes))];
  return [
    `subgraph ${eachId(each)}["each ${each.variable} of ${conditionLabel(each.items)}${options}"]`,
    ...lines.map((line) => `  ${line}`),
    "end",
  ];
}

/** The `each`es of one scope: those that a route and what follows it lead to, not those inside of them. */
function eachesIn(route: RouteIr): readonly EachIr[] {
  switch (route.kind) {
    case "to":
    case "pick":
      return [];
    case "choice":
      return route.branches.flatMap((branch) => eachesIn(branch.route));
    case "match":
      return route.cases.flatMap((one) => eachesIn(one.route));
    case "each":
      return [route.each, ...routesBehind(route.each).flatMap(eachesIn)];
  }
}

function drawEdge(edge: EdgeIr, drawing: MermaidDrawing): void {
  const word = edge.on === "done" ? [] : [`on ${edge.on}`];
  if (edge.from.kind === "any") {
    for (const node of edge.from.nodes)
      drawRoute(nodeId(node), routeFrom(edge, node), word, drawing);
    return;
  }
  for (const from of sources(edge.from, drawing)) drawRoute(from, edge.route, word, drawing);
}

function sources(
  from: Exclude<EdgeIr["from"], { readonly kind: "any" }>,
  drawing: MermaidDrawing,
): readonly string[] {
  if (from.kind === "start") return ["start"];
  const join = `join_${from.nodes.join("_")}`;
  if (drawing.joins.includes(join)) return [join];
  drawing.joins.push(join);
  for (const node of from.nodes) drawing.arrows.push(`${nodeId(node)} --> ${join}`);
  return [join];
}

function drawRoute(
  from: string,
  route: RouteIr,
  before: readonly string[],
  drawing: MermaidDrawing,
): void {
  const labels = [...before, ...labelsOf(route)];
  switch (route.kind) {
    case "to":
    case "pick":
      for (const { node, label } of route.targets) {
        drawing.targets.add(node);
        const all = [...(label === undefined ? [] : [escaped(label)]), ...labels];
        drawArrow(
          from,
          ends.get(node) ?? nodeId(node),
          { all, dotted: route.kind === "pick" },
          drawing,
        );
      }
      return;
    case "choice":
      for (const { when, route: inner } of route.branches)
        drawRoute(
          from,
          inner,
          [...labels, when === undefined ? "else" : conditionLabel(when)],
          drawing,
        );
      return;
    case "match":
      for (const { values, route: inner } of route.cases) {
        const value = values?.map((each) => escaped(JSON.stringify(each))).join(" or ");
        const label = value === undefined ? "else" : `${conditionLabel(route.subject)} is ${value}`;
        drawRoute(from, inner, [...labels, label], drawing);
      }
      return;
    case "each":
      drawRoute(from, route.each.entry, labels, drawing);
      for (const edge of route.each.edges) drawEdge(edge, drawing);
      if (route.each.then !== undefined)
        drawRoute(eachId(route.each), route.each.then, [], drawing);
      for (const { on, route: inner } of route.each.failing ?? [])
        drawRoute(eachId(route.each), inner, [`on ${on}`], drawing);
  }
}

function labelsOf({ when, max, afterMs, sets, detached }: RouteIr): readonly string[] {
  return [
    ...(when === undefined ? [] : [`when ${conditionLabel(when)}`]),
    ...(max === undefined ? [] : [`max ${printCount(max)}`]),
    ...(afterMs === undefined ? [] : [`after ${printDuration(afterMs)}`]),
    ...(detached === true ? ["detached"] : []),
    ...(sets === undefined ? [] : [`set ${escaped(printAssigns(sets))}`]),
  ];
}

interface DrawnArrow {
  readonly all: readonly string[];
  /** A choice that a node makes is dotted. */
  readonly dotted: boolean;
}

function drawArrow(
  from: string,
  to: string,
  { all, dotted }: DrawnArrow,
  drawing: MermaidDrawing,
): void {
  const line = dotted ? "-.->" : "-->";
  drawing.arrows.push(
    all.length === 0 ? `${from} ${line} ${to}` : `${from} ${line}|"${all.join(", ")}"| ${to}`,
  );
}

function conditionLabel(expr: ExprIr): string {
  return escaped(printExpression(expr));
}

/** Labels stand in double quotes and are read as HTML. */
function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("\n", " ");
}
