/** Another process with the traces of a folder: answers each line of its input, a JSON text of SQL, with a line of JSON. */
import { createInterface } from "node:readline";
import { openTraces } from "../../../../runtime/trace/trace-store.ts";

const [folder = ""] = process.argv.slice(2);
const traces = await openTraces(folder, "other");
process.stdout.write("ready\n");
for await (const line of createInterface({ input: process.stdin })) {
  const { rows } = await traces.ask(JSON.parse(line));
  process.stdout.write(`${JSON.stringify(rows)}\n`);
}
await traces.close();
