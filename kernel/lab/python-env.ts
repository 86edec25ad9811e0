/** Finds or makes the `.venv` with JupyterLab, from the exact versions of requirements.txt. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { CommandError } from "../command-error.ts";
import { EXIT } from "../exit-codes.ts";
import { findPython } from "./find-python.ts";
import { withLock } from "./lock.ts";
import { runProgram } from "./run-program.ts";

export interface PythonEnv {
  readonly folder: string;
  readonly python: string;
}

export interface MakeOptions {
  /** Told before what takes a while. */
  readonly tell: (text: string) => void;
  readonly env?: NodeJS.ProcessEnv;
}

const REQUIREMENTS = fileURLToPath(new URL("requirements.txt", import.meta.url));
const STAMP = "madrigal.json";

/**
 * Returns the folder of `.venv`: that of the package.json of a clone; where we are a dependency,
 * the workspace.
 */
export function pythonEnvRoot(workspaceRoot: string): string {
  const packageRoot = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");
  return packageRoot.split(sep).includes("node_modules") ? workspaceRoot : packageRoot;
}

/** The environment below `root` when it is complete and of today's requirements. */
export function findPythonEnv(root: string): PythonEnv | undefined {
  const made = envIn(root);
  const isReady = existsSync(made.python) && readStamp(made.folder)?.requirements === wanted();
  return isReady ? made : undefined;
}

/** Finds it or makes it; two at once make it once. */
export async function ensurePythonEnv(root: string, options: MakeOptions): Promise<PythonEnv> {
  const found = findPythonEnv(root);
  if (found !== undefined) return found;
  assertOurs(root);
  const { folder } = envIn(root);
  mkdirSync(folder, { recursive: true });
  return await withLock(join(folder, "madrigal.lock"), async () => {
    // Another process may have made it while we waited.
    return findPythonEnv(root) ?? (await make(root, options));
  });
}

async function make(root: string, { tell, env = process.env }: MakeOptions): Promise<PythonEnv> {
  const made = envIn(root);
  const python = await findPython(env);
  // From here on the folder is ours, also when we are killed in the middle.
  writeStamp(made.folder, { requirements: null });
  tell(`madrigal: installing JupyterLab into ${made.folder} (about 50 MB, half a minute) …`);
  const venv = await runProgram([python, "-m", "venv", made.folder], { env });
  if (!venv.ok) throw noVenv(venv.text);
  const pip = [made.python, "-m", "pip", "install", "--quiet", "--no-input"];
  const installed = await runProgram([...pip, "--disable-pip-version-check", "-r", REQUIREMENTS], {
    env,
  });
  if (!installed.ok) throw notInstalled(installed.text);
  writeStamp(made.folder, { requirements: wanted() });
  return made;
}

function envIn(root: string): PythonEnv {
  const folder = join(root, ".venv");
  const isWindows = process.platform === "win32";
  return {
    folder,
    python: isWindows ? join(folder, "Scripts", "python.exe") : join(folder, "bin", "python"),
  };
}

interface Stamp {
  /** The hash of what is installed; null while that is under way. */
  readonly requirements: string | null;
}

function wanted(): string {
  return createHash("sha256").update(readFileSync(REQUIREMENTS)).digest("hex");
}

function readStamp(folder: string): Stamp | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, STAMP), "utf8"));
  } catch {
    return undefined;
  }
}

function writeStamp(folder: string, stamp: Stamp): void {
  const unfinished = join(folder, `${STAMP}.${process.pid}`);
  writeFileSync(unfinished, `${JSON.stringify(stamp)}\n`);
  renameSync(unfinished, join(folder, STAMP));
}

function assertOurs(root: string): void {
  const { folder } = envIn(root);
  if (!existsSync(join(folder, "pyvenv.cfg")) || readStamp(folder) !== undefined) return;
  throw new CommandError(
    "M7733",
    `\`${folder}\` is a Python environment that Madrigal did not make`,
    {
      hint: "move it away, or run `madrigal install` and start a JupyterLab of your own",
      exitCode: EXIT.missing,
    },
  );
}

function noVenv(text: string): CommandError {
  return new CommandError("M7731", `Python can't make a virtual environment: ${lastLines(text)}`, {
    hint: "on Debian and Ubuntu: apt install python3-venv",
    exitCode: EXIT.missing,
  });
}

function notInstalled(text: string): CommandError {
  return new CommandError("M7732", `JupyterLab could not be installed: ${lastLines(text)}`, {
    hint: "check that the package registry can be reached, then repeat the command",
    exitCode: EXIT.missing,
  });
}

/** Returns the last four lines of a program's output, which usually have the cause of its end. */
function lastLines(text: string): string {
  return text.trim().split("\n").slice(-4).join("\n  ");
}
