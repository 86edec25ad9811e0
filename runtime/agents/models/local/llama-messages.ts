/** Declares the messages between a process and the one in which its local models run. */
import type { ChatTurn } from "./chat-turns.ts";

/** A model to load; calls that name the same share one loaded model. */
export interface LlamaPlace {
  /** The folder of the package node-llama-cpp. */
  readonly packageFolder: string;
  /** The GGUF file, absolute. */
  readonly file: string;
  /** Threads that compute. */
  readonly threads: number;
  /** Tokens that prompt and answer may have together; the size that the model was trained for, up to 8,192, when absent. */
  readonly contextSize?: number;
}

/** One call of a model. */
export interface LlamaAsk {
  readonly place: LlamaPlace;
  readonly turns: readonly ChatTurn[];
  /** GBNF; any text where it is absent. */
  readonly grammar?: string;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly seed?: number;
  readonly presencePenalty?: number;
  readonly frequencyPenalty?: number;
  readonly stopSequences?: readonly string[];
}

/** Real counts of tokens. */
export interface LlamaUsage {
  readonly inputTokens: number;
  /** The tokens of the input that the model still knew from the call before. */
  readonly cachedTokens: number;
  readonly outputTokens: number;
}

/** A reason why a call has no answer, by what a person can do about it. */
export type LlamaFault =
  | { readonly kind: "load" | "context" | "evaluation"; readonly detail: string }
  | { readonly kind: "too long"; readonly tokens: number; readonly contextSize: number };

/** Told to the process. */
export type LlamaTask =
  | { readonly kind: "ask"; readonly id: number; readonly ask: LlamaAsk }
  | { readonly kind: "count"; readonly id: number; readonly count: LlamaCount }
  | { readonly kind: "stop"; readonly id: number };

/** Texts whose tokens the tokenizer of a model is to count. */
export interface LlamaCount {
  readonly place: LlamaPlace;
  readonly texts: readonly string[];
}

/** Told by the process; the last four end a call. */
export type LlamaReply =
  | { readonly kind: "text" | "thought"; readonly id: number; readonly text: string }
  | {
      readonly kind: "answered";
      readonly id: number;
      readonly isCutOff: boolean;
      readonly usage: LlamaUsage;
    }
  | {
      readonly kind: "counted";
      readonly id: number;
      /** The tokens of each text. */
      readonly tokens: readonly number[];
      /** The tokens that prompt and answer may have together. */
      readonly contextSize: number;
    }
  | { readonly kind: "stopped"; readonly id: number }
  | { readonly kind: "failed"; readonly id: number; readonly fault: LlamaFault };
