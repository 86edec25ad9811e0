/** The AI SDK's side: `generateText` with tools, in a process of its own. */
// JavaScript, as what it imports is only installed for benchmarks.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, isStepCount, jsonSchema, tool } from "ai";
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

const model = createOpenAICompatible({
  name: "openai-compatible",
  baseURL: `${sideTask().url}/v1`,
}).chatModel("mock");
const tools = Object.fromEntries(
  toolNames.map((name) => [
    name,
    tool({
      description: toolDescription,
      inputSchema: jsonSchema(toolSchema),
      execute: async (input) => look(input),
    }),
  ]),
);

await serveSide(async () => {
  const { text } = await generateText({
    model,
    tools,
    system: SYSTEM,
    prompt: QUESTION,
    stopWhen: isStepCount(100),
  });
  return answerOf(text);
}, inProcessorTime);
process.exit();
