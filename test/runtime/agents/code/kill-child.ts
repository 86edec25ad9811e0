/** Runs code in a sandbox as a node of a stored run, for tests that kill this process or the sandbox. */
import { Session } from "../../../../runtime/index.ts";
import { compiled } from "./killed-graph.ts";

const [home = "", cwd = ""] = process.argv.slice(2);
const session = new Session({ cwd: home, env: {}, name: "first" });
const run = compiled(session, cwd).run({});
const ended = await run.output.then(
  (output) => JSON.stringify(output),
  (thrown: unknown) => String(thrown),
);
process.stdout.write(`ended ${ended}\n`);
await session.close();
