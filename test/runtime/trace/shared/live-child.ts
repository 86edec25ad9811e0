/** Another process that drives a run: `node live-child.ts HOME`. It is held at its second node until a line is written to it. */
import { once } from "node:events";
import { Session } from "../../../../runtime/index.ts";

const text = `graph Slow returns n {
  state { n: int = 0 }
  run first = one() writes n
  run second = held() writes n
  start -> first -> second -> end
}`;

const [home = ""] = process.argv.slice(2);
const session = new Session({ env: { MADRIGAL_HOME: home }, name: "kernel" });
const held = async () => {
  say("waiting");
  await once(process.stdin, "data");
  return 2;
};
const run = session.compile(text, { scope: { one: () => 1, held } }).Slow?.run({});
await run?.output;
say("ended");
await once(process.stdin, "end");
await session.close();

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
