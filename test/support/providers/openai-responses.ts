/** OpenAI's Responses API, also as Azure serves it. */
import { type Protocol, type ProtocolAnswer, piecesOf, sseFrame, USAGE } from "./protocol.ts";

interface InputItem {
  readonly type?: string;
  readonly role?: string;
  readonly content?: string | readonly ContentItem[];
  readonly id?: string;
  readonly encrypted_content?: string;
  readonly summary?: readonly { readonly text: string }[];
  readonly name?: string;
  readonly arguments?: string;
  readonly output?: unknown;
}

interface ContentItem {
  readonly type: string;
  readonly text?: string;
  readonly image_url?: string;
}

interface ResponsesBody {
  readonly model: string;
  readonly input: readonly InputItem[];
  readonly tools?: readonly { readonly name: string }[];
  readonly text?: { readonly format?: { readonly schema?: unknown } };
}

function frames(answer: ProtocolAnswer, model: string): string[] {
  const { reasoning, hidden, text, calls = [], finish, usage = USAGE } = answer;
  const out: string[] = [];
  const event = (type: string, rest: object) => out.push(sseFrame({ type, ...rest }, type));
  let index = 0;
  const item = (added: object, done: object, between: () => void = () => {}) => {
    event("response.output_item.added", { output_index: index, item: added });
    between();
    event("response.output_item.done", { output_index: index, item: { ...added, ...done } });
    index += 1;
  };
  const response = { id: "resp_1", created_at: 1_700_000_000, model };
  event("response.created", { response });
  if (reasoning !== undefined || hidden !== undefined) {
    const id = "rs_1";
    const summary = reasoning === undefined ? [] : [{ type: "summary_text", text: reasoning.text }];
    const encrypted_content = reasoning?.signature ?? hidden;
    item({ type: "reasoning", id, summary: [] }, { summary, encrypted_content }, () => {
      const at = { item_id: id, output_index: index, summary_index: 0 };
      if (reasoning === undefined) return;
      event("response.reasoning_summary_part.added", at);
      for (const delta of piecesOf(reasoning.text))
        event("response.reasoning_summary_text.delta", { ...at, delta });
      event("response.reasoning_summary_part.done", at);
    });
  }
  if (text !== undefined) {
    const id = "msg_1";
    const whole = {
      content: [{ type: "output_text", text, annotations: [] }],
      status: "completed",
    };
    item({ type: "message", id, role: "assistant", content: [] }, whole, () => {
      for (const delta of piecesOf(text))
        event("response.output_text.delta", { item_id: id, output_index: index, delta });
    });
  }
  for (const [at, call] of calls.entries()) {
    const { id: callId, name, namespace } = call;
    const head = {
      ...{ type: "function_call", id: `fc_${at}`, call_id: callId, name },
      ...(namespace === undefined ? {} : { namespace }),
    };
    const args = JSON.stringify(call.input);
    item({ ...head, arguments: "" }, { arguments: args, status: "completed" }, () => {
      for (const delta of piecesOf(args))
        event("response.function_call_arguments.delta", {
          item_id: head.id,
          output_index: index,
          delta,
        });
    });
  }
  const reason = finish === "length" ? "max_output_tokens" : "content_filter";
  const counted = {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.cached },
    output_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    output_tokens_details: { reasoning_tokens: 0 },
  };
  event(finish === undefined ? "response.completed" : "response.incomplete", {
    response: {
      ...response,
      usage: counted,
      incomplete_details: finish === undefined ? null : { reason },
    },
  });
  return out;
}

function read(_: string, body: ResponsesBody) {
  const parts = body.input.flatMap(({ content = [] }) =>
    typeof content === "string" ? [{ type: "input_text", text: content }] : content,
  );
  const only = (type: string) => body.input.filter((one) => one.type === type);
  return {
    model: body.model,
    texts: parts.flatMap(({ text }) => text ?? []),
    images: parts.flatMap(({ image_url }) => image_url?.replace(/^data:.*;base64,/, "") ?? []),
    tools: body.tools?.map(({ name }) => name) ?? [],
    calls: only("function_call").map((one) => ({
      name: one.name ?? "",
      input: JSON.parse(one.arguments ?? "null"),
    })),
    results: only("function_call_output").map(({ output }) => String(output)),
    signed: only("reasoning").map(
      ({ summary = [], encrypted_content }) =>
        `${summary.map(({ text }) => text).join("")}|${encrypted_content}`,
    ),
    schema: body.text?.format?.schema,
  };
}

const RESPONSES = {
  model: "gpt-5",
  signs: true,
  filters: true,
  contentType: "text/event-stream",
  frames,
  error: (status: number, message: string) => ({
    error: { message, type: status < 500 ? "invalid_request_error" : "server_error", code: null },
  }),
  read,
} as const;

export const openAiResponses: Protocol = {
  ...RESPONSES,
  name: "OpenAI Responses",
  provider: "openai",
  env: (url, key) => ({ OPENAI_API_KEY: key, OPENAI_BASE_URL: `${url}/v1` }),
};

export const azureResponses: Protocol = {
  ...RESPONSES,
  name: "Azure",
  provider: "azure",
  env: (url, key) => ({ AZURE_API_KEY: key, AZURE_BASE_URL: `${url}/openai/v1` }),
};
