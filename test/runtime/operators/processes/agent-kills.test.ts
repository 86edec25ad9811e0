/** kill -9 of the engine, of the agent or of both, anywhere in a turn: nothing is left running, and nothing is done twice unasked. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { seeded } from "../../../../runtime/explore/seeded.ts";
import { Session } from "../../../../runtime/index.ts";
import type { StubbedAgent } from "../../../support/agents/agent-stubs.ts";
import { agentsIn, killAll } from "../../../support/agents/working-agents.ts";
import { projectNode, projectRoot, temporaryFolder } from "../../../support/child.ts";
import { pastEvents, turnIn } from "../operators.ts";
import { stubController } from "../stub-runs.ts";

const KILLS = Number(process.env.MADRIGAL_AGENT_KILLS ?? 9);
const START = join(projectRoot, "kernel", "startup", "thread.js");
/** About the time from one event of the stubs to the next. */
const EVENT_MS = 25;
const AGENTS = ["claude_code", "codex", "acp"] as const;

const programOf = (agent: StubbedAgent, scene = "paced") => `graph Do() returns a {
  state { a: string }
  operator code { controller ${stubController(scene, { agent })}; prompt \`Do it.\`; writes a }
  start -> code -> end
}`;

/** Ends as soon as none is left; the test's own limit ends it otherwise. */
async function noneLeft(home: string): Promise<void> {
  while (agentsIn(home).length > 0) await wait(5);
}

const VICTIMS = ["engine", "agent", "both"] as const;

const SEED = Number(process.env.MADRIGAL_FUZZ_SEED ?? Date.now() % 1_000_000);
const next = seeded(SEED);

/** Each agent with each victim, at places that the seed draws: behind an event, and how far on the way to the one after it. */
const moments = Array.from({ length: KILLS }, (_, number) => ({
  agent: AGENTS[number % AGENTS.length] ?? "acp",
  victim: VICTIMS[Math.floor(number / AGENTS.length) % VICTIMS.length] ?? "both",
  place: Math.floor(next() * 1000) / 1000,
  afterMs: next() * EVENT_MS,
}));

const counts = new Map<StubbedAgent, Promise<number>>();

/** The number of events in a turn of this agent that nobody kills. */
function eventsIn(agent: StubbedAgent): Promise<number> {
  const known = counts.get(agent) ?? countEvents(agent);
  counts.set(agent, known);
  return known;
}

async function countEvents(agent: StubbedAgent): Promise<number> {
  const home = temporaryFolder("madrigal-agent-whole-");
  const lines = await killed(startChild(home, programOf(agent)), home, undefined);
  return lines.split("\n").filter((line) => line === "event").length;
}

test.skipIf(process.platform !== "linux").each(moments)(
  `A84 A25 seed ${SEED}: kill -9 of $victim at $place of a turn of $agent: no orphan, the session goes on after a yes, or it is told why not`,
  { timeout: 300_000 },
  async ({ agent, victim, place, afterMs }) => {
    const event = Math.floor(place * (await eventsIn(agent)));
    const home = temporaryFolder("madrigal-agent-kill-");
    const child = startChild(home, programOf(agent));
    const lines = await killed(child, home, { victim, event, afterMs });
    await noneLeft(home);
    const done = () => readFileSync(join(home, "did.txt"), "utf8").split("\n").slice(0, -1);
    const session = new Session({ cwd: home, env: { PATH: process.env.PATH, HOME: home } });
    const questions: string[] = [];
    const run = session.open("last", {
      answers: ({ kind, tool = "" }) => {
        questions.push(`${kind} ${tool}`.trim());
        return { kind: "approve" };
      },
    });
    // The log may have the end of the turn already, since it is heard before the node ends: then nothing is left to ask about.
    const turn = turnIn(pastEvents(run));
    if (turn === "lost") {
      expect(victim).not.toBe("engine");
      if (victim === "agent") expect(lines).toContain("is lost");
      await session.close();
      return;
    }
    if (run.status !== "succeeded") await run.resume();
    expect(await run.output).toEqual({ a: "all done" });
    expect(done()).toEqual(["did 0", "did 1", "did 2", "did 3", "did 4"]);
    // The run waited for an answer before it went on.
    expect(questions).toEqual(
      turn === "whole" ? [] : [expect.stringMatching(/^(approval session|doubt)/)],
    );
    await session.close();
    await noneLeft(home);
  },
);

test.skipIf(process.platform !== "linux")(
  "A17 nothing of an agent outlives a killed engine, also not what left its process group and has another environment",
  { timeout: 300_000 },
  async () => {
    const home = temporaryFolder("madrigal-agent-kill-");
    const child = startChild(home, programOf("claude_code", "stubborn"));
    const ended = once(child, "close");
    while (agentsIn(home).length < 2) await wait(5);
    child.kill("SIGKILL");
    await ended;
    await noneLeft(home);
    expect(agentsIn(home)).toEqual([]);
  },
);

interface Killing {
  readonly victim: (typeof VICTIMS)[number];
  /** So many events of the turn behind its beginning. */
  readonly event: number;
  readonly afterMs: number;
}

/** Returns the output of the process, which ends by itself unless it is killed. */
async function killed(child: ChildProcess, home: string, killing: Killing | undefined) {
  let lines = "";
  const there = Promise.withResolvers<void>();
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    lines += text;
    const events = lines.split("\n").filter((line) => line === "event").length;
    if (lines.includes("began") && events >= (killing?.event ?? Number.POSITIVE_INFINITY))
      there.resolve();
  });
  const ended = once(child, "close").then(() => there.resolve());
  await there.promise;
  if (killing === undefined) return lines;
  const { victim, afterMs } = killing;
  await wait(afterMs);
  if (victim !== "engine") killAll(agentsIn(home));
  if (victim !== "agent") child.kill("SIGKILL");
  await ended;
  return lines;
}

function startChild(home: string, program: string): ChildProcess {
  const script = new URL("killed-child.ts", import.meta.url).href;
  return spawn(projectNode, [START, script, home, program], {
    env: { PATH: process.env.PATH ?? "", HOME: home },
    stdio: ["ignore", "pipe", "inherit"],
  });
}
