/** Writes the messages of a node as its model reads them. */
import type { LanguageModelV4Message } from "@ai-sdk/provider";
import type { NodeIr } from "../../../dsl/index.ts";
import type { Envelope } from "../../envelope.ts";
import { shownInText } from "../../scheduler/expressions/evaluate.ts";

interface ReadMessages {
  readonly node: NodeIr;
  readonly inbox?: readonly Envelope[];
  readonly earlier?: readonly Envelope[];
}

/**
 * What stands before a node's prompt of the messages it has read: with `history inbox` all of them, and each that it
 * found now, unless its prompts show those themselves.
 */
export function inboxMessages({
  node,
  inbox = [],
  earlier = [],
}: ReadMessages): LanguageModelV4Message[] {
  const found = namesInbox([node.prompt, node.system]) ? [] : inbox;
  return [...earlier, ...found].map((message) => ({
    role: "user",
    content: [{ type: "text", text: messageText(message) }],
  }));
}

/** Whether an expression shows the inbox. */
function namesInbox(part: unknown): boolean {
  if (typeof part !== "object" || part === null) return false;
  const { kind, name, of } = part as { kind?: unknown; name?: unknown; of?: unknown };
  if (kind === "name" && of === "special" && name === "inbox") return true;
  return Object.values(part).some(namesInbox);
}

/** A message in words: who says it, as what, about what, and its content. */
export function messageText({ sender, kind, topic, payload }: Envelope): string {
  const about = topic === undefined ? "" : ` about ${topic}`;
  return `[${kind} from ${sender}${about}]\n${payloadText(kind, payload)}`;
}

function payloadText(kind: Envelope["kind"], payload: unknown): string {
  if (kind !== "handoff" || typeof payload !== "object" || payload === null) {
    return shownInText(payload);
  }
  const { task, payload: data } = payload as {
    readonly task?: unknown;
    readonly payload?: unknown;
  };
  const said = shownInText(task ?? "");
  return data === undefined ? said : `${said}\n${shownInText(data)}`;
}
