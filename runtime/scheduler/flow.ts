/** Moves tokens: evaluates routes, forks, joins and expands, writing down each operation as it is applied. */
import type { CountIr, EachIr, ExprIr, RouteIr, TargetIr } from "../../dsl/index.ts";
import type { Sent } from "../envelope.ts";
import type { Failure } from "../failure.ts";
import type { LoggedWrite } from "../records.ts";
import { grown } from "../state/grown.ts";
import { compareKeys } from "../state/order-key.ts";
import type { Patch } from "../state/patch.ts";
import { applyOp, applyWrite } from "./apply.ts";
import { gathered } from "./calls.ts";
import { holds } from "./condition.ts";
import { draftOf, type SnapshotDraft } from "./draft.ts";
import { evaluate, StreamCall } from "./evaluate.ts";
import { EvaluationError } from "./evaluation-error.ts";
import { firstRound } from "./first-round.ts";
import type { FlowOp } from "./flow-op.ts";
import { lookupAt, type Standpoint } from "./lookup.ts";
import type { Outlet, Program } from "./program.ts";
import { type FrameWrite, must, type Snapshot, type StreamSource } from "./snapshot.ts";
import { waitArgs } from "./waits.ts";

/** A run on the way from one snapshot to the next. */
export interface Draft {
  readonly program: Program;
  /** When this happens, in milliseconds. */
  readonly at: number;
  readonly snapshot: SnapshotDraft;
  flow: FlowOp[];
  patches: Patch[];
  writes: LoggedWrite[];
  /** What the node changes in fields of its own. */
  own: Patch[];
  /** What is still to be looked at before the draft is settled; see `settle.ts`. */
  readonly due: Due[];
  /** An edge was not taken because its `max` is used up. */
  spent: boolean;
  /** A token found nothing but such edges. */
  exhausted: boolean;
  /** A quorum can't be reached, and nothing says how to go on. */
  failure: Failure | undefined;
  /** The node ordered the end of the run. */
  finished: boolean;
}

/** A scope in which a join may fire or nothing is left, or an `each` with room for items. */
export type Due = { readonly scope: number } | { readonly expansion: number };

export interface Departure {
  readonly frame: number;
  readonly seq: number;
  readonly scope: number;
  readonly outlet: Outlet;
  readonly args?: Readonly<Record<string, unknown>> | undefined;
  readonly result?: unknown;
  /** What the node found in its inbox. */
  readonly inbox?: readonly Sent[] | undefined;
  /** The name that the node chose. */
  readonly goto?: string | undefined;
  /** Where the token goes when it finds nothing but used-up edges. */
  readonly otherwise?: Outlet | undefined;
}

export function createDraft(program: Program, snapshot: Snapshot, at: number): Draft {
  return {
    program,
    at,
    snapshot: draftOf(snapshot),
    flow: [],
    patches: [],
    writes: [],
    own: [],
    due: [],
    spent: false,
    exhausted: false,
    failure: undefined,
    finished: false,
  };
}

export function emit(draft: Draft, op: FlowOp): void {
  const patches = applyOp(draft.program, draft.snapshot, op);
  if (patches.length > 0) for (const patch of patches) draft.patches = grown(draft.patches, patch);
  draft.flow = grown(draft.flow, op);
}

/** Sends a token on from `from.outlet`: along every edge that holds, side by side. Says whether there was one. */
export function depart(draft: Draft, from: Departure): boolean {
  draft.spent = false;
  if (from.outlet.only !== undefined) {
    const { frame, seq, scope } = from;
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
  if (isNowhere && draft.spent && from.otherwise !== undefined) {
    const { otherwise: outlet, ...rest } = from;
    return depart(draft, { ...rest, outlet });
  }
  if (isNowhere && draft.spent) draft.exhausted = true;
  leave(draft, from, leaves);
  return !isNowhere;
}

/** Lets a token go where its leaves say: each in a branch of its own where there may be several, nowhere without any. */
export function leave(draft: Draft, from: Departure, leaves: readonly Leaf[]): void {
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

/** Where a token goes next. */
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

function land(draft: Draft, at: Omit<Departure, "outlet">, leaf: Leaf): void {
  const { frame, seq, scope } = at;
  switch (leaf.kind) {
    case "node": {
      const { node, args, afterMs } = leaf;
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

type Activation = FlowOp & { readonly op: "activate" };

/** Makes a node run due, under the next number and the node's next ordinal. */
export function activate(
  draft: Draft,
  { node, ...of }: Omit<Activation, "op" | "id" | "ordinal">,
): void {
  const { ordinals, next } = draft.snapshot;
  const ordinal = (ordinals.get(node) ?? 0) + 1;
  emit(draft, { op: "activate", id: next.run, node, ordinal, ...of });
}

/** A token comes to a join: in time for its next round, or too late for one that went on without it. */
export function arrive(draft: Draft, { seq, ...at }: Arrival): void {
  const { path } = must(draft.snapshot.frames, at.frame, "frame");
  const state = must(draft.snapshot.scopes, at.scope, "scope").joins.get(at.join);
  const isOwed = (state?.owed.get(at.source) ?? 0) > 0;
  const isBefore = state?.firedAt === undefined || compareKeys([...path, seq], state.firedAt) < 0;
  emit(draft, isOwed && isBefore ? { op: "late", ...at } : { op: "arrive", seq, ...at });
}

type Arrival = Omit<FlowOp & { readonly op: "arrive" }, "op">;

/** The routes that are taken, one within the other; none where conditions fail, uses are spent or nobody is picked. */
function wayOf(draft: Draft, from: Departure, route: RouteIr): readonly RouteIr[] {
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
  draft: Draft,
  from: Departure,
  way: readonly RouteIr[],
  branch: number,
): readonly Leaf[] {
  for (const route of way) take(draft, from, route);
  const leaves = leavesOf(draft, from, way.at(-1), branch);
  const isDetached = way.some(({ detached }) => detached === true);
  return isDetached ? leaves.map((leaf) => ({ ...leaf, detached: branch })) : leaves;
}

function leavesOf(
  draft: Draft,
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
        .map((target) => delayed(draft, from, route, targetLeaf(draft, from, target, branch)));
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

/** Whether a time has to pass before it is known where a route leads. */
function isDecidedLater({ program }: Draft, route: RouteIr): boolean {
  return route.kind !== "to" && route.kind !== "pick" && program.waits.has(route);
}

function delayed(draft: Draft, from: Departure, route: RouteIr, leaf: Leaf): Leaf {
  if (route.afterMs === undefined) return leaf;
  if (leaf.kind === "node") return { ...leaf, afterMs: route.afterMs };
  return waitLeaf(draft, from, route, leaf.branch);
}

/** A node run that does nothing when the time has come; what follows is decided behind it. */
function waitLeaf(
  { program }: Draft,
  { args, result }: Departure,
  route: RouteIr,
  branch: number,
): Leaf {
  const node = program.waits.get(route);
  if (node === undefined || route.afterMs === undefined)
    throw new Error("M9000: a decision that nothing waits for");
  return { kind: "node", node, branch, args: waitArgs(args, result), afterMs: route.afterMs };
}

/** Starts what goes on by itself: what one arrow leads to in a scope and a line of its own, until the run ends. */
function detachAll(draft: Draft, from: Departure, leaves: readonly Leaf[]): void {
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

export function targetLeaf(draft: Draft, from: Departure, target: TargetIr, branch: number): Leaf {
  const node = draft.program.nodeNumbers.get(target.node);
  if (node === undefined) return { kind: "end", branch };
  const params = draft.program.nodes[node]?.ir.params ?? [];
  const args = argsOf(draft, from, params, target.args);
  return { kind: "node", node, branch, ...(args === undefined ? {} : { args }) };
}

/** The branch of a choice or a match that holds first and is not used up; `undefined` for other routes. */
function choose(draft: Draft, from: Departure, route: RouteIr): RouteIr | "none" | undefined {
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

function isOpen(draft: Draft, from: Departure, route: RouteIr): boolean {
  if (route.when !== undefined && !holdsAt(draft, from, route.when)) return false;
  const number = draft.program.routeNumbers.get(route);
  if (route.max === undefined || number === undefined) return true;
  const used = must(draft.snapshot.scopes, from.scope, "scope").counts.get(number) ?? 0;
  if (used < countOf(draft.program, draft.snapshot, route.max)) return true;
  draft.spent = true;
  return false;
}

/** Uses a route once: its counter, and what it sets. */
export function take(draft: Draft, from: Departure, route: RouteIr): void {
  const number = draft.program.routeNumbers.get(route);
  if (number !== undefined) emit(draft, { op: "count", route: number, scope: from.scope });
  for (const { field, value } of route.sets ?? []) {
    const { frame, seq } = from;
    write(draft, { frame, seq }, { field, value: evaluateAt(draft, from, value), set: true });
    draft.flow = grown(draft.flow, { op: "write", frame, seq });
  }
}

export interface Writer {
  readonly frame: number;
  readonly seq: number;
  /** The node whose `via` may override the reducer. */
  readonly node?: number;
  /** Where it runs: whose the fields of its own are. */
  readonly scope?: number;
}

/** One write of a commit, into the frame and into what people see. */
export function write(draft: Draft, by: Writer, logged: LoggedWrite): void {
  if (logged.value instanceof StreamCall) logged.value.toJSON();
  const { program, snapshot } = draft;
  const wanted = frameWrite(program, snapshot, by, logged);
  const { patches, own } = applyWrite(program, snapshot, by.frame, wanted);
  for (const patch of patches) draft.patches = grown(draft.patches, patch);
  for (const patch of own) draft.own = grown(draft.own, patch);
  draft.writes = grown(draft.writes, logged);
}

export function frameWrite(
  program: Program,
  snapshot: Snapshot,
  by: Writer,
  logged: LoggedWrite,
): FrameWrite {
  return {
    key: [...must(snapshot.frames, by.frame, "frame").path, by.seq],
    field: program.fieldNumbers.get(logged.field) ?? -1,
    value: logged.value,
    via: logged.via,
    node: by.node ?? -1,
    scope: by.scope,
  };
}

function eachLeaf(
  draft: Draft,
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

/** What is read one by one, and later on may be read anew: the call is kept with its arguments. */
function streamLeaf(
  draft: Draft,
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

function needOf({ program, snapshot }: Draft, count: CountIr): number {
  const need = countOf(program, snapshot, count);
  if (need >= 1) return need;
  throw new EvaluationError(`\`need\` must be 1 or more, not ${need}`);
}

function argsOf(
  draft: Draft,
  from: Departure,
  params: readonly { readonly name: string; readonly default?: ExprIr }[],
  args: readonly { readonly label?: string; readonly value: ExprIr }[],
): Readonly<Record<string, unknown>> | undefined {
  if (params.length === 0) return undefined;
  const lookup = lookupAt(draft.program, draft.snapshot, from);
  const values: (readonly [string, unknown])[] = [];
  for (const { name, default: value } of params) {
    if (value !== undefined) values.push([name, evaluate(value, lookup)]);
  }
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index];
    const name = arg?.label ?? params[index]?.name ?? "";
    if (arg !== undefined) values.push([name, evaluate(arg.value, lookup)]);
  }
  return Object.fromEntries(values);
}

function evaluateAt(draft: Draft, at: Standpoint, expression: ExprIr): unknown {
  return evaluate(expression, lookupAt(draft.program, draft.snapshot, at));
}

function holdsAt(draft: Draft, at: Standpoint, condition: ExprIr): boolean {
  return holds(condition, lookupAt(draft.program, draft.snapshot, at));
}

/** A number, or the parameter or config value of that name. */
export function countOf(program: Program, snapshot: Snapshot, count: CountIr): number {
  if (typeof count === "number") return count;
  const at = { frame: 0, scope: 0 };
  const lookup = lookupAt(program, snapshot, at);
  const value = lookup(count.name, "param") ?? lookup(count.name, "config");
  if (typeof value === "number") return value;
  throw new EvaluationError(`\`${count.name}\` is not a number`);
}
