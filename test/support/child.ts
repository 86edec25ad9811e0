/** Madrigal in a process of its own, as a person starts it: nothing of this process's environment reaches it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";

export const projectRoot = join(import.meta.dirname, "..", "..");

/** The Node that the project installs; what runs the tests may be another one. */
export const projectNode = join(projectRoot, "node_modules", ".bin", "node");

export interface Ended {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Child {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  /** Resolves once this stands in what it wrote to stdout and stderr; rejects when it ends without. */
  said(text: string | RegExp): Promise<void>;
  /** Only to this one process. */
  signal(signal: NodeJS.Signals): void;
}

export interface ChildOptions {
  /** The workspace, MADRIGAL_HOME. */
  readonly home: string;
  /** Added to PATH, HOME and MADRIGAL_HOME, which are all it has. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly uid?: number;
  /** What it reads; nothing where it is not said. */
  readonly stdin?: string;
}

/** A folder that is gone after the test. */
export function temporaryFolder(name = "madrigal-"): string {
  const folder = mkdtempSync(join(tmpdir(), name));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** `madrigal ARG …`, to its end. */
export function madrigal(args: readonly string[], options: ChildOptions): Promise<Ended> {
  return startMadrigal(args, options).ended;
}

/** `madrigal ARG …`, under way; what still runs when the test ends is killed. */
export function startMadrigal(args: readonly string[], options: ChildOptions): Child {
  return startNode(["kernel/madrigal.js", ...args], options);
}

/** A script, by its path in the project or an absolute one, with the project's Node. */
export function startNode([script = "", ...args]: readonly string[], options: ChildOptions): Child {
  const { home, env = {}, cwd = home, uid, stdin } = options;
  const child = spawn(projectNode, [resolve(projectRoot, script), ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? "", HOME: home, MADRIGAL_HOME: home, ...env },
    stdio: [stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  child.stdin?.end(stdin);
  onTestFinished(() => void child.kill("SIGKILL"));
  return watched(child);
}

function watched(child: ChildProcess): Child {
  const texts = { stdout: "", stderr: "" };
  const listeners = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (chunk: string) => {
      texts[name] += chunk;
      for (const look of listeners) look();
    });
  }
  const ended = once(child, "close").then(([code, signal]): Ended => ({ code, signal, ...texts }));
  return {
    pid: child.pid ?? -1,
    ended,
    said: (text) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const look = () => {
        if (holds(`${texts.stdout}${texts.stderr}`, text)) resolve();
      };
      listeners.add(look);
      look();
      void ended.then(() => reject(new Error(`ended without ${text}:\n${texts.stderr}`)));
      return promise.finally(() => listeners.delete(look));
    },
    signal: (signal) => void child.kill(signal),
  };
}

function holds(text: string, wanted: string | RegExp): boolean {
  return typeof wanted === "string" ? text.includes(wanted) : wanted.test(text);
}
