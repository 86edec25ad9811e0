/** Decides whether a run is held, before and after each completion, and why. */

import { isRecord } from "../../dsl/index.ts";
import { breakpointText } from "../breakpoints/breakpoint-text.ts";
import type { BreakpointPlace, StopEdge } from "../breakpoints/breakpoint-types.ts";
import { type Breakpoints, edgeOf } from "../breakpoints/breakpoints.ts";
import {
  hitAtNode,
  hitBehind,
  hitByCall,
  hitByFailure,
  hitByFile,
  nameOf,
} from "../breakpoints/hits.ts";
import { callersOf, innermost, type RecordBody } from "../records/records.ts";
import { type Advance, advance } from "../scheduler/advance.ts";
import { type Located, locate, nodeRunPlace } from "../scheduler/called-snapshots.ts";
import type { Completion } from "../scheduler/completion.ts";
import { heldRuns, isHeldUp } from "../scheduler/interventions.ts";
import type { Program } from "../scheduler/program/program.ts";
import type { Snapshot } from "../scheduler/snapshot/snapshot.ts";

/**
 * The end of a move: the start of the run, one more commit, the end or a breakpoint; or at most one more commit in
 * graphs of a depth (0 for the run's own), or the n-th commit of the run's own graph.
 */
export type Goal =
  | "begin"
  | "step"
  | "end"
  | { readonly within: number }
  | { readonly toStep: number };

/** The reason why a run is held. */
export interface Hold {
  readonly reason: string;
  readonly breakpoint?: HeldAt;
  /** Only the node run is held, and not the run. */
  readonly isBranch?: true;
}

/** The node run at whose breakpoint it is held. */
interface HeldAt {
  readonly node: string;
  readonly when: "before" | "after";
  /** The node run's lasting name within its run. */
  readonly place: string;
  readonly attempt: number;
  readonly by?: string;
  readonly edge?: StopEdge;
}

export interface HoldContext {
  readonly program: Program;
  readonly snapshot: Snapshot;
  readonly breakpoints: Breakpoints;
  readonly goal: Goal;
  /** Attempts that were held before they started: the next time they do start. */
  readonly passed: Set<string>;
  /** Set if single node runs may be held: only then does the engine look for them. */
  readonly holdsBranches?: boolean;
}

/** A decision, its time, and the hold that it led to. */
export interface Advanced {
  readonly result: Advance;
  readonly at: number;
  readonly hold: Hold | undefined;
}

/** Decides on a completion, and on the hold instead of it or behind it. */
export function advanceOrHold(
  context: HoldContext,
  completion: Completion,
  redact: (completion: Completion) => Completion,
): Advanced {
  const { program, snapshot } = context;
  const { at } = completion;
  const before = holdBefore(context, completion);
  if (before?.isBranch === true) return heldBranch(context, completion, before);
  if (before !== undefined) return { at, ...thenHold(program, snapshot, { hold: before, at }) };
  const called = holdBeforeCall(context, completion);
  if (called !== undefined) return heldInstead(context, { hold: called, at });
  // Before it is folded: a run that goes on has the log alone, and must come to the same state.
  const result = advance(program, snapshot, redact(completion));
  const failing = holdBeforeFailure(context, completion, result);
  if (failing !== undefined) return heldInstead(context, { hold: failing, at });
  const after = holdAfter(context, result, completion);
  if (after === undefined) return { at, result, hold: holdOf(result) };
  const held = thenHold(program, result.snapshot, { hold: after, at });
  const records = [...result.records, ...held.result.records];
  const cancels = [...result.cancels, ...held.result.cancels];
  const deferred = result.deferred === true ? { deferred: result.deferred } : {};
  return { at, hold: after, result: { ...held.result, records, cancels, ...deferred } };
}

/** Holds the node run that is about to start, and the run where nothing else goes on; the start comes again when it is let go. */
function heldBranch(context: HoldContext, completion: Completion, { reason }: Hold): Advanced {
  const { program, snapshot } = context;
  const { at } = completion;
  const id = "id" in completion ? (completion.id ?? -1) : -1;
  const result = advance(program, snapshot, { kind: "branch", verb: "hold", id, reason, at });
  const hold = holdWhereHeldUp(context, result.snapshot);
  if (hold === undefined) return { at, hold, result: { ...result, deferred: true } };
  const held = thenHold(program, result.snapshot, { hold, at });
  const records = [...result.records, ...held.result.records];
  return { at, hold, result: { ...held.result, records, deferred: true } };
}

/** Nothing goes on but what is held by itself. */
function holdWhereHeldUp({ program }: HoldContext, snapshot: Snapshot): Hold | undefined {
  if (snapshot.status !== "running" && snapshot.status !== "waiting") return undefined;
  if (!isHeldUp(snapshot)) return undefined;
  const [first] = heldRuns(snapshot);
  const found = first && locate(program, snapshot, first.id);
  return found && atBreakpoint(found, { when: "before" });
}

/** Holds, and has the completion come again when the run goes on. */
function heldInstead(
  { program, snapshot }: HoldContext,
  hold: { readonly hold: Hold; readonly at: number },
): Advanced {
  const held = thenHold(program, snapshot, hold);
  return { at: hold.at, hold: held.hold, result: { ...held.result, deferred: true } };
}

/** The hold in place of a start, if a breakpoint asks for one. A step goes over breakpoints: it ends before what follows it. */
export function holdBefore(context: HoldContext, completion: Completion): Hold | undefined {
  if (completion.kind !== "started" || !heedsBreakpoints(context)) return undefined;
  const { snapshot, breakpoints, passed } = context;
  const found = locate(context.program, snapshot, completion.id);
  if (found?.run.status !== "ready" || snapshot.status !== "running") return undefined;
  // The graph that it called has ended: this is no start.
  if (found.snapshot.children.get(completion.id) !== undefined) return undefined;
  const attempt = `${found.run.id}/${found.run.attempt}`;
  if (passed.has(attempt)) return undefined;
  const place = hitAtNode({ found, breakpoints, when: "before" });
  if (place === undefined) return undefined;
  passed.add(attempt);
  const hold = atBreakpoint(found, { when: "before", ...heldBy(place) });
  return place.kind === "node" && place.isBranch === true ? { ...hold, isBranch: true } : hold;
}

/** The hold in place of a tool's call. */
function holdBeforeCall(context: HoldContext, completion: Completion): Hold | undefined {
  if (completion.kind !== "intent") return undefined;
  const tools = calledTools(completion);
  const files = changedFiles(completion);
  if (
    tools.length + files.length === 0 ||
    !heedsBreakpoints(context) ||
    context.snapshot.status !== "running"
  )
    return undefined;
  const key = `${completion.id}/${completion.attempt}/call ${completion.call}`;
  if (context.passed.has(key)) return undefined;
  const found = locate(context.program, context.snapshot, completion.id);
  if (found === undefined) return undefined;
  const come = { found, breakpoints: context.breakpoints };
  const place = [
    ...tools.map((tool) => hitByCall(come, tool)),
    ...files.map((path) => hitByFile(come, path)),
  ].find((hit) => hit !== undefined);
  if (place === undefined) return undefined;
  context.passed.add(key);
  return atBreakpoint(found, { when: "before", ...heldBy(place) });
}

/** The tool that is to be called, or those that a strong agent has just told of: one that it asks leave for waits for us. */
function calledTools({ effect, name, request }: Completion & { readonly kind: "intent" }) {
  if (effect === "tool") return [name];
  return effect === "controller" ? textsIn(request, "called") : [];
}

/** The files that a strong agent has just told of. */
function changedFiles({ effect, request }: Completion & { readonly kind: "intent" }) {
  return effect === "controller" ? textsIn(request, "changed") : [];
}

function textsIn(request: unknown, name: "called" | "changed"): readonly string[] {
  const texts = isRecord(request) ? request[name] : undefined;
  return Array.isArray(texts) ? texts.map(String) : [];
}

/** The hold in place of a failure, before anything is decided on it. */
function holdBeforeFailure(
  context: HoldContext,
  completion: Completion,
  { records }: Advance,
): Hold | undefined {
  if (!saidByAttempt(completion) || !heedsBreakpoints(context)) return undefined;
  const key = `${completion.id}/${completion.attempt}/failed`;
  if (context.passed.has(key)) return undefined;
  const found = locate(context.program, context.snapshot, completion.id);
  if (found === undefined) return undefined;
  const place = hitByFailure({ found, breakpoints: context.breakpoints }, records);
  if (place === undefined) return undefined;
  context.passed.add(key);
  return atBreakpoint(found, { when: "after", ...heldBy(place) });
}

/** Returns whether an attempt posted the completion, so that the run could be held before it. */
function saidByAttempt(
  completion: Completion | undefined,
): completion is Completion & { readonly kind: "succeeded" | "failed" | "intent" } {
  const kind = completion?.kind;
  return kind === "succeeded" || kind === "failed" || kind === "intent";
}

/** The hold behind what a completion led to. */
export function holdAfter(
  context: HoldContext,
  result: Advance,
  completion?: Completion,
): Hold | undefined {
  const { snapshot, records } = result;
  if (snapshot.status !== "running" && snapshot.status !== "waiting") return undefined;
  const { goal } = context;
  const isHeldUp = context.holdsBranches && holdWhereHeldUp(context, snapshot);
  if (isHeldUp) return isHeldUp;
  if (goal === "begin") return { reason: "debug" };
  const isStep = goal === "step" || typeof goal === "object";
  if (!isStep && context.breakpoints.isEmpty) return undefined;
  if (isStep && reaches(goal, records)) return { reason: "step" };
  if (!heedsBreakpoints(context)) return undefined;
  // A deadline that rings is no attempt's letter: what it ended is told behind it.
  const hit = hitBehind(context, result, { withFailures: !saidByAttempt(completion) });
  if (hit === undefined) return undefined;
  return atBreakpoint(hit.found, { when: "after", ...heldBy(hit.place) });
}

/** Returns whether breakpoints count: a single step ignores them and ends behind one commit. */
function heedsBreakpoints({ goal, breakpoints }: HoldContext): boolean {
  return goal !== "step" && goal !== "begin" && !breakpoints.isEmpty;
}

/** Returns whether these records contain the commit that ends the move. */
function reaches(goal: Exclude<Goal, "begin" | "end">, records: readonly RecordBody[]): boolean {
  return records.some((record) => {
    const commit = innermost(record);
    if (commit.kind !== "commit") return false;
    if (goal === "step") return true;
    const depth = callersOf(record).length;
    return "within" in goal ? depth <= goal.within : depth === 0 && commit.step >= goal.toStep;
  });
}

/** Holds a run now. */
function thenHold(
  program: Program,
  snapshot: Snapshot,
  { hold, at }: { readonly hold: Hold; readonly at: number },
): { readonly result: Advance; readonly hold: Hold } {
  const completion = { kind: "control", verb: "hold", reason: hold.reason, at } as const;
  return { result: advance(program, snapshot, completion), hold };
}

/** The hold that a control made, if it made one. */
function holdOf({ snapshot, records }: Advance): Hold | undefined {
  const last = records.at(-1);
  const holds = last?.kind === "control" && (last.verb === "hold" || last.verb === "rewind");
  return holds ? { reason: snapshot.reason } : undefined;
}

/** The breakpoint in a stop's reason; a breakpoint of a node is named by the node. */
function heldBy(place: BreakpointPlace): Pick<HeldAt, "by" | "edge"> {
  if (place.kind === "node") return {};
  const edge = edgeOf(place);
  return { by: breakpointText(place), ...(edge === undefined ? {} : { edge }) };
}

function atBreakpoint(found: Located, at: Pick<HeldAt, "when" | "by" | "edge">): Hold {
  const node = nameOf(found);
  const breakpoint = { node, place: nodeRunPlace(found), attempt: found.run.attempt, ...at };
  return { reason: `breakpoint:${at.by ?? node}`, breakpoint };
}
