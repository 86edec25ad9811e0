/** The process that is killed: it runs a graph of one strong agent, and tells when the agent has begun and of each event since. */
import { writeSync } from "node:fs";
import { Session } from "../../../../runtime/index.ts";

const [home = "", program = ""] = process.argv.slice(3);
const session = new Session({ cwd: home, env: { PATH: process.env.PATH, HOME: home } });
const [graph] = Object.values(session.compile(program));
const run = graph?.run({});
let hasBegun = false;
run?.events$.subscribe(({ kind }) => {
  if (hasBegun) writeSync(1, "event\n");
  if (kind !== "session.started") return;
  hasBegun = true;
  writeSync(1, "began\n");
});
await run?.output.catch((thrown: Error) => writeSync(1, `failed: ${thrown.message}\n`));
writeSync(1, "end\n");
process.exit();
