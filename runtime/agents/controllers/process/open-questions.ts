/** Asks a person the questions of one request of an agent, one event each, and gathers what is answered. */
import { isRecord } from "../../../../dsl/index.ts";
import type { ApprovalAnswer, ControllerEvent } from "../../operator/controller.ts";

/** The request that the questions came with, and what was said to each, by its key. */
interface AnsweredRequest {
  readonly request: string;
  readonly values: Readonly<Record<string, unknown>>;
}

interface OpenRequest {
  readonly keys: readonly string[];
  readonly values: Map<string, unknown>;
}

export class OpenQuestions {
  readonly #open = new Map<string, OpenRequest>();

  /** The events of some questions, as agents write them: `question`, and `options` with labels. */
  ask(
    request: string,
    questions: readonly unknown[],
    keyOf: (question: Readonly<Record<string, unknown>>) => string,
  ): readonly ControllerEvent[] {
    const read = questions.filter(isRecord);
    this.#open.set(request, { keys: read.map(keyOf), values: new Map() });
    return read.map(({ question, options }, at) => ({
      kind: "input_requested",
      inputId: `${request}#${at}`,
      message: String(question),
      ...(Array.isArray(options) && options.length > 0
        ? { schema: { type: "string", enum: options.map(labelOf) } }
        : {}),
    }));
  }

  /** Takes an answer: `more` while others of its request are open, undefined where it belongs to none. A no answers for all. */
  take({
    approvalId,
    decision,
    input,
  }: Pick<ApprovalAnswer, "approvalId" | "decision" | "input">):
    | AnsweredRequest
    | "more"
    | undefined {
    const [, request = "", at = ""] = /^(.*)#(\d+)$/.exec(approvalId) ?? [];
    const open = this.#open.get(request);
    if (open === undefined) return undefined;
    if (decision === "approve") open.values.set(open.keys[Number(at)] ?? "", input ?? "yes");
    const isOver = decision === "deny" || open.values.size === open.keys.length;
    if (!isOver) return "more";
    this.#open.delete(request);
    return { request, values: Object.fromEntries(open.values) };
  }
}

function labelOf(option: unknown): string {
  return String(isRecord(option) ? option.label : option);
}
