/** Groups for the door what is known of the strong agents on this machine. */
import type { ExaminedAgent } from "../agents/controllers/examine-agents.ts";

export type { ExaminedAgent };

/** Looks for each kind of strong agent and asks it for its version. */
export async function examineAgents(
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly ExaminedAgent[]> {
  return (await import("../agents/controllers/examine-agents.ts")).examineAgents(env);
}
