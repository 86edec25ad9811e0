/** Executes a notebook by nbclient from `.venv` with our kernelspec. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { installKernelspec } from "../../kernel/lab/install-kernelspec.ts";
import { kernelspec } from "../../kernel/lab/kernelspec.ts";
import { runProgram } from "../../kernel/lab/run-program.ts";
import type { NotebookFile } from "../../kernel/notebook/notebook.ts";
import { readNotebook } from "../../kernel/notebook/read-notebook.ts";
import { projectNode, projectRoot, temporaryFolder } from "./child.ts";
import { pythonEnv } from "./python-env.ts";

export interface Executed {
  readonly ok: boolean;
  readonly text: string;
  readonly notebook: NotebookFile;
}

/** A data folder of Jupyter with our kernel and no other. */
function dataFolderWithKernel(): string {
  const folder = temporaryFolder();
  const launcher = join(projectRoot, "kernel", "madrigal.js");
  installKernelspec(folder, kernelspec({ node: projectNode, nodeMajor: 24, launcher }));
  return folder;
}

/**
 * `file` in the workspace `home`; its result stands nowhere else. Without the ids of displays, by which front ends route
 * later updates: `exec` has applied those and leaves the ids out.
 */
export async function executeByNbclient(
  file: string,
  home: string,
  env = jupyterEnv(home),
): Promise<Executed> {
  const result = join(temporaryFolder(), "result.ipynb");
  const script = join(projectRoot, "test", "support", "run-nbclient.py");
  const { ok, text } = await runProgram([pythonEnv().python, script, resolve(home, file), result], {
    env,
    cwd: home,
  });
  if (!existsSync(result)) throw new Error(`nbclient wrote nothing: ${text}`);
  const written = JSON.stringify(JSON.parse(readFileSync(result, "utf8"), withoutDisplayId));
  return { ok, text, notebook: readNotebook(written, result) };
}

function withoutDisplayId(key: string, value: unknown): unknown {
  if (key !== "metadata" || !(value instanceof Object && "madrigal" in value)) return value;
  const { madrigal: _, ...others } = value;
  return others;
}

/** What Jupyter's own programs need to find our kernel, and nothing else of this process's environment. */
export function jupyterEnv(home: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    HOME: home,
    MADRIGAL_HOME: home,
    JUPYTER_DATA_DIR: dataFolderWithKernel(),
    JUPYTER_RUNTIME_DIR: temporaryFolder(),
  };
}
