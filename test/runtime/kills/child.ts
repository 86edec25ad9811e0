/** The process that is killed: it runs the graph, or goes on with it, and says what is stored and when it commits. */
import { writeSync } from "node:fs";
import { join } from "node:path";
import { type DrivenRun, type RunOptions, Session } from "../../../runtime/index.ts";
import type { RunLog } from "../../../runtime/store/run-store.ts";
import { inDoubt, voices, workIn } from "./world.ts";

const [home = "", how = "async"] = process.argv.slice(3);
const session = new Session({ cwd: home, env: {}, name: `child-${process.pid}` });
const file = join(home, "did.txt");

// At once, whatever happens next: a line that a killed process had still to write says nothing.
const say = (line: string) => writeSync(1, `${line}\n`);

let log: RunLog | undefined;
let acknowledged = -1;
const { store } = session;
const [create, open] = [store.create.bind(store), store.open.bind(store)];
store.create = (...of) => {
  log = create(...of);
  return log;
};
store.open = (...of) => {
  log = open(...of);
  return log;
};
const tellStored = () => {
  const seq = log?.flushedSeq ?? -1;
  if (seq > acknowledged) say(`stored ${seq}`);
  acknowledged = Math.max(acknowledged, seq);
};
setInterval(tellStored, 1);

const graph = workIn(session, file);
const run =
  how === "resume" ? resumed() : graph.run({}, { durability: how as Durability, ...voices() });
run.events$.subscribe((event) => {
  if (event.kind === "commit") say(`commit ${event.step}`);
});
await run.output;
tellStored();
say("end");
process.exit();

function resumed(): DrivenRun {
  const answers = inDoubt(file, () => say("doubt"));
  const again: DrivenRun = session.open("last", { answers, ...voices() });
  if (again.status !== "succeeded") void again.resume();
  say("on");
  return again;
}

type Durability = RunOptions["durability"] & string;
