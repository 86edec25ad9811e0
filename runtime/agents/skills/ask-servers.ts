/** Asks the servers of a program for skills before a run. */
import type { Ir } from "../../../dsl/index.ts";
import { FailureError, messageOf, RunError } from "../../failure.ts";
import { McpServers, type McpServersOptions } from "../mcp/mcp-servers.ts";
import type { OfferedSkill } from "./offered-skill.ts";
import { servedSkills } from "./server-skills.ts";

/** The skills that a name stands for, or the reason why there are none. */
export interface AskedName {
  readonly skills: readonly OfferedSkill[];
  readonly fault?: { readonly code: string; readonly message: string };
}

/** Asks for each name by itself; starts the servers that a graph declares, and ends them. */
export async function askServers(
  graph: Pick<Ir, "mcps" | "config" | "source">,
  names: readonly string[],
  options: McpServersOptions,
): Promise<ReadonlyMap<string, AskedName>> {
  const servers = new McpServers(options);
  const find = (name: string) => servers.skillServer(name, graph);
  const asked = new Map<string, AskedName>();
  const { signal } = new AbortController();
  try {
    for (const name of new Set(names))
      try {
        const found = await servedSkills([name], { find, signal, whole: false });
        asked.set(name, { skills: found.get(name) ?? [] });
      } catch (thrown) {
        asked.set(name, { skills: [], fault: faultOf(thrown) });
      }
    return asked;
  } finally {
    await servers.close();
  }
}

function faultOf(thrown: unknown): NonNullable<AskedName["fault"]> {
  if (thrown instanceof RunError) return { code: thrown.code, message: thrown.message };
  if (!(thrown instanceof FailureError)) throw thrown;
  return { code: thrown.failure.code, message: messageOf(thrown) };
}
