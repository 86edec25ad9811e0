/** The process that is killed: it runs the graph once, and says what is stored and when it commits. */
import { writeSync } from "node:fs";
import { join } from "node:path";
import { type RunOptions, Session } from "../../../runtime/index.ts";
import type { RunLog } from "../../../runtime/store/index.ts";
import { workIn } from "./world.ts";

const [home = "", durability = "async"] = process.argv.slice(2);
const session = new Session({ cwd: home, env: {}, name: `child-${process.pid}` });

// At once, whatever happens next: a line that a killed process had still to write says nothing.
const say = (line: string) => writeSync(1, `${line}\n`);

let log: RunLog | undefined;
let acknowledged = -1;
const { store } = session;
const create = store.create.bind(store);
store.create = (...of) => {
  log = create(...of);
  return log;
};
const tellStored = () => {
  const seq = log?.flushedSeq ?? -1;
  if (seq > acknowledged) say(`stored ${seq}`);
  acknowledged = Math.max(acknowledged, seq);
};
setInterval(tellStored, 1);

const graph = workIn(session, join(home, "did.txt"));
const run = graph.run({}, { durability: durability as RunOptions["durability"] & string });
run.events$.subscribe((event) => {
  if (event.kind === "commit") say(`commit ${event.step}`);
});
await run.output;
tellStored();
say("end");
process.exit();
