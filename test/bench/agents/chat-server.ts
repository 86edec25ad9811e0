/**
 * A server on 127.0.0.1 that speaks OpenAI's chat completions, in a process of its own: it prints its address. `node
 * chat-server.ts TURNS` answers with a tool call until a conversation has had that many answers, then with a text.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Chat {
  readonly stream?: boolean;
  readonly messages: readonly { readonly role: string }[];
}

const turns = Number(process.argv[2] ?? 5);
/** The answers that `/hold` keeps back until `/release`. */
let holdsFrom = Number.POSITIVE_INFINITY;
let held: (() => void)[] = [];
/** The time at which a client last closed a connection whose answer was kept back. */
let closedAt = "";

const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? "/", "http://127.0.0.1");
  if (url.pathname === "/held") return response.end(String(held.length));
  if (url.pathname === "/closed") return response.end(closedAt);
  if (url.pathname === "/hold") {
    closedAt = "";
    holdsFrom = Number(url.searchParams.get("turn"));
    return response.end();
  }
  if (url.pathname === "/release") {
    holdsFrom = Number.POSITIVE_INFINITY;
    for (const answer of held) answer();
    held = [];
    return response.end();
  }
  const chat: Chat = JSON.parse(await bodyOf(request));
  const turn = chat.messages.filter(({ role }) => role === "assistant").length + 1;
  const answer = () => answerChat(response, chat, turn);
  if (turn !== holdsFrom) return answer();
  held.push(answer);
  response.once("close", () => {
    if (!response.writableFinished) closedAt = String(process.hrtime.bigint());
  });
});

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const piece of request.setEncoding("utf8")) body += piece;
  return body;
}

function answerChat(response: ServerResponse, chat: Chat, turn: number): void {
  const call = {
    ...{ id: `call-${turn}`, type: "function" },
    function: { name: "look_0", arguments: JSON.stringify({ at: `place ${turn}` }) },
  };
  // The time of the monotonic clock, which all processes of a machine share, in nanoseconds.
  const text = `${process.hrtime.bigint()} is when it was said.`;
  const isLast = turn >= turns;
  const message = isLast ? { content: text } : { content: null, tool_calls: [call] };
  const finish_reason = isLast ? "stop" : "tool_calls";
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
  const head = { id: `chat-${turn}`, created: 1, model: "mock" };
  if (chat.stream !== true) {
    const choices = [{ index: 0, message: { role: "assistant", ...message }, finish_reason }];
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ ...head, object: "chat.completion", choices, usage }));
    return;
  }
  response.setHeader("content-type", "text/event-stream");
  const chunk = (delta: object, finish: string | null, more = {}) =>
    `data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\n\n`;
  const delta = isLast ? { content: text } : { tool_calls: [{ index: 0, ...call }] };
  response.end(
    `${chunk({ role: "assistant", ...delta }, null)}${chunk({}, finish_reason, { usage })}data: [DONE]\n\n`,
  );
}

server.listen(0, "127.0.0.1", 4096, () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
