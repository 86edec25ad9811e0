/** The process that is killed: it runs one of the systems, and says each of its events by its number. */
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
let events = 0;
run.events$.subscribe(() => {
  events += 1;
  say(`event ${events}`);
});
await run.output;
say("end");
process.exit();
