/** The kernels that are compared: how each is started, in one folder and on one Node. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownKernelspec } from "../../../kernel/lab/kernelspec.ts";
import type { KernelOptions } from "../../../kernel/notebook/kernel-process.ts";
import type { Sides } from "../alternate.ts";
import { benchFolder } from "../peers.ts";

export interface Contender {
  readonly name: string;
  readonly kernel: KernelOptions;
}

/** Both live in test/bench, where `@types/node` is found by either; what our kernel writes is gone afterwards. */
export async function withContenders<T>(work: (sides: Sides<Contender>) => Promise<T>): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), "madrigal-bench-"));
  try {
    return await work({ ours: ownKernel(home), base: tslab });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function ownKernel(home: string): Contender {
  const { argv, env } = ownKernelspec();
  const spec = { argv, env: { ...env, MADRIGAL_HOME: home } };
  return { name: "madrigal", kernel: { spec, cwd: benchFolder } };
}

/** As its own kernelspec starts it, with its own fork of TypeScript. */
const tslab: Contender = {
  name: "tslab 1.0.22",
  kernel: {
    spec: {
      argv: [
        process.execPath,
        join(benchFolder, "node_modules/tslab/bin/tslab"),
        "kernel",
        "--config-path",
        "{connection_file}",
      ],
      env: {},
    },
    cwd: benchFolder,
  },
};
