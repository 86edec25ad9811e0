/** Evaluates the routes behind a place, and moves its token along those that hold. */

import { RETURN, type RouteIr, type TargetIr } from "../../../dsl/index.ts";
import { grown } from "../../state/persistent.ts";
import { gathered } from "../expressions/calls.ts";
import { nextDaily } from "../expressions/wall-clock.ts";
import { hasUsesLeft } from "../limits.ts";
import { lookupAt, type Standpoint, shownFailure } from "../lookup.ts";
import { eachPlace, joinPlace, nodePlace, type Program } from "../program/program.ts";
import { waitArgs } from "../program/wait-nodes.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { roundsBegun } from "../visits.ts";
import type { Departure, Leaf } from "./departure.ts";
import { activate, arrive, emit, type FlowDraft, setOf, write } from "./flow-draft.ts";
import { handersOf, handoverMove, returnMove } from "./handovers.ts";
import { argsOf, eachLeaf, evaluateAt, holdsAt } from "./route-values.ts";
import { usedUp } from "./used-up.ts";

// Decides where a token goes next.

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
  { args, result, error }: Departure,
  route: RouteIr,
  branch: number,
): Leaf {
  const node = program.waits.get(route);
  if (node === undefined || route.afterMs === undefined)
    throw new Error("M9000: a decision that nothing waits for");
  return {
    kind: "node",
    node,
    branch,
    args: waitArgs({ args, result, error }),
    afterMs: route.afterMs,
  };
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
    const node = draft.program.nodes[from.by ?? -1]?.ir.name ?? "";
    const error = shownFailure(node, usedUp(draft, draft.spent, node));
    return depart(draft, { ...rest, outlet, error });
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
