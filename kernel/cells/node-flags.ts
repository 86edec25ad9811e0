/** Gives the options and variables with which Node starts as a kernel: a loop after an await can be stopped, freed memory is given back. */
import { flushCompileCache } from "node:module";

/** Returns the flags of Node `major` for a kernelspec, behind the path of Node. */
export function kernelFlags(major = Number.parseInt(process.versions.node, 10)): readonly string[] {
  const keepsStack = "--no-force-async-hooks-checks";
  // Before 24, the stack of asynchronous contexts is only left whole by this; 24 does it always and refuses the option.
  return major < 24 ? [keepsStack, "--experimental-async-context-frame"] : [keepsStack];
}

/**
 * Tells the C library of Linux to have two pools of memory for all threads, and to keep 128 kB at the end of each. By itself it has
 * a pool for each thread, and keeps 20 MB of what the start needed.
 */
const ALLOCATOR = { MALLOC_ARENA_MAX: "2", MALLOC_TRIM_THRESHOLD_: "131072" };

/** The environment of a kernelspec. */
export const KERNEL_ENVIRONMENT: Readonly<Record<string, string>> = {
  UV_THREADPOOL_SIZE: "16",
  ...ALLOCATOR,
};

/** Takes what this process has read at its start from the environment of the programs that cells and tools start. */
export function dropAllocatorVariables(): void {
  for (const [name, value] of Object.entries(ALLOCATOR))
    if (process.env[name] === value) delete process.env[name];
}

/**
 * Becomes a Node that has these flags, under the same process id, unless it has them already. Where a process can't become
 * another one, it goes on without: such a loop then takes a restart of the kernel.
 */
export function becomeStoppable(): void {
  const given = [...process.execArgv, ...(process.env.NODE_OPTIONS ?? "").split(/\s+/)];
  const missing = kernelFlags().filter((flag) => !given.includes(flag));
  if (missing.length === 0 || process.execve === undefined) return;
  flushCompileCache();
  const words = [process.execPath, ...missing, ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, words, process.env);
}
