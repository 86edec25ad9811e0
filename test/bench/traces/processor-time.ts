/** Processor time of this process, DuckDB's threads included: what waits for a busy machine counts nothing. */

/** Milliseconds that `work` took, user and system. */
export async function processorMs(work: () => Promise<unknown> | unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** The same of the main thread alone: what a thread beside it takes counts nothing. */
export async function mainThreadMs(work: () => Promise<unknown> | unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** Milliseconds by the clock. */
export async function clockMs(work: () => Promise<unknown> | unknown): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}
