/** A process that is killed: a worker of the systems, or a client that says when their runs have so many records. */
import { writeSync } from "node:fs";
import { Session } from "../../../runtime/index.ts";
import { Ingress } from "../../../runtime/restate/ingress.ts";
import { wireValues } from "../../../runtime/restate/wire-values.ts";
import { startWorker } from "../../../runtime/restate/worker.ts";
import { fileBlobs } from "../../../runtime/store/artifacts/file-blobs.ts";
import { servedIn, settled } from "./systems-runs.ts";

const [role = "", home = "", blobs = "", restate = "", ...words] = process.argv.slice(3);
const session = new Session({ store: "memory", env: {}, name: role });
const systems = servedIn(session, home);
const say = (line: string) => writeSync(1, `${line}\n`);

if (role === "worker") {
  const [admin = "", port = "", advertise = ""] = words;
  const byGraph = new Map([...systems.values()].map((one) => [one.graph.name, one]));
  await startWorker({
    graphs: [...byGraph.values()].map(({ graph }) => graph),
    models: (graph) => byGraph.get(graph)?.options().models,
    ...{ restate, admin, port: Number(port), advertise, blobs, env: {} },
    log: (event) => say(JSON.stringify(event)),
  });
} else {
  const [round = "", point = ""] = words;
  const ingress = new Ingress(restate, wireValues(fileBlobs(blobs, Date)));
  const tell = (records: number) => void (records >= Number(point) && say("reached"));
  await settled({ ingress, systems, round, tell });
  say("end");
  process.exit();
}
