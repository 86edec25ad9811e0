/** Evaluates the routes behind a place, and moves its token along those that hold. */

import {
  type CountIr,
  type EachIr,
  type ExprIr,
  type ParamIr,
  RETURN,
  type RouteIr,
  type TargetIr,
} from "../../../dsl/index.ts";
import type { Sent } from "../../envelope.ts";
import { grown } from "../../state/persistent.ts";
import { assertArgumentFits } from "../expressions/assert-fits.ts";
import { gathered } from "../expressions/calls.ts";
import { evaluate, holds, StreamCall } from "../expressions/evaluate.ts";
import { EvaluationError } from "../expressions/evaluation-errors.ts";
import { nextDaily } from "../expressions/wall-clock.ts";
import { readArgument } from "../expressions/written-messages.ts";
import { countOf, hasUsesLeft } from "../limits.ts";
import { lookupAt, type Standpoint } from "../lookup.ts";
import { eachPlace, joinPlace, nodePlace, type Outlet, type Program } from "../program/program.ts";
import { waitArgs } from "../program/wait-nodes.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { roundsBegun } from "../visits.ts";
import { activate, arrive, emit, type FlowDraft, setOf, write } from "./flow-draft.ts";
import type { StreamSource } from "./flow-op.ts";
import { type HandoverMove, handersOf, handoverMove, returnMove } from "./handovers.ts";

// Evaluates the routes of an outlet and decides where a token goes next.

export interface Departure {
  readonly frame: number;
  readonly seq: number;
  readonly scope: number;
  readonly outlet: Outlet;
  readonly args?: Readonly<Record<string, unknown>> | undefined;
  readonly result?: unknown;
  /** The messages that the node found in its inbox. */
  readonly inbox?: readonly Sent[] | undefined;
  /** The name that the node chose. */
  readonly goto?: string | undefined;
  /** The arguments that it gives to whom it hands over. */
  readonly handed?: Readonly<Record<string, unknown>> | undefined;
  /** The node that the token leaves. */
  readonly by?: number | undefined;
  /** The outlet of the token when it finds nothing but used-up edges. */
  readonly otherwise?: Outlet | undefined;
}

/** The next place of a token. */
export type Leaf = {
  readonly branch: number;
  /** Of what goes on by itself: those with one number go on together. */
  readonly detached?: number;
} & (
  | {
      readonly kind: "node";
      readonly node: number;
      readonly args?: Readonly<Record<string, unknown>>;
      readonly afterMs?: number;
      /** The change of those who wait for a `return` on its line. */
      readonly moves?: HandoverMove;
    }
  | {
      readonly kind: "each";
      readonly each: number;
      readonly items: readonly unknown[];
      readonly parallel: number;
      readonly need?: number;
      readonly source?: Omit<StreamSource, "expansion">;
    }
  | { readonly kind: "arrive"; readonly join: number; readonly source: number }
  | { readonly kind: "end" }
);

/** The routes that are taken, one within the other; none where conditions fail, uses are spent or nobody is picked. */
function wayOf(draft: FlowDraft, from: Departure, route: RouteIr): readonly RouteIr[] {
  if (!isOpen(draft, from, route)) return [];
  if (isDecidedLater(draft, route)) return [route];
  const chosen = choose(draft, from, route);
  if (chosen === "none") return [];
  if (chosen !== undefined) {
    const inner = wayOf(draft, from, chosen);
    return inner.length === 0 ? [] : [route, ...inner];
  }
  if (route.kind === "pick" && !route.targets.some(({ node }) => node === from.goto)) return [];
  return [route];
}

/** Takes the routes of a way, and says where its last one leads. */
function go(
  draft: FlowDraft,
  from: Departure,
  way: readonly RouteIr[],
  branch: number,
): readonly Leaf[] {
  for (const route of way) useRoute(draft, from, route);
  const leaves = leavesOf(draft, from, way.at(-1), branch);
  tellArrows(draft, from, way.at(-1));
  const isDetached = way.some(({ detached }) => detached === true);
  return isDetached ? leaves.map((leaf) => ({ ...leaf, detached: branch })) : leaves;
}

/** Tells the program's listener which arrows are taken; of a choice that waits for a time, those behind the wait. */
function tellArrows(
  { program: { tookArrow } }: FlowDraft,
  { outlet, goto }: Departure,
  route: RouteIr | undefined,
): void {
  if (tookArrow === undefined) return;
  if (route?.kind === "each") tookArrow(outlet.id, route.each);
  if (route?.kind !== "to" && route?.kind !== "pick") return;
  const { kind, targets } = route;
  for (const target of kind === "to" ? targets : targets.filter(({ node }) => node === goto))
    tookArrow(outlet.id, target);
}

/** An agent that answers and hands over to nobody takes the `end` among its choices. */
function tellAnswer({ program: { tookArrow } }: FlowDraft, { outlet, goto }: Departure): void {
  if (tookArrow === undefined || goto !== undefined) return;
  for (const { route } of outlet.edges) {
    const end = route.kind === "pick" && route.targets.find(({ node }) => node === "end");
    if (end) tookArrow(outlet.id, end);
  }
}

function leavesOf(
  draft: FlowDraft,
  from: Departure,
  route: RouteIr | undefined,
  branch: number,
): readonly Leaf[] {
  switch (route?.kind) {
    case "to":
      return route.targets.map((target, index) =>
        delayed(draft, from, route, targetLeaf(draft, from, target, branch + index)),
      );
    case "pick":
      return route.targets
        .filter(({ node }) => node === from.goto)
        .slice(0, 1)
        .map((target) =>
          delayed(draft, from, route, pickedLeaf(draft, from, { target, route, branch })),
        );
    case "each":
      if (isDecidedLater(draft, route)) return [waitLeaf(draft, from, route, branch)];
      return [eachLeaf(draft, from, route, branch)];
    case "choice":
    case "match":
      return [waitLeaf(draft, from, route, branch)];
    default:
      return [];
  }
}

/** Tells whether a time has to pass before it is known where a route leads. */
function isDecidedLater({ program }: FlowDraft, route: RouteIr): boolean {
  return route.kind !== "to" && route.kind !== "pick" && program.waits.has(route);
}

function delayed(draft: FlowDraft, from: Departure, route: RouteIr, leaf: Leaf): Leaf {
  if (route.afterMs === undefined) return leaf;
  if (leaf.kind === "node") return { ...leaf, afterMs: route.afterMs };
  return waitLeaf(draft, from, route, leaf.branch);
}

/** A node run that does nothing when the time has come; what follows is decided behind it. */
function waitLeaf(
  { program }: FlowDraft,
  { args, result }: Departure,
  route: RouteIr,
  branch: number,
): Leaf {
  const node = program.waits.get(route);
  if (node === undefined || route.afterMs === undefined)
    throw new Error("M9000: a decision that nothing waits for");
  return { kind: "node", node, branch, args: waitArgs(args, result), afterMs: route.afterMs };
}

export function targetLeaf(
  draft: FlowDraft,
  from: Departure,
  target: TargetIr,
  branch: number,
): Leaf {
  if (target.node === RETURN) return { kind: "node", branch, ...returnMove(draft, from) };
  const node = draft.program.nodeNumbers.get(target.node);
  if (node === undefined) return { kind: "end", branch };
  const args = argsOf(draft, from, node, target.args);
  return { kind: "node", node, branch, ...(args === undefined ? {} : { args }) };
}

/** A target that a node chose: the arguments of its arrow, and those that the node hands over. */
function pickedLeaf(
  draft: FlowDraft,
  from: Departure,
  { target, route, branch }: PickedTarget,
): Leaf {
  const canEnd = route.targets.some(({ node }) => node === "end");
  if (target.node === RETURN && canEnd && handersOf(draft.snapshot, from.frame).length === 0)
    return { kind: "end", branch };
  const leaf = targetLeaf(draft, from, target, branch);
  if (leaf.kind !== "node" || target.node === RETURN) return leaf;
  const args = leaf.args && { ...leaf.args, ...from.handed };
  return { ...leaf, ...(args === undefined ? {} : { args }), ...handoverMove(draft, from) };
}

interface PickedTarget {
  readonly target: TargetIr;
  readonly route: RouteIr & { readonly kind: "pick" };
  readonly branch: number;
}

/** The branch of a choice or a match that holds first and is not used up; `undefined` for other routes. */
function choose(draft: FlowDraft, from: Departure, route: RouteIr): RouteIr | "none" | undefined {
  if (route.kind === "choice") {
    const branch = route.branches.find(
      ({ when, route: to }) =>
        (when === undefined || holdsAt(draft, from, when)) && isOpen(draft, from, to),
    );
    return branch?.route ?? "none";
  }
  if (route.kind === "match") {
    // What is not written yet is null, as it is to `==`.
    const subject = evaluateAt(draft, from, route.subject) ?? null;
    const found = route.cases.find(
      ({ values, route: to }) =>
        (values === undefined || values.some((value) => value === subject)) &&
        isOpen(draft, from, to),
    );
    return found?.route ?? "none";
  }
  return undefined;
}

function isOpen(draft: FlowDraft, from: Departure, route: RouteIr): boolean {
  if (route.when !== undefined && !holdsAt(draft, from, route.when)) return false;
  const { program, snapshot } = draft;
  if (hasUsesLeft(program, snapshot, { scope: from.scope, route })) return true;
  draft.spent = route;
  return false;
}

/** Uses a route once: its counter, and what it sets. */
export function useRoute(draft: FlowDraft, from: Departure, route: RouteIr): void {
  const number = draft.program.routeNumbers.get(route);
  if (number !== undefined) emit(draft, { op: "count", route: number, scope: from.scope });
  for (const { field, value, via } of route.sets ?? []) {
    const { frame, seq } = from;
    const written = { ...setOf({ field, via }), value: evaluateAt(draft, from, value) };
    write(draft, { frame, seq, span: value.span }, written);
    draft.flow = grown(draft.flow, { op: "write", frame, seq });
  }
}

function eachLeaf(
  draft: FlowDraft,
  from: Departure,
  route: RouteIr & { readonly kind: "each" },
  branch: number,
): Leaf {
  const { each } = route;
  const value = evaluateAt(draft, from, each.items);
  if (value instanceof StreamCall) return streamLeaf(draft, from, each, { of: value, branch });
  if (!Array.isArray(value)) {
    throw new EvaluationError(`\`each ${each.variable}\` needs a list`, each.items.span);
  }
  const kept = gathered(value, (item: unknown) => {
    const as = { ...from, item: { variable: each.variable, value: item } };
    return each.when === undefined || holdsAt(draft, as, each.when);
  });
  const items = value.filter((_, index) => kept[index]);
  const number = draft.program.eachNumbers.get(each.id) ?? -1;
  const parallel = countOf(draft.program, draft.snapshot, each.parallel ?? PARALLEL_DEFAULT);
  const need = each.need === undefined ? {} : { need: needOf(draft, each.need) };
  return { kind: "each", each: number, items, parallel: Math.max(1, parallel), ...need, branch };
}

/**
 * Begins an `each` over a stream, which may be read anew later on: the call is kept with its
 * arguments.
 */
function streamLeaf(
  draft: FlowDraft,
  from: Departure,
  { id, items, parallel = 1, need }: EachIr,
  { of, branch }: { readonly of: StreamCall; readonly branch: number },
): Leaf {
  const { program, snapshot } = draft;
  const { name, key } = of;
  const file = program.functions?.file;
  const args =
    items.kind === "call"
      ? { args: items.args.map(({ value }) => evaluateAt(draft, from, value)) }
      : {};
  return {
    kind: "each",
    each: program.eachNumbers.get(id) ?? -1,
    items: [],
    parallel: Math.max(1, countOf(program, snapshot, parallel)),
    ...(need === undefined ? {} : { need: needOf(draft, need) }),
    source: { name, key, ...args, ...(file === undefined ? {} : { file }) },
    branch,
  };
}

const PARALLEL_DEFAULT = 8;

function needOf({ program, snapshot }: FlowDraft, count: CountIr): number {
  const need = countOf(program, snapshot, count);
  if (need >= 1) return need;
  throw new EvaluationError(`\`need\` must be 1 or more, not ${need}`);
}

function argsOf(
  draft: FlowDraft,
  from: Departure,
  node: number,
  args: readonly { readonly label?: string; readonly value: ExprIr }[],
): Readonly<Record<string, unknown>> | undefined {
  const { params = [], name: to = "" } = draft.program.nodes[node]?.ir ?? {};
  if (params.length === 0) return undefined;
  const { program, snapshot } = draft;
  const lookup = lookupAt(program, snapshot, from);
  const values: (readonly [string, unknown])[] = [];
  const give = (param: ParamIr | undefined, name: string, expression: ExprIr) => {
    const given = evaluate(expression, lookup);
    const { span } = expression;
    const value =
      param === undefined ? given : readArgument(program.ir, param, { value: given, span });
    const what = () => `\`${name}\` of \`${to}\``;
    if (param !== undefined && snapshot.isTyped)
      assertArgumentFits(program.ir, param, { what, value, span: expression.span });
    values.push([name, value]);
  };
  for (const param of params) {
    if (param.default !== undefined) give(param, param.name, param.default);
  }
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index];
    const param =
      arg?.label === undefined ? params[index] : params.find(({ name }) => name === arg.label);
    if (arg !== undefined) give(param, arg.label ?? param?.name ?? "", arg.value);
  }
  return Object.fromEntries(values);
}

function evaluateAt(draft: FlowDraft, at: Standpoint, expression: ExprIr): unknown {
  return evaluate(expression, lookupAt(draft.program, draft.snapshot, at));
}

function holdsAt(draft: FlowDraft, at: Standpoint, condition: ExprIr): boolean {
  return holds(condition, lookupAt(draft.program, draft.snapshot, at));
}

// Moves tokens along the routes that hold, each in a branch of its own if there may be several.

/** Sends a token on from `from.outlet`: along every edge that holds, side by side. Says whether there was one. */
export function depart(draft: FlowDraft, from: Departure): boolean {
  draft.spent = undefined;
  if (from.outlet.only !== undefined) {
    const { frame, seq, scope } = from;
    tellArrows(draft, from, from.outlet.edges[0]?.route);
    enter(draft, from, nodePlace(from.outlet.only));
    activate(draft, { node: from.outlet.only, frame, seq: seq + 1, scope });
    return true;
  }
  // All conditions see the state as it is now: what one arrow sets is no matter of the next one's.
  const ways = gathered(from.outlet.edges, ({ route, branch }) => ({
    way: wayOf(draft, from, route),
    branch,
  }));
  const leaves: Leaf[] = [];
  for (const { way, branch } of ways) leaves.push(...go(draft, from, way, branch));
  for (const join of from.outlet.joins) leaves.push({ kind: "arrive", ...join });
  const isNowhere = leaves.length === 0;
  if (isNowhere && draft.spent !== undefined && from.otherwise !== undefined) {
    const { otherwise: outlet, ...rest } = from;
    return depart(draft, { ...rest, outlet });
  }
  if (isNowhere) draft.exhausted = draft.spent ?? draft.exhausted;
  if (isNowhere) tellAnswer(draft, from);
  leave(draft, from, leaves);
  return !isNowhere;
}

/** Lets a token go where its leaves say: each in a branch of its own where there may be several, nowhere without any. */
export function leave(draft: FlowDraft, from: Departure, leaves: readonly Leaf[]): void {
  const going = leaves.filter(({ kind }) => kind !== "end");
  const all = going.filter(({ detached }) => detached === undefined);
  if (all.length < going.length) detachAll(draft, from, going);
  if (from.outlet.width > 1 || all.length > 1) {
    for (const leaf of all) {
      const frame = draft.snapshot.next.frame;
      const { frame: parent, seq } = from;
      emit(draft, { op: "fork", frame, parent, seq, branch: leaf.branch, fork: from.outlet.id });
      land(draft, { ...from, frame, seq: 0 }, leaf);
    }
    emit(draft, { op: "end", frame: from.frame, scope: from.scope });
  } else if (all[0] !== undefined) {
    land(draft, { ...from, seq: from.seq + 1 }, all[0]);
  } else {
    emit(draft, { op: "end", frame: from.frame, scope: from.scope });
  }
}

/** Begins the rounds of loops anew that a token comes into from outside. */
function enter(draft: FlowDraft, { outlet, scope }: Departure, place: number): void {
  const nodes = roundsBegun(draft.program, draft.snapshot, { outlet, place, scope });
  if (nodes.length > 0) emit(draft, { op: "enter", nodes, scope });
}

function landingPlace(program: Program, leaf: Leaf): number | undefined {
  switch (leaf.kind) {
    case "node":
      return nodePlace(leaf.node);
    case "arrive":
      return joinPlace(program, leaf.join);
    case "each":
      return eachPlace(program, leaf.each);
    case "end":
      return undefined;
  }
}

function land(draft: FlowDraft, at: Departure, leaf: Leaf): void {
  const { frame, seq, scope } = at;
  const place = landingPlace(draft.program, leaf);
  if (place !== undefined) enter(draft, at, place);
  switch (leaf.kind) {
    case "node": {
      const { node, args, afterMs, moves } = leaf;
      if (moves !== undefined) emit(draft, { ...moves, frame });
      const from = draft.at + (afterMs ?? 0);
      const notBefore =
        firstRound(draft.program, draft.snapshot, { standpoint: at, node, at: from }) ??
        (afterMs === undefined ? undefined : from);
      activate(draft, {
        node,
        frame,
        seq,
        scope,
        ...(args === undefined ? {} : { args }),
        ...(notBefore === undefined ? {} : { notBefore }),
      });
      return;
    }
    case "end":
      return;
    case "arrive":
      arrive(draft, { join: leaf.join, source: leaf.source, frame, seq, scope });
      return;
    case "each": {
      const expansion = draft.snapshot.next.expansion;
      const { kind: _, branch: __, source, ...of } = leaf;
      const reader = draft.snapshot.next.run;
      const stream = source === undefined ? {} : { stream: { reader, source } };
      emit(draft, { op: "expand", expansion, scope, frame, seq, ...of, ...stream });
      draft.due.push({ expansion });
    }
  }
}

/** Starts what goes on by itself: what one arrow leads to in a scope and a line of its own, until the run ends. */
function detachAll(draft: FlowDraft, from: Departure, leaves: readonly Leaf[]): void {
  for (const [branch, group] of Map.groupBy(leaves, ({ detached }) => detached)) {
    if (branch === undefined) continue;
    const { frame, scope } = draft.snapshot.next;
    const { frame: parent, seq, scope: within } = from;
    emit(draft, { op: "detach", scope, frame, parent, seq, branch, within });
    const at = { ...from, frame, seq: 0, scope };
    const [first, ...more] = group;
    if (first !== undefined && more.length === 0) land(draft, at, first);
    else {
      for (const leaf of group) {
        const { frame: line } = draft.snapshot.next;
        emit(draft, {
          op: "fork",
          frame: line,
          parent: frame,
          seq: 0,
          branch: leaf.branch,
          fork: -1,
        });
        land(draft, { ...at, frame: line }, leaf);
      }
      emit(draft, { op: "end", frame, scope });
    }
    draft.due.push({ scope });
  }
}

/**
 * Returns the time of the first round of a node that runs at a time of day; nothing for other
 * nodes.
 */
function firstRound(
  program: Program,
  snapshot: Snapshot,
  of: { readonly standpoint: Standpoint; readonly node: number; readonly at: number },
): number | undefined {
  const interval = program.nodes[of.node]?.ir.every?.interval;
  if (interval === undefined) return undefined;
  return nextDaily(interval, lookupAt(program, snapshot, of.standpoint), of.at);
}
