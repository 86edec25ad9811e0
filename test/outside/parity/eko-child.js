/** Plays one scene in the real Eko, in a process of its own: the scene comes as JSON, what came of it goes out as JSON. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [, , packageFolder, baseURL, sceneJson] = process.argv;
const scene = JSON.parse(sceneJson);
const file = join(packageFolder, "node_modules/@eko-ai/eko/dist/index.esm.js");
const { Eko, Agent, config } = await import(pathToFileURL(file).href);
Object.assign(config, scene.config ?? {});

const events = [];
let eko;
let taskId;
let calls = 0;
const tool = (name, act) => ({
  name,
  description: `the tool ${name}`,
  parameters: { type: "object", properties: { key: { type: "string" } } },
  execute: async (input) => {
    calls += 1;
    const text = await act(input);
    return { content: [{ type: "text", text }] };
  },
});
const tools = () => [
  tool("look", async ({ key }) => `${key} is 7`),
  tool("fail", async () => {
    throw new Error("it is broken");
  }),
];
const llm = {
  provider: "openai-compatible",
  model: "stub",
  apiKey: "none",
  config: { baseURL },
};
const { person } = scene;
let isActed = false;
const onMessage = async ({ type, nodeId }) => {
  const id = String(nodeId).replace(/^.*-0?/, "");
  if (type === "agent_start") events.push(`begin ${id}`);
  if (type === "agent_result") events.push(`end ${id}`);
  if (type === "tool_result") events.push("result");
  if (isActed || type !== "agent_start" || id !== person?.at) return;
  isActed = true;
  if (person.does === "abort") eko.abortTask(taskId, "test");
  else {
    eko.pauseTask(taskId, true);
    setTimeout(() => eko.pauseTask(taskId, false), 300);
  }
};
const team = ["Worker", "Writer"].map(
  (name) =>
    new Agent({ name, description: `${name} does one thing`, tools: tools(), llms: ["default"] }),
);
eko = new Eko({ llms: { default: llm }, agents: team, callback: { onMessage } });

const ends = [];
let last = "";
try {
  ({ taskId } = await eko.generate("Do it", "task1"));
  for (let time = 0; time < (scene.again ? 2 : 1); time += 1) {
    const { stopReason, result } = await eko.execute(taskId);
    ends.push(stopReason);
    last = stopReason === "done" ? result.replaceAll("\n\n", " ") : "";
  }
} catch (error) {
  ends.push(`error, ${error?.message ?? error}`);
}
console.log(`\n${JSON.stringify({ ends, events, toolCalls: calls, result: last })}`);
process.exit();
