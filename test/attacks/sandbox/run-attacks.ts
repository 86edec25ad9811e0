/** Runs code in sandboxes as whoever starts it, and prints the results as JSON: what it is to run comes on stdin. */
import { readFileSync } from "node:fs";
import { createCodeTools } from "../../../runtime/index.ts";

type Call = Parameters<ReturnType<typeof createCodeTools>["run"]>[0];

const calls = JSON.parse(readFileSync(0, "utf8")) as readonly (readonly [object, Call])[];
const results: unknown[] = [];
const left = [...calls.entries()];
/** Most of them wait for the end of their time. */
const work = async () => {
  for (let next = left.shift(); next !== undefined; next = left.shift()) {
    const [at, [options, call]] = next;
    results[at] = await createCodeTools(options).run(call);
  }
};
await Promise.all([work(), work(), work(), work()]);
process.stdout.write(JSON.stringify(results));
