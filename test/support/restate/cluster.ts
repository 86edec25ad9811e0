/** A server, a balancer and two workers behind it in processes of their own: any of them may be killed. */
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { Ingress } from "../../../runtime/restate/ingress.ts";
import { wireValues } from "../../../runtime/restate/wire-values.ts";
import { fileBlobs } from "../../../runtime/store/artifacts/file-blobs.ts";
import type { Child } from "../child.ts";
import { startBalancer } from "./balancer.ts";
import { freePorts, type RestateServer, startRestate } from "./server.ts";

/** The place of a worker. */
export interface WorkerPlace {
  readonly server: RestateServer;
  readonly port: number;
  /** The URL of the balancer. */
  readonly advertise: string;
  readonly blobs: string;
}

export interface Cluster {
  readonly server: RestateServer;
  readonly ingress: Ingress;
  readonly blobs: string;
  readonly workers: readonly Child[];
  /** The workers that the server has a connection to. */
  connected(): readonly number[];
  /** SIGKILL to a worker, and one in its place. */
  replace(at: number): Promise<void>;
}

/** Starts all of it until the test is over; `start` makes a process that says `"event":"serving"`. */
export async function startCluster(
  home: string,
  start: (place: WorkerPlace) => Child,
): Promise<Cluster> {
  const server = await startRestate();
  onTestFinished(() => server.stop());
  const ports = await freePorts(2);
  const balancer = await startBalancer(ports);
  onTestFinished(() => balancer.stop());
  const blobs = join(home, "blobs");
  const serving = async (port: number) => {
    const worker = start({ server, port, advertise: balancer.url, blobs });
    await worker.said('"event":"serving"');
    return worker;
  };
  const workers = await Promise.all(ports.map(serving));
  return {
    ...{ server, blobs, workers },
    ingress: new Ingress(server.ingress, wireValues(fileBlobs(blobs, Date))),
    connected: () => [...balancer.connected()].map((port) => ports.indexOf(port)),
    async replace(at) {
      workers[at]?.signal("SIGKILL");
      await workers[at]?.ended;
      workers[at] = await serving(ports[at] ?? 0);
    },
  };
}
