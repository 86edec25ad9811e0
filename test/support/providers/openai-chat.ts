/** OpenAI's chat completions, also as Mistral, Ollama and other servers speak them. */
import { type Protocol, type ProtocolAnswer, piecesOf, sseFrame, USAGE } from "./protocol.ts";

interface ChatItem {
  readonly type: string;
  readonly text?: string;
  readonly image_url?: string | { readonly url: string };
}

interface ChatBody {
  readonly model: string;
  readonly messages: readonly {
    readonly role: string;
    readonly content: string | readonly ChatItem[] | null;
    readonly tool_calls?: readonly {
      readonly function: { readonly name: string; readonly arguments: string };
    }[];
  }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly response_format?: { readonly json_schema?: { readonly schema: unknown } };
}

function frames(answer: ProtocolAnswer, model: string): string[] {
  const { text, calls = [], finish, usage = USAGE } = answer;
  const chunk = (rest: object) =>
    sseFrame({
      id: "chatcmpl-1",
      created: 1_700_000_000,
      object: "chat.completion.chunk",
      model,
      ...rest,
    });
  const choice = (delta: object, finish_reason: string | null = null) =>
    chunk({ choices: [{ index: 0, delta, finish_reason }] });
  const ended = calls.length > 0 ? "tool_calls" : "stop";
  return [
    choice({ role: "assistant", content: "" }),
    ...piecesOf(text ?? "").map((content) => choice({ content })),
    ...calls.map(({ id, name, input }, index) =>
      choice({
        tool_calls: [
          { index, id, type: "function", function: { name, arguments: JSON.stringify(input) } },
        ],
      }),
    ),
    choice({}, finish === "content-filter" ? "content_filter" : (finish ?? ended)),
    chunk({
      choices: [],
      usage: {
        prompt_tokens: usage.input,
        completion_tokens: usage.output,
        total_tokens: usage.input + usage.output,
        prompt_tokens_details: { cached_tokens: usage.cached },
        num_cached_tokens: usage.cached,
      },
    }),
    sseFrame("[DONE]"),
  ];
}

function read(_: string, body: ChatBody) {
  const parts = body.messages.flatMap(({ role, content }) =>
    role === "tool" || content === null
      ? []
      : typeof content === "string"
        ? [{ type: "text", text: content } as ChatItem]
        : content,
  );
  return {
    model: body.model,
    texts: parts.flatMap(({ text }) => text ?? []),
    images: parts.flatMap(({ image_url }) => {
      if (image_url === undefined) return [];
      const url = typeof image_url === "string" ? image_url : image_url.url;
      return [url.replace(/^data:.*;base64,/, "")];
    }),
    tools: body.tools?.map((one) => one.function.name) ?? [],
    calls: body.messages.flatMap(({ tool_calls = [] }) =>
      tool_calls.map((one) => ({
        name: one.function.name,
        input: JSON.parse(one.function.arguments),
      })),
    ),
    results: body.messages.flatMap(({ role, content }) =>
      role === "tool" ? [String(content)] : [],
    ),
    signed: [],
    schema: body.response_format?.json_schema?.schema,
  };
}

const CHAT = {
  signs: false,
  filters: true,
  contentType: "text/event-stream",
  frames,
  error: (status: number, message: string) => ({
    object: "error",
    message,
    type: "error",
    param: null,
    code: null,
    error: { message, type: status < 500 ? "invalid_request_error" : "server_error" },
  }),
  read,
} as const;

export const openAiChat: Protocol = {
  ...CHAT,
  name: "OpenAI chat",
  provider: "openai-chat",
  model: "gpt-4o",
  env: (url, key) => ({ OPENAI_API_KEY: key, OPENAI_BASE_URL: `${url}/v1` }),
};

export const compatibleChat: Protocol = {
  ...CHAT,
  name: "a server that speaks OpenAI's protocol",
  provider: "openai-compatible",
  model: "llama3.2",
  env: (url, key) => ({
    OPENAI_COMPATIBLE_API_KEY: key,
    OPENAI_COMPATIBLE_BASE_URL: `${url}/v1`,
  }),
};

/** Mistral counts in the last choice, and knows no filter. */
function mistralFrames(answer: ProtocolAnswer, model: string): string[] {
  const all = frames(answer, model);
  const chunks = all.slice(0, -1).map((frame) => JSON.parse(frame.slice("data: ".length)));
  const { usage } = chunks.pop();
  return [
    ...chunks.slice(0, -1).map((chunk) => sseFrame(chunk)),
    sseFrame({ ...chunks.at(-1), usage }),
    ...all.slice(-1),
  ];
}

export const mistralChat: Protocol = {
  ...CHAT,
  filters: false,
  frames: mistralFrames,
  name: "Mistral",
  provider: "mistral",
  model: "mistral-large-latest",
  env: (url, key) => ({ MISTRAL_API_KEY: key, MISTRAL_BASE_URL: `${url}/v1` }),
};
