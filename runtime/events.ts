/**
 * `RunEvent` is the only way facts leave a run: a view of its log for people, the trace and the debugger. Each event
 * names the record it comes from (`seq`) and its place among that record's events (`part`), so the same log always
 * gives the same events. Only `model.delta` is transient: it reaches listeners and is never stored.
 */
import type { JsonSchema } from "../dsl/index.ts";
import type { Made } from "./artifact.ts";
import type { Envelope } from "./envelope.ts";
import type {
  ControllerAnsweredFacts,
  ControllerHeardFacts,
  ControllerRawFacts,
  SessionEndedFacts,
  SessionRequestedFacts,
  SessionStartedFacts,
} from "./events/controller-facts.ts";
import type { SentinelEvent } from "./events/sentinel-events.ts";
import type { Failure } from "./failure.ts";
import type { Answer, AnswerFrom, AskKind } from "./interrupt.ts";
import type {
  AttemptReason,
  AttemptRecord,
  EffectKind,
  EndRecord,
  LoggedWrite,
  ModelSource,
  NodeUse,
} from "./records.ts";
import type { Patch } from "./state/patch.ts";
import type { Usage } from "./usage.ts";

export type RunEvent =
  | RunStarted
  | RunPaused
  | RunResumed
  | RunWaiting
  | RunHeld
  | RunReleased
  | RunRewound
  | RunEdited
  | AgentChanged
  | RunFinished
  | GraphStarted
  | GraphFinished
  | PlanModified
  | AttemptStarted
  | AttemptFinished
  | ModelRequest
  | ModelResponse
  | ModelDelta
  | ToolCall
  | ToolResult
  | FunctionCall
  | FunctionResult
  | SessionRequested
  | SessionStarted
  | SessionEnded
  | ControllerHeard
  | ControllerRaw
  | ControllerAnswered
  | Committed
  | RouteChosen
  | JoinFired
  | JoinReleased
  | JoinLate
  | WorkDetached
  | EachFailed
  | QuorumFailed
  | EachStarted
  | EachItem
  | EachFinished
  | LimitReached
  | ErrorRaised
  | MessageSent
  | MessageRead
  | MessageDead
  | RunSteered
  | ArtifactCreated
  | SentinelEvent
  | ContextReduced
  | ContextShaped
  | NodeUsed
  | InterruptOpened
  | InterruptAnswered
  | InterruptLeft;

/** An event before `eventReader` says of which run, record and time it is. */
export type EventBody = RunEvent extends infer E
  ? E extends RunEvent
    ? Omit<E, keyof EventBase> & Pick<EventBase, "path" | "caller">
    : never
  : never;

export interface EventBase {
  readonly runId: string;
  readonly threadId: string;
  /** The record it comes from, and its place among that record's events, from 0. */
  readonly seq: number;
  readonly part: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Of a graph that a node run has called: the labels that lead there (`go#1`), and that node run's number. */
  readonly path?: readonly string[];
  readonly caller?: number;
}

/** Of which node run and attempt an event is. */
export interface NodeFacts {
  readonly node: string;
  /** The node run's number in the run. */
  readonly nodeRun: number;
  /** Run and place in the order of the graph: the node run's lasting name. */
  readonly nodeRunId: string;
  /** `search#2`: for people. */
  readonly label: string;
  readonly attempt: number;
  readonly item?: number;
}

/** A stretch of time; both its ends carry the same number, the `seq` of the record that began it. */
export interface SpanFacts {
  readonly span: number;
}

export interface RunStarted extends EventBase, SpanFacts {
  readonly kind: "run.started";
  readonly graph: string;
  readonly graphHash: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** What makes the initial state out of nothing, then what routes from `start` set. */
  readonly patches: readonly Patch[];
}

export interface RunPaused extends EventBase {
  readonly kind: "run.paused";
  readonly reason?: string;
}

/** Nothing in it can go on before somebody answers. */
export interface RunWaiting extends EventBase {
  readonly kind: "run.waiting";
}

export interface RunResumed extends EventBase {
  readonly kind: "run.resumed";
  readonly reason?: string;
  readonly owner?: string;
  /** What it goes on with, where that is another program than before. */
  readonly graphHash?: string;
  /** The sha256 of each function that its nodes call, as it is from here on. */
  readonly code?: Readonly<Record<string, string>>;
}

/** Nothing starts or commits until it is released; what is in flight goes on. */
export interface RunHeld extends EventBase {
  readonly kind: "run.held";
  /** `debug`, `step`, `breakpoint:<node>`, `rewind`, `user`, or what `pause` was told. */
  readonly reason: string;
}

export interface RunReleased extends EventBase {
  readonly kind: "run.released";
}

/** The run is held as it was after an earlier step. */
export interface RunRewound extends EventBase {
  readonly kind: "run.rewound";
  readonly step: number;
  /** The last record that still counts: everything between it and this event's is undone. */
  readonly to: number;
  /** Node runs that were open then; they go on under other numbers. */
  readonly dropped: readonly number[];
}

/** A person gave fields other values; they belong to the last step. */
export interface RunEdited extends EventBase {
  readonly kind: "run.edited";
  readonly step: number;
  readonly reason?: string;
  readonly patches: readonly Patch[];
}

/** A step changed state of the agent's own. */
export interface AgentChanged extends EventBase, NodeFacts {
  readonly kind: "agent.changed";
  readonly step: number;
  /** Which instance: `search@2.0`. */
  readonly agent: string;
  readonly patches: readonly Patch[];
}

export interface RunFinished extends EventBase, SpanFacts {
  readonly kind: "run.finished";
  readonly status: EndRecord["status"];
  readonly reason: string;
  readonly output?: Readonly<Record<string, unknown>>;
  readonly failure?: Failure;
  readonly node?: string;
  readonly attempt?: number;
  readonly steps: number;
  readonly usage: Usage;
  readonly durationMs: number;
  /** Writes that fold only at the end; they belong to the last step. */
  readonly step: number;
  readonly patches: readonly Patch[];
}

/** A graph that a node run calls begins. */
export interface GraphStarted extends EventBase {
  readonly kind: "graph.started";
  readonly graph: string;
  readonly graphHash: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** As of a run: its state out of nothing. */
  readonly patches: readonly Patch[];
}

/** Another plan for the graph that a node run has made of one: what was done stays, the rest begins anew. */
export interface PlanModified extends EventBase, NodeFacts {
  readonly kind: "plan.modified";
  readonly plan: unknown;
  /** The ids of the steps that were done. */
  readonly done: readonly string[];
}

/** It came to an end of its own; what its caller makes of that follows. */
export interface GraphFinished extends EventBase {
  readonly kind: "graph.finished";
  readonly graph: string;
  readonly status: EndRecord["status"];
  readonly reason: string;
  readonly output?: Readonly<Record<string, unknown>>;
  readonly failure?: Failure;
  /** Of the called graph. */
  readonly steps: number;
  readonly usage: Usage;
  readonly durationMs: number;
  readonly patches: readonly Patch[];
}

export interface AttemptStarted extends EventBase, NodeFacts, SpanFacts {
  readonly kind: "attempt.started";
  readonly reason: AttemptReason;
  readonly args?: Readonly<Record<string, unknown>>;
  /** The node run whose end let this one begin; absent for what the run itself starts. */
  readonly cause?: number;
}

export interface AttemptFinished extends EventBase, NodeFacts, SpanFacts {
  readonly kind: "attempt.finished";
  readonly status: "ok" | "error" | "aborted" | "timeout";
  readonly failure?: Failure;
  /** What follows an attempt that did not commit: `resume` when the run was stopped over it. */
  readonly next?: AttemptRecord["next"] | "resume";
  readonly notBefore?: number;
  /** It came to what an attempt like it had come to before: nothing was asked or called. */
  readonly isCached?: true;
  readonly usage: Usage;
  readonly durationMs: number;
  /** What its end changed without a commit (a skipped item's routes), and the step before it. */
  readonly step?: number;
  readonly writes?: readonly LoggedWrite[];
  readonly patches?: readonly Patch[];
}

interface CallStarted extends EventBase, NodeFacts, SpanFacts {
  /** Numbers the effects of one attempt from 0. */
  readonly call: number;
  readonly request?: unknown;
}

interface CallFinished extends EventBase, NodeFacts, SpanFacts {
  readonly call: number;
  readonly value?: unknown;
  readonly failure?: Failure;
  readonly usage?: Usage;
  readonly durationMs: number;
  readonly transportRetries?: number;
}

interface ModelFacts {
  /** Of a call beside a node's conversation: a judge's, or one that shortens what came before. */
  readonly purpose?: "judge" | "summary";
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
  readonly effect: Exclude<EffectKind, "model" | "tool">;
}

export interface ModelRequest extends CallStarted, ModelFacts {
  readonly kind: "model.request";
}

export interface ModelResponse extends CallFinished, ModelFacts {
  readonly kind: "model.response";
  readonly firstTokenMs?: number;
}

/** A model is shown less of its conversation in one call, as the node's `context` says. */
export interface ContextShaped extends EventBase, NodeFacts {
  readonly kind: "context.shaped";
  /** Results of tools that are shown by their ends, and turns of tool calls that are left out. */
  readonly offloaded: number;
  readonly dropped: number;
}

/** A person has a node use something else, from its next attempt on. */
export interface NodeUsed extends EventBase, NodeUse {
  readonly kind: "node.used";
  readonly step: number;
  readonly node: string;
}

/** A model is shown less of its earlier conversations than there is: `dropped` of the oldest turns are left out. */
export interface ContextReduced extends EventBase, NodeFacts {
  readonly kind: "context.reduced";
  /** The turns that are shown. */
  readonly turns: number;
  readonly dropped: number;
  /** Whether a summary stands for them. */
  readonly summarized: boolean;
}

/** Text as it arrives; `seq` is that of the last record before it. */
export interface ModelDelta extends EventBase, NodeFacts {
  readonly kind: "model.delta";
  readonly text: string;
}

export interface ToolCall extends CallStarted, ToolFacts {
  readonly kind: "tool.call";
  readonly external?: boolean;
}

export interface ToolResult extends CallFinished, ToolFacts {
  readonly kind: "tool.result";
}

export interface FunctionCall extends CallStarted, FunctionFacts {
  readonly kind: "function.call";
}

export interface FunctionResult extends CallFinished, FunctionFacts {
  readonly kind: "function.result";
}

export type SessionRequested = EventBase & NodeFacts & SpanFacts & SessionRequestedFacts;
export type SessionStarted = EventBase & NodeFacts & SpanFacts & SessionStartedFacts;
export type SessionEnded = EventBase & NodeFacts & SpanFacts & SessionEndedFacts;
export type ControllerHeard = EventBase & NodeFacts & ControllerHeardFacts;
export type ControllerRaw = EventBase & NodeFacts & ControllerRawFacts;
export type ControllerAnswered = EventBase & NodeFacts & ControllerAnsweredFacts;

/** Step n of the run. */
export interface Committed extends EventBase, NodeFacts {
  readonly kind: "commit";
  readonly step: number;
  readonly output?: unknown;
  readonly writes: readonly LoggedWrite[];
  readonly patches: readonly Patch[];
  readonly usage: Usage;
  readonly durationMs: number;
}

/** Where the flow goes on: the node runs that became due, and how many branches ended here. */
export interface RouteChosen extends EventBase {
  readonly kind: "route.chosen";
  /** The node run that ended; absent at the start of the run. */
  readonly node?: string;
  readonly nodeRun?: number;
  readonly step: number;
  readonly to: readonly RouteTarget[];
  readonly ended: number;
}

export interface RouteTarget {
  readonly node: string;
  readonly nodeRun: number;
  readonly label: string;
}

export interface JoinFired extends EventBase {
  readonly kind: "join.fired";
  readonly step: number;
  readonly join: string;
  /** At as many arrivals as it needs, or because one of its nodes failed; absent where all have come. */
  readonly by?: "need" | "failure";
  /** Whom it did not wait for then. */
  readonly missing?: readonly string[];
}

/** A join went on without the sources that can't come any more. */
export interface JoinReleased extends EventBase {
  readonly kind: "join.released";
  readonly step: number;
  readonly join: string;
  readonly missing: readonly string[];
}

/** A branch comes to a join that went on without it: it ends there. */
export interface JoinLate extends EventBase {
  readonly kind: "join.late";
  readonly step: number;
  readonly join: string;
  readonly source: string;
}

/** A `detached` arrow was taken: what it starts goes on by itself, until it or the run ends. */
export interface WorkDetached extends EventBase {
  readonly kind: "work.detached";
  readonly step: number;
  readonly node?: string;
  readonly nodeRun?: number;
  /** What starts: nodes, and `each`es by their ids. */
  readonly to: readonly string[];
}

/** A join or an `each` can't get as many arrivals as it needs; an arrow or an `each` around it may say how to go on. */
export interface QuorumFailed extends EventBase {
  readonly kind: "quorum.failed";
  readonly step: number;
  /** `[a, b]`, or the id of the `each`. */
  readonly join: string;
  readonly isHandled: boolean;
  readonly failure: Failure;
}

/** An item failed, and the arrow behind the `each` for that was taken: all of its items have ended. */
export interface EachFailed extends EventBase {
  readonly kind: "each.failed";
  readonly step: number;
  readonly each: string;
  readonly expansion: number;
  /** Whose failure it was. */
  readonly node?: string;
  readonly nodeRun?: number;
}

export interface EachStarted extends EventBase {
  readonly kind: "each.started";
  readonly step: number;
  readonly each: string;
  /** Numbers the uses of all `each`es in the run. */
  readonly expansion: number;
  readonly items: number;
  readonly parallel: number;
}

/** The stream of an `each` gave an item, ended, or failed. */
export interface EachItem extends EventBase {
  readonly kind: "each.item";
  readonly step: number;
  readonly each: string;
  /** The n-th that came, from 1. */
  readonly number: number;
  /** `skipped`: left out by its `when`. */
  readonly status: "taken" | "skipped" | "ended" | "failed";
  readonly value?: unknown;
  readonly failure?: Failure;
}

export interface EachFinished extends EventBase {
  readonly kind: "each.finished";
  readonly step: number;
  readonly each: string;
  readonly expansion: number;
  readonly items: number;
  readonly durationMs: number;
}

export interface LimitReached extends EventBase {
  readonly kind: "limit.reached";
  readonly limit: string;
  readonly message?: string;
  /** The node whose limit it was; absent for a limit of the run. */
  readonly node?: string;
  readonly nodeRun?: number;
  readonly attempt?: number;
}

/** A node run's commit sent a message. */
export interface MessageSent extends EventBase, NodeFacts {
  readonly kind: "message.sent";
  readonly step: number;
  readonly message: Omit<Envelope, "runId" | "threadId">;
}

/** A person said something to the run. */
export interface RunSteered extends EventBase {
  readonly kind: "run.steered";
  readonly step: number;
  readonly message: Omit<Envelope, "runId" | "threadId">;
}

/** The commit of a node run that had found a message when it started. */
export interface MessageRead extends EventBase, NodeFacts {
  readonly kind: "message.read";
  readonly step: number;
  readonly message: string;
}

/** The run ended, and nobody had read this message. */
export interface MessageDead extends EventBase {
  readonly kind: "message.dead";
  readonly step: number;
  readonly message: string;
}

/** A node run's commit made this an artifact of the run. */
export interface ArtifactCreated extends EventBase, NodeFacts {
  readonly kind: "artifact.created";
  readonly step: number;
  readonly artifact: Made;
}

/** A node run failed for good, or the run did by itself. */
export interface ErrorRaised extends EventBase {
  readonly kind: "error";
  readonly failure: Failure;
  readonly node?: string;
  readonly nodeRun?: number;
  readonly attempt?: number;
}

/** A node run, or the whole run, waits for a decision. */
export interface InterruptOpened extends EventBase, NodeFacts, SpanFacts {
  readonly kind: "interrupt.opened";
  readonly interrupt: string;
  readonly ask: AskKind;
  readonly question: string;
  readonly schema?: JsonSchema;
  readonly options?: readonly unknown[];
  readonly shown?: unknown;
  readonly hash?: string;
  readonly limit?: string;
  readonly tool?: string;
  readonly by?: string;
  readonly to?: string;
  readonly expiresAt?: number;
}

/** Somebody decided; `durationMs` is how long it had waited. */
export interface InterruptAnswered extends EventBase, NodeFacts, SpanFacts {
  readonly kind: "interrupt.answered";
  readonly interrupt: string;
  readonly ask: AskKind;
  readonly question: string;
  readonly answer: Answer;
  readonly from: AnswerFrom;
  readonly by?: string;
  readonly usage?: Usage;
  readonly durationMs: number;
}

/** A judge looked at a question, and left it to people. */
export interface InterruptLeft extends EventBase, NodeFacts {
  readonly kind: "interrupt.left";
  readonly interrupt: string;
  readonly ask: AskKind;
  readonly by: string;
  /** What it said of it. */
  readonly reason?: string;
  readonly usage?: Usage;
}
