/**
 * Runs whose traces have no room: `node full-disk-child.ts HOME`, where the traces' folder is a small disk. Says a line of JSON for what
 * there is with the disk full, once there is room again, and after a rebuild.
 */
import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Session } from "../../../../runtime/index.ts";

const [home = ""] = process.argv.slice(2);
const tracesDir = join(home, ".madrigal", "traces");
const ballast = join(tracesDir, "ballast");
const RUNS = 20;

const text = `graph G() returns last {
  state { last: string = "" }
  run long = said() writes last
  start -> long -> end
}`;

const session = new Session({ store: "disk", env: { MADRIGAL_HOME: home } });
// Enough that no buffer of the database hides that there is no room; of chance, or it would be packed.
const said = () => Array.from({ length: 4_000 }, () => Math.random().toString(36)).join(" ");
const graph = session.compile(text, { scope: { said } }).G;
if (graph === undefined) throw new Error("no graph");
const traces = await session.traces();
mkdirSync(tracesDir, { recursive: true });
fillUp();
const ended: string[] = [];
for (let at = 0; at < RUNS; at += 1) {
  const run = graph.run({});
  await run.output;
  ended.push(run.status);
}
const score = await traces
  .ask(
    "INSERT INTO scores (run_id, name, value) SELECT 'r' || range, 'x', random() FROM range(100000)",
  )
  .then(
    () => "written",
    ({ code }: { code: string }) => code,
  );
await session.traces();
await traces.share();
say({
  succeeded: ended.filter((status) => status === "succeeded").length,
  score,
  scores: session.store.writable.rows().scores.length,
  ...(await known()),
});
rmSync(ballast);
await session.traces();
await traces.share();
say({ ...(await known()), scores: await scores() });
await traces.rebuild(session.store);
say({ ...(await known()), scores: await scores() });
await session.close();

/** Leaves less than a run takes. */
function fillUp(): void {
  const { bavail, bsize } = statfsSync(tracesDir);
  writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - 65_536), 1));
}

/** How many scores a query sees. */
async function scores() {
  const [row] = await traces.query("SELECT count(*)::INTEGER AS n FROM scores");
  return row?.n;
}

/** Which warnings there are, and how many runs the trace has whole. */
async function known() {
  const codes = [...new Set(traces.warnings.map(({ code }) => code))].sort();
  const runs = await traces
    .query(
      "SELECT count(*)::INTEGER AS n FROM state_changes WHERE step = 1 AND length(value::VARCHAR) > 40000",
    )
    .then(
      ([row]) => row?.n,
      (error: Error) => error.message,
    );
  return { codes, runs };
}

function say(what: object): void {
  process.stdout.write(`${JSON.stringify(what)}\n`);
}
