/** The process that is killed: it runs `Magentic`, says each of its events by its number, and when it waits for an answer that it was not given. */
import { writeSync } from "node:fs";
import { Session } from "../../../runtime/index.ts";
import { magenticIn, minds, person } from "./magentic-world.ts";

const [home = "", mode = "answers"] = process.argv.slice(3);
const session = new Session({ cwd: home, env: {}, name: `child-${process.pid}` });
const say = (line: string) => writeSync(1, `${line}\n`);

let events = 0;
const run = magenticIn(session).run(
  { task: "Watch the lamps." },
  { durability: "sync", ...minds(), ...(mode === "answers" ? { answers: person } : {}) },
);
run.events$.subscribe((event) => {
  events += 1;
  say(`event ${events}`);
  if (event.kind === "interrupt.opened" && mode !== "answers") say("asks");
});
await run.steer("Not the red one!", { to: "track" });
say("steered");
await run.output.catch(() => {});
say(`end ${events}`);
// One that waits for an answer stays until it is killed.
if (run.status === "waiting") await new Promise(() => setInterval(() => {}, 1_000));
process.exit();
