/** Finds a Python of this machine that can run JupyterLab. */
import { CommandError } from "../command-error.ts";
import { EXIT } from "../exit-codes.ts";
import { runProgram } from "./run-program.ts";

const MINOR_MIN = 10;
const PROBE = "import sys; print(sys.version_info[0], sys.version_info[1], sys.executable)";

export interface FoundPython {
  /** `3.11`. */
  readonly version: string;
  readonly path: string;
}

/** The path of a Python that is new enough; throws M7730 when there is none. */
export async function findPython(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const found = await lookForPython(env);
  if (found !== undefined && isNewEnough(found)) return found.path;
  const what =
    found === undefined
      ? "there is no `python3` on the PATH"
      : `\`${found.path}\` is Python ${found.version}`;
  throw new CommandError("M7730", `${what}, and JupyterLab needs 3.${MINOR_MIN} or newer`, {
    hint: "install Python 3 with its module venv: apt install python3-venv, or see python.org",
    exitCode: EXIT.missing,
  });
}

/** The first Python of the PATH that answers, whatever its version. */
export async function lookForPython(
  env: NodeJS.ProcessEnv = process.env,
): Promise<FoundPython | undefined> {
  for (const name of ["python3", "python"]) {
    const { ok, text } = await runProgram([name, "-c", PROBE], { env, timeoutMs: 20_000 });
    const [, version, path] = /^(3 \d+) (.+)$/m.exec(ok ? text : "") ?? [];
    if (version !== undefined && path !== undefined) {
      return { version: version.replace(" ", "."), path };
    }
  }
  return undefined;
}

export function isNewEnough({ version }: FoundPython): boolean {
  return Number(version.split(".")[1]) >= MINOR_MIN;
}
