/** Makes a Python environment of its own below node_modules for each set of foreign tasks, and starts scripts in it. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { projectRoot } from "../support/child.ts";

/** Packages of PyPI, pinned: `agentdojo==0.1.35`. */
export interface PythonPackages {
  readonly name: string;
  readonly packages?: readonly string[];
  /** Those that are installed without what they say they need. */
  readonly alone?: readonly string[];
}

/** Returns the Python that has these packages; installs them where they are not there. Throws where that fails. */
export function pythonWith({ name, packages = [], alone = [] }: PythonPackages): string {
  const folder = join(projectRoot, "node_modules", ".cache", "madrigal", "outside", name);
  const python = join(folder, "bin", "python");
  const all = [...alone, ...packages];
  const done = join(folder, all.join("+").replace(/[^\w.+=-]/g, "_"));
  if (existsSync(done)) return python;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  process.stderr.write(`installing ${all.join(", ")} …\n`);
  run("python3", ["-m", "venv", folder]);
  const install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
  if (alone.length > 0) run(python, [...install, "--no-deps", ...alone]);
  if (packages.length > 0) run(python, [...install, ...packages]);
  writeFileSync(done, "");
  return python;
}

/** Returns the folder of a package that an environment has. */
export function folderOfPackage(python: string, name: string): string {
  const find = `import sysconfig; print(sysconfig.get_path("purelib"))`;
  const { stdout } = spawnSync(python, ["-c", find], { encoding: "utf8" });
  return join(stdout.trim(), name);
}

function run(command: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ended with ${status ?? error}: ${stderr}`);
}

/** A server of tools that runs until it is closed. */
export interface ToolServer {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** Asks it something of its own, beside the protocol. */
  ask<T>(path: string, question?: unknown): Promise<T>;
  close(): void;
}

/** Starts a script that says its port in its first line, and ends when its stdin closes. */
export async function startToolServer(python: string, script: string): Promise<ToolServer> {
  const child: ChildProcess = spawn(python, [script], { stdio: ["pipe", "pipe", "inherit"] });
  const { stdout, stdin } = child;
  if (stdout === null || stdin === null) throw new Error("no pipes");
  const ended = new Promise<never>((_, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`${script} ended with ${code}`)));
  });
  // It may end later: only the wait for its port cares.
  ended.catch(() => {});
  const first = (async () => {
    for await (const line of createInterface({ input: stdout })) return line;
    return await ended;
  })();
  const url = `http://127.0.0.1:${await Promise.race([first, ended])}`;
  return {
    url,
    ask: async <T>(path: string, question: unknown = null) => {
      const response = await fetch(url + path, { method: "POST", body: JSON.stringify(question) });
      if (!response.ok) throw new Error(`${script} answers ${response.status} to ${path}`);
      return (await response.json()) as T;
    },
    close: () => stdin.end(),
  };
}
