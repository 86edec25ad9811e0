/** Reads what an agent says in the Agent Client Protocol, as events of a controller. */
import { isRecord } from "../../../../dsl/index.ts";
import type { ControllerEvent, ControllerUsage } from "../../operator/controller.ts";
import type { RpcMessage } from "../process/rpc-calls.ts";

/** A question for leave, by the options that answer it. */
interface AskedLeave {
  readonly id: unknown;
  readonly callId: string;
  readonly allow: string | undefined;
  readonly reject: string | undefined;
}

/** The ways of one agent that the protocol leaves open. */
export interface AcpHabits {
  /** The `_meta` with which a session is loaded. */
  readonly loads?: (sessionId: string) => RpcMessage;
  /** The tool of a call, by its title. */
  readonly toolOf?: (title: string) => string;
}

export class AcpEvents {
  /** False while a session is loaded: what it tells then was said before. */
  isHeard = false;
  readonly #habits: AcpHabits;
  #text = "";
  #last = "";
  readonly #asked = new Map<string, AskedLeave>();
  /** Calls that were told, and those whose result was. */
  readonly #calls = new Set<string>();
  readonly #ended = new Set<string>();
  readonly #denied = new Set<string>();

  constructor(habits: AcpHabits) {
    this.#habits = habits;
  }

  read({ method, params, id }: RpcMessage): readonly ControllerEvent[] {
    const of = isRecord(params) ? params : {};
    if (method === "session/request_permission") return this.#leave(id, of);
    if (method !== "session/update" || !isRecord(of.update))
      return [{ kind: "log", text: `it asks for ${String(method)}` }];
    return this.isHeard ? this.#update(of.update) : [];
  }

  askedAs(approvalId: string): AskedLeave | undefined {
    return this.#asked.get(approvalId);
  }

  /** Takes note of a no: what follows of the call says only that it failed. */
  deny({ callId }: AskedLeave): void {
    this.#denied.add(callId);
  }

  /** The text that was told in pieces, whole. */
  flush(): readonly ControllerEvent[] {
    if (this.#text === "") return [];
    this.#last = this.#text;
    this.#text = "";
    return [{ kind: "message_completed", text: this.#last }];
  }

  end({ stopReason, usage }: RpcMessage): ControllerEvent {
    const used = isRecord(usage) ? { usage: usageOf(usage) } : {};
    if (stopReason === "end_turn" && (this.#last !== "" || this.#calls.size > 0))
      return { kind: "completed", text: this.#last, ...used };
    // Some end so where their model failed.
    if (stopReason === "end_turn")
      return { kind: "failed", class: "model", reason: "empty", message: SILENT, ...used };
    const reason = String(stopReason);
    const of = STOPS[reason] ?? "model";
    return { kind: "failed", class: of, reason, message: `it stopped: ${reason}`, ...used };
  }

  #update(update: RpcMessage): readonly ControllerEvent[] {
    switch (update.sessionUpdate) {
      case "agent_message_chunk": {
        const text = textIn(update.content);
        this.#text += text;
        return [{ kind: "message_delta", text }];
      }
      case "tool_call":
        return [...this.flush(), ...this.#call(update), ...this.#result(update)];
      case "tool_call_update":
        return [...this.flush(), ...this.#call(update), ...this.#result(update)];
      case "plan":
        return [...this.flush(), planIn(update)];
      default:
        return [{ kind: "heartbeat", note: String(update.sessionUpdate) }];
    }
  }

  #call(update: RpcMessage): readonly ControllerEvent[] {
    const callId = String(update.toolCallId);
    if (this.#calls.has(callId)) return [];
    this.#calls.add(callId);
    const tool = this.#toolOf(update);
    return [{ kind: "tool_call", callId, tool, input: update.rawInput ?? null }];
  }

  #toolOf({ title, kind, _meta }: RpcMessage): string {
    if (isRecord(_meta) && typeof _meta.toolName === "string") return _meta.toolName;
    if (typeof title !== "string") return String(kind ?? "tool");
    return this.#habits.toolOf?.(title) ?? title;
  }

  #result(update: RpcMessage): readonly ControllerEvent[] {
    const callId = String(update.toolCallId);
    const { status } = update;
    if ((status !== "completed" && status !== "failed") || this.#ended.has(callId)) return [];
    this.#ended.add(callId);
    const text = contentText(update.content);
    if (status === "completed") {
      const value = update.rawOutput ?? text;
      return [{ kind: "tool_result", callId, value }, ...changedFiles(update.content)];
    }
    const isDenied = this.#denied.has(callId) ? { isDenied: true as const } : {};
    return [{ kind: "tool_result", callId, error: text || "it failed", ...isDenied }];
  }

  #leave(id: unknown, { toolCall, options }: RpcMessage): readonly ControllerEvent[] {
    const call = isRecord(toolCall) ? toolCall : {};
    const approvalId = `request-${String(id)}`;
    const offered = (Array.isArray(options) ? options : []).filter(isRecord);
    const optionOf = (...kinds: readonly string[]) => {
      const found = kinds.map((kind) => offered.find((one) => one.kind === kind)).find(Boolean);
      return found === undefined ? undefined : String(found.optionId);
    };
    this.#asked.set(approvalId, {
      id,
      callId: String(call.toolCallId),
      allow: optionOf("allow_once", "allow_always"),
      reject: optionOf("reject_once", "reject_always"),
    });
    const tool = this.#toolOf(call);
    // A person decides on one call, and must be told if a yes would be one for all of them.
    const isForAll = optionOf("allow_once") === undefined && optionOf("allow_always") !== undefined;
    const more = isForAll ? { message: FOR_ALL, risk: "high" as const } : {};
    return [
      ...this.flush(),
      ...this.#call(call),
      { kind: "approval_requested", approvalId, tool, input: call.rawInput ?? null, ...more },
    ];
  }
}

const SILENT = "it ended its turn without a word or a call; its own log may say why";

const FOR_ALL =
  "it offers leave for all such calls of its session, and none for this one alone: a yes is one for all of them";

/** The classes of the reasons for which it stops. */
const STOPS: Readonly<Record<string, "aborted" | "refusal" | "model">> = {
  cancelled: "aborted",
  refusal: "refusal",
};

function textIn(content: unknown): string {
  return isRecord(content) && content.type === "text" ? String(content.text) : "";
}

function contentText(content: unknown): string {
  if (!Array.isArray(content)) return "";
  return content
    .filter(isRecord)
    .map((one) => textIn(one.content))
    .filter(Boolean)
    .join("\n");
}

function changedFiles(content: unknown): readonly ControllerEvent[] {
  if (!Array.isArray(content)) return [];
  return content
    .filter((one) => isRecord(one) && one.type === "diff")
    .map(({ path, newText }) => ({
      kind: "artifact_created",
      name: String(path),
      artifactKind: "file",
      path: String(path),
      ...(typeof newText === "string" ? { text: newText } : {}),
    }));
}

function planIn({ entries }: RpcMessage): ControllerEvent {
  const read = (Array.isArray(entries) ? entries : []).filter(isRecord);
  return {
    kind: "plan_updated",
    steps: read.map(({ content, status }) => ({ text: String(content), status: String(status) })),
  };
}

function usageOf({ inputTokens, outputTokens }: RpcMessage): ControllerUsage {
  const count = (value: unknown) => (typeof value === "number" ? value : 0);
  return { inputTokens: count(inputTokens), outputTokens: count(outputTokens), costUsd: null };
}
