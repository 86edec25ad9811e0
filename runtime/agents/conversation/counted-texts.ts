/** Counts the texts of a conversation by a model's own tokenizer, which answers later, so that they can be counted at once. */
import type { LanguageModelV4Message } from "@ai-sdk/provider";
import type { ModelHandle } from "../models/model-handle.ts";
import { type CountTokens, estimateTokens, tokensOf } from "./tokens.ts";

/** The texts that a tokenizer has counted. */
export class CountedTexts {
  readonly #tokenizer: NonNullable<ModelHandle["tokenizer"]>;
  readonly #tokens = new Map<string, number>();
  readonly #missing = new Set<string>();
  /** The tokens that the model can read at once, once something was counted. */
  contextTokens: number | undefined;

  constructor(tokenizer: NonNullable<ModelHandle["tokenizer"]>) {
    this.#tokenizer = tokenizer;
  }

  /** Has the texts counted that stand in these messages, and these texts. */
  async add(messages: readonly LanguageModelV4Message[], texts: readonly string[]): Promise<void> {
    texts.forEach(this.#note);
    // A message is counted once: `tokensOf` knows each one by its counter.
    tokensOf(messages, this.#note);
    if (this.#missing.size === 0) return;
    const missing = [...this.#missing];
    const { tokens, contextTokens } = await this.#tokenizer(missing);
    for (const [at, text] of missing.entries())
      this.#tokens.set(text, tokens[at] ?? estimateTokens(text));
    this.#missing.clear();
    this.contextTokens = contextTokens;
  }

  /** Counts a text; one that was made since, such as the preview of a long result, is estimated. */
  readonly count: CountTokens = (text) => this.#tokens.get(text) ?? estimateTokens(text);

  readonly #note: CountTokens = (text) => {
    if (!this.#tokens.has(text)) this.#missing.add(text);
    return 0;
  };
}
