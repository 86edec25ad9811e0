/** Answers `usage_request`: what the kernel and its machine use, in the form of ipykernel. */
import { cpus, freemem, hostname, totalmem } from "node:os";
import type { Dict } from "../wire/message.ts";

interface Sample {
  readonly atMs: number;
  readonly kernelMs: number;
  readonly hostBusyMs: number;
  readonly hostMs: number;
}

/** Answers `usage_request`; shares of time are those since the call before, the first one since now. */
export function createUsage(): () => Dict {
  let before = sample();
  return () => {
    const now = sample();
    const answer = {
      hostname: hostname(),
      pid: process.pid,
      kernel_cpu: percent(now.kernelMs - before.kernelMs, now.atMs - before.atMs),
      kernel_memory: process.memoryUsage.rss(),
      cpu_count: cpus().length,
      host_cpu_percent: percent(now.hostBusyMs - before.hostBusyMs, now.hostMs - before.hostMs),
      host_virtual_memory: memory(),
    };
    before = now;
    return answer;
  };
}

function sample(): Sample {
  const { user, system } = process.cpuUsage();
  const times = cpus().map((cpu) => cpu.times);
  const hostMs = times.reduce((sum, { user, nice, sys, irq, idle }) => {
    return sum + user + nice + sys + irq + idle;
  }, 0);
  const idleMs = times.reduce((sum, { idle }) => sum + idle, 0);
  return {
    atMs: performance.now(),
    kernelMs: (user + system) / 1000,
    hostBusyMs: hostMs - idleMs,
    hostMs,
  };
}

function percent(part: number, whole: number): number {
  return whole <= 0 ? 0 : Math.round((1000 * part) / whole) / 10;
}

function memory(): Dict {
  const total = totalmem();
  const free = freemem();
  const used = total - free;
  return { total, available: free, percent: percent(used, total), used, free };
}
