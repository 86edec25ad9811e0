/**
 * kill -9 of workers, of the server and of clients while a run of each system is under way on Restate, at points that a seed chooses:
 * each ends as the one that nobody broke, and what it does outside is done once. `MADRIGAL_KILLS=60` kills each of them 60 times.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { seeded } from "../../../runtime/explore/seeded.ts";
import { restate, Session } from "../../../runtime/index.ts";
import type { RunStanding } from "../../../runtime/restate/messages.ts";
import { type Child, startNode, temporaryFolder } from "../../support/child.ts";
import { missing } from "../../support/python-env.ts";
import { type Cluster, startCluster } from "../../support/restate/cluster.ts";
import { deepSearchIn } from "../kills/aworld-world.ts";
import { agentWorld, doneIn, magentic } from "../kills/systems-world.ts";
import { folderOf, SERVED_NAMES, servedIn, settled } from "./systems-runs.ts";

const reason = await missing("restate");

const KILLS = Number(process.env.MADRIGAL_KILLS ?? 1);
const SEED = Number(process.env.MADRIGAL_FUZZ_SEED ?? 20);
/** The client looks about as often. */
const BEHIND_MS = 100;

const CHILD = [
  "kernel/startup/thread.js",
  new URL("systems-child.ts", import.meta.url).href,
] as const;

interface SystemsCluster extends Cluster {
  readonly home: string;
  readonly systems: ReturnType<typeof servedIn>;
  client(round: string, point: number): Child;
}

async function startSystems(): Promise<SystemsCluster> {
  const home = temporaryFolder();
  const session = new Session({ store: "memory", env: {} });
  onTestFinished(() => session.close());
  const cluster = await startCluster(home, ({ server, port, advertise, blobs }) => {
    const words = [server.ingress, server.admin, `${port}`, advertise];
    return startNode([...CHILD, "worker", home, blobs, ...words], { home });
  });
  return {
    ...cluster,
    ...{ home, systems: servedIn(session, home) },
    client: (round, point) => {
      const words = [cluster.blobs, cluster.server.ingress, round, `${point}`];
      return startNode([...CHILD, "client", home, ...words], { home });
    },
  };
}

const VICTIMS = ["worker", "server", "client"] as const;
type Victim = (typeof VICTIMS)[number];

/** Kills it, and has another one in its place. */
type Kill = (cluster: SystemsCluster) => Promise<void>;

const KILL: Readonly<Record<Exclude<Victim, "client">, Kill>> = {
  async worker(cluster) {
    const [busy = 0] = cluster.connected();
    await cluster.replace(busy);
  },
  async server({ server }) {
    await server.kill();
    await server.restart();
  },
};

/** The ends of a round of runs, what they did outside, and how many records they have. */
interface Round {
  readonly outcomes: Readonly<Record<string, Outcome>>;
  readonly records: number;
}

interface Outcome {
  readonly status: string;
  readonly output: unknown;
  readonly done: readonly string[];
}

function outcomeOf(end: Omit<Outcome, "done">, folder: string): Outcome {
  return { ...end, done: doneIn(folder).toSorted() };
}

function roundOf(home: string, ends: ReadonlyMap<string, RunStanding>): Round {
  const outcomes = [...ends].map(([name, { summary, output }]): [string, Outcome] => {
    return [name, outcomeOf({ status: summary.status, output }, folderOf(home, name))];
  });
  const records = [...ends.values()].reduce((sum, { lastSeq }) => sum + lastSeq + 1, 0);
  return { outcomes: Object.fromEntries(outcomes), records };
}

/** Runs each system once. */
async function played(
  { home, ...cluster }: SystemsCluster,
  round: string,
  tell: (records: number) => void = () => {},
): Promise<Round> {
  return roundOf(home, await settled({ ...cluster, round, tell }));
}

interface Killing {
  readonly round: string;
  /** The number of records of the runs at which it is killed, a moment later. */
  readonly point: number;
  readonly afterMs: number;
}

async function killed(
  cluster: SystemsCluster,
  victim: Victim,
  { round, point, afterMs }: Killing,
): Promise<Round> {
  if (victim === "client") {
    const client = cluster.client(round, point);
    await client.said(/^(reached|end)$/m);
    await sleep(afterMs);
    client.signal("SIGKILL");
    await client.ended;
    return await played(cluster, round);
  }
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  const end = played(cluster, round, (records) => void (records >= point && resolve()));
  await Promise.race([reached, end]);
  await sleep(afterMs);
  await KILL[victim](cluster);
  return await end;
}

describe.skipIf(reason !== undefined)("the systems on Restate", () => {
  test(`seed ${SEED}: a worker, the server or a client is killed anywhere, and each ends as an unbroken run`, {
    timeout: 300_000 + KILLS * VICTIMS.length * 60_000,
  }, async () => {
    const cluster = await startSystems();
    const { outcomes, records } = await played(cluster, "unbroken");
    expect(outcomes).toEqual(await embedded());
    const next = seeded(SEED);
    for (let kill = 0; kill < KILLS; kill += 1) {
      for (const victim of VICTIMS) {
        const point = 1 + Math.floor(next() * (records - 1));
        const afterMs = Math.floor(next() * BEHIND_MS);
        for (const name of SERVED_NAMES) forget(folderOf(cluster.home, name));
        const round = `${victim}-${kill}`;
        const found = await killed(cluster, victim, { round, point, afterMs });
        const what = `the ${victim} killed ${afterMs} ms behind ${point} of ${records} records`;
        expect.soft(found.outcomes, what).toEqual(outcomes);
      }
    }
  });

  test("M5809 the systems with strong agents, memories and threads are refused, with what it is", async () => {
    const session = new Session({ store: "memory", env: {} });
    onTestFinished(() => session.close());
    const home = temporaryFolder();
    const graphs = [
      deepSearchIn(session, join(home, "did.txt")),
      ...[agentWorld, magentic].map((system) => system(session, home).graph),
    ];
    const refusals = graphs.map((graph) => {
      const place = { restate: "http://127.0.0.1:1", blobs: home, env: {} };
      return restate.startWorker({ graphs: [graph], ...place }).catch(({ code, message }) => ({
        code,
        message,
      }));
    });
    expect(await Promise.all(refusals)).toMatchInlineSnapshot(`
      [
        {
          "code": "M5809",
          "message": "\`DeepSearch\` can't run on Restate: \`asked\` is a field of a thread, which the workspace keeps",
        },
        {
          "code": "M5809",
          "message": "\`AgentWorld\` can't run on Restate: \`plan\` is a strong agent, whose session lives on one machine",
        },
        {
          "code": "M5809",
          "message": "\`Desk\` can't run on Restate: \`talk\` is a field of a thread, which the workspace keeps",
        },
      ]
    `);
  });
});

/** Plays the same runs on the embedded engine. */
async function embedded(): Promise<Round["outcomes"]> {
  const home = temporaryFolder();
  const session = new Session({ store: "memory", env: {} });
  onTestFinished(() => session.close());
  const ends = [...servedIn(session, home)].map(async ([name, { graph, input, options }]) => {
    const output = await graph.invoke(input, options());
    return [name, outcomeOf({ status: "succeeded", output }, folderOf(home, name))] as const;
  });
  return Object.fromEntries(await Promise.all(ends));
}

function forget(folder: string): void {
  rmSync(join(folder, "did.txt"), { force: true });
}
