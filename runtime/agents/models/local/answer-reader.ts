/** Reads the text of a local model as it comes: what is said, and what calls a tool. */
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { isRecord } from "../../../../dsl/index.ts";

const CALL = '{"tool": ';

/** Reads one answer, piece by piece. */
export class AnswerReader {
  readonly #tools: readonly string[];
  /** Text that may still be the beginning of a call. */
  #held = "";
  #kind: "open" | "text" | "call" = "open";

  constructor(tools: readonly string[]) {
    this.#tools = tools;
  }

  /** The parts that a further piece of text comes to. */
  write(piece: string): LanguageModelV4StreamPart[] {
    if (this.#kind === "text") return piece === "" ? [] : [delta(piece)];
    this.#held += piece;
    if (this.#tools.length > 0 && this.#held.startsWith(CALL)) this.#kind = "call";
    const mayCall = this.#tools.length > 0 && CALL.startsWith(this.#held);
    return this.#kind === "call" || mayCall ? [] : this.#release();
  }

  /** The last parts. A call that was cut off is given as the text that it is. */
  end(): { readonly parts: LanguageModelV4StreamPart[]; readonly isCall: boolean } {
    const call = this.#kind === "call" ? readCall(this.#held, this.#tools) : undefined;
    if (call === undefined) {
      const rest = this.#kind === "text" ? [] : this.#release();
      return { parts: [...rest, { type: "text-end", id: TEXT_ID }], isCall: false };
    }
    const input = JSON.stringify(call.arguments);
    const part = { type: "tool-call", toolCallId: "call", toolName: call.tool, input } as const;
    return { parts: [part], isCall: true };
  }

  #release(): LanguageModelV4StreamPart[] {
    const text = this.#held;
    this.#held = "";
    this.#kind = "text";
    return [{ type: "text-start", id: TEXT_ID }, ...(text === "" ? [] : [delta(text)])];
  }
}

const TEXT_ID = "text";

function delta(text: string): LanguageModelV4StreamPart {
  return { type: "text-delta", id: TEXT_ID, delta: text };
}

function readCall(
  text: string,
  tools: readonly string[],
): { readonly tool: string; readonly arguments: unknown } | undefined {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(read) || typeof read.tool !== "string" || !tools.includes(read.tool))
    return undefined;
  return { tool: read.tool, arguments: read.arguments };
}
