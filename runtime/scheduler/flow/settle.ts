/**
 * Settles a draft whose tokens have moved: joins fire, items of `each`es start, fail or are dropped, and the run ends where
 * nothing is left to do.
 */

import type { FieldIr, TypeIr } from "../../../dsl/index.ts";
import type { Failure } from "../../failure.ts";
import type { RecordBody } from "../../records/records.ts";
import type { Completion } from "../completion.ts";
import { evaluationFailure, holds, type Lookup } from "../expressions/evaluate.ts";
import { isOfTheState } from "../expressions/evaluation-errors.ts";
import { askGoOn, countOf, limitFailure, stepsSpent, stepsTaken } from "../limits.ts";
import { lookupAt, type ShownFailure, shownFailure, shownState } from "../lookup.ts";
import type { FailureEdge, Program, ProgramJoin } from "../program/program.ts";
import type { Expansion, Scope, Stream } from "../snapshot/parts.ts";
import { must, type NodeRun, ROOT, type Snapshot } from "../snapshot/snapshot.ts";
import { foldRoot } from "./apply-flow-op.ts";
import { createDraft, type Due, emit, type FlowDraft } from "./flow-draft.ts";
import type { FlowOp } from "./flow-op.ts";
import { depart } from "./follow-routes.ts";
import { interceptedOutput } from "./intercepted-end.ts";
import { fireJoin, nextJoin, quorumFailure } from "./joins.ts";
import { usedUp } from "./used-up.ts";

// Fires joins, starts items of `each`es and ends empty scopes until a draft is settled.

/**
 * Settles a draft after a token has moved: one thing after the other, never one inside the other, so that an `each` of
 * thousands of items that end at once needs no deep stack.
 */
export function settle(draft: FlowDraft, first: Due): void {
  let next: Due | undefined = first;
  if (draft.due.length > 0) {
    draft.due.push(first);
    next = draft.due.shift();
  }
  for (; next !== undefined; next = draft.due.shift()) {
    if ("scope" in next) settleScope(draft, next.scope);
    else settleExpansion(draft, next.expansion);
  }
}

/** Fires the joins that can fire; an item without anything left ends and makes room. */
function settleScope(draft: FlowDraft, id: number): void {
  for (;;) {
    const scope = draft.snapshot.scopes.get(id);
    if (scope === undefined || draft.failure !== undefined) return;
    const next = nextJoin(draft.program, draft.snapshot, scope);
    if (next === undefined) {
      if (scope.active > 0 || id === ROOT) return;
      if (scope.detached === undefined) endItem(draft, scope);
      else emit(draft, { op: "detached", scope: id });
      return;
    }
    if (next.isReachable) fireJoin(draft, scope, next.join);
    else failJoin(draft, scope, next.join);
  }
}

/** A quorum that can't be reached any more: along the join's `on error`, or as a failure of the item or the run. */
function failJoin(draft: FlowDraft, scope: Scope, join: ProgramJoin): void {
  const { program, snapshot } = draft;
  const failure = quorumFailure(join.name, {
    need: countOf(program, snapshot, join.need ?? 0),
    arrived: scope.joins.get(join.index)?.tokens.size ?? 0,
  });
  const note = { op: "quorum", scope: scope.id, join: join.index, failure } as const;
  if (join.failing.error !== undefined) {
    emit(draft, { ...note, isHandled: true });
    const error = shownFailure(join.name, failure);
    if (fireJoin(draft, scope, join, { edge: "error", error })) return;
  }
  failInside(draft, note, join.name);
}

type QuorumNote = Omit<FlowOp & { readonly op: "quorum" }, "isHandled">;

/** A group failed that stands in a scope: its item is dropped where the `each` can go on without, else the run ends. */
function failInside(draft: FlowDraft, note: QuorumNote, name: string): void {
  const noted = draft.flow;
  const { length } = noted;
  emit(draft, { ...note, isHandled: true });
  if (skipFailedItem(draft, note, shownFailure(name, note.failure))) return;
  // The first note came into a list of its own.
  if (length > 0) noted.length = length;
  draft.flow = noted;
  emit(draft, { ...note, isHandled: false });
  draft.failure = note.failure;
}

function endItem(draft: FlowDraft, { id, expansion }: Scope): void {
  emit(draft, { op: "item-end", scope: id });
  draft.due.push({ expansion });
}

/** Starts items while there is room, and closes the `each` behind the last one, or behind as many as it needs. */
function settleExpansion(draft: FlowDraft, id: number): void {
  for (;;) {
    const expansion = draft.snapshot.expansions.get(id);
    if (expansion === undefined || draft.failure !== undefined) return;
    const { started, ended, dropped, parallel, need, stream } = expansion;
    const all = stream === undefined ? expansion.items.length : streamedSoFar(expansion);
    if (need !== undefined && ended - dropped >= need) {
      dropOthers(draft, id);
      closeExpansion(draft, expansion);
      return;
    }
    if (need !== undefined && all - dropped < need) {
      failExpansion(draft, expansion, need);
      return;
    }
    if (ended === all) {
      closeExpansion(draft, expansion);
      return;
    }
    if (started === all || started - ended >= parallel) return;
    if (stream !== undefined) {
      askForItem(draft, expansion, stream);
      return;
    }
    startItem(draft, expansion);
  }
}

/** Returns the number of items so far; infinite as long as others may come. */
function streamedSoFar({ started, stream }: Expansion): number {
  return stream?.isOver === true ? started : Number.POSITIVE_INFINITY;
}

function askForItem(draft: FlowDraft, { id }: Expansion, { reader }: Stream): void {
  const { status } = must(draft.snapshot.open, reader, "node run");
  if (status === "queued") emit(draft, { op: "pull", expansion: id });
}

/** Enough items have come through: what is left of the others ends, as if it had never begun. */
function dropOthers(draft: FlowDraft, expansion: number): void {
  for (const scope of draft.snapshot.scopes.values()) {
    if (scope.expansion === expansion) emit(draft, { op: "item-skip", scope: scope.id });
  }
}

function failExpansion(draft: FlowDraft, expansion: Expansion, need: number): void {
  const { id, each, scope, ended, dropped } = expansion;
  const name = `each ${draft.program.eaches[each]?.ir.variable}`;
  const failure = quorumFailure(name, { need, arrived: ended - dropped });
  failInside(draft, { op: "quorum", scope, expansion: id, failure }, name);
}

/** Starts the next item of an `each`, or the one that its stream has just given. */
function startItem(draft: FlowDraft, { id, each, frame: parent, seq, started }: Expansion): void {
  const { scope, frame } = draft.snapshot.next;
  emit(draft, { op: "fork", frame, parent, seq, branch: started, fork: -1 });
  emit(draft, { op: "item", scope, expansion: id, index: started, frame });
  const outlet = draft.program.eaches[each]?.entry;
  if (outlet !== undefined) depart(draft, { frame, seq: -1, scope, outlet });
  draft.due.push({ scope });
}

function closeExpansion(draft: FlowDraft, { id, each, frame, seq, scope }: Expansion): void {
  emit(draft, { op: "expanded", expansion: id });
  const outlet = draft.program.eaches[each]?.then;
  // One place further, so that branches that fork here don't stand where the items stood.
  if (outlet !== undefined) depart(draft, { frame, seq: seq + 1, scope, outlet });
  draft.due.push({ scope });
}

/** Tells whether the root has nothing left to do, and nothing goes on by itself. */
export function isFinished(program: Program, snapshot: Snapshot): boolean {
  const root = must(snapshot.scopes, ROOT, "scope");
  if (snapshot.scopes.size > 1) return false;
  return root.active === 0 && nextJoin(program, snapshot, root) === undefined;
}

// Continues a graph after a failure inside an `each`: drops the item if the `each` can do without it, else takes
// the `each`'s own arrow for failures, else asks the `each` around it.

export interface FailedItem {
  /** The scope in which it was. */
  readonly scope: number;
  /** The `each` that failed as a whole. */
  readonly expansion?: number;
}

/** Does that; says whether there was a way. */
function skipFailedItem(draft: FlowDraft, failed: FailedItem, error: ShownFailure): boolean {
  const own = draft.snapshot.expansions.get(failed.expansion ?? -1);
  if (own !== undefined && failEach(draft, own, "error", error)) return true;
  for (const { item, expansion } of itemsAround(draft.snapshot, failed.scope)) {
    if (isDispensable(draft.program, expansion)) {
      emit(draft, { op: "item-skip", scope: item.id });
      draft.due.push({ expansion: expansion.id });
      return true;
    }
    if (failEach(draft, expansion, "error", error)) return true;
  }
  return false;
}

/** The items around a scope, the innermost first. */
export function itemsAround(
  { scopes, expansions }: Snapshot,
  scope: number,
): readonly { readonly item: Scope; readonly expansion: Expansion }[] {
  const around: { readonly item: Scope; readonly expansion: Expansion }[] = [];
  for (let at = scopes.get(scope); at !== undefined; at = scopes.get(at.parent)) {
    const expansion = expansions.get(at.expansion);
    if (expansion === undefined) break;
    around.push({ item: at, expansion });
  }
  return around;
}

/** Tells whether an `each` can go on without one of its items: `on error skip`, or a quorum. */
export function isDispensable({ eaches }: Program, { need, each }: Expansion): boolean {
  return need !== undefined || eaches[each]?.ir.onErrorSkip === true;
}

/** Ends a whole `each`, and takes its arrow for that; where none can be taken, nothing has happened. */
export function failEach(
  draft: FlowDraft,
  expansion: Expansion,
  edge: FailureEdge,
  error: ShownFailure,
): boolean {
  const { id, each, frame, seq, scope } = expansion;
  const outlet = draft.program.eaches[each]?.failing[edge];
  if (outlet === undefined) return false;
  const before = { ...draft.snapshot };
  const { exhausted } = draft;
  const lengths = LISTS.map((list) => draft[list].length);
  emit(draft, { op: "each-failed", expansion: id });
  if (depart(draft, { frame, seq: seq + 1, scope, outlet, error })) {
    draft.due.push({ scope });
    return true;
  }
  Object.assign(draft.snapshot, before);
  draft.exhausted = exhausted;
  for (const [index, list] of LISTS.entries()) draft[list].length = lengths[index] ?? 0;
  return false;
}

const LISTS = ["flow", "patches", "writes", "own", "due"] as const;

// Decides what an item, the end or the failure of a stream does to its `each`.

type News = Completion & { readonly kind: "item" };

/** The records of the news that a stream brings; none where nobody reads it any more. */
export function itemNews(program: Program, snapshot: Snapshot, news: News): readonly RecordBody[] {
  const reader = snapshot.open.get(news.id);
  const isDue = reader?.status === "ready" && reader.attempt === news.attempt;
  if (snapshot.status !== "running" || !isDue || reader.source === undefined) return [];
  const expansion = must(snapshot.expansions, reader.source.expansion, "expansion");
  const at = { program, snapshot, reader, expansion, news };
  try {
    return decide(at);
  } catch (error) {
    if (!isOfTheState(error)) throw error;
    return failNow(at, evaluationFailure(program, error, `${nameOf(at)}: `));
  }
}

interface ItemReading {
  readonly program: Program;
  readonly snapshot: Snapshot;
  readonly reader: NodeRun;
  readonly expansion: Expansion;
  readonly news: News;
}

function decide(at: ItemReading): readonly RecordBody[] {
  const { program, snapshot, expansion, news } = at;
  const draft = createDraft(program, snapshot, news.at);
  const { id } = expansion;
  if ("failure" in news) {
    const skips = program.eaches[expansion.each]?.ir.onErrorSkip === true;
    if (skips) emit(draft, { op: "stream-end", expansion: id });
    else {
      const error = shownFailure(nameOf(at), news.failure);
      if (!skipFailedItem(draft, { scope: expansion.scope, expansion: id }, error))
        return failNow(at, news.failure);
    }
  } else if ("isDone" in news) emit(draft, { op: "stream-end", expansion: id });
  else takeItem(draft, at, news.value);
  settle(draft, { expansion: id });
  return [recordOf(at, draft), ...conclude(draft, {})];
}

function takeItem(
  draft: FlowDraft,
  { program, snapshot, expansion }: ItemReading,
  value: unknown,
): void {
  const { id, each, frame, scope } = expansion;
  const { variable, when } = program.eaches[each]?.ir ?? {};
  emit(draft, { op: "taken", expansion: id, value });
  const item = { variable: variable ?? "", value };
  const isWanted =
    when === undefined || holds(when, lookupAt(program, snapshot, { frame, scope, item }));
  if (isWanted) startItem(draft, must(draft.snapshot.expansions, id, "expansion"));
}

function recordOf(at: ItemReading, { flow, writes, patches }: FlowDraft): RecordBody {
  return { ...bare(at), flow, writes, patches };
}

/** Ends the run: resumed, it asks its stream anew. */
function failNow(at: ItemReading, failure: Failure): readonly RecordBody[] {
  const { id, attempt } = at.reader;
  const record = { ...bare(at), writes: [], patches: [] };
  return [record, failRun(failure, { id, node: nameOf(at), attempt })];
}

function bare(at: ItemReading) {
  const { id, attempt } = at.reader;
  const { news } = at;
  const itemNews =
    "failure" in news
      ? { failure: news.failure }
      : "isDone" in news
        ? { isDone: news.isDone }
        : { value: news.value };
  return { kind: "item", id, node: nameOf(at), attempt, news: itemNews } as const;
}

function nameOf({ program, expansion }: ItemReading): string {
  return `each ${program.eaches[expansion.each]?.ir.id ?? ""}`;
}

// Decides the ends of a run, good and bad.

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
  const ended = interceptedOutput(program, snapshot, output);
  if ("failure" in ended) return failRun(ended.failure, {});
  const { patches } = folded;
  return { kind: "end", status: "succeeded", reason: "done", output: ended.output, patches };
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
