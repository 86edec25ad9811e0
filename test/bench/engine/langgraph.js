/** LangGraph's side of one workload, in a process of its own: `node langgraph.js WORKLOAD STORE FOLDER`. */
// JavaScript, as what it imports is only installed for benchmarks, and a graph that is built in a loop has no type.
import { join } from "node:path";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { Annotation, END, MemorySaver, Send, START, StateGraph } from "@langchain/langgraph";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import Database from "better-sqlite3";
import { z } from "zod";
import { serveSide, sideArguments } from "./side.ts";
import { reactTexts, WIDE_TEXT, workload } from "./workloads.ts";

function sideOf(kind, count) {
  const make = { chain, "fan-out": fanOut, loop, wide, react }[kind];
  if (make === undefined) throw new Error(`there is no workload ${kind}`);
  return make(count);
}

function saver(store) {
  if (store === "memory") return { checkpointer: new MemorySaver() };
  if (store === "none") return {};
  return { checkpointer: new SqliteSaver(new Database(join(folder, "langgraph.sqlite"))) };
}

function list() {
  return Annotation({
    reducer: (before, added) => before.concat(added),
    default: () => [],
  });
}

function chain(length) {
  let graph = new StateGraph(Annotation.Root({ x: Annotation() }));
  for (let index = 0; index < length; index += 1) {
    graph = graph.addNode(`n${index}`, ({ x }) => ({ x: x + 1 }));
  }
  graph.addEdge(START, "n0");
  for (let index = 1; index < length; index += 1) graph.addEdge(`n${index - 1}`, `n${index}`);
  graph.addEdge(`n${length - 1}`, END);
  return { graph: graph.compile(saver(store)), input: { x: 0 }, result: ({ x }) => ({ x }) };
}

function fanOut(count) {
  const items = Array.from({ length: count }, (_, index) => index);
  const state = Annotation.Root({ items: Annotation(), results: list() });
  const graph = new StateGraph(state)
    .addNode("list", () => ({ items }))
    .addNode("work", ({ item }) => ({ results: [item * 2] }));
  graph
    .addEdge(START, "list")
    .addConditionalEdges("list", (state) => state.items.map((item) => new Send("work", { item })))
    .addEdge("work", END);
  return {
    graph: graph.compile(saver(store)),
    input: {},
    result: ({ results }) => ({ results }),
  };
}

function loop(times) {
  const graph = new StateGraph(Annotation.Root({ values: list() })).addNode(
    "add",
    ({ values }) => ({ values: [values.length] }),
  );
  graph
    .addEdge(START, "add")
    .addConditionalEdges("add", ({ values }) => (values.length < times ? "add" : END));
  return { graph: graph.compile(saver(store)), input: {}, result: ({ values }) => ({ values }) };
}

function wide(messages) {
  const lists = ["messages", "trigger_events", "categorizations", "responses"];
  const fields = [
    ...["medium", "autoresponse", "issue", "relevant_rules", "memory_docs", "subject"],
    ...["product", "region", "urgency", "summary", "closing"],
  ];
  const state = Annotation.Root({
    ...Object.fromEntries(lists.map((name) => [name, list()])),
    ...Object.fromEntries(fields.map((name) => [name, Annotation()])),
  });
  const text = WIDE_TEXT;
  const graph = new StateGraph(state)
    .addNode("one", (s) => ({ trigger_events: s.messages, medium: text }))
    .addNode("two", (s) => ({ autoresponse: s.trigger_events.at(-1), issue: text }))
    .addNode("three", (s) => ({ relevant_rules: s.autoresponse }))
    .addNode("four", (s) => ({
      categorizations: s.trigger_events,
      responses: s.trigger_events,
      memory_docs: text,
    }))
    .addNode("five", (s) => {
      const last = s.categorizations.at(-1);
      return {
        subject: last,
        product: last,
        region: text,
        urgency: text,
        summary: text,
        closing: text,
      };
    })
    .addNode("six", (s) => ({ messages: s.responses }));
  graph
    .addEdge(START, "one")
    .addEdge("one", "two")
    .addEdge("two", "three")
    .addEdge("two", "four")
    .addEdge(["three", "four"], "five")
    .addEdge("five", "six")
    .addConditionalEdges("six", (s) => (s.messages.length > messages ? END : "one"));
  return {
    graph: graph.compile(saver(store)),
    input: { messages: [workload("wide 1").input.first] },
    result: ({ messages, responses }) => ({ messages, responses }),
  };
}

function react(calls) {
  const { query, found, answer } = reactTexts;
  const search = tool(async (input) => found(input.query), {
    name: "search",
    description: "searches",
    schema: z.object({ query: z.string() }),
  });
  const graph = createReactAgent({
    llm: new ScriptedModel(calls, { query, answer }),
    tools: [search],
    ...saver(store),
  });
  return {
    graph,
    input: { messages: [{ role: "user", content: "what?" }] },
    result: ({ messages }) => ({ answer: messages.at(-1).content }),
  };
}

/** Asks for its tool so often, then answers. */
class ScriptedModel extends BaseChatModel {
  #calls;
  #texts;

  constructor(calls, texts) {
    super({});
    this.#calls = calls;
    this.#texts = texts;
  }

  _llmType() {
    return "scripted";
  }

  bindTools() {
    return this;
  }

  async _generate(messages) {
    const asked = messages.filter((message) => message.getType() === "ai").length;
    const message =
      asked < this.#calls
        ? new AIMessage({
            content: "",
            tool_calls: [
              {
                name: "search",
                id: `call-${asked}`,
                args: { query: this.#texts.query },
                type: "tool_call",
              },
            ],
          })
        : new AIMessage(this.#texts.answer);
    return { generations: [{ text: "", message }] };
  }
}

const { workload: name, store, folder } = sideArguments();
const [kind = "", size = ""] = name.split(" ");
const { graph, input, result } = sideOf(kind, Number(size.split("x").at(-1)));

await serveSide(oneRun, {
  clean: async (number) => {
    // A saver in memory keeps each thread whole: the next run would pay for all before it.
    if (store === "memory") await graph.checkpointer.deleteThread(threadOf(number));
  },
});

function threadOf(number) {
  return `run-${number}`;
}

async function oneRun(number) {
  const config = {
    recursionLimit: 1_000_000_000,
    streamMode: "updates",
    configurable: { thread_id: threadOf(number) },
  };
  if (store !== "none") {
    for await (const _ of await graph.stream(input, config));
    return result((await graph.getState(config)).values);
  }
  let last;
  for await (const chunk of await graph.stream(input, {
    ...config,
    streamMode: ["updates", "values"],
  })) {
    if (chunk[0] === "values") last = chunk[1];
  }
  return result(last);
}
