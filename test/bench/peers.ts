/** Brings test/bench/node_modules, what we are compared with, up to its lockfile. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CommandError } from "../../kernel/command-error.ts";
import { EXIT } from "../../kernel/exit-codes.ts";
import type { Tell } from "./suite.ts";

export const benchFolder = import.meta.dirname;

/** What a lockfile says of its packages, by their paths. */
export type Lock = Readonly<
  Record<
    string,
    { readonly version?: string; readonly optional?: boolean; readonly peer?: boolean }
  >
>;

/** Installs what is missing; throws M7002 when npm can't. */
export function ensurePeers(tell: Tell): void {
  const missing = missingPeer(wanted(), installed());
  if (missing === undefined) return;
  tell(`bench: ${missing} is not installed in test/bench; running npm install …`);
  npmInstall();
  const left = missingPeer(wanted(), installed());
  if (left !== undefined) throw notInstalled(`after npm install, ${left} is not there`);
}

/** The first package that is not there as it is wanted. */
export function missingPeer(wanted: Lock, installed: Lock): string | undefined {
  for (const [path, { version = "", optional, peer }] of Object.entries(wanted)) {
    // The root is not among the installed; optional packages of other platforms are left out.
    if (path === "" || optional === true || peer === true) continue;
    if (installed[path]?.version === version) continue;
    return `${path.replace(/^.*node_modules\//, "")} ${version}`;
  }
  return undefined;
}

function wanted(): Lock {
  const lock = readLock("package-lock.json");
  if (lock !== undefined) return lock;
  throw notInstalled("test/bench/package-lock.json is missing or damaged");
}

function installed(): Lock {
  return readLock("node_modules/.package-lock.json") ?? {};
}

function readLock(path: string): Lock | undefined {
  try {
    return JSON.parse(readFileSync(join(benchFolder, path), "utf8")).packages;
  } catch {
    return undefined;
  }
}

function npmInstall(): void {
  const npm = process.env.npm_execpath;
  const [command, before] = npm === undefined ? ["npm", []] : [process.execPath, [npm]];
  // The prefix is said, since `npm run` leaves that of the project in the environment.
  const args = ["install", "--prefix", benchFolder, "--no-save", "--no-audit", "--no-fund"];
  const { status, error } = spawnSync(command, [...before, ...args, "--loglevel=error"], {
    cwd: benchFolder,
    stdio: ["ignore", 2, 2],
  });
  if (error !== undefined) throw notInstalled(`npm can't be started: ${error.message}`, error);
  if (status !== 0) throw notInstalled(`npm install ended with ${status}`);
}

function notInstalled(why: string, cause?: unknown): CommandError {
  return new CommandError("M7002", `what we compare with is not installed: ${why}`, {
    hint: "is the registry reachable? npm's messages stand above",
    exitCode: EXIT.missing,
    cause,
  });
}
