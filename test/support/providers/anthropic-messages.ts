/** Anthropic's Messages API. */
import { type Protocol, type ProtocolAnswer, piecesOf, sseFrame, USAGE } from "./protocol.ts";

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly thinking?: string;
  readonly signature?: string;
  readonly data?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly content?: string | readonly Block[];
  readonly source?: { readonly data: string };
}

interface MessagesBody {
  readonly model: string;
  readonly system?: readonly Block[];
  readonly messages: readonly { readonly role: string; readonly content: readonly Block[] }[];
  readonly tools?: readonly { readonly name: string; readonly input_schema: unknown }[];
  readonly output_config?: { readonly format?: { readonly schema?: unknown } };
  readonly output_format?: { readonly schema?: unknown };
}

function frames(answer: ProtocolAnswer, model: string): string[] {
  const { reasoning, hidden, text, calls = [], finish, usage = USAGE } = answer;
  const out: string[] = [];
  const event = (type: string, rest: object) => out.push(sseFrame({ type, ...rest }, type));
  let index = 0;
  const block = (content_block: object, deltas: readonly object[]) => {
    event("content_block_start", { index, content_block });
    for (const delta of deltas) event("content_block_delta", { index, delta });
    event("content_block_stop", { index });
    index += 1;
  };
  const counted = {
    input_tokens: usage.input - usage.cached,
    cache_read_input_tokens: usage.cached,
    cache_creation_input_tokens: 0,
  };
  event("message_start", {
    message: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...counted, output_tokens: 1 },
    },
  });
  if (reasoning !== undefined) {
    block({ type: "thinking", thinking: "", signature: "" }, [
      ...piecesOf(reasoning.text).map((thinking) => ({ type: "thinking_delta", thinking })),
      { type: "signature_delta", signature: reasoning.signature },
    ]);
  }
  if (hidden !== undefined) block({ type: "redacted_thinking", data: hidden }, []);
  if (text !== undefined) {
    block(
      { type: "text", text: "" },
      piecesOf(text).map((one) => ({ type: "text_delta", text: one })),
    );
  }
  for (const { id, name, input } of calls) {
    block(
      { type: "tool_use", id, name, input: {} },
      piecesOf(JSON.stringify(input)).map((one) => ({
        type: "input_json_delta",
        partial_json: one,
      })),
    );
  }
  const ended = calls.length > 0 ? "tool_use" : "end_turn";
  const stop_reason =
    finish === "length" ? "max_tokens" : finish === "content-filter" ? "refusal" : ended;
  event("message_delta", {
    delta: { stop_reason, stop_sequence: null },
    usage: { ...counted, output_tokens: usage.output },
  });
  event("message_stop", {});
  return out;
}

function read(_: string, body: MessagesBody) {
  const blocks = body.messages.flatMap(({ content }) => content);
  const inside = blocks.flatMap(({ content }) => (typeof content === "object" ? content : []));
  const texts = [...(body.system ?? []), ...blocks].flatMap(({ type, text }) =>
    type === "text" ? (text ?? []) : [],
  );
  return {
    model: body.model,
    texts,
    images: [...blocks, ...inside].flatMap(({ source }) => source?.data ?? []),
    tools: body.tools?.map(({ name }) => name) ?? [],
    calls: blocks.flatMap(({ type, name = "", input }) =>
      type === "tool_use" ? [{ name, input }] : [],
    ),
    results: blocks.flatMap(({ type, content }) =>
      type === "tool_result" ? [resultText(content)] : [],
    ),
    signed: blocks.flatMap(({ type, thinking, signature, data }) => {
      if (type === "thinking") return [`${thinking}|${signature}`];
      return type === "redacted_thinking" ? [`|${data}`] : [];
    }),
    schema:
      body.output_config?.format?.schema ??
      body.output_format?.schema ??
      body.tools?.find(({ name }) => name === "json")?.input_schema,
  };
}

function resultText(content: Block["content"]): string {
  if (content === undefined || typeof content === "string") return content ?? "";
  return content.map(({ text = "" }) => text).join("");
}

export const anthropicMessages: Protocol = {
  name: "Anthropic Messages",
  provider: "anthropic",
  model: "claude-opus-4-5",
  env: (url, key) => ({ ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: url }),
  signs: true,
  filters: true,
  contentType: "text/event-stream",
  frames,
  error: (status, message) => ({
    type: "error",
    error: { type: status === 529 ? "overloaded_error" : "api_error", message },
  }),
  read,
};
