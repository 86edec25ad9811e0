/** Reads what the app-server of Codex says, as events of a controller. */
import { isRecord } from "../../../../dsl/index.ts";
import type {
  ApprovalAnswer,
  ControllerEvent,
  ControllerUsage,
} from "../../operator/controller.ts";
import { OpenQuestions } from "../process/open-questions.ts";
import type { RpcMessage } from "../process/rpc-calls.ts";

/** The names of tools, by the kinds of its items. */
const TOOLS: Readonly<Record<string, string>> = {
  commandExecution: "shell",
  fileChange: "apply_patch",
  webSearch: "web_search",
};

export class CodexEvents {
  /** The thread that this is about; agents of its own have others. */
  thread = "";
  #lastText = "";
  #usage: ControllerUsage | undefined;
  readonly questions = new OpenQuestions();
  readonly #requests = new Map<string, unknown>();
  /** The questions of MCP servers behind the agent: a form, or a page to be opened. */
  readonly #elicited = new Map<string, "form" | "url">();

  read(message: RpcMessage): readonly ControllerEvent[] {
    const { method, params, id } = message;
    const of = isRecord(params) ? params : {};
    if (id !== undefined) return this.#request(String(method), id, of);
    switch (method) {
      case "item/agentMessage/delta":
        return [{ kind: "message_delta", text: String(of.delta) }];
      case "item/started":
        return isRecord(of.item) ? started(of.item) : [];
      case "item/completed":
        return isRecord(of.item) ? this.#completed(of.item) : [];
      case "turn/plan/updated":
        return [plan(of.plan)];
      case "turn/diff/updated":
        return [{ kind: "heartbeat", note: "its changes" }];
      case "thread/tokenUsage/updated":
        return [{ kind: "heartbeat", note: "its usage", ...this.#used(of.tokenUsage) }];
      case "turn/completed":
        return isRecord(of.turn) && this.#isOwn(of) ? [this.#end(of.turn)] : [];
      case "error":
        return [{ kind: "log", text: errorText(of.error) }];
      default:
        return [{ kind: "heartbeat", note: String(method) }];
    }
  }

  /** Returns whether a request is one that somebody answers. */
  isAsked(id: unknown): boolean {
    return this.#requests.has(`request-${String(id)}`);
  }

  /** The request of the protocol that a question came as. */
  requestOf(approvalId: string): unknown {
    return this.#requests.get(approvalId);
  }

  /** The result of the request of a server, by what a person said; undefined for other questions. */
  elicited({ approvalId, decision, input }: ApprovalAnswer): RpcMessage | undefined {
    const mode = this.#elicited.get(approvalId);
    if (mode === undefined) return undefined;
    const isRefused = decision === "deny" || (mode === "url" && input === false);
    const content = isRefused || mode === "url" ? null : (input ?? {});
    return { action: isRefused ? "decline" : "accept", content, _meta: null };
  }

  #elicit(approvalId: string, params: RpcMessage): readonly ControllerEvent[] {
    const { serverName, message, url, requestedSchema } = params;
    const isPage = typeof url === "string";
    this.#elicited.set(approvalId, isPage ? "url" : "form");
    const asks = `the server \`${String(serverName)}\` asks`;
    return [
      {
        kind: "input_requested",
        inputId: approvalId,
        message: isPage
          ? `${asks} you to open ${url}: ${String(message)}`
          : `${asks}: ${String(message)}`,
        schema: isPage ? { type: "boolean" } : isRecord(requestedSchema) ? requestedSchema : {},
      },
    ];
  }

  #isOwn({ threadId }: RpcMessage): boolean {
    return this.thread === "" || threadId === undefined || threadId === this.thread;
  }

  #request(method: string, id: unknown, params: RpcMessage): readonly ControllerEvent[] {
    const approvalId = `request-${String(id)}`;
    this.#requests.set(approvalId, id);
    if (method === "item/tool/requestUserInput" && Array.isArray(params.questions))
      return this.questions.ask(approvalId, params.questions, (one) => String(one.id));
    if (method === "mcpServer/elicitation/request") return this.#elicit(approvalId, params);
    if (!method.endsWith("/requestApproval") || method.startsWith("item/permissions")) {
      this.#requests.delete(approvalId);
      return [{ kind: "log", text: `it asks for ${method}` }];
    }
    const { reason } = params;
    const tool = method.startsWith("item/fileChange") ? "apply_patch" : "shell";
    return [
      {
        kind: "approval_requested",
        approvalId,
        tool,
        input: params,
        ...(typeof reason === "string" ? { message: reason } : {}),
      },
    ];
  }

  #completed(item: RpcMessage): readonly ControllerEvent[] {
    const callId = String(item.id);
    if (item.type === "agentMessage") {
      this.#lastText = String(item.text);
      return [{ kind: "message_completed", text: this.#lastText }];
    }
    if (!isCall(item)) return [{ kind: "heartbeat", note: String(item.type) }];
    const isDenied = item.status === "declined";
    const isFailed = item.status === "failed" || isDenied || isRecord(item.error);
    if (isFailed) {
      const error = isDenied ? "this was not allowed" : failedText(item);
      return [
        { kind: "tool_result", callId, error, ...(isDenied ? { isDenied: true as const } : {}) },
      ];
    }
    const value = item.result ?? item.aggregatedOutput ?? item.changes ?? null;
    return [{ kind: "tool_result", callId, value }, ...changedFiles(item)];
  }

  #used(tokenUsage: unknown): { readonly usage?: ControllerUsage } {
    const last = isRecord(tokenUsage) ? tokenUsage.last : undefined;
    if (!isRecord(last)) return {};
    const count = (value: unknown) => (typeof value === "number" ? value : 0);
    const usage = {
      inputTokens: count(last.inputTokens),
      outputTokens: count(last.outputTokens),
      cachedTokens: count(last.cachedInputTokens),
      reasoningTokens: count(last.reasoningOutputTokens),
      // It tells no price.
      costUsd: null,
    };
    this.#usage = usage;
    return { usage };
  }

  #end({ status, error }: RpcMessage): ControllerEvent {
    const usage = this.#usage === undefined ? { usage: { costUsd: null } } : {};
    if (status === "completed") return { kind: "completed", text: this.#lastText, ...usage };
    if (status === "interrupted")
      return { kind: "failed", class: "aborted", reason: "interrupted", message: "interrupted" };
    const message = errorText(error);
    const code = Number(/\b[45]\d\d\b/.exec(message)?.[0] ?? 0);
    const isRefused = code >= 400 && code < 500 && code !== 429;
    return {
      kind: "failed",
      class: isRefused ? "model" : "transport",
      reason: String(status ?? "failed"),
      message,
    };
  }
}

function isCall({ type }: RpcMessage): boolean {
  return type === "mcpToolCall" || Object.hasOwn(TOOLS, String(type));
}

function started(item: RpcMessage): readonly ControllerEvent[] {
  if (!isCall(item)) return [];
  const { id, type, server, tool } = item;
  const name = type === "mcpToolCall" ? `${server}.${tool}` : (TOOLS[String(type)] ?? "");
  const input = item.arguments ?? item.command ?? item.changes ?? item.query ?? null;
  return [{ kind: "tool_call", callId: String(id), tool: name, input }];
}

function changedFiles({ type, changes }: RpcMessage): readonly ControllerEvent[] {
  if (type !== "fileChange" || !Array.isArray(changes)) return [];
  return changes.filter(isRecord).map(({ path, diff }) => ({
    kind: "artifact_created",
    name: String(path),
    artifactKind: "patch",
    mime: "text/x-diff",
    path: String(path),
    ...(typeof diff === "string" ? { text: diff } : {}),
  }));
}

function plan(steps: unknown): ControllerEvent {
  const read = (Array.isArray(steps) ? steps : []).filter(isRecord);
  return {
    kind: "plan_updated",
    steps: read.map(({ step, status }) => ({ text: String(step), status: String(status) })),
  };
}

function failedText({ error, aggregatedOutput, exitCode }: RpcMessage): string {
  if (isRecord(error)) return errorText(error);
  const output = typeof aggregatedOutput === "string" ? aggregatedOutput : "";
  return output === "" ? `it ended with ${String(exitCode)}` : output;
}

function errorText(error: unknown): string {
  return isRecord(error) ? String(error.message) : String(error ?? "it says no reason");
}
