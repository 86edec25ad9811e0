/** Runs a graph whose strong agent says more than this process may have in memory, and tells what is kept of it. */
import { createHash } from "node:crypto";
import { Session } from "../../../../runtime/index.ts";

const [home = "", program = ""] = process.argv.slice(3);
const session = new Session({ cwd: home, env: { PATH: process.env.PATH, HOME: home } });
const [graph] = Object.values(session.compile(program));
const run = graph?.run({});
const output = await run?.output;
const records = session.store.read(run?.id ?? "");
const found = /"traceRef":\{"bytes":(\d+),"artifact":"([0-9a-f]+)"/.exec(JSON.stringify(records));
const [, bytes, artifact = ""] = found ?? [];
// The whole of it at once is more than the heap may have, and is no part of the heap.
const hash = createHash("sha256").update(session.store.artifacts.get(artifact)).digest("hex");
console.log(
  JSON.stringify({ output, bytes: Number(bytes), hash, logged: JSON.stringify(records).length }),
);
await session.close();
