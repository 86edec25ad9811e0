/** Turns one turn of a script into controller events and the bytes that they would have come as. */
import type { Handoff } from "../../envelope.ts";
import {
  type ApprovalAnswer,
  type ControllerChunk,
  type ControllerEvent,
  type ControllerUsage,
  controllerLost,
} from "../operator/controller.ts";

/** One turn of a scripted agent: its steps, and the answer at its end. */
export interface ScriptedTurn {
  readonly steps?: readonly ScriptedStep[];
  /** The answer: a text, or the value that is asked for. */
  readonly says?: unknown;
  /** The agents to which the turn hands work over, each with its task. */
  readonly handoffs?: readonly (Handoff & { readonly to: string })[];
  /** The values that the turn writes into the state, by field. */
  readonly patch?: Readonly<Record<string, unknown>>;
  /** It ends with this failure instead. */
  readonly fails?: Omit<ControllerEvent & { readonly kind: "failed" }, "kind">;
  /** The usage of the whole turn. */
  readonly usage?: ControllerUsage;
}

export type ScriptedStep =
  /** An event as it is. */
  | ControllerEvent
  /** Says a text word by word, and then whole. */
  | { readonly say: string }
  /** Calls a tool of its own. With `ask` it asks for leave first. */
  | ScriptedCall
  /** Bytes that mean nothing. */
  | { readonly garbage: string | Uint8Array }
  /** Says nothing more until it is interrupted. */
  | { readonly silence: true }
  /** Waits for something of the test. */
  | { readonly until: Promise<unknown> }
  /** The process dies: the stream breaks off. With `once`, only the first time that the turn comes here. */
  | { readonly crash: string; readonly once?: true };

interface ScriptedCall {
  readonly tool: string;
  readonly input?: unknown;
  readonly result?: unknown;
  readonly error?: string;
  readonly ask?: string | true;
  readonly risk?: "low" | "medium" | "high";
}

/** A turn under way: what was answered, where it goes on, whether it was interrupted. */
export interface TurnState {
  readonly script: ScriptedTurn;
  /** Events, deltas left out, that are known already and are not said again. */
  readonly skip: number;
  readonly interrupted: Promise<void>;
  readonly isInterrupted: boolean;
  readonly crashed: Set<number>;
  continueFrom(received: number): void;
  interrupt(): void;
  answer(answer: ApprovalAnswer): void;
  answered(approvalId: string): Promise<ApprovalAnswer>;
}

export function newTurn(script: ScriptedTurn): TurnState {
  let skip = 0;
  let stop = Promise.withResolvers<void>();
  let isInterrupted = false;
  const answers = new Map<string, PromiseWithResolvers<ApprovalAnswer>>();
  const waiting = (id: string) => {
    const known = answers.get(id) ?? Promise.withResolvers<ApprovalAnswer>();
    answers.set(id, known);
    return known;
  };
  return {
    script,
    get skip() {
      return skip;
    },
    get interrupted() {
      return stop.promise;
    },
    get isInterrupted() {
      return isInterrupted;
    },
    crashed: new Set(),
    continueFrom: (received) => {
      skip = received;
      isInterrupted = false;
      stop = Promise.withResolvers<void>();
    },
    interrupt: () => {
      isInterrupted = true;
      stop.resolve();
    },
    answer: (answer) => waiting(answer.approvalId).resolve(answer),
    answered: (id) => waiting(id).promise,
  };
}

interface Playing {
  readonly name: string;
  readonly sessionId: string;
}

/** The chunks of a turn, one at a time, up to its end or to where it is interrupted. */
export async function* playTurn(state: TurnState, of: Playing): AsyncGenerator<ControllerChunk> {
  let factCount = 0;
  for await (const chunk of wholeTurn(state, of)) {
    const [event] = chunk.events;
    if (state.isInterrupted) break;
    const isFact = event !== undefined && event.kind !== "message_delta";
    // A turn that goes on says nothing that is known, and no part of it.
    const isKnown = factCount < state.skip;
    if (isFact) factCount += 1;
    if (isKnown) continue;
    yield chunk;
    if (event?.kind === "completed" || event?.kind === "failed") return;
  }
  if (!state.isInterrupted) return;
  yield line({
    kind: "failed",
    class: "aborted",
    reason: "interrupted",
    message: "the turn was interrupted",
  });
}

async function* wholeTurn(state: TurnState, of: Playing): AsyncGenerator<ControllerChunk> {
  const { steps = [] } = state.script;
  if (!steps.some((step) => "kind" in step && step.kind === "session_started"))
    yield line({ kind: "session_started", sessionId: of.sessionId, model: "scripted" });
  for (const [index, step] of steps.entries()) yield* playStep(step, index, { state, of });
  yield line(endOf(state.script));
}

function endOf({ says, fails, patch, usage, handoffs }: ScriptedTurn): ControllerEvent {
  const used = usage === undefined ? {} : { usage };
  if (fails !== undefined) return { kind: "failed", ...fails, ...used };
  const patched = patch === undefined ? {} : { patch };
  const over = handoffs === undefined ? {} : { handoffs };
  if (says === undefined || typeof says === "string")
    return { kind: "completed", text: says ?? "", ...patched, ...used, ...over };
  return {
    kind: "completed",
    text: JSON.stringify(says),
    output: says,
    ...patched,
    ...used,
    ...over,
  };
}

interface ScriptedScene {
  readonly state: TurnState;
  readonly of: Playing;
}

async function* playStep(
  step: ScriptedStep,
  index: number,
  { state, of }: ScriptedScene,
): AsyncGenerator<ControllerChunk> {
  if ("kind" in step) yield line(step);
  else if ("say" in step) yield* say(step.say);
  else if (isCall(step)) yield* callTool(step, index, state);
  else if ("garbage" in step) yield garbage(step.garbage);
  else if ("silence" in step) await state.interrupted;
  else if ("until" in step) await Promise.race([step.until, state.interrupted]);
  else if (step.once !== true || !state.crashed.has(index)) {
    state.crashed.add(index);
    throw controllerLost(of.name, step.crash);
  }
}

function isCall(step: ScriptedStep): step is ScriptedCall {
  return "tool" in step && !("kind" in step);
}

function* say(text: string): Generator<ControllerChunk> {
  for (const word of text.match(/\S+\s*/g) ?? []) yield line({ kind: "message_delta", text: word });
  yield line({ kind: "message_completed", text });
}

async function* callTool(
  { tool, input = {}, result, error, ask, risk }: ScriptedCall,
  index: number,
  state: TurnState,
): AsyncGenerator<ControllerChunk> {
  const callId = `call-${index + 1}`;
  const approvalId = `approval-${index + 1}`;
  if (ask === undefined) {
    yield line({ kind: "tool_call", callId, tool, input });
    yield line(resultOf(callId, result, error));
    return;
  }
  const message = ask === true ? {} : { message: ask };
  const risky = risk === undefined ? {} : { risk };
  yield line({ kind: "approval_requested", approvalId, tool, input, ...message, ...risky });
  const interrupted = state.interrupted.then(() => undefined);
  const answer = await Promise.race([state.answered(approvalId), interrupted]);
  if (answer === undefined) return;
  const used = answer.input ?? input;
  yield line({ kind: "tool_call", callId, tool, input: used });
  if (answer.decision === "approve") yield line(resultOf(callId, result ?? used, error));
  else
    yield line({
      kind: "tool_result",
      callId,
      error: answer.reason ?? "denied",
      isDenied: true,
    });
}

function resultOf(callId: string, value: unknown, error: string | undefined): ControllerEvent {
  if (error !== undefined) return { kind: "tool_result", callId, error };
  return { kind: "tool_result", callId, value: value ?? null };
}

function garbage(raw: string | Uint8Array): ControllerChunk {
  const text = typeof raw === "string" ? raw : Buffer.from(raw).toString("latin1");
  return { raw, events: [{ kind: "log", text }] };
}

function line(event: ControllerEvent): ControllerChunk {
  return { raw: `${JSON.stringify(event)}\n`, events: [event] };
}
