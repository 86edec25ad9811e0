/** Reads what Claude Code says: each line of its `stream-json`, as events of a controller. */
import { isRecord } from "../../../../dsl/index.ts";
import type { FailureClass } from "../../../failure.ts";
import type { ControllerEvent, ControllerUsage } from "../../operator/controller.ts";
import { GONE } from "../process/agent-turn.ts";
import { OpenQuestions } from "../process/open-questions.ts";
import { changedFile, planSteps } from "./claude-tools.ts";

type ClaudeMessage = Readonly<Record<string, unknown>>;

/** The tools by which it tells its plan and asks its user. */
const ASKS = "AskUserQuestion";

export class ClaudeEvents {
  /** The message in its history that it is at. */
  cursor: string | undefined;
  readonly questions = new OpenQuestions();
  readonly #counted = new Set<string>();
  readonly #calls = new Map<string, string>();
  /** The call that each request for leave is about, and the calls that somebody denied. */
  readonly #leaves = new Map<string, string>();
  readonly #denied = new Set<string>();
  #input = 0;
  #output = 0;
  #isStarted = false;

  read(message: ClaudeMessage): readonly ControllerEvent[] {
    switch (message.type) {
      case "system":
        return this.#system(message);
      case "stream_event":
        return delta(message.event);
      case "assistant":
        return this.#assistant(message);
      case "user":
        return this.#results(message);
      case "control_request":
        return this.#asked(message);
      case "control_response":
      case "rate_limit_event":
        return [];
      case "result":
        return [this.#end(message)];
      default:
        return [{ kind: "log", text: JSON.stringify(message) }];
    }
  }

  /** Takes note of a no: what follows of the call does not always say why it failed. */
  deny(requestId: string): void {
    this.#denied.add(this.#leaves.get(requestId) ?? "");
  }

  #system(message: ClaudeMessage): readonly ControllerEvent[] {
    const { subtype, session_id: sessionId, model, claude_code_version: version, tools } = message;
    if (subtype === "api_retry") {
      const { attempt, max_retries: most, error_status: status } = message;
      const note = `the model's server answered ${status ?? "nothing"}: try ${attempt} of ${most}`;
      return [{ kind: "heartbeat", note }];
    }
    if (subtype !== "init") return [{ kind: "heartbeat", note: String(subtype) }];
    // It is said again at every turn of a process.
    if (this.#isStarted) return [];
    this.#isStarted = true;
    return [
      {
        kind: "session_started",
        sessionId: String(sessionId),
        ...(typeof model === "string" ? { model } : {}),
        ...(typeof version === "string" ? { version } : {}),
        ...(Array.isArray(tools) ? { tools: tools.map(String) } : {}),
      },
    ];
  }

  /** A question for leave; what it asks its user comes in the same way. */
  #asked({ request_id: id, request }: ClaudeMessage): readonly ControllerEvent[] {
    if (!isRecord(request) || request.subtype !== "can_use_tool") return [];
    const { tool_name: tool, input, tool_use_id: callId } = request;
    const approvalId = String(id);
    this.#leaves.set(approvalId, String(callId));
    if (tool === ASKS && isRecord(input) && Array.isArray(input.questions))
      return this.questions.ask(approvalId, input.questions, ({ question }) => String(question));
    return [{ kind: "approval_requested", approvalId, tool: String(tool), input }];
  }

  /** One event for each block of a message: text, a call, or a thought. */
  #assistant({
    message,
    uuid,
    parent_tool_use_id: parent,
  }: ClaudeMessage): readonly ControllerEvent[] {
    if (!isRecord(message) || !Array.isArray(message.content)) return [];
    if (typeof uuid === "string" && parent == null) this.cursor = uuid;
    const used = message.model === "<synthetic>" ? undefined : this.#usageOf(message);
    return message.content.filter(isRecord).flatMap((block, at): readonly ControllerEvent[] => {
      const usage = at === 0 && used !== undefined ? { usage: used } : {};
      if (block.type === "text")
        return [{ kind: "message_completed", text: String(block.text), ...usage }];
      if (block.type !== "tool_use")
        return used === undefined
          ? []
          : [{ kind: "heartbeat", note: String(block.type), ...usage }];
      const { id, name, input } = block;
      this.#calls.set(String(id), String(name));
      const call = { kind: "tool_call", callId: String(id), tool: String(name), input } as const;
      const counted: readonly ControllerEvent[] =
        used === undefined ? [] : [{ kind: "heartbeat", note: "a call", ...usage }];
      return [...counted, call, ...planSteps(String(name), input)];
    });
  }

  /** A message is told block by block, each time with the usage of all of it. */
  #usageOf({ id, usage }: ClaudeMessage): ControllerUsage | undefined {
    if (typeof id !== "string" || this.#counted.has(id) || !isRecord(usage)) return undefined;
    this.#counted.add(id);
    const inputTokens = inputOf(usage);
    const outputTokens = count(usage.output_tokens);
    this.#input += inputTokens;
    this.#output += outputTokens;
    return { inputTokens, outputTokens, costUsd: 0, modelCalls: 1 };
  }

  #results({
    message,
    tool_use_result: result,
    tool_result_meta: meta,
  }: ClaudeMessage): ControllerEvent[] {
    if (!isRecord(message) || !Array.isArray(message.content)) return [];
    const blocks = message.content.filter(
      (block) => isRecord(block) && block.type === "tool_result",
    );
    return (blocks as ClaudeMessage[]).flatMap((block): ControllerEvent[] => {
      const callId = String(block.tool_use_id);
      const text = contentText(block.content);
      if (block.is_error === true) {
        const isDenied = this.#denied.has(callId) || isDeniedIn(meta) ? { isDenied: true } : {};
        return [{ kind: "tool_result", callId, error: text, ...isDenied }];
      }
      const changed = changedFile(this.#calls.get(callId), result);
      return [{ kind: "tool_result", callId, value: text }, ...changed];
    });
  }

  #end(message: ClaudeMessage): ControllerEvent {
    const { is_error: isError, result, terminal_reason: why, errors, subtype } = message;
    const usage = this.#lastUsage(message);
    // Its `subtype` is `success` also where the model's server could not be reached.
    if (isError !== true)
      return {
        kind: "completed",
        text: typeof result === "string" ? result : "",
        ...("structured_output" in message ? { output: message.structured_output } : {}),
        usage,
      };
    const reasons = Array.isArray(errors) ? errors.map(String).join("; ") : "";
    const text = typeof result === "string" && result !== "" ? result : reasons || String(subtype);
    if (/no conversation found/i.test(text))
      return { kind: "failed", class: "controller_lost", reason: GONE, message: text };
    const reason = String(why ?? subtype);
    return { kind: "failed", class: classOf(reason, message, text), reason, message: text, usage };
  }

  /** The rest of what the turn used: its messages told the input, their output was still growing. */
  #lastUsage(message: ClaudeMessage): ControllerUsage {
    const { usage, total_cost_usd: total } = message;
    const perModel = message.model_usage_since_last_result;
    const models = isRecord(perModel) ? Object.values(perModel).filter(isRecord) : [];
    const ofTurn = models.length > 0;
    const costUsd = ofTurn
      ? models.reduce((sum, { costUSD }) => sum + count(costUSD), 0)
      : typeof total === "number"
        ? total
        : null;
    const all = isRecord(usage) ? usage : {};
    return {
      inputTokens: Math.max(0, inputOf(all) - this.#input),
      outputTokens: Math.max(0, count(all.output_tokens) - this.#output),
      costUsd,
      modelCalls: 0,
    };
  }
}

function delta(event: unknown): readonly ControllerEvent[] {
  if (!isRecord(event) || event.type !== "content_block_delta" || !isRecord(event.delta)) return [];
  const { type, text } = event.delta;
  return type === "text_delta" ? [{ kind: "message_delta", text: String(text) }] : [];
}

function classOf(
  reason: string,
  { api_error_status: status }: ClaudeMessage,
  text: string,
): FailureClass {
  if (reason.startsWith("aborted")) return "aborted";
  if (reason === "max_turns" || reason === "budget_exhausted") return "model";
  if (reason !== "api_error") return /not logged in/i.test(text) ? "model" : "tool";
  const code = typeof status === "number" ? status : Number(/\b[45]\d\d\b/.exec(text)?.[0] ?? 0);
  return code >= 400 && code < 500 && code !== 408 && code !== 429 ? "model" : "transport";
}

function isDeniedIn(meta: unknown): boolean {
  return [meta].flat().some((one) => {
    const decision = isRecord(one) ? one.permission_decision : undefined;
    return isRecord(decision) && decision.decision === "deny";
  });
}

function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return JSON.stringify(content ?? null);
  return content
    .map((one) => (isRecord(one) ? String(one.text ?? one.type) : String(one)))
    .join("\n");
}

function inputOf(usage: ClaudeMessage): number {
  return (
    count(usage.input_tokens) +
    count(usage.cache_read_input_tokens) +
    count(usage.cache_creation_input_tokens)
  );
}

function count(value: unknown): number {
  return typeof value === "number" ? value : 0;
}
