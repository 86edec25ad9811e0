/** Our side of the agents' benchmark, in a process of its own. */
import { serveSide, sideArguments } from "../engine/side.ts";
import { openLook } from "./program.ts";
import { answerOf, processorMs, serverUrl } from "./task.ts";

const { session, graph } = openLook(serverUrl(), sideArguments().folder);
let lastId = "";
await serveSide(
  async () => {
    const run = graph.run({}, { store: "memory" });
    lastId = run.id;
    return answerOf(String((await run.output).answer));
  },
  async () => void session.stored.delete(lastId),
  processorMs,
);
await session.close();
process.exit();
