/** `madrigal worker FILE… --restate URL`: serves graphs to a Restate server until a signal ends it. */
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { restate, Session } from "../../../../runtime/index.ts";
import { CommandError } from "../../../command-error.ts";
import { EXIT } from "../../../exit-codes.ts";
import { portOf } from "../../../mcp-server/serve-until-ended.ts";
import { startThreadOf } from "../../../startup/start-thread.ts";
import type { CommandCall } from "../../arguments.ts";
import type { CliCommand } from "../../command.ts";
import { listenForStop } from "../../exec/stop-signals.ts";
import { openGraphs } from "../../open-graphs.ts";
import { print } from "../../output.ts";
import { readModels } from "../run-and-debug/read-run.ts";
import { blobsIn, restateIn, urlIn } from "./place.ts";

/** The time that attempts have to end when the worker is to end, in milliseconds: others begin them again afterwards. */
const GRACE_MS = 10_000;
/** The pause between two looks at whether runs of its version are left. */
const LOOK_MS = 1_000;

export const command: CliCommand = {
  options: {
    restate: "text",
    admin: "text",
    port: "text",
    host: "text",
    advertise: "text",
    blobs: "text",
    graph: "texts",
    scope: "text",
    model: "texts",
    identity: "texts",
    drain: "flag",
  },
  arguments: ["FILE…"],
  async run(call) {
    if (call.arguments.length === 0)
      throw new CommandError("M7103", "`madrigal worker` needs FILE", {
        hint: "FILE is a program, as in `madrigal worker report.madrigal --restate URL`",
      });
    const url = restateIn(call, "worker");
    const session = new Session({
      store: "memory",
      name: "worker",
      cliModels: readModels(call.texts("model")),
      startThread: startThreadOf,
    });
    const graphs = await openGraphs(call, session);
    const stop = listenForStop({ onFirst: () => {} });
    const worker = await restate.startWorker({ graphs, restate: url, ...optionsIn(call), log });
    if (!stop.signal.aborted) await once(stop.signal, "abort");
    if (call.flag("drain")) await drained(worker);
    await worker.stop(GRACE_MS);
    stop.release();
    await session.close();
    return EXIT.done;
  },
};

function optionsIn(call: CommandCall): Omit<restate.WorkerOptions, "graphs" | "restate"> {
  const [admin, advertise] = [urlIn(call, "admin"), urlIn(call, "advertise")];
  const [port, host] = [portOf(call.text("port"), "port"), call.text("host")];
  const identityKeys = call.texts("identity");
  return {
    blobs: blobsIn(call),
    env: process.env,
    ...(admin === undefined ? {} : { admin }),
    ...(advertise === undefined ? {} : { advertise }),
    ...(port === undefined ? {} : { port }),
    ...(host === undefined ? {} : { host }),
    ...(identityKeys.length === 0 ? {} : { identityKeys }),
  };
}

/** Resolves when the runs of its version are over. */
async function drained(worker: restate.RestateWorker): Promise<void> {
  for (;;) {
    const runs = await worker.underWay();
    log({ event: "draining", runs });
    if (runs === 0) return;
    await sleep(LOOK_MS);
  }
}

/** A line of JSON for each event. */
function log({ event, ...facts }: restate.WorkerEvent): void {
  print(JSON.stringify({ at: new Date().toISOString(), event, ...facts }));
}
