/** The process that is killed: it runs AWorld's DeepSearch, and says when it commits. */
import { writeSync } from "node:fs";
import { join } from "node:path";
import { Session } from "../../../runtime/index.ts";
import { asked, deepSearchIn, inDoubt, voices } from "./aworld-world.ts";

const [home = ""] = process.argv.slice(3);
const session = new Session({ cwd: home, env: {}, name: `child-${process.pid}` });
const say = (line: string) => writeSync(1, `${line}\n`);
const file = join(home, "did.txt");

let commits = 0;
const run = deepSearchIn(session, file).run(asked, {
  ...{ durability: "sync", thread: "t", user: "ann", answers: inDoubt(file) },
  ...voices(),
});
run.events$.subscribe(({ kind }) => {
  if (kind !== "commit") return;
  commits += 1;
  say(`commit ${commits}`);
});
await run.output.catch((error) => say(`failed ${error}`));
say("end");
process.exit();
