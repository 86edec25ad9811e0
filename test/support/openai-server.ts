import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One scripted answer of the server. */
export type ServerAnswer =
  /** An answer in the protocol: text, JSON (said as text), tool calls. */
  | {
      readonly text?: string;
      readonly json?: unknown;
      readonly calls?: readonly {
        readonly tool: string;
        readonly input: unknown;
        readonly id?: string;
      }[];
      readonly finish?: string;
      /** The id of the answer; without it, all answers have the same one. */
      readonly id?: string;
      /** Tokens of prompt, answer and cache; `false` leaves the usage chunk out. */
      readonly usage?:
        | { readonly input: number; readonly output: number; readonly cached?: number }
        | false;
      /** The connection is cut after so many characters of text. */
      readonly cutAfter?: number;
      /** Nothing more comes after so many characters of text. */
      readonly hangAfter?: number;
      /** The stream ends in order, but without a finish reason. */
      readonly unfinished?: boolean;
    }
  /** Another status, with a body and headers. */
  | {
      readonly status: number;
      readonly body?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** A line of the stream that is no protocol at all, then the end. */
  | { readonly raw: string }
  /** Accepts the request and never answers. */
  | { readonly hang: true }
  /** Drops the connection instead of answering. */
  | { readonly reset: true };

/** What it was asked, without headers: a key can't get in. */
export interface ServerRequest {
  readonly path: string;
  /** Whether a key came along, and nothing else of it. */
  readonly authorized: boolean;
  /** The header by which the server knows a call again. */
  readonly idempotencyKey: string | undefined;
  readonly body: ChatBody;
}

/** The parts of a request that tests look at. */
export interface ChatBody {
  readonly model: string;
  readonly stream?: boolean;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly {
    readonly function: {
      readonly name: string;
      readonly description?: string;
      readonly parameters: unknown;
    };
  }[];
  readonly response_format?: {
    readonly type: string;
    readonly json_schema?: {
      readonly name: string;
      readonly strict: boolean;
      readonly schema: unknown;
    };
  };
  readonly [key: string]: unknown;
}

export interface ChatMessage {
  readonly role: string;
  readonly content: string | null;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

/** A server on 127.0.0.1 that speaks OpenAI's chat completions, streamed or not. */
export interface OpenAiServer {
  /** What OPENAI_COMPATIBLE_BASE_URL is set to. */
  readonly url: string;
  readonly requests: readonly ServerRequest[];
  /** Resolves when it has been asked `count` times in all. */
  asked(count: number): Promise<void>;
  close(): Promise<void>;
}

/** What it answers: a list in order, or a function of the request for graphs that ask at once. */
export type ServerScript =
  | readonly ServerAnswer[]
  | ((request: ServerRequest, index: number) => ServerAnswer);

export async function openAiServer(script: ServerScript): Promise<OpenAiServer> {
  const requests: ServerRequest[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const server = createServer((request, response) => {
    void read(request).then((asked) => {
      const index = requests.push(asked) - 1;
      for (const { count, resolve } of waiting) if (requests.length >= count) resolve();
      send(answerTo(script, asked, index), asked, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    asked: (count) =>
      new Promise((resolve) => {
        if (requests.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function read(request: IncomingMessage): Promise<ServerRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  return {
    path: request.url ?? "",
    authorized: request.headers.authorization !== undefined,
    idempotencyKey: request.headers["idempotency-key"] as string | undefined,
    body: text === "" ? { model: "", messages: [] } : JSON.parse(text),
  };
}

function answerTo(script: ServerScript, asked: ServerRequest, index: number): ServerAnswer {
  if (typeof script === "function") return script(asked, index);
  return (
    script[index] ?? {
      status: 400,
      body: { error: { message: `the script of the server has no answer ${index + 1}` } },
    }
  );
}

function send(answer: ServerAnswer, { path, body }: ServerRequest, response: ServerResponse): void {
  if (!path.endsWith("/chat/completions")) sendStatus({ status: 404 }, response);
  else if ("hang" in answer) return;
  else if ("reset" in answer) response.destroy();
  else if ("status" in answer) sendStatus(answer, response);
  else if ("raw" in answer) sendRaw(answer.raw, response);
  else if (body.stream === true) sendStream(answer, body.model, response);
  else sendWhole(answer, body.model, response);
}

function sendRaw(line: string, response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(`data: ${line}\n\n`);
}

type Refusal = Extract<ServerAnswer, { readonly status: number }>;

function sendStatus({ status, body, headers }: Refusal, response: ServerResponse): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body ?? { error: { message: `status ${status}` } }));
}

type Completion = Extract<ServerAnswer, { readonly text?: string }>;

function textOf({ text, json }: Completion): string {
  return text ?? (json === undefined ? "" : JSON.stringify(json));
}

function callsOf({ calls = [] }: Completion) {
  return calls.map(({ tool, input, id }, index) => ({
    index,
    id: id ?? `call_${index + 1}`,
    type: "function",
    function: { name: tool, arguments: typeof input === "string" ? input : JSON.stringify(input) },
  }));
}

function usageOf({ usage = { input: 100, output: 10 } }: Completion) {
  if (usage === false) return undefined;
  const { input, output, cached = 0 } = usage;
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
  };
}

const frameOf = ({ id = "chatcmpl-1" }: Completion) => ({ id, created: 1_700_000_000 });

function sendWhole(answer: Completion, model: string, response: ServerResponse): void {
  const calls = callsOf(answer).map(({ index: _, ...call }) => call);
  const message = {
    role: "assistant",
    content: textOf(answer),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  const finish_reason = answer.finish ?? (calls.length === 0 ? "stop" : "tool_calls");
  response.writeHead(200, { "content-type": "application/json" });
  response.end(
    JSON.stringify({
      ...frameOf(answer),
      object: "chat.completion",
      model,
      choices: [{ index: 0, message, finish_reason }],
      usage: usageOf(answer),
    }),
  );
}

function sendStream(answer: Completion, model: string, response: ServerResponse): void {
  const chunk = (rest: object) =>
    response.write(
      `data: ${JSON.stringify({ ...frameOf(answer), object: "chat.completion.chunk", model, ...rest })}\n\n`,
    );
  const choice = (delta: object, finish_reason: string | null = null) =>
    chunk({ choices: [{ index: 0, delta, finish_reason }] });
  response.writeHead(200, { "content-type": "text/event-stream" });
  choice({ role: "assistant", content: "" });
  const text = textOf(answer);
  const calls = callsOf(answer);
  if (answer.cutAfter !== undefined) {
    choice({ content: text.slice(0, answer.cutAfter) });
    // After the bytes have left: what came before the cut must arrive.
    response.write(": cut\n\n", () => setImmediate(() => response.destroy()));
    return;
  }
  if (answer.hangAfter !== undefined) {
    choice({ content: text.slice(0, answer.hangAfter) });
    return;
  }
  for (const piece of text.match(/[\s\S]{1,12}/g) ?? []) choice({ content: piece });
  for (const call of calls) {
    const { arguments: input, name } = call.function;
    choice({ tool_calls: [{ ...call, function: { name, arguments: "" } }] });
    for (const piece of input.match(/[\s\S]{1,12}/g) ?? []) {
      choice({ tool_calls: [{ index: call.index, function: { arguments: piece } }] });
    }
  }
  if (answer.unfinished !== true)
    choice({}, answer.finish ?? (calls.length === 0 ? "stop" : "tool_calls"));
  const usage = usageOf(answer);
  if (usage !== undefined) chunk({ choices: [], usage });
  response.end("data: [DONE]\n\n");
}
