/** Strong agents behind stubs of their wire: `node strong-agents.ts ROUNDS`. Prints figures as JSON. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Session } from "../../../runtime/index.ts";
import { median } from "../statistics.ts";

/** One value a round. */
export interface StrongAgentFigures {
  /** Milliseconds from the write of an event by the agent to its listener: the median of a turn, and the 95th in a hundred. */
  readonly event: readonly number[];
  readonly late: readonly number[];
  /** Milliseconds of twenty sessions at once with a pool of four, and of the same processes alone, four at a time. */
  readonly twenty: readonly number[];
  readonly bare: readonly number[];
  /** Megabytes that the process grew by, at most, while an agent said 100 MB and while it said 10. */
  readonly grown: readonly number[];
  readonly grownTenth: readonly number[];
}

const EVENTS = 200;
const SESSIONS = 20;
const POOL = 4;
const MB = 1e6;
const stub = join(import.meta.dirname, "..", "..", "support", "agents", "claude-stub.js");
const folder = mkdtempSync(join(tmpdir(), "madrigal-bench-"));
const session = new Session({ cwd: folder, env: { PATH: process.env.PATH, HOME: folder } });
const [rounds = "3"] = process.argv.slice(2);
const figures = {
  ...{ event: [], late: [], twenty: [], bare: [], grown: [], grownTenth: [] },
} as { -readonly [K in keyof StrongAgentFigures]: number[] };

for (let round = -1; round < Number(rounds); round += 1) {
  const times = (await eventTimes()).toSorted((a, b) => a - b);
  const twenty = await together();
  const bare = await processesAlone();
  const grownTenth = await growth(10 * MB);
  const grown = await growth(100 * MB);
  if (round < 0) continue;
  figures.event.push(median(times));
  figures.late.push(times[Math.floor(times.length * 0.95)] ?? 0);
  figures.twenty.push(twenty);
  figures.bare.push(bare);
  figures.grownTenth.push(grownTenth);
  figures.grown.push(grown);
}
await session.close();
rmSync(folder, { recursive: true });
process.stdout.write(JSON.stringify(figures), () => process.exit());

function graphOf(scene: string, set: Readonly<Record<string, string>> = {}) {
  const command = JSON.stringify([process.execPath, stub]);
  const variables = JSON.stringify({ STUB_SCENE: scene, ...set });
  const graphs = session.compile(`graph Do() returns a {
    state { a: string }
    operator code { controller claude_code(command: ${command}, set: ${variables}, pool: ${POOL}); prompt \`Do it.\`; writes a }
    start -> code -> end
  }`);
  const [graph] = Object.values(graphs);
  if (graph === undefined) throw new Error("no graph");
  return graph;
}

/** The agent says what time it is by the clock that all processes of this machine share. */
async function eventTimes(): Promise<number[]> {
  const run = graphOf("stamped", { STUB_EVENTS: `${EVENTS}` }).run({});
  const times: number[] = [];
  run.events$.subscribe((event) => {
    if (event.kind !== "controller.event" || event.event.kind !== "message_completed") return;
    const at = /^at (\d+)$/.exec(event.event.text)?.[1];
    if (at !== undefined) times.push(Number(process.hrtime.bigint() - BigInt(at)) / 1e6);
  });
  await run.output;
  if (times.length !== EVENTS) throw new Error(`${times.length} of ${EVENTS} events were heard`);
  return times;
}

async function together(): Promise<number> {
  const graph = graphOf("talks");
  const begun = performance.now();
  await Promise.all(Array.from({ length: SESSIONS }, async () => await graph.run({}).output));
  return performance.now() - begun;
}

/** The same program as often, as many at a time, with the same task on its input and nothing around it. */
async function processesAlone(): Promise<number> {
  const begun = performance.now();
  let left = SESSIONS;
  const one = async () => {
    while (left > 0) {
      left -= 1;
      const child = spawn(process.execPath, [stub], {
        env: { PATH: process.env.PATH, HOME: folder, STUB_SCENE: "talks" },
        stdio: ["pipe", "pipe", "ignore"],
      });
      const message = { role: "user", content: [{ type: "text", text: "Do it." }] };
      child.stdin.write(`${JSON.stringify({ type: "user", message })}\n`);
      child.stdout.on("data", (data) => {
        if (`${data}`.includes('"type":"result"')) child.stdin.end();
      });
      await once(child, "close");
    }
  };
  await Promise.all(Array.from({ length: POOL }, one));
  return performance.now() - begun;
}

async function growth(bytes: number): Promise<number> {
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 20);
  await graphOf("flood", { STUB_BYTES: `${bytes}` }).run({}).output;
  clearInterval(timer);
  return (most - before) / MB;
}
