/** Decides the ends of a run, good and bad. */
import type { FieldIr, RouteIr, TypeIr } from "../../../dsl/index.ts";
import type { Failure } from "../../failure.ts";
import type { RecordBody } from "../../records/records.ts";
import { holds, type Lookup } from "../expressions/evaluate.ts";
import { askGoOn, limitFailure, stepsSpent, stepsTaken } from "../limits.ts";
import { lookupAt, shownState } from "../lookup.ts";
import type { Program } from "../program/program.ts";
import { ROOT, type Snapshot } from "../snapshot/snapshot.ts";
import { foldRoot } from "../tokens/apply-flow-op.ts";
import { countOf, type FlowDraft } from "./flow-draft.ts";
import { isFinished } from "./settle.ts";

/** The end that follows from a settled draft, if one does: a used-up edge, nothing left to do, or too many steps. */
export function conclude(
  draft: FlowDraft,
  at: { readonly id?: number; readonly node?: string },
): readonly RecordBody[] {
  const { program, snapshot, exhausted } = draft;
  if (draft.finished || isEnough(program, snapshot)) return [finish(program, snapshot)];
  if (exhausted !== undefined) {
    const { id, node } = at;
    const place = { ...(id === undefined ? {} : { id }), ...(node === undefined ? {} : { node }) };
    return [failRun(usedUp(draft, exhausted, node ?? "start"), place)];
  }
  if (draft.failure !== undefined) return [failRun(draft.failure, {})];
  if (isFinished(program, snapshot)) return [finish(program, snapshot)];
  return stepsEnd(program, snapshot, draft.at);
}

/** Nothing leads on from a node but an arrow that was used as often as it may be, or its rounds were. */
function usedUp({ program, snapshot }: FlowDraft, what: RouteIr | "rounds", node: string): Failure {
  const failure = limitFailure("max", node);
  if (what === "rounds" || what.max === undefined) return failure;
  const most = countOf(program, snapshot, what.max);
  const times = most === 1 ? "once" : `${most} times`;
  const message = `the arrow to ${targetText(what)} was used ${times}, its \`max\`, and nothing else leads on behind \`${node}\``;
  return { ...failure, message };
}

function targetText(route: RouteIr): string {
  switch (route.kind) {
    case "to":
    case "pick":
      return [...new Set(route.targets.map(({ node }) => `\`${node}\``))].join(", ");
    case "choice":
      return route.branches.map((one) => targetText(one.route)).join(" or ");
    case "match":
      return route.cases.map((one) => targetText(one.route)).join(" or ");
    case "each":
      return `\`each ${route.each.variable}\``;
  }
}

/** Ends the run, or asks, when it has used up its steps; returns no record while some are left. */
export function stepsEnd(program: Program, snapshot: Snapshot, at: number): readonly RecordBody[] {
  return stepsSpent(program, snapshot)
    ? reachRunLimit(program, snapshot, { limit: "steps", at })
    : [];
}

/** Ends the run when it is out of time or steps, or asks whether to go on if its limit says `else ask`. */
export function reachRunLimit(
  program: Program,
  snapshot: Snapshot,
  { limit, at }: { readonly limit: "time" | "steps"; readonly at: number },
): readonly RecordBody[] {
  if (program.ir.limit?.elseAsk === true) {
    return askGoOn(program, snapshot, { limit, at, node: "" });
  }
  return [failRun(limitFailure(limit, "the run"), {})];
}

/** Tells whether an `end when` holds on the state as people see it; before anything has happened, none does. */
export function isEnough(program: Program, snapshot: Snapshot): boolean {
  const { endWhen } = program.ir;
  if (endWhen.length === 0 || stepsTaken(snapshot) === 0) return false;
  const root = lookupAt(program, snapshot, { frame: ROOT, scope: ROOT });
  const shownOf = (name: string) => snapshot.shown.get(program.fieldNumbers.get(name) ?? -1)?.value;
  const lookup: Lookup = (name, of) => (of === "field" ? shownOf(name) : root(name, of));
  return endWhen.some((condition) => holds(condition, lookup));
}

/** The good end: late writes fall into place, and the returned fields are the output. */
export function finish(program: Program, snapshot: Snapshot): RecordBody {
  const folded = foldRoot(program, snapshot);
  const state = shownState(program, folded.snapshot);
  const missing = program.fields.find(({ ir }) => isMissing(program, ir, state[ir.name]));
  if (missing !== undefined) return failRun(missingOutput(program, missing.ir.name), {});
  const output = Object.fromEntries(
    program.ir.returns.map((field) => [field, state[field] ?? null]),
  );
  return { kind: "end", status: "succeeded", reason: "done", output, patches: folded.patches };
}

/** A returned field that nothing has written, where its type leaves no room for that. */
function isMissing({ ir }: Program, { name, optional, type }: FieldIr, value: unknown): boolean {
  if (value !== undefined || optional || !ir.returns.includes(name)) return false;
  return !(type.kind === "union" ? type.types : [type]).some(takesNull);
}

function takesNull(type: TypeIr): boolean {
  if (type.kind === "literal") return type.value === null;
  return type.kind === "named" && ["null", "unknown", "any", "Json"].includes(type.name);
}

function missingOutput({ ir }: Program, field: string): Failure {
  return {
    class: "invalid",
    code: "M5356",
    message: `\`${ir.name}\` has come to its end, and nothing has written \`${field}\`, which it returns`,
    hint: `give \`${field}\` a default, mark it \`${field}?\`, or lead every way to its end through a node that writes it`,
  };
}

/** The bad end of a run. */
export function failRun(
  failure: Failure,
  at: { readonly id?: number; readonly node?: string; readonly attempt?: number },
): RecordBody {
  const cause = failure.code === "M5356" ? "missing_output" : "error";
  const reason = failure.class === "limit" ? `limit:${failure.limit ?? "limit"}` : cause;
  return {
    kind: "end",
    status: "failed",
    reason: failure.class === "denied" ? "denied" : reason,
    failure,
    patches: [],
    ...at,
  };
}
