/** The constructs of `constructs.ts` that a graph has. */
import type {
  ConsentIr,
  EachIr,
  EdgeIr,
  ExprIr,
  FieldIr,
  Ir,
  LimitIr,
  NodeIr,
  ReducerIr,
  RouteIr,
  TypeIr,
} from "../../../dsl/index.ts";

/** `clause retry`, `route each`. */
export function constructsIn(ir: Ir): ReadonlySet<string> {
  const found = new Set<string>();
  const note: Note = (group, ...names) => {
    for (const name of names) if (name !== undefined) found.add(`${group} ${name}`);
  };
  note("graph", ...present(ir));
  for (const field of ir.fields) inField(field, note);
  for (const node of ir.nodes) inNode(node, note);
  for (const edge of ir.edges) inEdge(edge, note);
  if (ir.limit !== undefined) inLimit(ir.limit, note);
  for (const { when, consent } of ir.approvals) inConsent(when, consent, note);
  for (const { when, condition } of ir.breaks)
    note("break", when, condition === undefined ? undefined : "condition");
  inParts(ir, note);
  return found;
}

type Note = (group: string, ...names: readonly (string | undefined)[]) => void;

/** The members that say something. */
function present(of: object): readonly string[] {
  return Object.entries(of).flatMap(([name, value]) => {
    const isEmpty = value === undefined || value === false;
    return isEmpty || (Array.isArray(value) && value.length === 0) ? [] : [name];
  });
}

function inField({ scope, reducer, type }: FieldIr, note: Note): void {
  note("scope", scope);
  inReducer(reducer, note);
  note("type", type.kind);
}

function inReducer({ name, custom, args }: ReducerIr, note: Note): void {
  note("reducer", custom ? "custom" : name, args.length === 0 ? undefined : "with arguments");
}

function inNode(node: NodeIr, note: Note): void {
  note("node", node.kind);
  note("clause", ...present(node));
  if (node.call?.callee.join(".") === "planGraph") note("plan", "planGraph");
  for (const write of node.writes) note("write", ...present(write));
  for (const { via } of node.sets) note("set", via === undefined ? undefined : "via");
  if (node.limit !== undefined) inLimit(node.limit, note);
  for (const { when, consent } of node.approvals) inConsent(when, consent, note);
  for (const ensure of node.ensures) note("ensure", ...present(ensure));
  if (node.effects !== undefined) note("effects", node.effects);
  inRetry(node, note);
  inTurns(node, note);
}

function inRetry({ retry }: NodeIr, note: Note): void {
  if (retry === undefined) return;
  note("retry", ...present(retry));
  for (const { on, count } of retry.rules) {
    note("retry", ...on, on.length === 0 ? "any class" : undefined);
    if (typeof count !== "number") note("retry", "a count by name");
  }
}

function inTurns({ session, history, every, tell }: NodeIr, note: Note): void {
  if (session !== undefined)
    note("session", session.policy, session.name === undefined ? undefined : "by name");
  if (history !== undefined) note("history", history.source, ...present(history));
  if (every !== undefined) {
    const { until } = every;
    note("every", ...present(every), isWords(until) ? "in words" : undefined);
  }
  if (tell !== undefined) note("tell", tell.targets === "*" ? "*" : "a node", ...present(tell));
}

function isWords(until: ExprIr | undefined): boolean {
  return until?.kind === "literal" && typeof until.value === "string";
}

function inLimit(limit: LimitIr, note: Note): void {
  note("limit", ...limit.quantities.map(({ unit }) => unit), limit.elseAsk ? "elseAsk" : undefined);
}

function inConsent(when: string, consent: ConsentIr, note: Note): void {
  note("approve", when, ...present(consent));
}

function inEdge({ from, on, route }: EdgeIr, note: Note, isInEach = false): void {
  note("on", on);
  note("from", from.kind);
  if (from.kind === "any" && from.nodes.length > 1) note("source", "several of any");
  if (from.kind === "join" && from.need !== undefined) note("source", "need");
  inRoute(route, note, isInEach);
}

function inRoute(route: RouteIr, note: Note, isInEach: boolean): void {
  note("route", route.kind);
  note("hop", ...present(route));
  const waits = route.afterMs !== undefined;
  switch (route.kind) {
    case "to":
    case "pick":
      note(
        "target",
        route.targets.length > 1 && route.kind === "to" ? "several at once" : undefined,
      );
      note("target", route.targets.some(({ node }) => node === "end") ? "end" : undefined);
      note("target", route.targets.some(({ node }) => node === "return") ? "return" : undefined);
      note("target", route.targets.some(({ args }) => args.length > 0) ? "args" : undefined);
      break;
    case "choice":
      if (waits) note("target", "after before a decision");
      for (const branch of route.branches) inRoute(branch.route, note, isInEach);
      break;
    case "match":
      if (waits) note("target", "after before a decision");
      for (const one of route.cases) inRoute(one.route, note, isInEach);
      break;
    case "each":
      inEachOf(route.each, note, isInEach);
  }
}

function inEachOf(each: EachIr, note: Note, isInEach: boolean): void {
  note("each", ...present(each), isInEach ? "in an each" : undefined);
  const { items, entry, edges, then, failing = [] } = each;
  note("failing", ...failing.map(({ on }) => on));
  const callee = items.kind === "call" ? items.callee : items;
  if (callee.kind === "name" && callee.of === "scope") note("each", "stream");
  inRoute(entry, note, true);
  for (const edge of edges) inEdge(edge, note, true);
  if (then !== undefined) inRoute(then, note, isInEach);
}

/** Expressions, names and types, wherever they stand. */
function inParts(part: unknown, note: Note): void {
  if (Array.isArray(part)) for (const one of part) inParts(one, note);
  if (typeof part !== "object" || part === null) return;
  const { kind, of, via } = part as { kind?: string; of?: unknown; via?: ReducerIr };
  if (typeof kind === "string") {
    note("expression", kind);
    note("type", kind as TypeIr["kind"]);
    if (kind === "name" && typeof of === "string") note("meaning", of);
  }
  if (typeof via === "object" && via !== null) inReducer(via, note);
  for (const [name, value] of Object.entries(part)) if (name !== "span") inParts(value, note);
}
