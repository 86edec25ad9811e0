/** Describes what `run.stream(mode)` and the Observables of a run give: one type a mode. */

import type { ModelDelta } from "../events/kinds/call-events.ts";
import type { RunEvent } from "../events/kinds/run-event.ts";
import type { Patch } from "../state/patch.ts";

export interface Streams<S = Record<string, unknown>, N extends string = string> {
  /** The state behind each step. */
  readonly values: S;
  /** The changes of each step. */
  readonly updates: StreamUpdate<N>;
  /** The texts of models: each piece as it comes, then the whole message. */
  readonly messages: StreamMessage<N>;
  /** Everything that the log has, as it happens. */
  readonly events: StreamEvent;
  /** The same, with each piece of a model's text. */
  readonly debug: RunEvent;
}

export type StreamMode = keyof Streams;

export type StreamEvent = Exclude<RunEvent, ModelDelta>;

export interface StreamUpdate<N extends string = string> {
  readonly step: number;
  readonly node: N;
  /** `search#2`: for people. */
  readonly label: string;
  readonly nodeRunId: string;
  readonly attempt: number;
  readonly output?: unknown;
  readonly patches: readonly Patch[];
  /** In a graph that was called: which node runs called it. */
  readonly path?: readonly string[];
}

export type StreamMessage<N extends string = string> = StreamMessagePart<N> | StreamWholeMessage<N>;

interface SaidBy<N extends string> {
  readonly node: N;
  readonly label: string;
  readonly nodeRunId: string;
  readonly attempt: number;
  /** In a graph that was called: which node runs called it. */
  readonly path?: readonly string[];
}

/** A piece of text; nothing of an answer that came from the log, or broke off. */
export interface StreamMessagePart<N extends string = string> extends SaidBy<N> {
  readonly kind: "delta";
  readonly text: string;
}

export interface StreamWholeMessage<N extends string = string> extends SaidBy<N> {
  readonly kind: "message";
  /** The model, or the controller of a strong agent. */
  readonly model: string;
  readonly text: string;
  /** The tools that it calls. */
  readonly calls: readonly { readonly tool: string; readonly input: unknown }[];
}
