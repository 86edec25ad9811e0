/** The Converse API of Bedrock: a binary stream of events, and requests that are signed. */
import { crc32 } from "node:zlib";
import { type Protocol, type ProtocolAnswer, piecesOf, USAGE } from "./protocol.ts";

interface ConverseItem {
  readonly text?: string;
  readonly image?: { readonly source: { readonly bytes: string } };
  readonly toolUse?: { readonly name: string; readonly input: unknown };
  readonly toolResult?: { readonly content: readonly ConverseItem[] };
  readonly reasoningContent?: {
    readonly reasoningText?: { readonly text: string; readonly signature?: string };
    readonly redactedReasoning?: { readonly data: string };
    readonly redactedContent?: string;
  };
}

interface ConverseBody {
  readonly system?: readonly ConverseItem[];
  readonly messages: readonly { readonly content: readonly ConverseItem[] }[];
  readonly toolConfig?: {
    readonly tools: readonly {
      readonly toolSpec?: {
        readonly name: string;
        readonly inputSchema: { readonly json: unknown };
      };
    }[];
  };
}

function frames(answer: ProtocolAnswer): Uint8Array[] {
  const { reasoning, hidden, text, calls = [], finish, usage = USAGE } = answer;
  const out: Uint8Array[] = [];
  const event = (type: string, data: object) => out.push(eventFrame(type, data));
  let contentBlockIndex = 0;
  const block = (deltas: readonly object[], start?: object) => {
    if (start !== undefined) event("contentBlockStart", { contentBlockIndex, start });
    for (const delta of deltas) event("contentBlockDelta", { contentBlockIndex, delta });
    event("contentBlockStop", { contentBlockIndex });
    contentBlockIndex += 1;
  };
  event("messageStart", { role: "assistant" });
  if (reasoning !== undefined) {
    block([
      ...piecesOf(reasoning.text).map((one) => ({ reasoningContent: { text: one } })),
      { reasoningContent: { signature: reasoning.signature } },
    ]);
  }
  if (hidden !== undefined) block([{ reasoningContent: { data: hidden } }]);
  if (text !== undefined) block(piecesOf(text).map((one) => ({ text: one })));
  for (const { id, name, input } of calls) {
    const pieces = piecesOf(JSON.stringify(input));
    block(
      pieces.map((one) => ({ toolUse: { input: one } })),
      { toolUse: { toolUseId: id, name } },
    );
  }
  const ended = calls.length > 0 ? "tool_use" : "end_turn";
  const stopReason =
    finish === "length" ? "max_tokens" : finish === "content-filter" ? "content_filtered" : ended;
  event("messageStop", { stopReason });
  event("metadata", {
    usage: {
      inputTokens: usage.input - usage.cached,
      cacheReadInputTokens: usage.cached,
      outputTokens: usage.output,
      totalTokens: usage.input + usage.output,
    },
  });
  return out;
}

/** A frame: lengths, headers with texts, the data, and a checksum of each of both. */
function eventFrame(type: string, data: object): Uint8Array {
  const headers = Buffer.concat(
    Object.entries({
      ":event-type": type,
      ":content-type": "application/json",
      ":message-type": "event",
    }).map(([name, value]) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(value.length);
      const TEXT = 7;
      return Buffer.concat([
        Buffer.from([name.length]),
        Buffer.from(name),
        Buffer.from([TEXT]),
        length,
        Buffer.from(value),
      ]);
    }),
  );
  const payload = Buffer.from(JSON.stringify(data));
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(12 + headers.length + payload.length + 4, 0);
  prelude.writeUInt32BE(headers.length, 4);
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
  const message = Buffer.concat([prelude, headers, payload]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(message));
  return Buffer.concat([message, checksum]);
}

function read(path: string, body: ConverseBody) {
  const items = body.messages.flatMap(({ content }) => content);
  const tools = body.toolConfig?.tools.flatMap(({ toolSpec }) => toolSpec ?? []) ?? [];
  return {
    model: decodeURIComponent(/model\/([^/]+)\//.exec(path)?.[1] ?? ""),
    texts: [...(body.system ?? []), ...items].flatMap(({ text }) => text ?? []),
    images: items.flatMap(({ image }) => image?.source.bytes ?? []),
    tools: tools.map(({ name }) => name),
    calls: items.flatMap(({ toolUse }) =>
      toolUse === undefined ? [] : [{ name: toolUse.name, input: toolUse.input }],
    ),
    results: items.flatMap(({ toolResult }) =>
      toolResult === undefined ? [] : [toolResult.content.map(({ text = "" }) => text).join("")],
    ),
    signed: items.flatMap(({ reasoningContent }) => {
      if (reasoningContent === undefined) return [];
      const { reasoningText, redactedReasoning, redactedContent } = reasoningContent;
      return reasoningText === undefined
        ? [`|${redactedReasoning?.data ?? redactedContent}`]
        : [`${reasoningText.text}|${reasoningText.signature}`];
    }),
    schema: tools.find(({ name }) => name === "json")?.inputSchema.json,
  };
}

export const bedrockConverse: Protocol = {
  name: "Bedrock Converse",
  provider: "bedrock",
  model: "anthropic.claude-3-7-sonnet-20250219-v1:0",
  env: (url, key) => ({
    AWS_REGION: "eu-central-1",
    AWS_ACCESS_KEY_ID: "AKIAIOSFODNN7EXAMPLE",
    AWS_SECRET_ACCESS_KEY: key,
    AWS_ENDPOINT_URL_BEDROCK_RUNTIME: url,
  }),
  signs: true,
  filters: true,
  contentType: "application/vnd.amazon.eventstream",
  frames,
  error: (_, message) => ({ message }),
  read,
};
