/** The floor under us and under the AI SDK: the provider alone, asked as often with the same messages. The way is `whole` or `stream`, by `fetch`, or `ours`: a stream by our transport. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4CallOptions, LanguageModelV4Message } from "@ai-sdk/provider";
import { boundedFetch } from "../../../runtime/agents/models/providers/bounded-fetch.ts";
import { serveSide } from "../engine/side.ts";
import {
  answerOf,
  inProcessorTime,
  look,
  QUESTION,
  SYSTEM,
  sideTask,
  toolDescription,
  toolNames,
  toolSchema,
} from "./task.ts";

const { url, way } = sideTask();
const model = createOpenAICompatible({
  name: "openai-compatible",
  baseURL: `${url}/v1`,
  includeUsage: true,
  ...(way === "ours" ? { fetch: boundedFetch("mock", undefined) } : {}),
}).chatModel("mock");
const isStreamed = way !== "whole";
const tools = toolNames.map((name) => ({
  type: "function" as const,
  name,
  description: toolDescription,
  inputSchema: toolSchema as never,
}));

await serveSide(async () => {
  const prompt: LanguageModelV4Message[] = [
    { role: "system", content: SYSTEM },
    { role: "user", content: [{ type: "text", text: QUESTION }] },
  ];
  for (;;) {
    const { text, call } = await ask({ prompt, tools });
    if (call === undefined) return answerOf(text);
    const { toolCallId, toolName, input } = call;
    const value = look(JSON.parse(input));
    const named = { toolCallId, toolName };
    prompt.push(
      { role: "assistant", content: [{ type: "tool-call", ...named, input: JSON.parse(input) }] },
      {
        role: "tool",
        content: [{ type: "tool-result", ...named, output: { type: "text", value } }],
      },
    );
  }
}, inProcessorTime);
process.exit();

interface Call {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: string;
}

async function ask(options: LanguageModelV4CallOptions): Promise<{ text: string; call?: Call }> {
  let text = "";
  let call: Call | undefined;
  if (isStreamed) {
    for await (const part of (await model.doStream(options)).stream) {
      if (part.type === "text-delta") text += part.delta;
      if (part.type === "tool-call") call = part;
    }
  } else {
    for (const part of (await model.doGenerate(options)).content) {
      if (part.type === "text") text += part.text;
      if (part.type === "tool-call") call = part;
    }
  }
  return call === undefined ? { text } : { text, call };
}
