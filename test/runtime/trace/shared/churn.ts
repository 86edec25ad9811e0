/** Another process that never stops making traces anew, compacting and pruning them: `node churn.ts FOLDER`. */
import { openTraces } from "../../../../runtime/trace/trace-store.ts";
import { failedRun, sourceOf } from "../sample.ts";

const [folder = "", ids = ""] = process.argv.slice(2);
const source = sourceOf(ids.split(",").map((id) => failedRun(id)));
const traces = await openTraces(folder, "churn");
for (;;) {
  await traces.ingest(source);
  await traces.rebuild(source);
  process.stdout.write(".");
  await traces.compact();
  process.stdout.write(".");
  await traces.prune({ olderThanMs: 0, keep: 3 });
  process.stdout.write(".");
}
