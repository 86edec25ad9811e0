/** Installs a Python with pandas, polars and pyarrow for the tests of `%%python` cells, once for each clone. */
import { spawnSync } from "node:child_process";
import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { lookForPython } from "../../kernel/lab/find-python.ts";
import { projectRoot } from "./child.ts";

const FOLDER = join(projectRoot, "node_modules", ".cache", "python-tables");
const PACKAGES = ["pandas==3.1.1", "polars==2.1.0", "pyarrow==26.0.1"];

/** The program, once `missing("python-tables")` has said nothing. */
export function pythonWithTables(): string {
  return join(FOLDER, "bin", "python");
}

/** Why there is none; undefined where there is. */
export async function missingPythonTables(): Promise<string | undefined> {
  if (existsSync(pythonWithTables())) return undefined;
  const python = await lookForPython();
  if (python === undefined) return "there is no Python 3";
  // Only a whole one has the name: an environment runs wherever its packages are found.
  const unfinished = `${FOLDER}-${process.pid}`;
  for (const [program, ...args] of [
    [python.path, "-m", "venv", unfinished],
    [join(unfinished, "bin", "python"), "-m", "pip", "install", "-q", ...PACKAGES],
  ] as const) {
    const { status, stderr, error } = spawnSync(program, args, { encoding: "utf8" });
    if (status === 0) continue;
    rmSync(unfinished, { recursive: true, force: true });
    return `\`${args.slice(0, 3).join(" ")}\` ended with ${status ?? error}: ${stderr}`;
  }
  renameSync(unfinished, FOLDER);
  return undefined;
}
