/** Keeps how many tokens providers count for one that is estimated, as their answers in the journal say. */
import type { EffectResult } from "../../performer.ts";
import type { ModelHandle } from "../models/model-handle.ts";
import type { ModelStep } from "../models/model-step.ts";

/** The scales of the models that one agent asks. They follow from its journal alone, so that a replay has the same. */
export class TokenScales {
  readonly #scales = new Map<string, number>();

  /** Begins with what earlier calls of the node came to, oldest first. */
  constructor(earlier: readonly EffectResult[]) {
    for (const { effect, name, value } of earlier)
      if (effect === "model" && value !== undefined) this.learn(name, value as ModelStep);
  }

  /** Minds the answer of a model; one without a scale says nothing. */
  learn(id: string, { scale }: Pick<ModelStep, "scale">): void {
    if (scale !== undefined) this.#scales.set(id, scale);
  }

  /** Returns what an estimate of the model's tokens is to be multiplied by; 1 until it is known, or where nothing is estimated. */
  of({ id, tokenizer }: Pick<ModelHandle, "id" | "tokenizer">): number {
    return tokenizer === undefined ? (this.#scales.get(id) ?? 1) : 1;
  }
}
