/** Two workers behind a balancer, of which any is killed, and the server too: each run ends as an unbroken one. */
import { EventEmitter, once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import type { RunStanding } from "../../../runtime/restate/messages.ts";
import { startMadrigal, temporaryFolder } from "../../support/child.ts";
import { missing } from "../../support/python-env.ts";
import { type Cluster, startCluster } from "../../support/restate/cluster.ts";

const reason = await missing("restate");

const PROGRAM = `import { keyed, once } from "./tools.ts"
graph Team(job: string) returns log {
  state { log: string[] = [] via append }
  tool first = keyed({ job, what: "a" }) writes log
  tool second = once({ job, what: "b" }) writes log
  tool item(i: int) = keyed({ job, what: i }) writes log
  tool last = once({ job, what: "c" }) writes log
  start -> first -> second
  second -> each i of [1, 2, 3] { item(i) } -> last
}
`;

const TOOLS = `import { tool, type ToolContext } from "madrigal";
interface Line { job: string; what: string | number }
const post = async ({ job, what }: Line, { idempotencyKey: key }: ToolContext): Promise<string> => {
  const init = { method: "POST", headers: { key } };
  return await (await fetch(\`\${process.env.STUB}/\${job}/\${what}\`, init)).text();
};
const of = { effect: "external", description: "Writes a line at the stub." } as const;
export const keyed = tool(post, { ...of, keyed: true });
export const once = tool(post, of);
`;

/** Counts what reaches the outside, by its key. */
interface Stub {
  readonly url: string;
  /** The calls of a run, as they came: what, and its key. */
  calls(run: string): readonly string[];
  /** Resolves when so many calls of all runs have come. */
  reached(count: number): Promise<void>;
}

async function startStub(): Promise<Stub> {
  const calls = new Map<string, string[]>();
  const came = new EventEmitter();
  let count = 0;
  const server = createServer((request, response) => {
    const [, run = "", what = ""] = (request.url ?? "").split("/");
    calls.set(run, [...(calls.get(run) ?? []), `${what} ${request.headers.key}`]);
    count += 1;
    came.emit("call");
    // Long enough for a kill to come between.
    setTimeout(() => response.end(`${what} of ${run}`), 60);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as { readonly port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    calls: (run) => calls.get(run) ?? [],
    async reached(wanted) {
      while (count < wanted) await once(came, "call");
    },
  };
}

interface TeamCluster extends Cluster {
  readonly stub: Stub;
}

async function startTeam(): Promise<TeamCluster> {
  const stub = await startStub();
  const home = temporaryFolder();
  mkdirSync(join(home, "programs"));
  writeFileSync(join(home, "programs", "team.madrigal"), PROGRAM);
  writeFileSync(join(home, "programs", "tools.ts"), TOOLS);
  const cluster = await startCluster(home, ({ server, port, advertise, blobs }) =>
    startMadrigal(
      [
        ...["worker", "team.madrigal", "--restate", server.ingress, "--admin", server.admin],
        ...["--port", `${port}`, "--advertise", advertise, "--blobs", blobs],
      ],
      { home, cwd: join(home, "programs"), env: { STUB: stub.url } },
    ),
  );
  return { ...cluster, stub };
}

/** Waits for the end of a run; what is in doubt is looked up where it may have happened. */
async function settled({ ingress, stub }: TeamCluster, runId: string): Promise<RunStanding> {
  for (;;) {
    const standing = await ingress
      .run<RunStanding>(runId, "status", null)
      // The server may be the one that is killed.
      .catch(() => undefined);
    if (standing === undefined) {
      await sleep(50);
      continue;
    }
    if (["succeeded", "failed", "aborted"].includes(standing.summary.status)) return standing;
    for (const asked of standing.interrupts as readonly Doubt[]) {
      const what = asked.shown.request.what;
      const isThere = stub.calls(runId).some((call) => call.startsWith(`${what} `));
      const answer = isThere
        ? { kind: "value", value: `${what} of ${runId}` }
        : { kind: "approve" };
      // Another look may have answered it.
      await ingress
        .run(runId, "say", { verb: "answer", interrupt: asked.id, answer })
        .catch(() => {});
    }
    await sleep(50);
  }
}

interface Doubt {
  readonly id: string;
  readonly shown: { readonly request: { readonly what: string } };
}

/** Has what is in doubt answered while the processes are killed: runs that all wait would reach no further call. */
async function start(
  cluster: TeamCluster,
  count: number,
  name: string,
): Promise<readonly Settling[]> {
  const starts = Array.from({ length: count }, async (_, at) => {
    const run = `${name}-${at}`;
    await cluster.ingress.once("Graph-Team/start", { run, input: { job: run } });
    return { run, end: settled(cluster, run) };
  });
  return await Promise.all(starts);
}

interface Settling {
  readonly run: string;
  readonly end: Promise<RunStanding>;
}

/** Each run has the log of an unbroken one, nothing is lost, and what may be done once only is. */
async function expectWhole({ stub }: TeamCluster, runs: readonly Settling[]): Promise<void> {
  for (const { run, end } of runs) {
    const { summary, output } = await end;
    expect(summary.status, run).toBe("succeeded");
    const all = ["a", "b", "1", "2", "3", "c"];
    expect(output, run).toEqual({ log: all.map((what) => `${what} of ${run}`) });
    const calls = stub.calls(run);
    // A keyed call that comes twice has one key, by which the world knows it again.
    expect(new Set(calls).size, calls.join()).toBe(all.length);
    for (const what of ["b", "c"])
      expect(calls.filter((call) => call.startsWith(`${what} `))).toHaveLength(1);
  }
}

describe.skipIf(reason !== undefined)("two workers behind a balancer", () => {
  test("one worker after the other is killed: every run ends, nothing is lost and nothing done twice", async () => {
    const cluster = await startTeam();
    const runs = await start(cluster, 6, "w");
    for (let round = 0; round < 4; round += 1) {
      await cluster.stub.reached(4 + 8 * round);
      await cluster.replace(round % 2);
    }
    await expectWhole(cluster, runs);
  });

  test("the server is killed and comes back: every run ends as an unbroken one", async () => {
    const cluster = await startTeam();
    const runs = await start(cluster, 6, "s");
    for (let round = 0; round < 2; round += 1) {
      await cluster.stub.reached(6 + 12 * round);
      await cluster.server.kill();
      await cluster.server.restart();
    }
    await expectWhole(cluster, runs);
  });

  test("a worker that hangs and comes back commits nothing twice", async () => {
    const cluster = await startTeam();
    const runs = await start(cluster, 6, "h");
    await cluster.stub.reached(4);
    cluster.workers[0]?.signal("SIGSTOP");
    // The other one has taken over by then.
    await cluster.stub.reached(16);
    cluster.workers[0]?.signal("SIGCONT");
    await expectWhole(cluster, runs);
  });
});
