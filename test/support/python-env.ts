/** Provides what some tests need of the machine: `.venv`, Chromium, bubblewrap, a small language model and programs of npm, installed when they are not there. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { ensurePythonEnv, findPythonEnv, type PythonEnv } from "../../kernel/lab/python-env.ts";
import { sandboxes } from "../../runtime/index.ts";
import { projectRoot } from "./child.ts";
import { missingNpmProgram, type NpmProgram } from "./npm/npm-programs.ts";
import { missingPythonTables } from "./python-tables.ts";
import { missingSmallModel } from "./small-model.ts";

const isCi = process.env.CI === "true";
export const CHROMIUM = "/usr/bin/chromium";

export type Needed =
  | "python-env"
  | "python-tables"
  | "chromium"
  | "bubblewrap"
  | "small-model"
  | "restate"
  | NpmProgram;

/** Why a test that needs this can't run here, which is also told; undefined when it can. In CI nothing may be missing: that throws. */
export async function missing(what: Needed): Promise<string | undefined> {
  const reason = await REASONS[what]();
  if (reason !== undefined && isCi) throw new Error(`CI needs it: ${reason}`);
  if (reason !== undefined) process.stderr.write(`skipped: ${reason}\n`);
  return reason;
}

const REASONS: Readonly<Record<Needed, () => Promise<string | undefined>>> = {
  "python-env": missingPythonEnv,
  "python-tables": missingPythonTables,
  chromium: async () => missingPackage("chromium", CHROMIUM),
  bubblewrap: missingBubblewrap,
  "small-model": missingSmallModel,
  restate: () => missingNpmProgram("restate"),
  inspector: () => missingNpmProgram("inspector"),
  codex: () => missingNpmProgram("codex"),
  "playwright-mcp": () => missingNpmProgram("playwright-mcp"),
};

/** The project's `.venv`, once `missing("python-env")` has said nothing. */
export function pythonEnv(): PythonEnv {
  const found = findPythonEnv(projectRoot);
  if (found === undefined) throw new Error("ask missing() first");
  return found;
}

async function missingPythonEnv(): Promise<string | undefined> {
  if (findPythonEnv(projectRoot) !== undefined) return undefined;
  try {
    await ensurePythonEnv(projectRoot, { tell: (text) => process.stderr.write(`${text}\n`) });
    return undefined;
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}

async function missingBubblewrap(): Promise<string | undefined> {
  const missing = missingPackage("bubblewrap", "/usr/bin/bwrap");
  return missing ?? (await sandboxes.examineSandbox()).fault?.message;
}

function missingPackage(name: string, command: string): string | undefined {
  if (existsSync(command)) return undefined;
  // A system package: only where nobody has to be asked.
  if (process.getuid?.() !== 0) return `there is no ${command}: apt install ${name}`;
  for (const args of [["update"], ["install", "-y", "--no-install-recommends", name]]) {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    // Several test files may ask at once, and apt-get gives up where another one works.
    const line = ["/var/lib/apt", "apt-get", "-qq", ...args];
    const { status, stderr, error } = spawnSync("flock", line, {
      env,
      encoding: "utf8",
    });
    if (status !== 0) return `apt-get ${args[0]} ended with ${status ?? error}: ${stderr}`;
  }
  return existsSync(command) ? undefined : `apt-get installed no ${command}`;
}
