/** Keeps the parts of an answer in order, with the data that their provider must get back unchanged. */
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { type Json, toJson } from "../values/json.ts";

/**
 * A part of an answer. A text that is the only one of its kind stands in the step alone; the data of a call stands in the
 * call.
 */
export type StepPart =
  | {
      readonly type: "text" | "reasoning";
      readonly text?: string;
      readonly metadata?: Json;
    }
  | { readonly type: "tool-call"; readonly id: string };

type BlockPart = Extract<
  LanguageModelV4StreamPart,
  { readonly type: `${"text" | "reasoning"}-${"start" | "delta" | "end"}` }
>;

interface DraftBlock {
  readonly type: "text" | "reasoning";
  readonly id: string;
  text: string;
  metadata: Record<string, Record<string, unknown>> | undefined;
  isOpen: boolean;
}

/** The parts of an answer while it comes. */
export class DraftParts {
  readonly #parts: (DraftBlock | { readonly type: "tool-call"; readonly id: string })[] = [];
  #hasData = false;

  /** Takes a piece of a text or of reasoning. Data may come with its start, its end, or in between. */
  add(part: BlockPart): void {
    const type = part.type.startsWith("text") ? "text" : "reasoning";
    const block = this.#open(type, part.id);
    if ("delta" in part) block.text += part.delta;
    if (part.type.endsWith("end")) block.isOpen = false;
    if (part.providerMetadata === undefined) return;
    this.#hasData = true;
    block.metadata ??= {};
    for (const [provider, data] of Object.entries(part.providerMetadata))
      block.metadata[provider] = { ...block.metadata[provider], ...data };
  }

  #open(type: DraftBlock["type"], id: string): DraftBlock {
    const open = this.#parts.findLast(
      (part) => part.type === type && part.id === id && part.isOpen,
    );
    if (open !== undefined && open.type !== "tool-call") return open;
    const block: DraftBlock = { type, id, text: "", metadata: undefined, isOpen: true };
    this.#parts.push(block);
    return block;
  }

  addCall({ id, metadata }: { readonly id: string; readonly metadata?: Json }): void {
    this.#parts.push({ type: "tool-call", id });
    this.#hasData ||= metadata !== undefined;
  }

  /** The parts, if any of them has data. */
  kept(): readonly StepPart[] | undefined {
    if (!this.#hasData) return undefined;
    const counts = { text: 0, reasoning: 0, "tool-call": 0 };
    for (const { type } of this.#parts) counts[type] += 1;
    return this.#parts.map((part): StepPart => {
      if (part.type === "tool-call") return part;
      const { type, text, metadata } = part;
      return {
        type,
        ...(counts[type] === 1 ? {} : { text }),
        ...(metadata === undefined ? {} : { metadata: toJson(metadata).value }),
      };
    });
  }
}
