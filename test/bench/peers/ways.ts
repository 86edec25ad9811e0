/** Ways to look into a run and to change it, and which of them each side has: what `debug-ours.ts` and `debug-langgraph.js` try. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectNode } from "../../support/child.ts";
import { LIMIT_MS, type PeerSide } from "./play.ts";

export interface Way {
  readonly name: string;
  readonly wanted: string;
  readonly ours: string;
  /** The code for LangGraph; where it can't do this, the code that comes nearest. */
  readonly langgraph?: string;
  readonly isThere: boolean;
}

export const WAYS: readonly Way[] = [
  {
    name: "step",
    wanted: "node by node",
    ours: "`debug.stepOver()`",
    langgraph: '`interruptAfter: "*"`, `invoke(null)`',
    isThere: true,
  },
  {
    name: "breakpoint",
    wanted: "hold before a node",
    ours: "`setBreakpoint({ node })`",
    langgraph: "`interruptBefore: [node]`",
    isThere: true,
  },
  {
    name: "condition",
    wanted: "hold only where the state is so",
    ours: "`setBreakpoint({ node, if })`",
    langgraph: "`interrupt()` in the node itself",
    isThere: false,
  },
  {
    name: "edit",
    wanted: "another value while it is held",
    ours: "`run.edit({ text })`",
    langgraph: "`updateState(config, { text })`",
    isThere: true,
  },
  {
    name: "fork",
    wanted: "go another way from a step",
    ours: "`run.fork(1, { text })`",
    langgraph: "`updateState` on a checkpoint",
    isThere: true,
  },
  {
    name: "rewind",
    wanted: "back to a step, and on",
    ours: "`debug.rewind(2)`",
    langgraph: "`invoke(null)` on a checkpoint",
    isThere: true,
  },
  {
    name: "blame",
    wanted: "who wrote this value",
    ours: '`debug.blame("text")`',
    langgraph: "`tasks` of `getStateHistory`",
    isThere: true,
  },
  {
    name: "replay",
    wanted: "decide it again without calling anything",
    ours: "`run.replay()`",
    langgraph: "`invoke` calls every node again",
    isThere: false,
  },
  {
    name: "run again, unchanged",
    wanted: "a new run that calls nothing twice",
    ours: "`Note.rerun(run)`",
    langgraph: "`cachePolicy: true`, `InMemoryCache`",
    isThere: true,
  },
  {
    name: "run again after an edit",
    wanted: "call only what the edit reaches",
    ours: "`Note.rerun(run)`",
    langgraph: "the cache serves the old node",
    isThere: false,
  },
  {
    name: "sql",
    wanted: "which node took how long, in SQL",
    ours: "``sql`… FROM node_runs` ``",
    langgraph: "tables without nodes and times",
    isThere: false,
  },
  {
    name: "difference",
    wanted: "where two runs part",
    ours: "`run.diff(other)`",
    isThere: false,
  },
  {
    name: "orders",
    wanted: "every order in which nodes can end",
    ours: "`Note.explore({}, { outputs })`",
    isThere: false,
  },
  {
    name: "test",
    wanted: "a run as a test",
    ours: "`run.toTest({ name })`",
    isThere: false,
  },
  {
    name: "draw",
    wanted: "the graph as a drawing",
    ours: "`madrigal graph FILE --mermaid`",
    langgraph: "`drawMermaid()`",
    isThere: true,
  },
];

const SCRIPTS = { ours: "debug-ours.ts", langgraph: "debug-langgraph.js" } as const;

/** Tries each way in a process of its own; returns the names of those that come to what is wanted. */
export function tryWays(side: PeerSide): readonly string[] {
  const home = mkdtempSync(join(tmpdir(), "madrigal-ways-"));
  try {
    const script = join(import.meta.dirname, SCRIPTS[side]);
    const { stdout, stderr } = spawnSync(projectNode, [script], {
      cwd: home,
      encoding: "utf8",
      timeout: LIMIT_MS,
      killSignal: "SIGKILL",
      env: { PATH: process.env.PATH ?? "", HOME: home, MADRIGAL_HOME: home },
    });
    const line = stdout.trimEnd().split("\n").at(-1) ?? "";
    if (!line.startsWith("{")) throw new Error(`${script} ended without a result:\n${stderr}`);
    const tried: Readonly<Record<string, boolean>> = JSON.parse(line);
    return WAYS.map(({ name }) => name).filter((name) => tried[name] === true);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
