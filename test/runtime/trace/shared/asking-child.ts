/** Another process with the traces and the store of a folder: answers each line of its input, a JSON text of SQL, with a line of JSON. */
import { join } from "node:path";
import { createInterface } from "node:readline";
import { openRunStore } from "../../../../runtime/store/open-store.ts";
import { openTraces } from "../../../../runtime/trace/trace-store.ts";

const [folder = ""] = process.argv.slice(2);
const store = openRunStore(join(folder, "runs.sqlite"));
const traces = await openTraces(folder, "other", store);
process.stdout.write("ready\n");
for await (const line of createInterface({ input: process.stdin })) {
  const { rows } = await traces.ask(JSON.parse(line));
  process.stdout.write(`${JSON.stringify(rows)}\n`);
}
await traces.close();
store.close();
