/** Fires joins, starts items of `each`es and ends empty scopes until a draft is settled. */

import type { OrderKey } from "../../state/order-key.ts";
import type { FailureEdge, Program, ProgramJoin } from "../program/program.ts";
import type { Expansion, Frame, Scope, Stream, Token } from "../snapshot/parts.ts";
import { must, ROOT, type Snapshot } from "../snapshot/snapshot.ts";
import type { FlowOp } from "../tokens/flow-op.ts";
import { skipFailedItem } from "./each-failure.ts";
import { countOf, type Due, emit, type FlowDraft } from "./flow-draft.ts";
import { depart } from "./move-tokens.ts";
import { canCome, cancelOthers, missingOf, nextJoin, quorumFailure } from "./quorum.ts";

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
    if (fireJoin(draft, scope, join, "error")) return;
  }
  failInside(draft, note);
}

type QuorumNote = Omit<FlowOp & { readonly op: "quorum" }, "isHandled">;

/** A group failed that stands in a scope: its item is dropped where the `each` can go on without, else the run ends. */
function failInside(draft: FlowDraft, note: QuorumNote): void {
  const noted = draft.flow.length;
  emit(draft, { ...note, isHandled: true });
  if (skipFailedItem(draft, note, "error")) return;
  draft.flow.length = noted;
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

/** How many items there are: without an end as long as others may come. */
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
  failInside(draft, { op: "quorum", scope, expansion: id, failure });
}

/** Starts the next item of an `each`, or the one that its stream has just given. */
export function startItem(
  draft: FlowDraft,
  { id, each, frame: parent, seq, started }: Expansion,
): void {
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

/**
 * Sends the waiting tokens of a join on as one, along its arrow, or along the one for its failure. Says whether there
 * was one that it could take.
 */
export function fireJoin(
  draft: FlowDraft,
  scope: Scope,
  join: ProgramJoin,
  failed?: FailureEdge,
): boolean {
  const tokens = [...must(scope.joins, join.index, "join").tokens.values()].flatMap((waiting) =>
    waiting.slice(0, 1),
  );
  const line = lineOf(draft.snapshot, join, tokens);
  const isEarly = failed !== undefined || join.need !== undefined;
  if (isEarly) cancelOthers(draft, { scope: scope.id, join, round: line.round ?? [] });
  emit(draft, fireOf(draft, join, { scope: scope.id, line, failed }));
  const frames = tokens.map(({ frame }) => frame);
  const outlet = (failed && join.failing[failed]) ?? join.outlet;
  const { frame: parent, seq } = line;
  if (line.closed) {
    emit(draft, { op: "fold", frames, line: parent, into: parent });
    return depart(draft, { frame: parent, seq, scope: scope.id, outlet });
  }
  const into = draft.snapshot.next.frame;
  const fired = scope.joins.get(join.index)?.fired ?? 0;
  // Behind every branch of the fork, each join and each of its rounds in a place of its own.
  const branch = BEHIND_BRANCHES + fired * draft.program.joins.length + join.index;
  emit(draft, { op: "fork", frame: into, parent, seq, branch, fork: line.fork ?? -1 });
  emit(draft, { op: "fold", frames, line: parent, into });
  return depart(draft, { frame: into, seq: 0, scope: scope.id, outlet });
}

function fireOf(
  { program, snapshot }: FlowDraft,
  join: ProgramJoin,
  {
    scope: id,
    line,
    failed,
  }: {
    readonly scope: number;
    readonly line: TokenLine;
    readonly failed: FailureEdge | undefined;
  },
): FlowOp {
  const scope = must(snapshot.scopes, id, "scope");
  const absent = missingOf(scope, join);
  const missing = absent.map((source) => program.nodes[join.nodes[source] ?? -1]?.ir.name ?? "");
  const fire = {
    op: "fire",
    join: join.index,
    scope: id,
    ...(missing.length === 0 ? {} : { missing }),
  } as const;
  if (failed === undefined && join.need === undefined) return fire;
  const by = failed === undefined ? "need" : "failure";
  const owed = absent.filter((source) => canCome(program, scope, join, source));
  if (owed.length === 0) return { ...fire, by };
  if (line.round === undefined) return { ...fire, by, owed };
  const { path } = must(snapshot.frames, line.frame, "frame");
  return { ...fire, by, owed, at: [...path, line.seq] };
}

const BEHIND_BRANCHES = 1_000_000;

interface TokenLine {
  readonly frame: number;
  /** The join's own position where the line goes on, else that of the fork. */
  readonly seq: number;
  readonly closed: boolean;
  /** Where no fork is closed: the one that it stays a branch of. */
  readonly fork?: number;
  /** Of a fork that is closed: what all places of its branches begin with. */
  readonly round?: OrderKey;
}

/** The line in which joined tokens go on: the one whose fork this join closes, or the nearest that has them all. */
function lineOf(snapshot: Snapshot, join: ProgramJoin, tokens: readonly Token[]): TokenLine {
  const lines = tokens.map(({ frame }) => lineage(snapshot, frame));
  const common = lines[0]?.filter((frame) =>
    lines.every((line) => line.some(({ id }) => id === frame.id)),
  );
  const [nearest] = common ?? [];
  if (nearest === undefined) throw new Error("M9000: a join without tokens");
  const here = tokens.filter(({ frame }) => frame === nearest.id);
  const branches = lines.flatMap((line) => line.find(({ parent }) => parent === nearest.id) ?? []);
  const closing = [...branches, ...(common ?? [])].find(({ fork }) => join.ways.closes(fork));
  if (closing !== undefined) {
    const round = closing.path.slice(0, -1);
    return { frame: closing.parent, seq: closing.seq + 1, closed: true, round };
  }
  if (here.length > 0) {
    return { frame: nearest.id, seq: Math.max(...here.map(({ seq }) => seq)) + 1, closed: true };
  }
  const [branch] = branches;
  return { frame: nearest.id, seq: branch?.seq ?? 0, closed: false, fork: branch?.fork ?? -1 };
}

/** A frame and the lines it forked from, innermost first. */
function lineage(snapshot: Snapshot, id: number): readonly Frame[] {
  const line: Frame[] = [];
  for (let at = snapshot.frames.get(id); at !== undefined; at = snapshot.frames.get(at.parent)) {
    line.push(at);
  }
  return line;
}
