/** `npm run bench -- tools`: what tools cost beside what they stand on: a call of an MCP server beside the bare client's. */
import { join } from "node:path";
import { inTurn, type SideResult } from "../engine/side.ts";
import { steady } from "../steady.ts";
import type { Keep, Suite, Tell } from "../suite.ts";
import { CALLS } from "../tools/task.ts";

const folder = join(import.meta.dirname, "..", "tools");
const ROUNDS = 9;

const MCP_CALL = "own cost of an MCP call";

export const toolsSuite: Suite = {
  measure: async (tell, keep, wanted) => {
    if (wanted.has(MCP_CALL)) await measureMcpCalls(tell, keep);
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
