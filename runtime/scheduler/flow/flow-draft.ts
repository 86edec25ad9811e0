/** Changes a draft by flow operations and writes, and notes each as it is applied. */

import type { AssignIr, RouteIr, SpanIr } from "../../../dsl/index.ts";
import type { Failure } from "../../failure.ts";
import type { LoggedWrite, RecordBody } from "../../records/records.ts";
import { compareKeys } from "../../state/order-key.ts";
import type { Patch } from "../../state/patch.ts";
import { grown } from "../../state/persistent.ts";
import { assertWriteFits } from "../expressions/assert-fits.ts";
import { StreamCall } from "../expressions/evaluate.ts";
import {
  type ConversationView,
  readWritten,
  speakerOfNode,
} from "../expressions/written-messages.ts";
import { keptView, NO_NODE, reducerOf } from "../frames.ts";
import type { Program } from "../program/program.ts";
import { draftOf, type SnapshotDraft } from "../snapshot/draft.ts";
import type { FrameWrite } from "../snapshot/parts.ts";
import { must, type Snapshot } from "../snapshot/snapshot.ts";
import { applyOp, applyWrite } from "./apply-flow-op.ts";
import type { FlowOp } from "./flow-op.ts";

/** A run on the way from one snapshot to the next. */
export interface FlowDraft {
  readonly program: Program;
  /** The time of this decision, in milliseconds. */
  readonly at: number;
  readonly snapshot: SnapshotDraft;
  flow: FlowOp[];
  patches: Patch[];
  writes: LoggedWrite[];
  /** The changes of the node in fields of its own. */
  own: Patch[];
  /** The places still to be looked at before the draft is settled; see `settle.ts`. */
  readonly due: Due[];
  /** An arrow was not taken because its `max` is used up: the last such one. */
  spent: RouteIr | undefined;
  /** A token found nothing but such arrows, or the rounds of its node were used up. */
  exhausted: RouteIr | "rounds" | undefined;
  /** A quorum can't be reached, and nothing says how to go on. */
  failure: Failure | undefined;
  /** The node ordered the end of the run. */
  finished: boolean;
}

/** A scope in which a join may fire or nothing is left, or an `each` with room for items. */
export type Due = { readonly scope: number } | { readonly expansion: number };

export function createDraft(program: Program, snapshot: Snapshot, at: number): FlowDraft {
  return {
    program,
    at,
    snapshot: draftOf(snapshot),
    flow: EMPTY,
    patches: EMPTY,
    writes: EMPTY,
    own: EMPTY,
    due: [],
    spent: undefined,
    exhausted: undefined,
    failure: undefined,
    finished: false,
  };
}

/** Never added to: `grown` puts the first item into a list of its own. */
const EMPTY: never[] = [];

export function emit(draft: FlowDraft, op: FlowOp): void {
  const patches = applyOp(draft.program, draft.snapshot, op);
  if (patches.length > 0) for (const patch of patches) draft.patches = grown(draft.patches, patch);
  draft.flow = grown(draft.flow, op);
}

type Activation = FlowOp & { readonly op: "activate" };

/** Makes a node run due, under the next number and the node's next ordinal. */
export function activate(
  draft: FlowDraft,
  { node, ...of }: Omit<Activation, "op" | "id" | "ordinal">,
): void {
  const { ordinals, next } = draft.snapshot;
  const ordinal = (ordinals.get(node) ?? 0) + 1;
  emit(draft, { op: "activate", id: next.run, node, ordinal, ...of });
}

/** A token comes to a join: in time for its next round, or too late for one that went on without it. */
export function arrive(draft: FlowDraft, { seq, ...at }: Arrival): void {
  const { path } = must(draft.snapshot.frames, at.frame, "frame");
  const state = must(draft.snapshot.scopes, at.scope, "scope").joins.get(at.join);
  const isOwed = (state?.owed.get(at.source) ?? 0) > 0;
  const isBefore = state?.firedAt === undefined || compareKeys([...path, seq], state.firedAt) < 0;
  emit(draft, isOwed && isBefore ? { op: "late", ...at } : { op: "arrive", seq, ...at });
}

type Arrival = Omit<FlowOp & { readonly op: "arrive" }, "op">;

export interface Writer {
  readonly frame: number;
  readonly seq: number;
  /** The node whose `via` may override the reducer. */
  readonly node?: number;
  /** The scope whose fields of an agent's own are meant. */
  readonly scope?: number;
  /** The place of the write in the program. */
  readonly span?: SpanIr | undefined;
}

/** One write of a commit, into the frame and into what people see. */
export function write(draft: FlowDraft, by: Writer, given: LoggedWrite): void {
  if (given.value instanceof StreamCall) given.value.toJSON();
  const { program, snapshot } = draft;
  const logged = withReadMessages(draft, by, given);
  const wanted = frameWrite(program, snapshot, by, logged);
  if (snapshot.isTyped) assertFits(draft, by, wanted, logged);
  const { patches, own } = applyWrite(program, snapshot, by.frame, wanted);
  for (const patch of patches) draft.patches = grown(draft.patches, patch);
  for (const patch of own) draft.own = grown(draft.own, patch);
  draft.writes = grown(draft.writes, logged);
}

/** A write to a conversation, its messages read and each with an id; any other write as it is. */
function withReadMessages(
  { program, snapshot }: FlowDraft,
  by: Writer,
  logged: LoggedWrite,
): LoggedWrite {
  const number = program.fieldNumbers.get(logged.field) ?? -1;
  const field = program.fields[number];
  if (field?.reducer.name !== "messages" || logged.value === undefined) return logged;
  const current = (keptView(snapshot, by.frame, number) ?? []) as ConversationView;
  const at = must(snapshot.frames, by.frame, "frame").path.concat(by.seq);
  const value = readWritten(logged.value, {
    field: logged.field,
    current,
    place: [at, logged.field],
    speaker: speakerOfNode(by.node === undefined ? undefined : program.nodes[by.node]?.ir),
    isReplacing: logged.via === "replace",
    span: by.span,
  });
  return { ...logged, value };
}

function assertFits(
  { program, snapshot }: FlowDraft,
  { frame, node, span }: Writer,
  wanted: FrameWrite,
  { field: name, set }: LoggedWrite,
): void {
  const field = program.fields[wanted.field];
  if (field === undefined) return;
  assertWriteFits(program, field, {
    what: () => {
      const who = node === undefined ? "the arrow" : `\`${program.nodes[node]?.ir.name}\``;
      return set === true ? `what ${who} sets \`${name}\` to` : `what ${who} writes to \`${name}\``;
    },
    value: wanted.value,
    span,
    reducer: reducerOf(program, wanted),
    isFirst: () => (keptView(snapshot, frame, wanted.field) ?? null) === null,
  });
}

/** The write of a `set` as the log has it, without its value. */
export function setOf({
  field,
  via,
}: {
  readonly field: string;
  readonly via: AssignIr["via"] | undefined;
}): {
  readonly field: string;
  readonly set: true;
  readonly via?: string;
} {
  return via === undefined ? { field, set: true } : { field, set: true, via: via.name };
}

export function frameWrite(
  program: Program,
  snapshot: Snapshot,
  by: Writer,
  logged: LoggedWrite,
): FrameWrite {
  return {
    key: must(snapshot.frames, by.frame, "frame").path.concat(by.seq),
    field: program.fieldNumbers.get(logged.field) ?? -1,
    value: logged.value,
    via: logged.via,
    // The reducers that a node names are those of its output.
    node: logged.set === true ? NO_NODE : (by.node ?? NO_NODE),
    scope: by.scope,
  };
}

/** Flow operations with the writes of their routes between them, as they were made. */
export function applyFlow(
  program: Program,
  draft: SnapshotDraft,
  flow: readonly FlowOp[],
  writes: readonly LoggedWrite[],
): void {
  let at = 0;
  for (const op of flow) {
    if (op.op !== "write") {
      applyOp(program, draft, op);
      continue;
    }
    const logged = writes[at];
    at += 1;
    if (logged === undefined) throw new Error("M9000: a route's write is missing in the log");
    const by = { frame: op.frame, seq: op.seq };
    applyWrite(program, draft, op.frame, frameWrite(program, draft, by, logged));
  }
}

// Defines what `advance` has decided: records, and a commit's draft that is folded already.

/** The result of deciding on a completion. */
export interface Decision {
  readonly records: readonly RecordBody[];
  /**
   * The draft to which the first record folds, where deciding on it has made that already, as for a
   * commit.
   */
  readonly behindFirst?: SnapshotDraft;
}

export function decision(records: readonly RecordBody[]): Decision {
  return { records };
}
