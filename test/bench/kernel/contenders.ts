/** The kernels that are compared, and how each is started: on one Node, in one folder, with a home of its own. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ownKernelspec } from "../../../kernel/lab/kernelspec.ts";
import { ensurePythonEnv } from "../../../kernel/lab/python-env.ts";
import type { KernelOptions } from "../../../kernel/notebook/execution/kernel-process.ts";
import { benchFolder } from "../peers.ts";
import type { Tell } from "../suite.ts";
import { pythonScript } from "./python-script.ts";
import type { Script } from "./script.ts";
import { typescriptScript } from "./typescript-script.ts";

export interface Contender {
  readonly name: string;
  readonly spec: KernelOptions["spec"];
  readonly script: Script;
  /** How front ends stop its cells. */
  readonly interrupt: "message" | "signal";
}

export const TSLAB = "tslab 1.0.22";

/** The others that are measured where they are there. */
export const PEERS = [TSLAB, "ipykernel", "Deno"] as const;

/** Ours. */
export function ownKernel(): Contender {
  return {
    name: "madrigal",
    spec: ownKernelspec(),
    script: typescriptScript,
    interrupt: "message",
  };
}

/** The others, as their own kernelspecs start them; one that is not there is told and left out. */
export async function otherKernels(tell: Tell): Promise<readonly Contender[]> {
  const made = await Promise.all(
    [tslab, ipykernel, deno].map(async (make) => {
      try {
        return [await make(tell)];
      } catch (thrown) {
        const why = thrown instanceof Error ? thrown.message : String(thrown);
        tell(`bench: ${make.name} is left out: ${why}`);
        return [];
      }
    }),
  );
  return made.flat();
}

/** With its own fork of TypeScript. */
async function tslab(): Promise<Contender> {
  const program = join(benchFolder, "node_modules/tslab/bin/tslab");
  const words = ["kernel", "--config-path", "{connection_file}"];
  return {
    name: TSLAB,
    spec: { argv: [process.execPath, program, ...words], env: {} },
    script: typescriptScript,
    interrupt: "signal",
  };
}

/** Of the project's `.venv`, whose versions are pinned in kernel/lab/requirements.txt. */
async function ipykernel(tell: Tell): Promise<Contender> {
  const { python } = await ensurePythonEnv(join(benchFolder, "../.."), { tell });
  return {
    name: "ipykernel",
    spec: { argv: [python, "-m", "ipykernel_launcher", "-f", "{connection_file}"], env: {} },
    script: pythonScript,
    interrupt: "signal",
  };
}

/** The program itself: the package's command would stand between us and its process. */
async function deno(): Promise<Contender> {
  const program = join(benchFolder, "node_modules/deno", DENO);
  if (!existsSync(program))
    throw new Error(`there is no ${program}: its install script did not run`);
  return {
    name: "Deno",
    spec: {
      argv: [program, "jupyter", "--kernel", "--conn", "{connection_file}"],
      env: { DENO_NO_UPDATE_CHECK: "1" },
    },
    script: typescriptScript,
    interrupt: "signal",
  };
}

const DENO = process.platform === "win32" ? "deno.exe" : "deno";
