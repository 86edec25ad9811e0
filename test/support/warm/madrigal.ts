/**
 * Calls the command in warm processes: one loads the code once for the calls of many tests, which is most of what a call
 * takes. Tests about processes (signals, their ends, users, what they read) start one of their own by `child.ts`.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type ChildOptions, type Ended, madrigal as inOwnProcess, projectNode } from "../child.ts";

/** They end when this process does, which they see by their channel. */
const idle: ChildProcess[] = [];

/**
 * Runs `madrigal WORD …` to its end. Calls at the same time are in different processes; one that reads, or that another
 * user makes, has a process of its own.
 */
export async function madrigal(words: readonly string[], options: ChildOptions): Promise<Ended> {
  const { home, env = {}, cwd = home, uid, stdin } = options;
  if (uid !== undefined || stdin !== undefined) return await inOwnProcess(words, options);
  const child = idle.pop() ?? (await startWarm());
  const texts = { stdout: "", stderr: "" };
  const whole = Promise.withResolvers<Ended>();
  const listeners = (["stdout", "stderr"] as const).map((name) => {
    const listener = (chunk: string) => {
      texts[name] += chunk;
      if (!texts.stdout.includes(END) || !texts.stderr.includes(END)) return;
      const [stdout = "", code] = texts.stdout.split(MARK);
      const [stderr = ""] = texts.stderr.split(MARK);
      whole.resolve({ code: Number.parseInt(code ?? "", 10), signal: null, stdout, stderr });
    };
    child[name]?.on("data", listener);
    return () => child[name]?.off("data", listener);
  });
  // The end of the process is the end of the call.
  const onClose = (ended: number | null, signal: NodeJS.Signals | null) =>
    whole.resolve({ code: ended, signal, ...texts });
  child.once("close", onClose);
  child.send({ words, cwd, env: { ...environment(home), ...env } });
  const ended = await whole.promise;
  for (const remove of listeners) remove();
  child.off("close", onClose);
  if (child.connected) idle.push(child);
  return { ...ended, stdout: plain(ended.stdout), stderr: plain(ended.stderr) };
}

/** Stands between what a call writes to one of its streams and its exit code. */
const MARK = "\u0000exit code ";
/** Ends what it writes there. */
const END = "\u0000\n";

async function startWarm(): Promise<ChildProcess> {
  const child = spawn(projectNode, [join(import.meta.dirname, "serve.js")], {
    env: environment(import.meta.dirname),
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  child.stdout?.setEncoding("utf8");
  child.stderr?.setEncoding("utf8");
  await once(child, "message");
  child.unref();
  child.channel?.unref();
  return child;
}

const environment = (home: string) => ({
  PATH: process.env.PATH ?? "",
  HOME: home,
  MADRIGAL_HOME: home,
});

/** Without the number of the call, by which the process tells modules of the same file apart. */
const plain = (text: string) => text.replaceAll(/\?call=\d+/g, "");
