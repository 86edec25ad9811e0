/** When a run is held, and why: asked by the engine before and behind each completion. */
import type { ExprIr } from "../../dsl/index.ts";
import { type Advance, advance } from "../scheduler/advance.ts";
import type { Completion } from "../scheduler/completion.ts";
import { holds } from "../scheduler/condition.ts";
import type { Lookup } from "../scheduler/evaluate.ts";
import { EvaluationError } from "../scheduler/evaluation-error.ts";
import { type Located, locate, placeOf } from "../scheduler/locate.ts";
import { lookupAt } from "../scheduler/lookup.ts";
import type { Program } from "../scheduler/program.ts";
import { ROOT, type Snapshot } from "../scheduler/snapshot.ts";
import { innermost } from "../sub-record.ts";
import type { Breakpoints } from "./breakpoints.ts";

/** How far a run goes: to where it has begun, through one more commit, to its end or a breakpoint. */
export type Goal = "begin" | "step" | "end";

/** Why a run is held. */
export interface Hold {
  readonly reason: string;
  readonly breakpoint?: HeldAt;
}

/** The node run at whose breakpoint it is held. */
interface HeldAt {
  readonly node: string;
  readonly when: "before" | "after";
  /** The node run's lasting name within its run. */
  readonly place: string;
  readonly attempt: number;
}

export interface Standing {
  readonly program: Program;
  readonly snapshot: Snapshot;
  readonly breakpoints: Breakpoints;
  readonly goal: Goal;
  /** Attempts that were held before they started: the next time they do start. */
  readonly passed: Set<string>;
}

/** What was decided, when, and whether the run is held by it. */
export interface Advanced {
  readonly result: Advance;
  readonly at: number;
  readonly hold: Hold | undefined;
}

/** Decides on a completion, and on the hold instead of it or behind it. */
export function advanceOrHold(
  standing: Standing,
  completion: Completion,
  redact: (completion: Completion) => Completion,
): Advanced {
  const { program, snapshot } = standing;
  const { at } = completion;
  const before = holdBefore(standing, completion);
  if (before !== undefined) return { at, ...thenHold(program, snapshot, { hold: before, at }) };
  // Before it is folded: a run that goes on has the log alone, and must come to the same state.
  const result = advance(program, snapshot, redact(completion));
  const after = holdAfter(standing, result);
  if (after === undefined) return { at, result, hold: holdOf(result) };
  const held = thenHold(program, result.snapshot, { hold: after, at });
  const records = [...result.records, ...held.result.records];
  const cancels = [...result.cancels, ...held.result.cancels];
  const deferred = result.deferred === true ? { deferred: result.deferred } : {};
  return { at, hold: after, result: { ...held.result, records, cancels, ...deferred } };
}

/** The hold in place of a start, if a breakpoint asks for one. A step goes over breakpoints: it ends before what follows it. */
export function holdBefore(standing: Standing, completion: Completion): Hold | undefined {
  const { snapshot, breakpoints, goal, passed } = standing;
  if (completion.kind !== "started" || goal !== "end" || breakpoints.isEmpty) return undefined;
  const found = locate(standing.program, snapshot, completion.id);
  if (found?.run.status !== "ready" || snapshot.status !== "running") return undefined;
  // What it called has ended: this is no start.
  if (found.snapshot.children.get(completion.id) !== undefined) return undefined;
  const attempt = `${found.run.id}/${found.run.attempt}`;
  if (passed.has(attempt) || !isWanted(found, breakpoints, "before")) return undefined;
  passed.add(attempt);
  return atBreakpoint(found, "before");
}

/** The hold behind what a completion led to. */
export function holdAfter(standing: Standing, { snapshot, records }: Advance): Hold | undefined {
  if (snapshot.status !== "running" && snapshot.status !== "waiting") return undefined;
  const { goal } = standing;
  if (goal === "begin") return { reason: "debug" };
  if (goal === "end" && standing.breakpoints.isEmpty) return undefined;
  const commit = records.map(innermost).find((record) => record.kind === "commit");
  if (commit === undefined) return undefined;
  if (goal === "step") return { reason: "step" };
  const found = locate(standing.program, standing.snapshot, commit.id);
  if (found === undefined) return undefined;
  // Its condition asks what the commit has made of the state.
  const behind = { ...found, snapshot: inside(snapshot, found) };
  return isWanted(behind, standing.breakpoints, "after") ? atBreakpoint(found, "after") : undefined;
}

/** The snapshot of the graph that a node run is of, in a later one of its run. */
function inside(snapshot: Snapshot, { callers }: Located): Snapshot {
  return callers.reduce((at, { run }) => at.children.get(run.id)?.snapshot ?? at, snapshot);
}

/** A condition that is no answer, as for a field without a value, holds nobody. */
function isWanted(found: Located, breakpoints: Breakpoints, when: "before" | "after"): boolean {
  const places = breakpoints.at(nameOf(found), when);
  if (places.length === 0) return false;
  const { program, snapshot, run } = found;
  const frame = snapshot.frames.get(run.frame) === undefined ? ROOT : run.frame;
  const args = run.args === undefined ? {} : { args: run.args };
  const scope = snapshot.scopes.get(run.scope) === undefined ? ROOT : run.scope;
  const lookup = lookupAt(program, snapshot, { frame, scope, ...args });
  return places.some(({ condition }) => condition === undefined || isTrue(condition, lookup));
}

function isTrue(condition: ExprIr, lookup: Lookup): boolean {
  try {
    return holds(condition, lookup);
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return false;
  }
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

function atBreakpoint(found: Located, when: "before" | "after"): Hold {
  const node = nameOf(found);
  const breakpoint = { node, when, place: placeOf(found), attempt: found.run.attempt };
  return { reason: `breakpoint:${node}`, breakpoint };
}

/** `search`, or `go/search` in the graph that `go` calls. */
function nameOf({ program, run, callers }: Located): string {
  return [...callers.map(({ node }) => node), program.nodes[run.node]?.ir.name ?? ""].join("/");
}
