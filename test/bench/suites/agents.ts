/** `npm run bench -- agents`: what an agent costs beside its model: each call, a thousand agents at once, the first piece of an answer. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { CrowdFigures } from "../agents/crowd.ts";
import type { StrongAgentFigures } from "../agents/strong-agents.ts";
import { TURNS } from "../agents/task.ts";
import { LANGGRAPH } from "../engine/also.ts";
import { inTurn, type SideResult } from "../engine/side.ts";
import { steady } from "../steady.ts";
import type { Keep, Measured, Suite, Tell } from "../suite.ts";

const folder = join(import.meta.dirname, "..", "agents");
const ROUNDS = 9;
const CROWD_ROUNDS = 5;
const STRONG_ROUNDS = 5;

const AI_SDK = "AI SDK 7.0.173";

/** How many times less than the others. */
const AI_SDK_TIMES = 1 / 0.3;
const LANGGRAPH_TIMES = 1 / 0.1;

export const agentsSuite: Suite = {
  measure: async (tell, keep, wanted) => {
    const loopRows = Object.values(LOOP_ROWS).filter((name) => wanted.has(name));
    if (loopRows.length > 0)
      keepLoops(await withServer(TURNS, (url) => loops(url, tell)), keep, loopRows);
    const strongRows = Object.values(STRONG_ROWS).filter((name) => wanted.has(name));
    if (strongRows.length > 0) {
      tell("bench: strong agents behind a stub");
      keepStrong(
        figuresOf<StrongAgentFigures>("strong-agents.ts", STRONG_ROUNDS),
        keep,
        strongRows,
      );
    }
    const crowdRows = Object.values(CROWD_ROWS).filter((name) => wanted.has(name));
    if (crowdRows.length === 0) return;
    tell("bench: 1000 agents at once");
    keepCrowd(await withServer(5, crowd), keep, crowdRows);
  },
};

const LOOP_ROWS = {
  own: "own cost of a model call, 20 messages, 10 tools",
  ownAiSdk: "own cost of a call beside generateText",
  ownLangGraph: "own cost of a call beside createReactAgent",
  aiSdk: "whole call beside generateText",
  langGraph: "whole call beside createReactAgent",
} as const;

const CROWD_ROWS = {
  slowest: "slowest of 1000 agents of 5 turns",
  memory: "memory of each of 1000 agents",
  first: "first piece to a listener",
  abort: "abort until the server's connection is closed",
} as const;

const STRONG_ROWS = {
  event: "event of a strong agent to a listener",
  twenty: "20 sessions of strong agents, pool of 4",
  memory: "memory for a raw log of 100 MB",
} as const;

interface Loops {
  readonly ours: SideResult;
  readonly aiSdk: SideResult;
  readonly langGraph: SideResult;
  /** The provider alone: streamed by our transport, as we ask it; at once by `fetch`, as `generateText` does; LangChain's own. */
  readonly streamed: SideResult;
  readonly whole: SideResult;
  readonly langChain: SideResult;
}

function loops(url: string, tell: Tell): Promise<Loops> {
  const at = (file: string) => join(folder, file);
  const measure = async (): Promise<Loops> => {
    tell("bench: loops of 19 calls with 10 tools");
    // Each beside its floor, so that what the machine does falls on both.
    const [ours, streamed, aiSdk, whole, langGraph, langChain] = await inTurn(
      [
        { side: at("ours.ts"), workload: url, store: "memory" },
        { side: at("provider.ts"), workload: `${url} ours`, store: "none" },
        { side: at("ai-sdk.js"), workload: url, store: "none" },
        { side: at("provider.ts"), workload: `${url} whole`, store: "none" },
        { side: at("langgraph.js"), workload: url, store: "memory" },
        { side: at("langgraph.js"), workload: `${url} alone`, store: "none" },
      ],
      { rounds: ROUNDS },
    );
    const all = { ours, aiSdk, langGraph, streamed, whole, langChain };
    for (const [name, side] of Object.entries(all))
      if (side?.result !== ours?.result)
        throw new Error(`${name} says ${JSON.stringify(side?.result)}`);
    return all as Loops;
  };
  const series = ({ ours, aiSdk, langGraph, ...floors }: Loops) => [
    perCall(ours, floors.streamed),
    perCall(aiSdk, floors.whole),
    perCall(langGraph, floors.langChain),
  ];
  return steady(measure, { series, name: "loops", tell });
}

/** Processor time of one call; `floor`, without what the provider alone took in the same round. */
function perCall({ times }: SideResult, floor?: SideResult): readonly number[] {
  return times.map((ms, round) => (ms - (floor?.times[round] ?? 0)) / TURNS);
}

function keepLoops(all: Loops, keep: Keep, wanted: readonly string[]): void {
  const { ours, aiSdk, langGraph, streamed, whole, langChain } = all;
  const unit = "ms";
  const rows: readonly Measured[] = [
    {
      name: LOOP_ROWS.own,
      unit,
      goal: 1,
      goalOn: "ours",
      ours: perCall(ours, streamed),
      floor: perCall(streamed),
    },
    {
      ...{ name: LOOP_ROWS.ownAiSdk, unit, goal: AI_SDK_TIMES, goalOn: "ratio" },
      ...{ ours: perCall(ours, streamed), base: { name: AI_SDK, values: perCall(aiSdk, whole) } },
    },
    {
      ...{ name: LOOP_ROWS.ownLangGraph, unit, goal: LANGGRAPH_TIMES, goalOn: "ratio" },
      ...{
        ours: perCall(ours, streamed),
        base: { name: LANGGRAPH, values: perCall(langGraph, langChain) },
      },
    },
    {
      ...{
        name: LOOP_ROWS.aiSdk,
        unit,
        goal: AI_SDK_TIMES,
        goalOn: "ratio",
        floor: perCall(streamed),
      },
      ...{ ours: perCall(ours), base: { name: AI_SDK, values: perCall(aiSdk) } },
    },
    {
      ...{
        name: LOOP_ROWS.langGraph,
        unit,
        goal: LANGGRAPH_TIMES,
        goalOn: "ratio",
        floor: perCall(streamed),
      },
      ...{ ours: perCall(ours), base: { name: LANGGRAPH, values: perCall(langGraph) } },
    },
  ];
  for (const row of rows) if (wanted.includes(row.name)) keep(row);
}

function crowd(url: string): CrowdFigures {
  return figuresOf<CrowdFigures>("crowd.ts", CROWD_ROUNDS, url);
}

/** The figures that a file of `agents/` prints. */
function figuresOf<T>(file: string, rounds: number, ...args: readonly string[]): T {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(folder, file), ...args, `${rounds}`],
    { encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`${file} failed: ${stderr}`);
  return JSON.parse(stdout);
}

function keepStrong(
  { event, twenty, bare, grown, grownTenth }: StrongAgentFigures,
  keep: Keep,
  wanted: readonly string[],
) {
  const rows: readonly Measured[] = [
    { name: STRONG_ROWS.event, unit: "ms", goal: 2, goalOn: "ours", ours: event },
    {
      ...{ name: STRONG_ROWS.twenty, unit: "ms", goal: 1 / 2, goalOn: "ratio" },
      ...{ ours: twenty, base: { name: "the processes alone", values: bare } },
    },
    {
      ...{ name: STRONG_ROWS.memory, unit: "MB", goal: 100, goalOn: "ours" },
      ...{ ours: grown, base: { name: "of 10 MB", values: grownTenth } },
    },
  ];
  for (const row of rows) if (wanted.includes(row.name)) keep(row);
}

function keepCrowd(
  { slowest, median, each, wait, firstPiece, abort }: CrowdFigures,
  keep: Keep,
  wanted: readonly string[],
) {
  const rows: readonly Measured[] = [
    {
      ...{ name: CROWD_ROWS.slowest, unit: "ms", goal: 1 / 2, goalOn: "ratio" },
      ...{ ours: slowest, base: { name: "the median one", values: median } },
    },
    { name: CROWD_ROWS.memory, unit: "kB", goal: 150, goalOn: "ours", ours: each, floor: wait },
    { name: CROWD_ROWS.first, unit: "ms", goal: 5, goalOn: "ours", ours: firstPiece },
    { name: CROWD_ROWS.abort, unit: "ms", goal: 100, goalOn: "ours", ours: abort },
  ];
  for (const row of rows) if (wanted.includes(row.name)) keep(row);
}

/** Runs `measure` beside a server whose conversations have so many turns. */
async function withServer<T>(turns: number, measure: (url: string) => Promise<T> | T): Promise<T> {
  const child = spawn(process.execPath, [join(folder, "chat-server.ts"), `${turns}`], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout });
  try {
    const [url] = await once(lines, "line");
    return await measure(url);
  } finally {
    child.kill();
  }
}
