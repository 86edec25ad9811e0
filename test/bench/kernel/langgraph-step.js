/** LangGraph's interrupt stepping through the same state: `node langgraph-step.js RUNS`. Prints the figures of each run as JSON. */
// JavaScript, as what it imports is only installed for benchmarks.
import { Annotation, MemorySaver, START, StateGraph } from "@langchain/langgraph";
import { BIG, STEPS } from "./big-state.ts";

/** Milliseconds a step, the state read behind each. */
async function stepping(round) {
  const list = { reducer: (before, added) => before.concat(added), default: () => [] };
  const graph = new StateGraph(Annotation.Root({ x: Annotation(), big: Annotation(list) }))
    .addNode("fill", () => ({ big: BIG }))
    .addNode("next", ({ x }) => ({ x: x + 1 }))
    .addEdge(START, "fill")
    .addEdge("fill", "next")
    .addEdge("next", "next")
    .compile({ checkpointer: new MemorySaver(), interruptAfter: "*" });
  const config = { recursionLimit: 1_000_000, configurable: { thread_id: `run-${round}` } };
  await graph.invoke({ x: 0 }, config);
  const begun = performance.now();
  for (let step = 1; step <= STEPS; step += 1) {
    await graph.invoke(null, config);
    const { values } = await graph.getState(config);
    if (values.x !== step) throw new Error(`step ${step} is wrong: ${values.x}`);
  }
  return (performance.now() - begun) / STEPS;
}

const runs = Number(process.argv[2] ?? "7");
const figures = [];
for (let round = 0; round < runs + 2; round += 1) {
  const figure = await stepping(round);
  if (round >= 2) figures.push(figure);
}
process.stdout.write(`${JSON.stringify(figures)}\n`);
