/** Where a benchmark ran: figures of two machines can't be compared. */
import { cpus, loadavg } from "node:os";
import { rounded } from "./statistics.ts";

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly node: string;
  /** Processes that wanted to run, over the last minute. */
  readonly load: number;
}

export function machineFacts(): Machine {
  const all = cpus();
  return {
    cpu: all[0]?.model.trim() ?? "unknown",
    cores: all.length,
    node: process.versions.node,
    load: rounded(loadavg()[0] ?? 0),
  };
}
