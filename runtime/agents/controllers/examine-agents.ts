/** Finds the strong agents that are installed on this machine, for `madrigal doctor`. */
import { execFile } from "node:child_process";
import { OPENCLAW } from "./acp/acp.ts";
import { CLAUDE_CODE } from "./claude-code/claude-code.ts";
import { CODEX } from "./codex/codex.ts";
import type { AgentKind } from "./process/agent-wire.ts";
import { type AgentVariables, agentEnvironment } from "./process/environment.ts";
import { findProgram } from "./process/find-program.ts";

/** A kind of strong agent as it is on this machine. */
export interface ExaminedAgent {
  readonly name: string;
  readonly install: string;
  /** The version that was tried with Madrigal. */
  readonly tried: string;
  /** Absent where it is not installed. */
  readonly path?: string;
  /** Absent where it does not say one. */
  readonly version?: string;
}

const KINDS: readonly AgentKind[] = [CLAUDE_CODE, CODEX, OPENCLAW];

/** Looks for each of them and asks it for its version; nothing else is started. */
export async function examineAgents(env: AgentVariables): Promise<readonly ExaminedAgent[]> {
  return await Promise.all(KINDS.map((kind) => examineAgent(kind, env)));
}

async function examineAgent(
  { name, install, tried, program: [program = ""] }: AgentKind,
  env: AgentVariables,
): Promise<ExaminedAgent> {
  const path = findProgram(program, env.PATH);
  const known = { name, install, tried };
  if (path === undefined) return known;
  const version = /\d+\.\d+\.\d+/.exec(
    await versionText(path, agentEnvironment(env, [], name)),
  )?.[0];
  return { ...known, path, ...(version === undefined ? {} : { version }) };
}

const ANSWERS_MS = 20_000;

function versionText(path: string, env: Readonly<Record<string, string>>): Promise<string> {
  return new Promise((resolve) => {
    execFile(path, ["--version"], { env, timeout: ANSWERS_MS }, (_, stdout) => resolve(stdout));
  });
}
