/** Tries whether code can run in a sandbox on this machine. */
import { spawnSync } from "node:child_process";
import type { RunError } from "../../failure.ts";
import { findBubblewrap, INSTALL_HINT } from "./bubblewrap.ts";
import { codeError } from "./code-error.ts";
import { USUAL_LIMITS } from "./code-limits.ts";
import { runCommand } from "./run-command.ts";
import { openWorkFolder } from "./work-folder.ts";

/** A sandbox that works, or what is wrong with it. */
export interface ExaminedSandbox {
  /** The version of bubblewrap. */
  readonly version?: string;
  /** M8330 where there is no bubblewrap, M8332 where it can make no sandbox here. */
  readonly fault?: RunError;
}

/** Runs a command that does nothing in a sandbox. */
export async function examineSandbox(): Promise<ExaminedSandbox> {
  let path: string;
  try {
    path = findBubblewrap();
  } catch (thrown) {
    return { fault: thrown as RunError };
  }
  const version = spawnSync(path, ["--version"], { encoding: "utf8" }).stdout?.trim() ?? "";
  const folder = await openWorkFolder({ cwd: undefined, isSandboxed: true });
  try {
    const { exitCode, stderr } = await runCommand({
      ...{ command: ["true"], sandbox: "bwrap", folder: folder.path, user: folder.user },
      ...{ limits: USUAL_LIMITS, leftMs: USUAL_LIMITS.timeoutMs },
      signal: new AbortController().signal,
    });
    if (exitCode === 0) return { version };
    const message = `bubblewrap can make no sandbox here: ${stderr.trim() || `exit code ${exitCode}`}`;
    return { version, fault: codeError("M8332", { message, hint: NAMESPACES_HINT }) };
  } finally {
    await folder.end();
  }
}

const NAMESPACES_HINT = `allow user namespaces (\`sysctl kernel.unprivileged_userns_clone=1\`, on Ubuntu an AppArmor profile for bwrap), in a container start it with leave to make namespaces; ${INSTALL_HINT.replace(/^.*, or /, "or ")}`;
