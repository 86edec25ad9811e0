/** Runs programs on a real Restate server, with workers in this process: the one place of these tests that knows their door. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { type LogRecord, restate, Session } from "../../../runtime/index.ts";
import { Ingress } from "../../../runtime/restate/ingress.ts";
import type { RunStanding, SayMessage } from "../../../runtime/restate/messages.ts";
import { wireValues } from "../../../runtime/restate/wire-values.ts";
import { fileBlobs } from "../../../runtime/store/artifacts/file-blobs.ts";
import { type RestateServer, startRestate } from "./server.ts";

/** A server for all tests of a file. */
export interface RestateHere {
  readonly server: RestateServer;
  readonly blobs: string;
  readonly ingress: Ingress;
  /** Serves the graphs of a text, and has a session with them for comparison. */
  serve(text: string, scope?: object, options?: { readonly session?: Session }): Promise<Served>;
}

export interface Served {
  readonly session: Session;
  readonly graphs: ReturnType<Session["compile"]>;
  readonly worker: restate.RestateWorker;
  /** The events that the worker has logged. */
  readonly events: readonly restate.WorkerEvent[];
  /** Starts a run of a graph and waits for its end. */
  run(graph: string, input?: object): Promise<RunStanding>;
  /** Starts a run. */
  start(graph: string, input?: object, run?: string): Promise<RunStanding>;
  say(runId: string, message: SayMessage): Promise<RunStanding>;
  output(graph: string, runId: string): Promise<RunStanding>;
  /** Resolves once the run stands so. */
  until(runId: string, isSo: (standing: RunStanding) => boolean): Promise<RunStanding>;
  pull(runId: string, options?: restate.PullOptions): Promise<restate.PulledRun>;
  records(runId: string): readonly LogRecord[];
  close(): Promise<void>;
}

export function restateHere(): RestateHere {
  let server: RestateServer | undefined;
  const folder = mkdtempSync(join(tmpdir(), "madrigal-blobs-"));
  const opened: Served[] = [];
  const there = (): RestateServer => {
    if (server === undefined) throw new Error("the server has not started");
    return server;
  };
  beforeAll(async () => {
    server = await startRestate();
  });
  afterAll(async () => {
    for (const one of opened) await one.close();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const values = wireValues(fileBlobs(folder, { now: () => Date.now() }));
  return {
    get server() {
      return there();
    },
    blobs: folder,
    get ingress() {
      return new Ingress(there().ingress, values);
    },
    async serve(text, scope = {}, { session = new Session({ store: "memory", env: {} }) } = {}) {
      const served = await serve(there(), { text, scope, session, folder, values });
      opened.push(served);
      return served;
    },
  };
}

async function serve(
  server: RestateServer,
  of: {
    readonly text: string;
    readonly scope: object;
    readonly session: Session;
    readonly folder: string;
    readonly values: ReturnType<typeof wireValues>;
  },
): Promise<Served> {
  const { session, folder: blobs } = of;
  const graphs = session.compile(of.text, { scope: { ...of.scope } });
  const events: restate.WorkerEvent[] = [];
  const worker = await restate.startWorker({
    graphs: Object.values(graphs),
    restate: server.ingress,
    admin: server.admin,
    blobs,
    env: {},
    log: (event) => events.push(event),
  });
  const ingress = new Ingress(server.ingress, of.values);
  const status = (runId: string) => ingress.run<RunStanding>(runId, "status", null);
  return {
    ...{ session, graphs, worker, events },
    run: (graph, input = {}) => ingress.wait(`Graph-${graph}/run`, { input }),
    start: (graph, input = {}, run?) =>
      ingress.once(`Graph-${graph}/start`, { input, ...(run === undefined ? {} : { run }) }),
    say: (runId, message) => ingress.once(`Run/${runId}/say`, message),
    output: (graph, runId) => ingress.wait(`Graph-${graph}/output`, runId),
    async until(runId, isSo) {
      for (;;) {
        const standing = await status(runId);
        if (isSo(standing)) return standing;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    pull: (runId, options) =>
      restate.pullRun(runId, { restate: server.ingress, blobs, store: session.store }, options),
    records: (runId) => session.store.read(runId),
    async close() {
      await worker.stop();
      await session.close();
    },
  };
}

/** A log as far as it depends on the program alone: without times, ids of runs, and stacks. */
export function plainLog(records: readonly LogRecord[]): readonly unknown[] {
  return records.map((record) => JSON.parse(JSON.stringify(record, plainMember)));
}

const OF_THE_MOMENT: ReadonlySet<string> = new Set([
  ...["at", "durationMs", "notBefore", "expiresAt", "stack", "key", "owner"],
  ...["firstTokenMs", "startedAt"],
]);

function plainMember(name: string, value: unknown): unknown {
  return OF_THE_MOMENT.has(name) ? undefined : value;
}
