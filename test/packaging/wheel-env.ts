/** Builds the wheel and installs it into a fresh virtual environment, as a user of pip does. */
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "../../kernel/lab/run-program.ts";
import { projectNode, projectRoot } from "../support/child.ts";
import { pythonEnv } from "../support/python-env.ts";
import { run } from "./installed-package.ts";

export interface WheelEnv {
  /** The home of a user who has nothing else; its name has what careless code trips over. */
  readonly home: string;
  readonly prefix: string;
  readonly wheel: string;
  /** Returns all files of the environment; pip leaves empty folders of data behind. */
  files(): readonly string[];
  /** Runs a program of the environment; its exit and what it wrote. */
  run(command: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>;
  /** Runs pip for the environment, which has none of its own. */
  pip(...args: readonly string[]): Promise<string>;
}

/** Returns an environment that has the JupyterLab of `.venv` and nothing else yet, and the wheel beside it. */
export async function makeWheelEnv(): Promise<WheelEnv> {
  const home = join(realpathSync(mkdtempSync(join(tmpdir(), "madrigal-wheel-"))), "a home v1.0 ü");
  mkdirSync(home);
  const built = run(projectNode, ["packaging/build-wheel.ts", home], projectRoot);
  if (built.code !== 0) throw new Error(built.text);
  const prefix = join(home, "env");
  const own = pythonEnv().python;
  const start = async (command: readonly string[], more: Readonly<Record<string, string>> = {}) => {
    const { PATH = "", HOME = "" } = process.env;
    // pip's own cache is that of this machine.
    const env = { PATH, HOME: home, PIP_CACHE_DIR: join(HOME, ".cache", "pip"), ...more };
    const { ok, text } = await runProgram(command, { cwd: home, env });
    return ok ? text.trim() : `failed: ${text.trim()}`;
  };
  const env: WheelEnv = {
    home,
    prefix,
    wheel: join(home, readdirSync(home).find((name) => name.endsWith(".whl")) ?? ""),
    files: () =>
      readdirSync(prefix, { recursive: true, withFileTypes: true })
        .filter((entry) => !entry.isDirectory())
        .map((entry) => join(entry.parentPath, entry.name))
        .sort(),
    run: ([name = "", ...args], more) => start([join(prefix, "bin", name), ...args], more),
    pip: (...args) =>
      start([
        own,
        "-m",
        "pip",
        "--quiet",
        "--disable-pip-version-check",
        "--python",
        join(prefix, "bin", "python"),
        ...args,
      ]),
  };
  const where = "import sysconfig; print(sysconfig.get_path('purelib'))";
  await start([own, "-m", "venv", "--without-pip", prefix]);
  const packages = await env.run(["python", "-c", where]);
  writeFileSync(join(packages, "lab.pth"), `${await start([own, "-c", where])}\n`);
  return env;
}
