/** Plays a scene in processes of its own: to its end, or killed at a call and gone on with by another process. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectNode, projectRoot } from "../../support/child.ts";
import type { PeerScene } from "./scenes.ts";
import { openVoices } from "./voices.ts";

export type PeerSide = "ours" | "langgraph";

/** Processes start often here, always with the same files. */
const CACHE = join(projectRoot, "node_modules/.cache/madrigal/peers");

/** A process that has not ended by then is killed: no row of the benchmark waits for it for ever. */
export const LIMIT_MS = 120_000;

const SCRIPTS = { ours: "play-ours.ts", langgraph: "play-langgraph.js" } as const;

/** The outcome of a scene. */
export interface PlayedScene {
  /** The members of the output that the scene names. */
  readonly output: unknown;
  /** The calls of models that were answered. */
  readonly answered: number;
  /** The calls of tools that were made, a line each. */
  readonly calls: readonly string[];
}

/** Plays a scene; with `killAt` its process is killed when that call of a model comes, from 1, and another one goes on. */
export async function playScene(
  scene: PeerScene,
  side: PeerSide,
  killAt?: number,
): Promise<PlayedScene> {
  const folder = mkdtempSync(join(tmpdir(), "madrigal-peers-"));
  const voices = await openVoices(scene, killAt);
  const started: ReturnType<typeof startSide>[] = [];
  const start = () => {
    const child = startSide(side, [scene.system, folder, voices.url]);
    started.push(child);
    return child;
  };
  try {
    if (killAt !== undefined) {
      const first = start();
      const isHeld = await Promise.race([voices.held.then(() => true), first.ended]);
      if (isHeld !== true) throw new Error(`${scene.system} ended before call ${killAt}`);
      first.kill();
      await first.ended;
    }
    const text = await start().ended;
    const output = /^output (.*)$/m.exec(text)?.[1];
    if (output === undefined) throw new Error(`${side} ended without an output:\n${text}`);
    const all = JSON.parse(output);
    const file = join(folder, "calls.txt");
    const log = existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
    return {
      output: Object.fromEntries(Object.keys(scene.output).map((name) => [name, all[name]])),
      answered: voices.answered(),
      calls: log,
    };
  } finally {
    for (const child of started) child.kill();
    await voices.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function startSide(side: PeerSide, args: readonly string[]) {
  const script = join(import.meta.dirname, SCRIPTS[side]);
  const child = spawn(projectNode, ["--disable-warning=ExperimentalWarning", script, ...args], {
    env: { PATH: process.env.PATH ?? "", HOME: args[1], NODE_COMPILE_CACHE: CACHE },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: LIMIT_MS,
    killSignal: "SIGKILL",
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
  const ended = once(child, "close").then(() => text);
  return { ended, kill: () => void child.kill("SIGKILL") };
}
