/** Our side of the benchmark of calls: an agent with a scripted model calls `echo`: of a server (`mcp`), or a function (`function`). */
import { type Graph, Session, scripted, tool } from "../../../runtime/index.ts";
import { serveSide, sideArguments } from "../engine/side.ts";
import { CALLS, echoServer, inProcessorTime } from "./task.ts";

const { workload, folder } = sideArguments();
const isServed = workload === "mcp";
const command = JSON.stringify(echoServer.map((word) => `"${word}"`).join(" "));
const text = `
model m = "scripted"
${isServed ? `mcp far = ${command}` : ""}
graph Ask() returns answer {
  state { answer: string }
  agent caller { model m; tools far.echo; prompt "Call."; writes answer; limit ${CALLS + 1} turns }
  start -> caller -> end
}
`;
const input = { type: "object", properties: { text: { type: "string" } } } as const;
const echo = tool(({ text: said }: { readonly text: string }) => said, {
  effect: "external",
  input,
});

const session = new Session({ store: "memory", cwd: folder, env: { MADRIGAL_HOME: folder } });
const graph = session.compile(text, { scope: isServed ? {} : { far: { echo } } }).Ask as Graph;
const calls = Array.from({ length: CALLS }, (_, call) => ({
  calls: [{ tool: "far.echo", input: { text: `${call}` } }],
}));
let lastId = "";
await serveSide(
  async () => {
    const models = { m: scripted({ caller: [...calls, "done"] }) };
    const run = graph.run({}, { store: "memory", models });
    lastId = run.id;
    await run.output;
    return run.usage.toolCalls;
  },
  { ...inProcessorTime, clean: async () => void session.stored.delete(lastId) },
);
await session.close();
process.exit();
