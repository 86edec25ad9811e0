/** The process that is killed: it runs a graph of one strong agent, or goes on with it, and tells when the agent has begun. */
import { writeSync } from "node:fs";
import { Session } from "../../../../runtime/index.ts";

const [home = "", program = ""] = process.argv.slice(3);
const session = new Session({ cwd: home, env: { PATH: process.env.PATH, HOME: home } });
const [graph] = Object.values(session.compile(program));
const run = graph?.run({});
run?.events$.subscribe((event) => {
  if (event.kind === "session.started") writeSync(1, "began\n");
});
await run?.output.catch((thrown: Error) => writeSync(1, `failed: ${thrown.message}\n`));
writeSync(1, "end\n");
process.exit();
