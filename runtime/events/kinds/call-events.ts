/** Types the events of calls to models, tools and functions, and those of operators and their controllers. */

import type { Failure } from "../../failure.ts";
import type { Interception } from "../../intercept/interception.ts";
import type { KnownPrice } from "../../price.ts";
import type {
  CallPurpose,
  EffectKind,
  GuardFacts,
  ModelSource,
  ServedFrom,
} from "../../records/call-records.ts";
import type {
  ApprovalAnswered,
  HeardEvent,
  OperatorResult,
  RawPiece,
  TurnBegun,
} from "../../records/controller-values.ts";
import type { Usage } from "../../usage.ts";
import type { EventBase, NodeFacts, SpanFacts } from "./event-base.ts";

export type CallEvent =
  | ModelRequestEvent
  | ModelResponse
  | TransientEvent
  | ModelFallback
  | GuardDecided
  | ContextShaped
  | ContextCompacted
  | ContextReduced
  | ToolCallEvent
  | ToolResultEvent
  | FunctionCallEvent
  | FunctionResult
  | SessionRequested
  | SessionStartedEvent
  | SessionEnded
  | ControllerHeard
  | ControllerRaw
  | ControllerAnswered
  | InterceptedEvent;

/** An interceptor changed something or forbade it; what it only looked at has none. */
export interface InterceptedEvent extends EventBase, Partial<NodeFacts> {
  readonly kind: "intercepted";
  /** The interceptor. */
  readonly by: string;
  readonly when: Interception["when"];
  readonly on: "model" | "tool" | "node" | "run";
  /** The model, the tool, the node or the graph. */
  readonly name: string;
  /** Before and after, by member. */
  readonly changes?: NonNullable<Interception["value"]>;
  readonly veto?: string;
  readonly served?: ServedFrom;
}

export interface ModelRequestEvent extends CallStarted, ModelFacts {
  readonly kind: "model.request";
}

export interface ModelResponse extends CallFinished, ModelFacts {
  readonly kind: "model.response";
  /** By which the usage has its cost. */
  readonly price?: KnownPrice;
  readonly firstTokenMs?: number;
}

/** A model of a list has failed, and the next one is asked instead. */
export interface ModelFallback extends EventBase, NodeFacts {
  readonly kind: "model.fallback";
  /** The ids of the model that failed and of the one that is asked now. */
  readonly from: string;
  readonly to: string;
  /** The code of the failure and its message. */
  readonly code: string;
  readonly why: string;
}

/** It was decided whether a tool may be called. */
export interface GuardDecided extends EventBase, NodeFacts, GuardFacts {
  readonly kind: "guard.decided";
  /** The call's id in the conversation. */
  readonly toolCallId?: string;
}

/** Text as it arrives; `seq` is that of the last record before it. */
export interface ModelDelta extends EventBase, NodeFacts {
  readonly kind: "model.delta";
  readonly text: string;
}

/** Events that reach listeners and are never stored: no record has them. */
export type TransientEvent = ModelDelta | ToolProgress;

/** The own members of a transient event, before it is said of which node run it is. */
export type TransientBody =
  | Pick<ModelDelta, "kind" | "text">
  | Pick<ToolProgress, "kind" | "tool" | "done" | "total" | "text">;

/** A tool says how far a call of it has come; `seq` is that of the last record before it. */
export interface ToolProgress extends EventBase, NodeFacts {
  readonly kind: "tool.progress";
  readonly tool: string;
  /** Counts what the tool says it counts; `total` is the number at which it will be done, where the tool knows it. */
  readonly done: number;
  readonly total?: number;
  readonly text?: string;
}

/** A model is shown less of its conversation in one call, as the node's `context` says. */
export interface ContextShaped extends EventBase, NodeFacts {
  readonly kind: "context.shaped";
  /** Results of tools that are shown by their ends, and turns of tool calls that are left out. */
  readonly offloaded: number;
  readonly dropped: number;
  /** Images and files that are not shown any more, and results of tools that are not shown again. */
  readonly media?: number;
  readonly repeated?: number;
}

/** The conversation of one model call is cut to a size. `before` and `after` are tokens. */
export interface ContextCompacted extends EventBase, NodeFacts {
  readonly kind: "context.compacted";
  /** `too long`: the provider had refused the call before. */
  readonly policy: "limit" | "summarize" | "too long";
  readonly before: number;
  readonly after: number;
  readonly limit?: number;
  /** The messages that are left out, from a place to before another one. */
  readonly dropped?: readonly (readonly [from: number, to: number])[];
  /** The messages for which a summary stands from now on. */
  readonly covered?: readonly [from: number, to: number];
}

/** A model is shown less of its earlier conversations than there is: `dropped` of the oldest turns are left out. */
export interface ContextReduced extends EventBase, NodeFacts {
  readonly kind: "context.reduced";
  /** The turns that are shown. */
  readonly turns: number;
  readonly dropped: number;
  /** True if a summary replaces the turns. */
  readonly summarized: boolean;
}

export interface ToolCallEvent extends CallStarted, ToolFacts {
  readonly kind: "tool.call";
  readonly external?: boolean;
  /** The reason that the model gave for the call. */
  readonly explanation?: string;
}

export interface ToolResultEvent extends CallFinished, ToolFacts {
  readonly kind: "tool.result";
}

export interface FunctionCallEvent extends CallStarted, FunctionFacts {
  readonly kind: "function.call";
  readonly external?: boolean;
}

export interface FunctionResult extends CallFinished, FunctionFacts {
  readonly kind: "function.result";
}

export type SessionRequested = EventBase & NodeFacts & SpanFacts & SessionRequestedFacts;
export type SessionStartedEvent = EventBase & NodeFacts & SpanFacts & SessionStartedFacts;
export type SessionEnded = EventBase & NodeFacts & SpanFacts & SessionEndedFacts;
export type ControllerHeard = EventBase & NodeFacts & ControllerHeardFacts;
export type ControllerRaw = EventBase & NodeFacts & ControllerRawFacts;
export type ControllerAnswered = EventBase & NodeFacts & ControllerAnsweredFacts;

/** Made in another run, which this one is again: nothing was spent for it here. */
interface ServedFacts {
  readonly served?: ServedFrom;
}

interface CallStarted extends EventBase, NodeFacts, SpanFacts, ServedFacts {
  /** Numbers the effects of one attempt from 0. */
  readonly call: number;
  readonly request?: unknown;
}

interface CallFinished extends EventBase, NodeFacts, SpanFacts, ServedFacts {
  readonly call: number;
  readonly value?: unknown;
  readonly failure?: Failure;
  readonly usage?: Usage;
  readonly durationMs: number;
  readonly transportRetries?: number;
}

interface ModelFacts {
  /** The purpose of a call beside a node's conversation; see `CallPurpose`. */
  readonly purpose?: CallPurpose;
  readonly model: string;
  readonly modelSource?: ModelSource;
}

interface ToolFacts {
  readonly tool: string;
  /** The call's id in the conversation. */
  readonly toolCallId?: string;
}

interface FunctionFacts {
  readonly function: string;
  /** Clock and random draws are inputs from outside too. */
  readonly effect: Exclude<EffectKind, "model" | "tool" | "intercept">;
}

interface OfController {
  readonly controller: string;
  readonly modelSource?: ModelSource;
}

/** A turn is about to begin: all that its agent is told. */
interface SessionRequestedFacts extends OfController {
  readonly kind: "session.requested";
  readonly request: unknown;
}

interface SessionStartedFacts extends OfController {
  readonly kind: "session.started";
  readonly sessionId: string;
  readonly turn: number;
  /** `reattached`: the same turn goes on after a pause or a crash. */
  readonly how: TurnBegun["how"] | "reattached";
  /** The session that its agent did not know any more. */
  readonly gone?: string;
  readonly durationMs: number;
}

/** One normalised event, with where its bytes stand in the raw stream of the attempt. */
interface ControllerHeardFacts extends OfController {
  readonly kind: "controller.event";
  readonly sessionId: string;
  readonly event: HeardEvent;
  readonly usage?: Usage;
}

/** Bytes as they came. */
interface ControllerRawFacts extends OfController {
  readonly kind: "controller.raw";
  readonly raw: RawPiece;
}

interface ControllerAnsweredFacts extends OfController, Omit<ApprovalAnswered, "verb"> {
  readonly kind: "controller.answered";
}

/** A turn is over: by itself, or because its attempt is. */
interface SessionEndedFacts extends OfController {
  readonly kind: "session.ended";
  readonly sessionId: string;
  readonly status: OperatorResult["status"];
  /** The result of the turn; absent until the turn has ended. */
  readonly result?: OperatorResult;
  readonly failure?: Failure;
  readonly durationMs: number;
}
