/** Calls that leave the engine: what is asked, and what came back. */

import type { Made } from "../artifact.ts";
import type { Sent } from "../envelope.ts";
import type { Failure } from "../failure.ts";
import type { Interception } from "../intercept/interception.ts";
import type { KnownPrice } from "../price.ts";
import type { DecidedBy } from "../scheduler/guard/decide-call.ts";
import type { Usage } from "../usage.ts";

/** A call is about to leave the engine. */
export interface IntentRecord extends CallFacts, CallRequest {
  readonly kind: "intent";
  /** The texts that people sent since the call before; they are part of the request. */
  readonly steers?: readonly Sent[];
  readonly node: string;
}

export interface OutcomeRecord extends CallFacts, CallResult {
  readonly kind: "outcome";
  readonly node: string;
}

/** The position of a call: its attempt, and `call`, the number of the effect in the attempt from 0. */
export interface CallFacts {
  readonly id: number;
  readonly attempt: number;
  readonly call: number;
  readonly effect: EffectKind;
  /** The model's id, the tool's or the function's name. */
  readonly name: string;
  readonly modelSource?: ModelSource;
  /** It was made in another run, or by an earlier attempt of this node run, and is only told here: it counts as nothing spent. */
  readonly served?: ServedFrom;
}

/**
 * The attempt from which a result was taken: of another run, with the step of its commit, or an earlier one of the same
 * node run, with the number of its call.
 */
export interface ServedFrom {
  readonly runId: string;
  readonly nodeRun: number;
  readonly attempt: number;
  readonly step?: number;
  readonly call?: number;
}

/** The request of a call. */
export interface CallRequest {
  /** A model call in a conversation: what people say meanwhile is heard with it. */
  readonly hears?: true;
  /** The tool call's id in the conversation. */
  readonly toolCallId?: string;
  readonly request?: unknown;
  /** Of a tool: the reason that the model gave for the call. */
  readonly explanation?: string;
  readonly external?: boolean;
  /** The changes of the request by interceptors, or the reason why it is not made. */
  readonly intercepted?: readonly Interception[];
  /** Of a model: the one that was asked before it and failed. */
  readonly instead?: InsteadOf;
  /** Of a model whose price is known: what the call is taken to cost, in US dollars. */
  readonly estimateUsd?: number;
  /** The price of the model is unknown, so that no limit of cost can count it. */
  readonly unpriced?: true;
  /** Of a tool call on which something was decided: what, by whom and why. */
  readonly guard?: GuardFacts;
  /** The idempotency key of an external call: the same when it is made again, by a resume, a retry or a repair. */
  readonly key?: string;
}

/** The decision on a tool call. */
export interface GuardFacts {
  readonly tool: string;
  readonly decision: "allow" | "edit" | "deny";
  readonly by: DecidedBy;
  /** The judge who answered. */
  readonly judge?: string;
  /** The reason of the rules, and behind it what who answered has said. */
  readonly why: string;
  /** The sha256 of the arguments on which it was decided. */
  readonly hash: string;
}

/** A model that failed, and why. */
export interface InsteadOf {
  readonly model: string;
  readonly code: string;
  readonly message: string;
}

/** The result of a call: exactly one of `value` and `failure`. */
export interface CallResult {
  readonly value?: unknown;
  readonly failure?: Failure;
  readonly usage?: Usage;
  /** True for a model that embeds texts; a limit of turns does not count its calls. */
  readonly isNoTurn?: true;
  /** Of a model: the price by which the usage has its cost. */
  readonly price?: KnownPrice;
  readonly durationMs: number;
  /** Repeats of the one call after a transport fault. */
  readonly transportRetries?: number;
  readonly firstTokenMs?: number;
  /** The stored results of the call; they become artifacts of the run with the commit of the attempt. */
  readonly artifacts?: readonly Made[];
  /** The changes of the value by interceptors; it stands here as they left it. */
  readonly intercepted?: readonly Interception[];
}

/**
 * `intercept`: interceptors of a node are asked; its value is what they decided, as `Interception[]`. `server`: an MCP server
 * is asked what it offers; its value is that, as `ServerOffer`. `skills`: the skills of a node are read; its value is what the node is
 * told of them, as `OfferedSkill[]`. `memory`: a memory is asked for what it has; its value is a `LoggedCall` of `Recalled`.
 */
export type EffectKind =
  | "model"
  | "tool"
  | "function"
  | "clock"
  | "random"
  | "controller"
  | "server"
  | "skills"
  | "memory"
  | "intercept";

/** A model call beside the conversation: a judge's, one that shortens what came before, or one that embeds what a memory is asked. */
export type CallPurpose = "judge" | "summary" | "embedding";

export type ModelSource = "live" | "cassette" | "scripted" | "rules";
