/** Answers SQL of an agent over the runs that have ended and the agent's own run. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TraceDatabase } from "../database/database.ts";
import { copyRuns, type FilePart } from "../shared/parquet-sql.ts";
import { askAgentProcess } from "./agent-process.ts";
import type { Selected } from "./select-once.ts";

export interface AgentQuestion {
  readonly runId: string;
  /**
   * The runs with logs that the agent sees; absent, all of them. Others are of other users, or of a process that kept their
   * logs to itself, and nobody knows whose they were. Runs that were imported as spans have no log, and are seen.
   */
  readonly seen?: readonly string[];
  readonly sql: string;
  readonly signal: AbortSignal;
}

const LIMITS = { rowsMax: 200, lengthMax: 65_536, timeMaxMs: 5_000 } as const;

/** Answers one SELECT; anything else, and what takes too long or too much memory, is an `SqlError`. */
export async function answerAgent(
  reader: TraceDatabase["reader"],
  parts: readonly FilePart[],
  { runId, sql, signal }: Omit<AgentQuestion, "seen">,
): Promise<Selected> {
  const folder = mkdtempSync(join(tmpdir(), "madrigal-asked-"));
  try {
    const own = join(folder, "own.parquet");
    await reader.run(copyRuns([runId], own, ""));
    return await askAgentProcess({ own, parts, sql, limits: LIMITS }, signal);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
