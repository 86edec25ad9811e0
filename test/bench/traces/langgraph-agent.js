/**
 * A LangGraph agent with a scripted model, instrumented with the public OpenInference package: posts its spans to the address that
 * it is given. `node record-langgraph.js FILE` records the requests for the tests.
 */

import { LangChainInstrumentation } from "@arizeai/openinference-instrumentation-langchain";
import * as callbacks from "@langchain/core/callbacks/manager";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { MessagesAnnotation, StateGraph } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { z } from "zod";

const provider = new NodeTracerProvider({
  resource: resourceFromAttributes({ "service.name": "langgraph-weather" }),
  spanProcessors: [
    new BatchSpanProcessor(new OTLPTraceExporter({ url: process.argv[2] }), {
      maxExportBatchSize: 4,
    }),
  ],
});
provider.register();
const instrumentation = new LangChainInstrumentation({ tracerProvider: provider });
instrumentation.manuallyInstrument(callbacks);

class ScriptedChat extends BaseChatModel {
  said = 0;
  constructor(turns) {
    super({});
    this.turns = turns;
  }
  _llmType() {
    return "scripted";
  }
  _modelType() {
    return "chat";
  }
  get lc_namespace() {
    return ["test"];
  }
  _identifyingParams() {
    return { model: "scripted-1" };
  }
  invocationParams() {
    return { model: "scripted-1", temperature: 0 };
  }
  bindTools() {
    return this;
  }
  async _generate() {
    const message = this.turns[this.said++ % this.turns.length];
    return {
      generations: [{ text: String(message.content), message }],
      llmOutput: {
        tokenUsage: {
          promptTokens: 40 + this.said,
          completionTokens: 7,
          totalTokens: 47 + this.said,
        },
      },
    };
  }
}

const weather = tool(async ({ city }) => `18 degrees in ${city}`, {
  name: "weather",
  description: "The weather of a city",
  schema: z.object({ city: z.string() }),
});
const failing = tool(
  async () => {
    throw new Error("the station is closed");
  },
  {
    name: "station",
    description: "A station",
    schema: z.object({ city: z.string() }),
  },
);
const call = (name, id) =>
  new AIMessage({
    content: "",
    tool_calls: [{ name, args: { city: "Oslo" }, id, type: "tool_call" }],
    usage_metadata: { input_tokens: 41, output_tokens: 7, total_tokens: 48 },
  });
const model = new ScriptedChat([
  call("weather", "c1"),
  call("station", "c2"),
  new AIMessage({
    content: "18 degrees",
    usage_metadata: { input_tokens: 60, output_tokens: 5, total_tokens: 65 },
  }),
]);

const graph = new StateGraph(MessagesAnnotation)
  .addNode("agent", async (state) => ({ messages: [await model.invoke(state.messages)] }))
  .addNode("tools", new ToolNode([weather, failing]))
  .addEdge("__start__", "agent")
  .addConditionalEdges("agent", ({ messages }) =>
    messages.at(-1).tool_calls?.length ? "tools" : "__end__",
  )
  .addEdge("tools", "agent")
  .compile({ name: "Weather" });
const out = await graph.invoke(
  { messages: [{ role: "user", content: "Is it warm in Oslo?" }] },
  { configurable: { thread_id: "thread-7" } },
);
console.error(out.messages.at(-1).content);
await provider.forceFlush();
await provider.shutdown();
