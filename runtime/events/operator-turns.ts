/** The turns of operators, as the memory of events has them: begun, open or cut off, and the tool calls in them. */

import type { IntentRecord, ModelSource, OutcomeRecord } from "../records/call-records.ts";
import { isOutcome } from "../records/controller-values.ts";
import type { LogRecord } from "../records/records.ts";

/** The turn of a node run, from its request to the end of its attempt. */
export interface TurnMemory {
  /** The record that asked for it, and when. */
  readonly seq: number;
  readonly at: number;
  readonly controller: string;
  readonly modelSource?: ModelSource;
  readonly sessionId: string;
  readonly isOpen: boolean;
  /** Tool calls under way, by the agent's name of them. */
  readonly calls: ReadonlyMap<string, AgentCall>;
}

export interface AgentCall {
  readonly seq: number;
  readonly at: number;
  /** The effect of the attempt in which it was heard. */
  readonly call: number;
  readonly tool: string;
}

type Turns = Map<number, TurnMemory>;

export function isControllers(
  record: LogRecord,
): record is LogRecord & (IntentRecord | OutcomeRecord) & { readonly effect: "controller" } {
  return (record.kind === "intent" || record.kind === "outcome") && record.effect === "controller";
}

/** Returns the verb that an intent of a controller's effect asks for. */
export function verbOf({ request }: Pick<IntentRecord, "request">): string | undefined {
  if (typeof request !== "object" || request === null || !("verb" in request)) return undefined;
  return typeof request.verb === "string" ? request.verb : undefined;
}

export function rememberTurn(
  turns: Turns,
  record: LogRecord & (IntentRecord | OutcomeRecord),
): void {
  const { id, seq, at, name, modelSource } = record;
  const source = modelSource === undefined ? {} : { modelSource };
  if (record.kind === "intent") {
    if (verbOf(record) !== "begin") return;
    const begun = { seq, at, controller: name, sessionId: "", isOpen: false, calls: new Map() };
    turns.set(id, { ...begun, ...source });
    return;
  }
  const turn = turns.get(id);
  const { value } = record;
  if (turn === undefined || !isOutcome(value)) return;
  if (value.verb === "end") turns.set(id, { ...turn, isOpen: false });
  if (value.verb === "begin") turns.set(id, { ...turn, sessionId: value.sessionId, isOpen: true });
  if (value.verb !== "next") return;
  const calls = new Map(turn.calls);
  let { sessionId } = turn;
  for (const event of value.events) {
    if (event.kind === "session_started") sessionId = event.sessionId;
    if (event.kind === "tool_call")
      calls.set(event.callId, { seq, at, call: record.call, tool: event.tool });
    if (event.kind === "tool_result") calls.delete(event.callId);
  }
  turns.set(id, { ...turn, sessionId, isOpen: true, calls });
}

/** The turn of this node run was interrupted; the same attempt may go on with it. */
export function interruptTurn(turns: Turns, id: number): void {
  const turn = turns.get(id);
  if (turn !== undefined) turns.set(id, { ...turn, isOpen: false });
}
