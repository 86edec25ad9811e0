/** Types of interceptors: functions of a user that see each model call, tool call, node and run, change it, or forbid it. */
import type { CallSettings } from "../agents/models/model-handle.ts";
import type { ModelStep, ToolCall } from "../agents/models/model-step.ts";
import type { ModelMessage } from "../agents/models/seen-call.ts";
import type { Failure } from "../failure.ts";
import type { CallPurpose } from "../records/call-records.ts";
import type { Usage } from "../usage.ts";

/** Forbids what is about to happen, or what has come of it; the reason stands in the failure M8170. */
export interface Veto {
  readonly veto: string;
}

/** The answer of an interceptor: nothing lets it be, an object has the members that are to be otherwise. */
export type InterceptorReply<C> = C | Veto | undefined;
type Reply<C> = InterceptorReply<C> | Promise<InterceptorReply<C>>;

/** The attempt that an interceptor is asked about; all of it is frozen. */
export interface InterceptedAttempt<N extends string = string> {
  readonly run: string;
  /** The graph of the node: a called one has nodes of its own. */
  readonly graph: string;
  readonly node: N;
  /** `agent`, `run`, `tool`, … */
  readonly kind: string;
  /** `search#2`. */
  readonly label: string;
  /** From 1. */
  readonly attempt: number;
}

/** A model is about to be asked. */
export interface InterceptedModelCall<N extends string = string> extends InterceptedAttempt<N> {
  /** The id: `openai/gpt-4o-mini`, `rules`. */
  readonly model: string;
  /** Absent for the node's own conversation. */
  readonly purpose?: CallPurpose;
  /** The whole prompt, the system's message first. What people say to the node meanwhile comes behind it. */
  readonly messages: readonly ModelMessage[];
  readonly settings: CallSettings;
  /** Of the HTTP request, beside the provider's own. */
  readonly headers: Readonly<Record<string, string>>;
  /** The names of the tools that the model is offered. */
  readonly tools: readonly string[];
}

export interface ModelCallChange {
  readonly messages?: readonly ModelMessage[];
  /** Settings that this call has otherwise; the others stay. */
  readonly settings?: CallSettings;
  /** Headers that this call has besides. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A call has ended: with its value, or with a failure, which can only be observed. */
interface EndedCall {
  readonly failure?: Failure;
  readonly usage?: Usage;
}

export interface InterceptedModelAnswer<N extends string = string>
  extends InterceptedModelCall<N>,
    Partial<ModelStep>,
    EndedCall {
  readonly model: string;
}

export interface ModelAnswerChange {
  readonly text?: string;
  readonly toolCalls?: readonly ToolCall[];
}

/** A tool is about to be called, by a model or by a `tool` node. */
export interface InterceptedToolCall<N extends string = string> extends InterceptedAttempt<N> {
  /** As the program writes it: `docs.search`. */
  readonly tool: string;
  readonly args: unknown;
  readonly effect: "none" | "workspace" | "external";
}

export interface ToolCallChange {
  /** Checked against the tool's schema like those of a model. */
  readonly args?: unknown;
}

export interface InterceptedToolResult<N extends string = string>
  extends InterceptedToolCall<N>,
    EndedCall {
  readonly result?: unknown;
}

export interface ToolResultChange {
  readonly result?: unknown;
}

/** An attempt of a node is about to begin. Nodes of called graphs are asked about, the nodes that call them are not. */
export interface InterceptedNode<N extends string = string> extends InterceptedAttempt<N> {
  readonly system?: string;
  readonly prompt?: string;
  /** The arguments of the node's function or tool. */
  readonly args?: readonly unknown[];
}

export interface NodeChange {
  readonly system?: string;
  readonly prompt?: string;
  readonly args?: readonly unknown[];
}

export interface InterceptedOutput<N extends string = string> extends InterceptedNode<N> {
  readonly output: unknown;
}

export interface OutputChange {
  readonly output?: unknown;
}

/** A run is about to begin. */
export interface InterceptedRun {
  readonly run: string;
  readonly graph: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface RunInputChange {
  readonly input?: Readonly<Record<string, unknown>>;
}

/** A run has come to its good end. */
export interface InterceptedEnd {
  readonly run: string;
  readonly graph: string;
  readonly output: Readonly<Record<string, unknown>>;
}

export interface EndChange {
  readonly output?: Readonly<Record<string, unknown>>;
}

/**
 * Is asked before and after what happens in runs. What it changes and forbids stands in the log before the call is made; a
 * run that goes on, is replayed or run again is served that and asks nobody. `N` are the names of the graph's nodes.
 */
export interface Interceptor<N extends string = string> {
  /** Its name in the log, in traces and in errors. */
  readonly name: string;
  beforeModel?(call: InterceptedModelCall<N>): Reply<ModelCallChange>;
  afterModel?(answer: InterceptedModelAnswer<N>): Reply<ModelAnswerChange>;
  beforeTool?(call: InterceptedToolCall<N>): Reply<ToolCallChange>;
  afterTool?(result: InterceptedToolResult<N>): Reply<ToolResultChange>;
  beforeNode?(node: InterceptedNode<N>): Reply<NodeChange>;
  afterNode?(output: InterceptedOutput<N>): Reply<OutputChange>;
  /** Answers at once, since `run()` does. */
  beforeRun?(run: InterceptedRun): InterceptorReply<RunInputChange>;
  afterRun?(run: InterceptedEnd): Reply<EndChange>;
}

/** The names of its functions. */
export type Hook = Exclude<keyof Interceptor, "name">;

/** The members that a reply may have, by hook; `veto` besides. */
export const REPLY_MEMBERS = {
  beforeModel: ["messages", "settings", "headers"],
  afterModel: ["text", "toolCalls"],
  beforeTool: ["args"],
  afterTool: ["result"],
  beforeNode: ["system", "prompt", "args"],
  afterNode: ["output"],
  beforeRun: ["input"],
  afterRun: ["output"],
} as const satisfies Record<Hook, readonly string[]>;
