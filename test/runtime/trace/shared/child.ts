/** Another process with a trace file: `node child.ts FOLDER hold|die COUNT`. */
import { openTraces } from "../../../../runtime/trace/trace-store.ts";
import { searchRun, sourceOf } from "../sample.ts";

const [folder = "", what = "", count = "0"] = process.argv.slice(2);
const source = sourceOf([searchRun("r1")]);
source.show("r1", Number(count));
const traces = await openTraces(folder, "kernel");
await traces.ingest(source);
if (what === "die") process.kill(process.pid, "SIGKILL");
process.stdout.write("ready\n");
// Holds the file until its input is closed.
process.stdin.resume();
process.stdin.on("end", () => void traces.close());
