/** Describes a rule of the `rules` model: what it is asked and what it may reply. */
import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Prompt,
  LanguageModelV4ToolChoice,
} from "@ai-sdk/provider";

/** The request as a live model would get it. */
export interface RulesRequest {
  readonly messages: LanguageModelV4Prompt;
  readonly tools: readonly LanguageModelV4FunctionTool[];
  readonly toolChoice: LanguageModelV4ToolChoice;
  /** The JSON Schema of the answer, when it must be JSON. */
  readonly schema?: unknown;
  /** Set if the answer must be JSON, with or without a schema. */
  readonly json: boolean;
}

/** The answer of a rule: a text, JSON, or calls of the offered tools. */
export type RulesReply =
  | string
  | { readonly text: string }
  | { readonly json: unknown }
  | { readonly calls: readonly { readonly tool: string; readonly input: unknown }[] };

/** A rule for every request. It must not depend on anything but its argument. */
export type Respond = (request: RulesRequest) => RulesReply | Promise<RulesReply>;
