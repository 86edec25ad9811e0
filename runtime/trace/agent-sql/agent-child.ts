/** Runs as the process of `agent-process.ts`: answers one question after the other, and ends with its parent. */
import * as duckdb from "@duckdb/node-api";
import { serializeError } from "../sql/serialized-error.ts";
import { openForAgent } from "./agent-database.ts";
import type { AgentReply, AgentTask } from "./agent-process.ts";
import { type Selected, selectOnce } from "./select-once.ts";

/** Node and DuckDB are a fifth of it, and DuckDB itself keeps what it counts below its own limit. */
const MEMORY_MAX_MB = 768;
/** DuckDB works in a thread of its own, so this one sees in time what that takes. */
const LOOK_MS = 20;

process.on("message", (task: AgentTask) => void perform(task));
process.on("disconnect", die);
// Ctrl-C in a terminal reaches us too: whoever started us says what becomes of the query.
process.on("SIGINT", () => {});

async function perform(task: AgentTask): Promise<void> {
  const watching = setInterval(() => {
    if (process.memoryUsage.rss() < MEMORY_MAX_MB * 1_048_576) return;
    process.send?.({ kind: "memory", maxMb: MEMORY_MAX_MB } satisfies AgentReply, die);
  }, LOOK_MS);
  try {
    reply({ kind: "selected", selected: await select(task) });
  } catch (error) {
    reply({ kind: "failed", failure: serializeError(error) });
  } finally {
    clearInterval(watching);
  }
}

async function select({ own, parts, sql, limits }: AgentTask): Promise<Selected> {
  const { connection, close } = await openForAgent(duckdb, own, parts);
  try {
    reply({ kind: "begun" });
    return await selectOnce({ connection, duckdb }, sql, limits);
  } finally {
    close();
  }
}

function reply(message: AgentReply): void {
  process.send?.(message);
}

/** `process.exit` would wait for DuckDB. */
function die(): void {
  process.kill(process.pid, "SIGKILL");
}
