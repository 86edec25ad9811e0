/** Describes the interface between the engine and what does a node's work: models, tools, functions. */

import type { Ir, NodeIr } from "../dsl/index.ts";
import type { Made } from "./artifact.ts";
import type { Cancellation } from "./cancellation.ts";
import type { Orders } from "./command.ts";
import type { Envelope, Handoff, OutgoingMessage } from "./envelope.ts";
import type { Failure } from "./failure.ts";
import type { Answer, Escalation, GivenAnswer, Question } from "./interrupt.ts";
import type { ConversationMessage } from "./messages/message.ts";
import type { KnownPrice } from "./price.ts";
import type { EffectKind, GuardFacts, InsteadOf, ModelSource } from "./records/call-records.ts";
import type { Directions, Verdict } from "./records/directions.ts";
import type { AttemptReason } from "./records/records.ts";
import type { CallDecision, CallWanted } from "./scheduler/attempts/approvals.ts";
import type { OperatorView } from "./scheduler/attempts/attempt-view.ts";
import type { GuardedReach } from "./scheduler/guard/guard-of.ts";
import type { Choice } from "./scheduler/program/program.ts";
import type { Usage } from "./usage.ts";

/** One attempt of one node run, as its performer sees it. Everything here is frozen. */
export interface Attempt {
  readonly ir: Ir;
  readonly node: NodeIr;
  readonly runId: string;
  readonly nodeRunId: string;
  /** `search#2`. */
  readonly label: string;
  readonly attempt: number;
  readonly reason: AttemptReason;
  /** The first attempt since a resume or a person started the node run anew. */
  readonly anewFrom?: number;
  /** The rendered `system` and `prompt`, where the node has them. */
  readonly system?: string;
  readonly prompt?: string;
  /** The pictures and documents that its prompt names: artifacts of the run. */
  readonly media?: readonly Made[];
  /** The evaluated arguments of a call node's function. */
  readonly callArgs?: readonly unknown[];
  /** Of a node with `a | b` behind its arrow: whom it may choose, in the order of the text. */
  readonly choices?: readonly Choice[];
  /** The messages that it found when it started, in the order of their senders. */
  readonly inbox?: readonly Envelope[];
  /** With `history inbox`: what earlier runs of the node had found. */
  readonly earlier?: readonly Envelope[];
  /** For operators: what the controller is given beside the prompt. */
  readonly operator?: OperatorView;
  /** Of a `human` node: what it asks, whom, and the fields that it edits as they are. */
  readonly question?: string;
  readonly to?: string;
  /** The persons who must all say yes, or as many of them as it needs. */
  readonly among?: readonly string[];
  readonly need?: number;
  /** The persons who are asked next where nobody answers in time. */
  readonly then?: readonly Escalation[];
  /** The default answer when the time is over; without it, a no. */
  readonly otherwise?: unknown;
  readonly current?: Readonly<Record<string, unknown>>;
  /** The addresses that the guard permits; absent where it says nothing of them. */
  readonly reach?: GuardedReach;
  /** Asks a memory that the node recalls, by other words than its own; absent where it recalls none. */
  readonly recall?: (memory: string, words: string) => Promise<readonly unknown[]>;
  /** Decides on a tool call before it is made; absent where neither the node nor a guard says anything of calls. */
  readonly decideOn?: (call: CallWanted) => Promise<CallDecision>;
  /** For repair: what was wrong, and the effects of the attempt before, oldest first. */
  readonly feedback?: string;
  readonly session?: readonly EffectResult[];
  /** The effects of earlier runs of the node that its model remembers, run by run, oldest first. */
  readonly history?: readonly (readonly EffectResult[])[];
  /** The conversation of the field that its `history` names. */
  readonly conversation?: readonly ConversationMessage[];
  /** The value of the node's `context`. */
  readonly context?: unknown;
  /** The skills that it names. */
  readonly skills?: readonly string[];
  /** The values that its `cache … by` names. */
  readonly cacheBy?: readonly unknown[];
  /** The fields of the state that its state tools may read. */
  readonly readable?: Readonly<Record<string, unknown>>;
  /** The round of a node with `every`, from 1, and the number of rounds that there may be. */
  readonly round?: { readonly number: number; readonly max?: number };
}

export interface EffectResult {
  readonly effect: EffectKind;
  readonly name: string;
  /** The texts of people that the call heard. */
  readonly heard?: readonly string[];
  /** A tool call's id in the conversation. */
  readonly toolCallId?: string;
  readonly request?: unknown;
  readonly value?: unknown;
  readonly failure?: Failure;
}

export interface EffectCall<T> {
  readonly effect: EffectKind;
  readonly name: string;
  readonly modelSource?: ModelSource;
  readonly toolCallId?: string;
  /** Of a tool: the reason that the model gives for the call. It is no part of what is asked. */
  readonly explanation?: string;
  /** Told, before it is performed or served, what a person has said to the node since its call before. */
  readonly hear?: (texts: readonly string[]) => void;
  /** The request as JSON, stored with the intent. */
  readonly request?: unknown;
  readonly external?: boolean;
  /** Of a model: the one that was asked before it and failed. */
  readonly instead?: InsteadOf | undefined;
  /**
   * Of a model: returns what the call is taken to cost as interceptors have changed it, in US dollars; `undefined` where its
   * price is unknown.
   */
  readonly estimate?: (changed: CallChanges) => { readonly usd: number | undefined };
  /** The call as interceptors see and may change it; a call without it is made as it is. */
  readonly seen?: CallSeen;
  /** Of an external call that may be made again although nobody knows whether it took effect; see `CallIdentity`. */
  readonly repeats?: Repeats;
  /** Of a tool call on which something was decided: what, by whom and why. */
  readonly guard?: GuardFacts | undefined;
  /** It may ask people while it is made; one that waited for an answer when its process ended is made again, and asks again. */
  readonly asks?: true;
  /** Other calls of the attempt are made within it: where one of them is in doubt, it is not. */
  readonly encloses?: true;
  /** Performs the call; not called when the journal already has its outcome. Its value must be JSON. */
  readonly perform: (
    cancellation: Cancellation,
    changed: CallChanges,
    identity: CallIdentity,
    callGraph: CallGraph,
  ) => Promise<EffectOutcome<T>>;
}

/**
 * Runs a graph that the node lists among its tools, as a part of this call: its node runs are some of the run, below the
 * attempt. Resolves with what it returns, or failed with. After a crash the same call goes on with the same graph.
 */
export type CallGraph = (
  tool: string,
  input: Readonly<Record<string, unknown>>,
) => Promise<CalledGraphEnd>;

/** The end of a called graph. */
export type CalledGraphEnd = { readonly output: unknown } | { readonly failure: Failure };

/** The members of a call that interceptors changed, as they are now. */
export type CallChanges = Readonly<Record<string, unknown>>;

/** A call as interceptors see it: facts, and the members that they may change, of which `perform` gets those that they have. */
export interface CallSeen {
  readonly facts: Readonly<Record<string, unknown>>;
  readonly members: Readonly<Record<string, unknown>>;
  /** The form in which they see its value: one member, or its own members. */
  readonly value: "result" | "members";
}

/**
 * The reason for which a call may be made again that perhaps took effect: made twice it comes to the same (`idempotent`), or it passes its
 * idempotency key on, by which the other side knows it again (`keyed`).
 */
export type Repeats = "idempotent" | "keyed";

/** A call as the world outside may know it again. */
export interface CallIdentity {
  /**
   * The same for one call however often it is made: after a crash, and where a retry or a repair makes again what failed.
   * Different calls, also equal ones in a row, have different keys.
   */
  readonly idempotencyKey: string;
  /** The time at which it was first made, in milliseconds of the epoch: the same when it is made again after a crash. */
  readonly askedAt: number;
  /** The number of the record by which it began, in the log of the run. */
  readonly seq: number;
}

export interface EffectOutcome<T> {
  readonly value: T;
  /** The artifacts that the effect made. */
  readonly artifacts?: readonly Made[];
  readonly usage?: Usage;
  /** True for a model that embeds texts; a limit of turns does not count its calls. */
  readonly isNoTurn?: true;
  /** Of a model's call: the price by which the usage has its cost. */
  readonly price?: KnownPrice;
  /** The source of the answer, where that is another one than was to be asked. */
  readonly modelSource?: ModelSource;
  readonly transportRetries?: number;
  readonly firstTokenMs?: number;
}

/** The distance that a call has come: `done` of `total`, in whatever it counts, and in words. */
export interface CallProgress {
  readonly done: number;
  readonly total?: number;
  readonly text?: string;
}

export interface PerformerContext {
  /** Cancelled when the attempt is: limits, aborts, failed siblings, pause({now}). */
  readonly cancellation: Cancellation;
  /** The same, for what knows signals only. */
  readonly signal: AbortSignal;
  /**
   * Performs one journalled effect: limits are checked, its intent and outcome are logged, and after a crash the
   * recorded outcome is served instead of a second call. A failed effect throws `FailureError`, live or replayed.
   * A transport fault is repeated inside `perform` (one effect).
   */
  effect<T>(call: EffectCall<T>): Promise<T>;
  /**
   * Asks whoever answers, and waits: the run's clock stands still for this node run. Journalled like an effect; when the
   * attempt goes on after a crash, the recorded answer is served, or the same question goes on waiting.
   */
  ask(question: Question): Promise<Answer>;
  /** Asks in the same way, and says who has answered. */
  consult(question: Question): Promise<GivenAnswer>;
  /** Streams text as it arrives to listeners; not part of the log. */
  delta(text: string): void;
  /** Tells listeners how far a call of a tool has come; not part of the log. */
  progress(of: CallProgress & { readonly tool: string }): void;
}

const DECIDED = Symbol("decided");

/** The output of a node that said what follows. */
export interface Decided extends Directions {
  readonly [DECIDED]: true;
  readonly output: unknown;
}

/** Makes the result of a performer whose node itself chooses the next node, `goto`. */
export function decided(output: unknown, goto: string, handoff?: Handoff): Decided {
  return { [DECIDED]: true, output, goto, ...(handoff === undefined ? {} : { handoff }) };
}

/** Makes the result of a performer whose node gave orders. */
export function ordered(output: unknown, orders: Orders): Decided {
  return { [DECIDED]: true, output, orders };
}

/** Makes the result of an agent that writes what was said to a conversation, beside its output or decision. */
export function conversed(result: unknown, conversation: readonly ConversationMessage[]): Decided {
  return { ...toDecided(result), conversation };
}

/** Makes the result of an agent that has sent messages, beside its output or decision. */
export function sending(result: unknown, sends: readonly OutgoingMessage[]): Decided {
  return { ...toDecided(result), sends };
}

function toDecided(result: unknown): Decided {
  return isDecided(result) ? result : { [DECIDED]: true, output: result };
}

/** Returns the members of a decision without its mark. */
export function partsOf({ [DECIDED]: _, ...parts }: Decided): Omit<Decided, typeof DECIDED> {
  return parts;
}

export function isDecided(value: unknown): value is Decided {
  return typeof value === "object" && value !== null && DECIDED in value;
}

const EDITED = Symbol("edited");

/** The output of a `human` node that also edited fields. */
export interface Edited {
  readonly [EDITED]: true;
  readonly output: unknown;
  readonly edits: Readonly<Record<string, unknown>>;
}

/** Makes the result of a performer when a person edited fields directly. */
export function edited(output: unknown, edits: Readonly<Record<string, unknown>>): Edited {
  return { [EDITED]: true, output, edits };
}

export function isEdited(value: unknown): value is Edited {
  return typeof value === "object" && value !== null && EDITED in value;
}

/** Does the work of one kind of node. Resolves with the node's output or `decided(…)`; rejects with `FailureError`. */
export interface Performer {
  perform(attempt: Attempt, context: PerformerContext): Promise<unknown>;
  /** With what it would perform this attempt, as JSON: models and their sources, tools, code. Part of what `cache` keeps its output by. */
  madeOf?(attempt: Attempt): unknown;
  /** Judges what an attempt came to, by effects of the same attempt. Absent: nobody judges, and conditions in words hold. */
  judge?(of: Judgement, context: PerformerContext): Promise<Verdict>;
}

/** A question for a judge. */
export type JudgeQuestion =
  | {
      readonly kind: "ensure";
      /** Its place among the node's conditions. */
      readonly number: number;
      readonly condition: string;
      /** The judge. */
      readonly by: string;
      /** The fields that the node writes, as they would be. */
      readonly state: Readonly<Record<string, unknown>>;
    }
  | {
      readonly kind: "until";
      /** Absent where only the wait is to be chosen. */
      readonly condition?: string;
      /** Absent: the node's own model. */
      readonly by?: string;
      readonly state: Readonly<Record<string, unknown>>;
      readonly round: number;
      readonly roundsMax?: number;
      /** The shortest and the longest wait, in milliseconds. */
      readonly waitMs: { readonly from: number; readonly to: number };
      readonly sinceStartMs: number;
      readonly sinceCheckMs?: number;
      /** The reason of the check before. */
      readonly before?: string;
    };

/** The question to a judge, with the attempt and its output. */
export interface Judgement {
  readonly question: JudgeQuestion;
  readonly attempt: Attempt;
  readonly output: unknown;
}
