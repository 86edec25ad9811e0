/** Calls that leave the engine: what is asked, and what came back. */
import type { Made } from "../artifact.ts";
import type { Sent } from "../envelope.ts";
import type { Failure } from "../failure.ts";
import type { Usage } from "../usage.ts";

/** A call is about to leave the engine. */
export interface IntentRecord extends CallFacts, CallRequest {
  readonly kind: "intent";
  /** What a person said since the call before: part of what is asked. */
  readonly steers?: readonly Sent[];
  readonly node: string;
}

export interface OutcomeRecord extends CallFacts, CallResult {
  readonly kind: "outcome";
  readonly node: string;
}

/** Which call of which attempt. `call` numbers the effects of one attempt from 0. */
export interface CallFacts {
  readonly id: number;
  readonly attempt: number;
  readonly call: number;
  readonly effect: EffectKind;
  /** The model's id, the tool's or the function's name. */
  readonly name: string;
  readonly modelSource?: ModelSource;
  /** It was made in another run, and is only told here: it counts as nothing spent. */
  readonly served?: ServedFrom;
}

/** Which attempt of another run something was taken from, and which step of it that came to. */
export interface ServedFrom {
  readonly runId: string;
  readonly nodeRun: number;
  readonly attempt: number;
  readonly step?: number;
}

/** What is asked. */
export interface CallRequest {
  /** A model call in a conversation: what people say meanwhile is heard with it. */
  readonly hears?: true;
  /** The tool call's id in the conversation. */
  readonly toolCallId?: string;
  readonly request?: unknown;
  readonly external?: boolean;
}

/** What came back: exactly one of `value` and `failure`. */
export interface CallResult {
  readonly value?: unknown;
  readonly failure?: Failure;
  readonly usage?: Usage;
  readonly durationMs: number;
  /** Repeats of the one call after a transport fault. */
  readonly transportRetries?: number;
  readonly firstTokenMs?: number;
  /** What it made to be kept; the run has it with the commit of the attempt. */
  readonly artifacts?: readonly Made[];
}

export type EffectKind = "model" | "tool" | "function" | "clock" | "random" | "controller";

export type ModelSource = "live" | "cassette" | "scripted" | "rules";
