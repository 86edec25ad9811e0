/** Finds the papermill of this machine, and the Python that runs it. */
import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { CommandError } from "../command-error.ts";
import { EXIT } from "../exit-codes.ts";
import { runProgram } from "./run-program.ts";

export interface Papermill {
  readonly version: string;
  readonly python: string;
  /** The folder in which its Python keeps packages. */
  readonly packages: string;
}

/** The folders and variables in which to look for a papermill. */
export interface Where {
  /** A virtual environment, such as `--prefix` names. */
  readonly prefix?: string | undefined;
  readonly env?: NodeJS.ProcessEnv;
}

// papermill is not loaded, since one with a damaged translator would not be found.
const PROBE = `import json, sys, sysconfig
from importlib.metadata import version
print(json.dumps({"version": version("papermill"), "python": sys.executable, "packages": sysconfig.get_path("purelib")}))`;

const WAIT_MS = 60_000;

/**
 * Finds the papermill of the prefix, else the first on the PATH, else one of the PATH's Python;
 * undefined without any.
 */
export async function lookForPapermill(where: Where = {}): Promise<Papermill | undefined> {
  for (const python of pythonsOf(where)) {
    const { ok, text } = await runProgram([python, "-c", PROBE], {
      env: where.env ?? process.env,
      timeoutMs: WAIT_MS,
    });
    const line = /^\{"version".*\}$/m.exec(ok ? text : "")?.[0];
    if (line !== undefined) return JSON.parse(line);
  }
  return undefined;
}

/** The same; throws M7750 when there is none. */
export async function findPapermill(where: Where): Promise<Papermill> {
  const found = await lookForPapermill(where);
  if (found !== undefined) return found;
  const place = where.prefix === undefined ? "on the PATH" : `below \`${where.prefix}\``;
  throw new CommandError("M7750", `there is no papermill ${place}`, {
    hint: "pip install papermill, or name its environment with `--prefix`; `madrigal exec --param` needs none",
    exitCode: EXIT.missing,
  });
}

function pythonsOf({ prefix, env = process.env }: Where): readonly string[] {
  if (prefix !== undefined) {
    return [join(prefix, "bin", "python"), join(prefix, "Scripts", "python.exe")].filter(
      existsSync,
    );
  }
  const program = (env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, "papermill"))
    .find(isExecutable);
  const own = program === undefined ? undefined : pythonOf(program);
  return [...(own === undefined ? [] : [own]), "python3", "python"];
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the Python of a program that pip wrote: its first line names it, or, where that would be
 * too long, its second.
 */
function pythonOf(program: string): string | undefined {
  const [first = "", second = ""] = readFileSync(program, "utf8").split("\n", 2);
  const [, long] = /^'''exec' "?([^"]+?)"? "\$0"/.exec(second) ?? [];
  const [, short] = /^#!\s*(\/\S*python[\d.]*)\s*$/.exec(first) ?? [];
  return long ?? short;
}
