/** LangGraph's side of a scene, in a process of its own: it begins it, or goes on with what a dead one left in its SQLite file. */
import { join } from "node:path";
import { Command, InMemoryStore } from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { ChatOpenAI } from "@langchain/openai";
import { PEER_SCENES } from "./scenes.ts";
import { scopeOf } from "./scope.ts";

const [system, folder, url] = process.argv.slice(2);
const { create, input, answer } = PEER_SCENES.find((scene) => scene.system === system);
const peer = await import(`./${system}.js`);

const model = (name) =>
  new ChatOpenAI({ model: name, apiKey: "none", maxRetries: 0, configuration: { baseURL: url } });
const graph = peer[create]({
  model,
  scope: scopeOf(system, join(folder, "calls.txt"), url),
  checkpointer: SqliteSaver.fromConnString(join(folder, "langgraph.sqlite")),
  store: new InMemoryStore(),
});

// `sync` writes each checkpoint before the next step begins: the least is lost.
const config = { configurable: { thread_id: "one" }, durability: "sync" };
const left = await graph.getState(config);
const isBegun = left.createdAt !== undefined;
const isAsked = left.tasks.some(({ interrupts }) => interrupts.length > 0);
const again = isAsked ? new Command({ resume: answer }) : null;
let output =
  isBegun && left.next.length === 0
    ? left.values
    : await graph.invoke(isBegun ? again : input, config);
while (output.__interrupt__ !== undefined)
  output = await graph.invoke(new Command({ resume: answer }), config);
if (system === "eko") {
  const { resultsOf } = await import("./eko-plan.js");
  output = { ...output, results: resultsOf(output.entries) };
}
console.log(`output ${JSON.stringify(output)}`);
process.exit();
