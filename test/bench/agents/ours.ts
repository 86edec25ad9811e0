/** Our side of the agents' benchmark, in a process of its own. */
import { serveSide, sideArguments } from "../engine/side.ts";
import { openLook } from "./program.ts";
import { answerOf, inProcessorTime, sideTask } from "./task.ts";

const { session, graph } = openLook(sideTask().url, sideArguments().folder);
let lastId = "";
await serveSide(
  async () => {
    const run = graph.run({}, { store: "memory" });
    lastId = run.id;
    return answerOf(String((await run.output).answer));
  },
  { ...inProcessorTime, clean: async () => void session.stored.delete(lastId) },
);
await session.close();
process.exit();
