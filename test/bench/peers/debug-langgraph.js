/** Ways to look into a run and to change it, each tried in LangGraph JS: true where it comes to what a person wants. */
import { ReducedValue, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { InMemoryCache } from "@langchain/langgraph-checkpoint";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import Database from "better-sqlite3";
import { z } from "zod";

const State = new StateSchema({
  text: z.string().default(""),
  steps: new ReducedValue(
    z.array(z.string()).default(() => []),
    {
      reducer: (all, more) => [...all, ...more],
    },
  ),
});

/** Three nodes in a row, each of which calls the outside; the first may be another version. */
function open({ isEdited = false, ...options } = {}) {
  const calls = [];
  const database = new Database(":memory:");
  const checkpointer = new SqliteSaver(database);
  const called = (name, text) => {
    calls.push(name);
    return { text, steps: [name] };
  };
  const write = isEdited ? () => called("write", "draft, edited") : () => called("write", "draft");
  const policy = options.cache === undefined ? {} : { cachePolicy: true };
  const graph = new StateGraph(State)
    .addNode("write", write, policy)
    .addNode("shout", ({ text }) => called("shout", text.toUpperCase()), policy)
    .addNode("sign", ({ text }) => called("sign", `${text}!`), policy)
    .addEdge(START, "write")
    .addEdge("write", "shout")
    .addEdge("shout", "sign")
    .compile({ checkpointer, ...options });
  const config = { configurable: { thread_id: "one" } };
  return { graph, calls, database, config };
}

async function historyOf({ graph, config }) {
  const all = [];
  for await (const snapshot of graph.getStateHistory(config)) all.push(snapshot);
  return all;
}

/** The checkpoint in front of a node. */
async function before(opened, node) {
  return (await historyOf(opened)).find(({ next }) => next.includes(node));
}

export const ways = {
  step: async () => {
    const { graph, calls, config } = open();
    await graph.invoke({}, { ...config, interruptAfter: "*" });
    await graph.invoke(null, { ...config, interruptAfter: "*" });
    return calls.join() === "write,shout";
  },
  breakpoint: async () => {
    const { graph, calls, config } = open();
    await graph.invoke({}, { ...config, interruptBefore: ["sign"] });
    return calls.join() === "write,shout";
  },
  // Nothing but `interrupt()` in the node itself has a condition, and that changes the program.
  condition: async () => {
    const { graph, calls, config } = open();
    const condition = ({ text }) => text === "DRAFT";
    await graph.invoke({}, { ...config, interruptBefore: [condition] });
    return calls.join() === "write,shout";
  },
  edit: async () => {
    const { graph, config } = open();
    await graph.invoke({}, { ...config, interruptBefore: ["shout"] });
    await graph.updateState(config, { text: "other" });
    return (await graph.invoke(null, config)).text === "OTHER!";
  },
  fork: async () => {
    const opened = open();
    const { graph, config } = opened;
    await graph.invoke({}, config);
    const { config: there } = await before(opened, "shout");
    const forked = await graph.updateState(there, { text: "other" });
    return (await graph.invoke(null, forked)).text === "OTHER!";
  },
  rewind: async () => {
    const opened = open();
    const { graph, calls, config } = opened;
    await graph.invoke({}, config);
    const { config: there } = await before(opened, "sign");
    const { text } = await graph.invoke(null, there);
    return text === "DRAFT!" && calls.join() === "write,shout,sign,sign";
  },
  blame: async () => {
    const opened = open();
    await opened.graph.invoke({}, opened.config);
    const wrote = (await historyOf(opened)).flatMap(({ tasks }) => tasks);
    const last = wrote.find(({ result }) => result !== undefined && "text" in result);
    return last?.name === "sign";
  },
  // The stored results are of no use: what is invoked from the first checkpoint calls every node again.
  replay: async () => {
    const opened = open();
    const { graph, calls, config } = opened;
    await graph.invoke({}, config);
    const asked = calls.length;
    const { config: first } = await before(opened, "write");
    const { text } = await graph.invoke(null, first);
    return text === "DRAFT!" && calls.length === asked;
  },
  // A cache knows a node by its input alone: the edited node is served as it was.
  "run again after an edit": async () => {
    const cache = new InMemoryCache();
    const first = open({ cache });
    await first.graph.invoke({}, first.config);
    const edited = open({ cache, isEdited: true });
    const { text } = await edited.graph.invoke({}, edited.config);
    return text === "DRAFT, EDITED!" && edited.calls[0] === "write";
  },
  "run again, unchanged": async () => {
    const cache = new InMemoryCache();
    const first = open({ cache });
    await first.graph.invoke({}, first.config);
    const again = open({ cache });
    const { text } = await again.graph.invoke({}, again.config);
    return text === "DRAFT!" && again.calls.length === 0;
  },
  // The tables have checkpoints and writes of channels; no column and no member has the node that ran, or when it began and ended.
  sql: async () => {
    const { graph, database, config } = open();
    await graph.invoke({}, config);
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    const columns = tables.flatMap(({ name }) => database.pragma(`table_info(${name})`));
    return columns.some(({ name }) => /node|duration|started/.test(name));
  },
  difference: async () => "diff" in open().graph,
  orders: async () => "explore" in open().graph,
  test: async () => "toTest" in open().graph,
  draw: async () => (await open().graph.getGraphAsync()).drawMermaid().includes("shout"),
};

if (process.argv[1] === import.meta.filename) {
  const results = {};
  for (const [name, way] of Object.entries(ways)) results[name] = await way().catch(() => false);
  console.log(JSON.stringify(results));
  process.exit();
}
