/** Describes a model as runs hold it: its id, its provider, its prices. */
import type {
  EmbeddingModelV4,
  LanguageModelV4,
  LanguageModelV4CallOptions,
} from "@ai-sdk/provider";
import type { KnownPrice } from "../../price.ts";
import type { ModelSource } from "../../records/call-records.ts";
import type { RunCassettes } from "./cassette/cassette-file.ts";

/** A model that is ready to be asked, and what a run must know of it. */
export interface ModelHandle {
  /** As it was named: `rules`, `openai/gpt-4o-mini`. */
  readonly id: string;
  readonly source: ModelSource;
  readonly model: LanguageModelV4;
  /** Absent when it is not known: the cost is then null, never 0. */
  readonly price?: KnownPrice;
  /** The settings that go with each call. */
  readonly settings?: CallSettings;
  /** The settings of its provider, as they were declared: what an answer depends on beside the call. */
  readonly providerSettings?: ProviderSettings;
  /** Asked in turn where this one fails for a reason that another may not have. */
  readonly fallbacks?: readonly ModelHandle[];
  /** The key of the limiter that its calls share: one for a provider, an address and a key. */
  readonly provider?: string;
  /** Marks its answers: what is signed in them goes back to the same model at the same address only. Absent: `id`. */
  readonly origin?: string;
  /** Absent where nobody knows. */
  readonly capabilities?: ModelCapabilities;
  /** The variable that holds its key, for the hint of a refusal. */
  readonly keyVariable?: string;
  /** The tokens that the model can read at once, where that is known. */
  readonly contextTokens?: number;
  /** Counts texts by the model's own tokenizer; absent where tokens are estimated. */
  readonly tokenizer?: (texts: readonly string[]) => Promise<TokenCounts>;
  /** Takes the key out of a text that came back from the provider. */
  readonly redact?: (text: string) => string;
}

/** Counts of a model's own tokenizer. */
export interface TokenCounts {
  /** The tokens of each text. */
  readonly tokens: readonly number[];
  /** The tokens that the model can read at once. */
  readonly contextTokens: number;
}

/** The abilities of a model: those of its provider, unless the settings of its declaration say otherwise. */
export interface ModelCapabilities {
  /** Pictures in messages of users. */
  readonly images: boolean;
  /** Pictures in results of tools. */
  readonly toolResultImages: boolean;
  /** PDF files in messages of users. */
  readonly files: boolean;
  readonly tools: boolean;
  /** Several calls of tools in one answer. */
  readonly parallelTools: boolean;
  /** Answers by a JSON Schema. */
  readonly structuredOutput: boolean;
}

/** The settings that are passed with each call, under the names of the AI SDK. */
export type CallSettings = Readonly<
  Pick<
    LanguageModelV4CallOptions,
    | "temperature"
    | "topP"
    | "topK"
    | "maxOutputTokens"
    | "presencePenalty"
    | "frequencyPenalty"
    | "seed"
    | "reasoning"
  >
> & {
  readonly stopSequences?: readonly string[];
  /** The longest silence before its first piece and between two, in milliseconds; not sent to the provider. */
  readonly firstTokenWithin?: number;
  readonly nextTokenWithin?: number;
};

/** The settings of a `model` declaration that belong to the provider that it names. */
export interface ProviderSettings extends Partial<ModelCapabilities> {
  readonly baseURL?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The environment variables that hold the values of further headers, by header. */
  readonly headerVariables?: Readonly<Record<string, string>>;
  readonly keyVariable?: string;
  readonly region?: string;
  /** The budget of reasoning, in tokens. */
  readonly thinking?: number;
  /** Marks what comes again with each call, where the provider asks for marks. */
  readonly cache?: boolean;
  /** Of a model on this machine: the threads that compute. */
  readonly threads?: number;
  /** Of a model on this machine: the tokens that prompt and answer may have together. */
  readonly contextSize?: number;
  /** Passed to the provider as they are. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** The settings of a `model` declaration: `MODEL_SETTINGS` of the language has their names. */
export type ModelSettings = Omit<CallSettings, "reasoning"> &
  ProviderSettings & {
    readonly effort?: CallSettings["reasoning"];
    /** Of a cassette: `replay`, `record` or `auto`. */
    readonly mode?: string;
    /** Of a cassette: the id of the model that it stands for. */
    readonly of?: string;
  };

/** Names a model, or is one: what `rules()`, `scripted()` and the AI SDK's providers return. A memory is embedded by an embedding model. */
export type ModelChoice = string | LanguageModelV4 | EmbeddingModelV4;

/** The choice that a run may be given for an alias: a model, or several of which the first that works answers. */
export type GivenModel = ModelChoice | readonly ModelChoice[];

/** The source of a model's configuration: environment variables, settings, and `fetch`. */
export interface ModelEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly settings?: ModelSettings;
  /** The folder of the program: packages of providers are found from it, and paths of cassettes start from it. */
  readonly folder?: string;
  /** The cassettes of the run. */
  readonly cassettes?: RunCassettes;
  readonly fetch?: typeof globalThis.fetch;
  /** The name in the program, for hints that can be pasted. */
  readonly alias?: string;
  /** An embedding model is meant, which is asked as a language model whose answers are vectors. */
  readonly isEmbedding?: boolean;
  /** Set where the caller is a command, so that hints may say `--model ALIAS=ID`. */
  readonly isCommand?: boolean;
}
