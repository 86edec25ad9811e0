/**
 * Answers an agent's SQL in a separate process, which is killed when a question takes too long or too much memory: DuckDB
 * can't be interrupted within a call of a function, and its limit does not count the texts that one call makes.
 */
import { type ChildProcess, fork } from "node:child_process";
import type { FilePart } from "../shared/parquet-sql.ts";
import { cancelled } from "../sql/ask.ts";
import { type SerializedError, toError } from "../sql/serialized-error.ts";
import { SqlError } from "../sql/sql-error.ts";
import { type Selected, type SelectLimits, tooLate } from "./select-once.ts";

export interface AgentTask {
  /** The file with the rows of the agent's own run. */
  readonly own: string;
  readonly parts: readonly FilePart[];
  readonly sql: string;
  readonly limits: SelectLimits & { readonly timeMaxMs: number };
}

/** A message of the process; `begun` when the time of the query begins. */
export type AgentReply =
  | { readonly kind: "begun" }
  | { readonly kind: "selected"; readonly selected: Selected }
  | { readonly kind: "failed"; readonly failure: SerializedError }
  | { readonly kind: "memory"; readonly maxMb: number };

/** Behind the deadline: DuckDB is interrupted there, and mostly stops. */
const END_MAX_MS = 200;
/** Loading DuckDB on a busy machine. */
const BEGIN_MAX_MS = 60_000;
const IDLE_MAX_MS = 60_000;

/** Two that ask at once have a process each; one is kept for the next question. */
let idle: ChildProcess | undefined;
let idleTimer: NodeJS.Timeout | undefined;

/** Rejects with `SqlError` where the query is refused, cancelled, or takes too long or too much memory. */
export async function askAgentProcess(task: AgentTask, signal: AbortSignal): Promise<Selected> {
  if (signal.aborted) throw cancelled(task.sql, signal.reason);
  const child = takeIdle() ?? startProcess();
  try {
    const reply = await replyOf(child, task, signal);
    keepIdle(child);
    if (reply.kind === "selected") return reply.selected;
    throw toError(reply.failure);
  } finally {
    if (child !== idle) child.kill("SIGKILL");
  }
}

type LastReply = AgentReply & { readonly kind: "selected" | "failed" };

async function replyOf(
  child: ChildProcess,
  task: AgentTask,
  signal: AbortSignal,
): Promise<LastReply> {
  const { sql, limits } = task;
  const { promise, resolve, reject } = Promise.withResolvers<LastReply>();
  const late = () => reject(tooLate(sql, limits.timeMaxMs));
  let timer = setTimeout(late, BEGIN_MAX_MS);
  const onReply = (reply: AgentReply) => {
    if (reply.kind === "begun") {
      clearTimeout(timer);
      timer = setTimeout(late, limits.timeMaxMs + END_MAX_MS);
    } else if (reply.kind === "memory") reject(tooLarge(sql, reply.maxMb));
    else resolve(reply);
  };
  const onAbort = () => reject(cancelled(sql, signal.reason));
  const onExit = (code: number | null, name: string | null) =>
    reject(new Error(`the process that asks for agents ended (${name ?? code})`));
  signal.addEventListener("abort", onAbort);
  child.on("message", onReply).on("exit", onExit).on("error", reject);
  try {
    child.send(task);
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
    child.off("message", onReply).off("exit", onExit).off("error", reject);
  }
}

function tooLarge(sql: string, maxMb: number): SqlError {
  return new SqlError("M5416", `the query took more than ${maxMb} MB of memory`, {
    sql,
    hint: "ask for one run, for fewer rows, or for shorter texts",
  });
}

// ── the process ─────────────────────────────────────────────────────────────────────────────────

/** None of our own settings and secrets. */
const ENVIRONMENT = ["PATH", "LD_LIBRARY_PATH", "TMPDIR", "TEMP", "SystemRoot"] as const;

function startProcess(): ChildProcess {
  const ending = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const child = fork(new URL(`./agent-child.${ending}`, import.meta.url), {
    execArgv: [],
    env: Object.fromEntries(ENVIRONMENT.map((name) => [name, process.env[name]])),
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  // Of one that was killed while it was told something; what a question needs to know, it hears by itself.
  return child.on("error", () => {});
}

function takeIdle(): ChildProcess | undefined {
  const child = idle;
  idle = undefined;
  clearTimeout(idleTimer);
  if (child?.connected !== true) return undefined;
  child.ref();
  child.channel?.ref();
  return child;
}

/** It keeps nobody's process from ending, and ends with it. */
function keepIdle(child: ChildProcess): void {
  if (idle !== undefined || !child.connected) return;
  idle = child;
  child.unref();
  child.channel?.unref();
  idleTimer = setTimeout(() => endIdle(child), IDLE_MAX_MS).unref();
}

function endIdle(child: ChildProcess): void {
  if (child !== idle) return;
  idle = undefined;
  child.kill("SIGKILL");
}
