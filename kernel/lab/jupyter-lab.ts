/** Starts a JupyterLab server with our kernel, in folders of its own below `.madrigal/lab`, for this machine only. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { CommandError } from "../command-error.ts";
import { EXIT } from "../exit-codes.ts";
import { installExtension } from "./install-extension.ts";
import { installKernelspec } from "./install-kernelspec.ts";
import { ownKernelspec } from "./kernelspec.ts";
import type { PythonEnv } from "./python-env.ts";

export interface LabOptions {
  readonly pythonEnv: PythonEnv;
  /** Its settings, kernelspec and run-time files; made when it is not there. */
  readonly labFolder: string;
  /** The root folder of JupyterLab's file browser. */
  readonly rootFolder: string;
  /** Without, 8888, or a free one when that is taken. */
  readonly port?: number | undefined;
  /** Ends the server, also while it starts: `startLab` then throws the reason. */
  readonly signal?: AbortSignal;
}

export interface LabServer {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
  /** The address of a file, by its path from the root folder. */
  addressOf(path: string): string;
  /** Resolves when the server has ended. */
  readonly ended: Promise<void>;
  /** Ends the server and its kernels. */
  stop(): Promise<void>;
}

const SERVER = fileURLToPath(new URL("serve_jupyterlab.py", import.meta.url));
const USUAL_PORT = 8888;
const STARTING_MS = 60_000;
const LOOK_AGAIN_MS = 100;
const STOPPING_MS = 15_000;
const WORDS_MAX = 4_000;

/** Starts the server; resolves when it answers. */
export async function startLab(options: LabOptions): Promise<LabServer> {
  const port = options.port ?? (await freePort());
  try {
    return await startLabAt(port, options);
  } catch (thrown) {
    // Another program may have taken the port since it was looked at, and may have left it again.
    const isRefused = new RegExp(`port ${port} is not available`).test(String(thrown));
    const isTaken = isRefused || (await listenable(port)) === undefined;
    if (options.port !== undefined || !isTaken || options.signal?.aborted === true) throw thrown;
    return await startLabAt(await freePort(), options);
  }
}

async function startLabAt(port: number, options: LabOptions): Promise<LabServer> {
  const { signal } = options;
  const folders = prepareFolders(options.labFolder);
  const token = randomBytes(24).toString("hex");
  signal?.throwIfAborted();
  const child = spawn(options.pythonEnv.python, labArguments(options, port), {
    cwd: options.rootFolder,
    env: { ...process.env, ...folders, JUPYTER_TOKEN: token },
    stdio: ["ignore", "pipe", "pipe"],
    // A session of its own: on Ctrl-C the server would ask its terminal a question. It ends by itself when we are killed.
    detached: true,
  });
  const words = lastWords(child);
  const ended = once(child, "exit").then(() => {});
  ended.catch(() => {}); // It could not be started, which the wait below tells.
  signal?.addEventListener("abort", () => {
    stop(child, ended).catch(() => {}); // `ended` tells when it has.
  });
  const url = `http://127.0.0.1:${port}`;
  await answers(url, { child, ended, words, signal, token });
  return {
    url,
    token,
    pid: child.pid ?? -1,
    addressOf: (path) => `${url}/lab${treePath(path)}?token=${token}`,
    ended,
    stop: () => stop(child, ended),
  };
}

/** Jupyter's folders, with our kernelspec and extension in them and without its popup of news. */
function prepareFolders(labFolder: string): Record<string, string> {
  const folders = {
    JUPYTER_DATA_DIR: join(labFolder, "data"),
    JUPYTER_CONFIG_DIR: join(labFolder, "config"),
    JUPYTER_RUNTIME_DIR: join(labFolder, "runtime"),
  };
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const page = join(folders.JUPYTER_CONFIG_DIR, "labconfig");
  mkdirSync(page, { recursive: true });
  const disabledExtensions = { "@jupyterlab/apputils-extension:announcements": true };
  writeFileSync(join(page, "page_config.json"), `${JSON.stringify({ disabledExtensions })}\n`);
  installKernelspec(folders.JUPYTER_DATA_DIR, ownKernelspec());
  installExtension(folders.JUPYTER_DATA_DIR);
  return folders;
}

function labArguments({ rootFolder }: LabOptions, port: number): readonly string[] {
  return [
    ...[SERVER, `${process.pid}`, "--no-browser", "--ip=127.0.0.1", `--port=${port}`],
    "--ServerApp.port_retries=0",
    `--ServerApp.root_dir=${rootFolder}`,
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    // A notebook is opened with our kernel also when it names none.
    "--MultiKernelManager.default_kernel_name=madrigal",
    ...(process.getuid?.() === 0 ? ["--allow-root"] : []),
  ];
}

function treePath(path: string): string {
  const parts = path.split(/[\\/]/).filter((part) => part !== "");
  return parts.length === 0 ? "" : `/tree/${parts.map(encodeURIComponent).join("/")}`;
}

/** The usual port when nobody listens there, else one that the system gives. */
async function freePort(): Promise<number> {
  return (await listenable(USUAL_PORT)) ?? (await listenable(0)) ?? 0;
}

async function listenable(port: number): Promise<number | undefined> {
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  const server = createServer();
  server.once("error", () => resolve(undefined));
  server.listen(port, "127.0.0.1", () => {
    const address = server.address();
    const given = typeof address === "object" && address !== null ? address.port : undefined;
    server.close(() => resolve(given));
  });
  return await promise;
}

/** Reads what the server says, so that it never waits for a reader, and keeps the end of it. */
function lastWords(child: ChildProcess): () => string {
  let words = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      words = (words + text).slice(-WORDS_MAX);
    });
  }
  return () => words.trim();
}

interface Starting {
  readonly child: ChildProcess;
  readonly ended: Promise<void>;
  readonly words: () => string;
  readonly signal: AbortSignal | undefined;
  /** Another server at this address answers it with an error. */
  readonly token: string;
}

async function answers(
  url: string,
  { child, ended, words, signal, token }: Starting,
): Promise<void> {
  const until = performance.now() + STARTING_MS;
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  ended.then(over, over);
  while (!(await isAnswered(`${url}/api/status`, token))) {
    if (isOver || performance.now() > until) {
      signal?.throwIfAborted();
      child.kill("SIGKILL");
      throw notStarted(url, words());
    }
    await wait(LOOK_AGAIN_MS);
  }
}

async function isAnswered(address: string, token: string): Promise<boolean> {
  try {
    const headers = { authorization: `token ${token}` };
    return (await fetch(address, { headers, signal: AbortSignal.timeout(5_000) })).ok;
  } catch {
    return false; // It does not listen yet.
  }
}

async function stop(child: ChildProcess, ended: Promise<void>): Promise<void> {
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOPPING_MS);
  await ended.finally(() => clearTimeout(timer));
}

function notStarted(url: string, words: string): CommandError {
  const outputText = words === "" ? "" : `; it said:\n${words}`;
  return new CommandError("M7735", `JupyterLab does not answer at ${url}${outputText}`, {
    hint: "check that the port is free; `--port N` chooses another",
    exitCode: EXIT.wrong,
  });
}
