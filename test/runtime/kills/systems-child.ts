/** The process that is killed: it runs one of the systems, and says when it commits. */
import { writeSync } from "node:fs";
import { Session } from "../../../runtime/index.ts";
import { SYSTEMS } from "./systems-world.ts";

const [home = "", name = ""] = process.argv.slice(3);
const system = SYSTEMS[name];
if (system === undefined) throw new Error(`no system is called ${name}`);
const session = new Session({ cwd: home, env: {}, name: `child-${process.pid}` });
const say = (line: string) => writeSync(1, `${line}\n`);

const { graph, input, options } = system(session, home);
const run = graph.run(input, { durability: "sync", ...options() });
let commits = 0;
run.events$.subscribe(({ kind }) => {
  if (kind !== "commit") return;
  commits += 1;
  say(`commit ${commits}`);
});
await run.output;
say("end");
process.exit();
