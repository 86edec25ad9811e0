/** Defines the task of both sides of the comparison of MCP calls: call `echo` of a server over stdio so many times, one after the other. */
import { join } from "node:path";

export const CALLS = 100;

export const echoServer = [process.execPath, join(import.meta.dirname, "echo-server.ts")] as const;

/** Measures a side in processor time: the work of the server is that of another process. */
export const inProcessorTime = { now: processorMs, roundMs: 250, warmMs: 2_000 };

/** Processor time of this process in milliseconds, user and system. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
