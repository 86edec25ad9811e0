/** Describes a model as runs hold it: its id, its provider, its prices. */
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { ModelSource } from "../../records/call-records.ts";
import type { Price } from "./prices.ts";

/** A model that is ready to be asked, and what a run must know of it. */
export interface ModelHandle {
  /** As it was named: `rules`, `openai/gpt-4o-mini`. */
  readonly id: string;
  readonly source: ModelSource;
  readonly model: LanguageModelV4;
  /** Absent when it is not known: the cost is then null, never 0. */
  readonly price?: Price;
  readonly settings?: ModelSettings;
  /** The key of the limiter that its calls share: one for a provider, an address and a key. */
  readonly provider?: string;
  /** The variable that holds its key, for the hint of a refusal. */
  readonly keyVariable?: string;
  /** Takes the key out of a text that came back from the provider. */
  readonly redact?: (text: string) => string;
}

/** The settings of a `model` declaration, passed to the provider as they are. */
export interface ModelSettings {
  readonly temperature?: number;
  readonly topP?: number;
  readonly maxOutputTokens?: number;
  readonly seed?: number;
  readonly stopSequences?: readonly string[];
}

/** Names a model, or is one: what `rules()`, `scripted()` and the AI SDK's providers return. */
export type ModelChoice = string | LanguageModelV4;

/** The source of a model's configuration: environment variables, and `fetch`. */
export interface ModelEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly fetch?: typeof globalThis.fetch;
  /** The name in the program, for hints that can be pasted. */
  readonly alias?: string;
  /** Set where the caller is a command, so that hints may say `--model ALIAS=ID`. */
  readonly isCommand?: boolean;
}
