/** LangGraph's side: its prebuilt agent with the OpenAI model of LangChain; with the way `alone`, the floor under it: that model alone. */
// JavaScript, as what it imports is only installed for benchmarks.
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { MemorySaver } from "@langchain/langgraph";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { ChatOpenAI } from "@langchain/openai";
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

const llm = new ChatOpenAI({
  model: "mock",
  apiKey: "none",
  configuration: { baseURL: `${sideTask().url}/v1` },
});
const tools = toolNames.map((name) =>
  tool(async (input) => look(input), { name, description: toolDescription, schema: toolSchema }),
);

async function alone() {
  const bound = llm.bindTools(tools);
  const messages = [new SystemMessage(SYSTEM), new HumanMessage(QUESTION)];
  for (;;) {
    const answer = await bound.invoke(messages);
    messages.push(answer);
    const [call] = answer.tool_calls ?? [];
    if (call === undefined) return answerOf(String(answer.content));
    messages.push(new ToolMessage({ content: look(call.args), tool_call_id: call.id }));
  }
}

const agent = createReactAgent({ llm, tools, prompt: SYSTEM, checkpointer: new MemorySaver() });

async function whole(number) {
  const config = { recursionLimit: 500, configurable: { thread_id: `t${number}` } };
  const { messages } = await agent.invoke({ messages: [new HumanMessage(QUESTION)] }, config);
  const last = messages.at(-1);
  if (!(last instanceof AIMessage)) throw new Error("no answer");
  return answerOf(String(last.content));
}

await serveSide(sideTask().way === "alone" ? alone : whole, inProcessorTime);
process.exit();
