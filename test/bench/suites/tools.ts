/** `npm run bench -- tools`: what tools cost beside what they stand on: a call of an MCP server beside the bare client's, a sandbox beside bare bubblewrap, an observation of a page. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { USUAL_LIMITS } from "../../../runtime/agents/code/code-limits.ts";
import { runCommand } from "../../../runtime/agents/code/run-command.ts";
import { inTurn, type SideResult } from "../engine/side.ts";
import { steady } from "../steady.ts";
import type { Keep, Suite, Tell } from "../suite.ts";
import { observePage } from "../tools/observe-page.ts";
import { CALLS } from "../tools/task.ts";

const folder = join(import.meta.dirname, "..", "tools");
const ROUNDS = 9;

const SANDBOX_ROUNDS = 30;
const SANDBOX_START = "sandbox start";
/** At most 1.5 times as long. */
const SANDBOX_GOAL = 1 / 1.5;

const OBSERVATION_ROUNDS = 20;
const OBSERVATION = "page observation";
const OBSERVATION_TOKENS = "tokens of a page observation";

const MCP_CALL = "own cost of an MCP call";

export const toolsSuite: Suite = {
  measure: async (tell, keep, wanted) => {
    if (wanted.has(MCP_CALL)) await measureMcpCalls(tell, keep);
    if (wanted.has(SANDBOX_START)) await measureSandboxStart(tell, keep);
    if (wanted.has(OBSERVATION) || wanted.has(OBSERVATION_TOKENS))
      await measureObservation(tell, keep);
  },
};

/**
 * An agent with a scripted model calls a tool of a server, the same agent calls a function, and the bare client calls the
 * server, in turn. What the server adds to a call of ours, without what the client takes, is our own cost.
 */
async function measureMcpCalls(tell: Tell, keep: Keep): Promise<void> {
  const at = (file: string) => join(folder, file);
  const measure = async () => {
    tell(`bench: ${CALLS} calls of a tool, one after the other`);
    const sides = await inTurn(
      [
        { side: at("agent-calls.ts"), workload: "mcp", store: "memory" },
        { side: at("agent-calls.ts"), workload: "function", store: "memory" },
        { side: at("client-calls.ts"), workload: "", store: "none" },
      ],
      { rounds: ROUNDS },
    );
    for (const { result } of sides)
      if (result !== CALLS) throw new Error(`a side made ${JSON.stringify(result)} calls`);
    return sides;
  };
  const series = (sides: readonly SideResult[]) => [ownCost(sides)];
  const sides = await steady(measure, { series, name: MCP_CALL, tell });
  keep({
    ...{ name: MCP_CALL, unit: "ms", goal: 0.5, goalOn: "ours", ours: ownCost(sides) },
    floor: (sides[2]?.times ?? []).map((ms) => ms / CALLS),
  });
}

function ownCost([served, called, client]: readonly SideResult[]): readonly number[] {
  return (served?.times ?? []).map(
    (ms, round) => (ms - (called?.times[round] ?? 0) - (client?.times[round] ?? 0)) / CALLS,
  );
}

/** A command that does nothing, in our sandbox and in bubblewrap alone with the system's programs, in turn. */
async function measureSandboxStart(tell: Tell, keep: Keep): Promise<void> {
  tell(`bench: ${SANDBOX_ROUNDS} starts of a sandbox`);
  const ours: number[] = [];
  const bare: number[] = [];
  const user = process.getuid?.() === 0 ? 65_534 : (process.getuid?.() ?? 0);
  const path = mkdtempSync(join(tmpdir(), "madrigal-bench-"));
  chownSync(path, user, user);
  const signal = new AbortController().signal;
  const limits = USUAL_LIMITS;
  const of = {
    sandbox: "bwrap",
    folder: path,
    user,
    limits,
    leftMs: limits.timeoutMs,
    signal,
  } as const;
  try {
    for (let round = 0; round < SANDBOX_ROUNDS; round += 1) {
      ours.push(await timed(async () => (await runCommand({ ...of, command: ["true"] })).exitCode));
      bare.push(await timed(() => bareBubblewrap(path)));
    }
  } finally {
    rmSync(path, { recursive: true });
  }
  const base = { name: "bubblewrap", values: bare };
  keep({ ...{ name: SANDBOX_START, unit: "ms", goal: SANDBOX_GOAL, goalOn: "ratio" }, ours, base });
}

async function bareBubblewrap(folder: string): Promise<number> {
  const links = ["bin", "lib", "lib64"].flatMap((name) => ["--symlink", `usr/${name}`, `/${name}`]);
  const view = ["--ro-bind", "/usr", "/usr", ...links, "--proc", "/proc", "--dev", "/dev"];
  const args = ["--unshare-all", "--die-with-parent", ...view, "--bind", folder, "/work", "true"];
  const child = spawn("bwrap", args, { stdio: ["ignore", "pipe", "pipe"] });
  const [code] = await once(child, "close");
  return code;
}

/** An agent looks at a page of 2,000 elements, which is there already. */
async function measureObservation(tell: Tell, keep: Keep): Promise<void> {
  tell(`bench: ${OBSERVATION_ROUNDS} observations of a page`);
  const { times, tokens } = await observePage(OBSERVATION_ROUNDS);
  keep({ name: OBSERVATION, unit: "ms", goal: 150, goalOn: "ours", ours: times });
  keep({ name: OBSERVATION_TOKENS, unit: "tokens", goal: 4_000, goalOn: "ours", ours: tokens });
}

async function timed(work: () => Promise<number>): Promise<number> {
  const began = performance.now();
  if ((await work()) !== 0) throw new Error("a sandbox failed");
  return performance.now() - began;
}
