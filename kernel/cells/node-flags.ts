/** Gives the options that Node needs so that a loop after an await can be stopped. */
import { flushCompileCache } from "node:module";

/** Returns the flags of Node `major` for a kernelspec, behind the path of Node. */
export function kernelFlags(major = Number.parseInt(process.versions.node, 10)): readonly string[] {
  const keepsStack = "--no-force-async-hooks-checks";
  // Before 24, the stack of asynchronous contexts is only left whole by this; 24 does it always and refuses the option.
  return major < 24 ? [keepsStack, "--experimental-async-context-frame"] : [keepsStack];
}

/**
 * Becomes a Node that has them, under the same process id, unless it has them already. Where a process can't become
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
