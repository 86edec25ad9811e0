/** Our side of one workload, in a process of its own: `node ours.ts WORKLOAD STORE FOLDER`. */
import { Session } from "../../../runtime/index.ts";
import { serveSide, sideArguments } from "./side.ts";
import { workload } from "./workloads.ts";

const { workload: name, store, folder } = sideArguments();
const { ours, input } = workload(name);
const session = new Session({
  store: store === "disk" ? "disk" : "memory",
  cwd: folder,
  env: { MADRIGAL_HOME: folder },
});
const [graph] = Object.values(session.compile(ours.text, { scope: ours.scope }));
if (graph === undefined) throw new Error(`\`${name}\` has no graph`);

let lastId = "";
await serveSide(
  async () => {
    const models = ours.model === undefined ? {} : { models: { brain: ours.model() } };
    const run = graph.run(input, { ...models, store });
    lastId = run.id;
    let events = 0;
    run.events$.subscribe(({ kind }) => {
      // A text as it comes is heard by those who listen, and kept by nobody.
      if (kind !== "model.delta") events += 1;
    });
    const output = await run.output;
    if (store === "disk") await countedBySql(run.id, events);
    return output;
  },
  {
    clean: async () => {
      // Neither side pays for the runs before this one.
      if (store === "memory") session.stored.delete(lastId);
    },
  },
);
await session.close();

/** Until the trace has them all, which `traces()` brings it to. */
async function countedBySql(runId: string, events: number): Promise<void> {
  const traces = await session.traces();
  const [counted] = await traces.query("SELECT count(*) AS n FROM events WHERE run_id = $1", [
    runId,
  ]);
  if (Number(counted?.n) < events)
    throw new Error(`${events} events, of which SQL has ${counted?.n}`);
}
