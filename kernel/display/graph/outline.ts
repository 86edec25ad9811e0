/** Chooses what is drawn of a graph: its boxes, how they nest, and the arrows between them. */
import {
  type EachIr,
  type EdgeIr,
  type ExprIr,
  type Ir,
  isNodeTarget,
  type NodeIr,
  printAssigns,
  printCount,
  printDuration,
  printExpression,
  RETURN,
  type RouteIr,
  routeFrom,
  type TargetIr,
  targetsIn,
} from "../../../dsl/index.ts";

export interface Outline {
  readonly shapes: readonly Shape[];
  readonly frames: readonly OutlineFrame[];
  readonly arrows: readonly OutlineArrow[];
}

/** `frame` is the `each` in which it stands. */
export type Shape = { readonly id: string; readonly frame?: string } & (
  | { readonly kind: "node"; readonly node: NodeIr }
  | { readonly kind: "join"; readonly text: string }
  | { readonly kind: "start" | "end" | "return" }
);

/** The box of an `each`. */
export interface OutlineFrame {
  readonly id: string;
  readonly each: string;
  readonly title: string;
  /** The frame around it. */
  readonly frame?: string;
}

export interface OutlineArrow {
  readonly from: string;
  readonly to: string;
  /** The frame that it leaves as a whole, once all of its items are done. */
  readonly fromFrame?: string;
  readonly label: string;
  /** `message`: what a node tells another one, which does not start it. */
  readonly kind: "flow" | "pick" | "trouble" | "message";
  /** The place of its target among those of `targetsIn`; absent where it leads into a join. */
  readonly target?: number;
}

export function outlineOf(ir: Ir): Outline {
  const targets = new Map(targetsIn(ir).map((target, index) => [target, index]));
  const outline: GrowingOutline = { shapes: [], frames: [], arrows: [], targets };
  add(outline, { id: "start", kind: "start" });
  for (const node of ir.nodes) {
    add(outline, { id: nodeId(node.name), kind: "node", node, ...inFrame(node.each) });
  }
  for (const edge of ir.edges) addEdge(edge, { outline, nodes: ir.nodes });
  for (const node of ir.nodes) addMessages(node, outline);
  return outline;
}

/** The messages that a node tells others by their names; one to whoever follows stands nowhere. */
function addMessages({ name, tell }: NodeIr, { arrows }: GrowingOutline): void {
  if (tell === undefined || tell.targets === "*") return;
  const label = tell.as === undefined ? "tells" : `tells ${tell.as}`;
  for (const target of tell.targets)
    arrows.push({ from: nodeId(name), to: nodeId(target), label, kind: "message" });
}

interface GrowingOutline {
  readonly shapes: Shape[];
  readonly frames: OutlineFrame[];
  readonly arrows: OutlineArrow[];
  readonly targets: ReadonlyMap<TargetIr, number>;
}

interface OutlinePosition {
  readonly outline: GrowingOutline;
  readonly nodes: readonly NodeIr[];
  /** The `each` in which the edge stands. */
  readonly frame?: string;
}

function add({ shapes }: GrowingOutline, shape: Shape): void {
  if (!shapes.some(({ id }) => id === shape.id)) shapes.push(shape);
}

function nodeId(name: string): string {
  return `node ${name}`;
}

function frameId(each: string): string {
  return `each ${each}`;
}

function inFrame(each: string | undefined): { readonly frame?: string } {
  return each === undefined ? {} : { frame: frameId(each) };
}

function addEdge(edge: EdgeIr, place: OutlinePosition): void {
  const kind = edge.on === "done" ? "flow" : "trouble";
  const labels = edge.on === "done" ? [] : [`on ${edge.on}`];
  if (edge.from.kind === "any") {
    for (const node of edge.from.nodes)
      addRoute(routeFrom(edge, node), { from: nodeId(node), labels, kind }, place);
    return;
  }
  for (const from of sourcesOf(edge.from, place))
    addRoute(edge.route, { from, labels, kind }, place);
}

function sourcesOf(
  from: Exclude<EdgeIr["from"], { readonly kind: "any" }>,
  { outline, frame }: OutlinePosition,
): readonly string[] {
  if (from.kind === "start") return ["start"];
  const need = from.need === undefined ? "all" : printCount(from.need);
  const id = `join ${need} of ${from.nodes.join(", ")}`;
  if (!outline.shapes.some((shape) => shape.id === id)) {
    add(outline, { id, kind: "join", text: need, ...(frame === undefined ? {} : { frame }) });
    for (const node of from.nodes) {
      outline.arrows.push({ from: nodeId(node), to: id, label: "", kind: "flow" });
    }
  }
  return [id];
}

/** An arrow whose head is not known yet. */
interface Tail {
  readonly from: string;
  readonly fromFrame?: string;
  readonly labels: readonly string[];
  readonly kind: OutlineArrow["kind"];
}

function addRoute(route: RouteIr, before: Tail, place: OutlinePosition): void {
  const tail = { ...before, labels: [...before.labels, ...clausesOf(route)] };
  switch (route.kind) {
    case "to":
    case "pick":
      addTargets(route, tail, place);
      return;
    case "choice":
      for (const { when, route: inner } of route.branches) {
        addRoute(inner, withLabel(tail, when === undefined ? "else" : expressionText(when)), place);
      }
      return;
    case "match":
      for (const { values, route: inner } of route.cases) {
        const value = values?.map((each) => JSON.stringify(each)).join(" or ");
        const label = value === undefined ? "else" : `${expressionText(route.subject)} is ${value}`;
        addRoute(inner, withLabel(tail, label), place);
      }
      return;
    case "each":
      addEach(route.each, tail, place);
      return;
  }
}

function addTargets(
  { kind, targets }: RouteIr & { readonly kind: "to" | "pick" },
  tail: Tail,
  { outline }: OutlinePosition,
): void {
  const arrowKind = kind === "pick" && tail.kind === "flow" ? "pick" : tail.kind;
  for (const target of targets) {
    const { node, label } = target;
    const at = outline.targets.get(target);
    if (node === "end" || node === RETURN) add(outline, { id: node, kind: node });
    const { labels, ...rest } = label === undefined ? tail : withLabel(tail, label);
    const to = isNodeTarget(node) ? nodeId(node) : node;
    const place = at === undefined ? {} : { target: at };
    outline.arrows.push({ ...rest, to, label: labels.join(", "), kind: arrowKind, ...place });
  }
}

function addEach(each: EachIr, tail: Tail, place: OutlinePosition): void {
  const { outline, frame } = place;
  const id = frameId(each.id);
  const isNew = !outline.frames.some((known) => known.id === id);
  if (isNew) {
    outline.frames.push({
      id,
      each: each.id,
      title: titleOf(each),
      ...(frame === undefined ? {} : { frame }),
    });
  }
  addRoute(each.entry, tail, { ...place, frame: id });
  if (!isNew) return;
  for (const edge of each.edges) addEdge(edge, { ...place, frame: id });
  const last = lastOf(each, place);
  if (last === undefined) return;
  const tailOf = (labels: readonly string[], kind: Tail["kind"]) => ({
    from: last,
    fromFrame: id,
    labels,
    kind,
  });
  if (each.then !== undefined) addRoute(each.then, tailOf([], "flow"), place);
  for (const { on, route } of each.failing ?? [])
    addRoute(route, tailOf([`on ${on}`], "trouble"), place);
}

function titleOf({ variable, items, parallel, need, when, onErrorSkip }: EachIr): string {
  return [
    `each ${variable} of ${expressionText(items)}`,
    ...(parallel === undefined ? [] : [`${printCount(parallel)} at once`]),
    ...(need === undefined ? [] : [`${printCount(need)} needed`]),
    ...(when === undefined ? [] : [`when ${expressionText(when)}`]),
    ...(onErrorSkip ? ["errors skipped"] : []),
  ].join(", ");
}

/** A node of the frame that nothing in it follows, else its last: the layout needs one to hang the arrow on. */
function lastOf(each: EachIr, { outline, nodes }: OutlinePosition): string | undefined {
  const own = nodes.filter((node) => node.each === each.id).map(({ name }) => nodeId(name));
  const hasFollower = (id: string) =>
    outline.arrows.some(({ from, to }) => from === id && own.includes(to));
  return own.findLast((id) => !hasFollower(id)) ?? own.at(-1);
}

function withLabel(tail: Tail, label: string): Tail {
  return { ...tail, labels: [...tail.labels, label] };
}

function clausesOf({ when, max, afterMs, sets, detached }: RouteIr): readonly string[] {
  return [
    ...(when === undefined ? [] : [`when ${expressionText(when)}`]),
    ...(max === undefined ? [] : [`max ${printCount(max)}`]),
    ...(afterMs === undefined ? [] : [`after ${printDuration(afterMs)}`]),
    ...(detached === true ? ["detached"] : []),
    ...(sets === undefined ? [] : [`set ${printAssigns(sets)}`]),
  ];
}

function expressionText(expr: ExprIr): string {
  return printExpression(expr);
}
