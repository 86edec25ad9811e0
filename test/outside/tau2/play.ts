/** Plays one task of tau2 twice: without a kill, and and killed at each call, by turns when it arrives and when it is done and not answered. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectNode, projectRoot } from "../../support/child.ts";
import type { ToolServer } from "../python-packages.ts";
import type { RightCall } from "./task-program.ts";

/** A domain of tau2: the names of the tasks that have right calls. */
export interface TauDomain {
  readonly domain: string;
  readonly tasks: readonly string[];
}

interface Gold {
  readonly calls: readonly RightCall[];
  /** Those that change something and succeed. */
  readonly done: readonly RightCall[];
  readonly hash: string;
}

/** The state of a domain at the end of a task. */
interface Ended {
  readonly done: readonly RightCall[];
  readonly hash: string;
}

/** The outcome of a task. */
export interface PlayedTask {
  readonly domain: string;
  readonly calls: number;
  readonly kills: number;
  /** The times that a person was asked whether a call had happened. */
  readonly questions: number;
  /** Calls that changed something and were done more than once, or never. */
  readonly wrong: number;
  /** The unbroken run leaves the database that the calls leave in tau2 itself. */
  readonly isRight: boolean;
  /** The killed run leaves the database of the unbroken one, and has the same results. */
  readonly isEqual: boolean;
}

/** A person who is asked whether a call happened: one who looks into the database, or one who has it made again. */
export type AskedPerson = "looks" | "careless";

const START = join(projectRoot, "kernel", "startup", "thread.js");
const PLAYER = new URL("task-player.ts", import.meta.url).href;

/** Plays a task in processes of their own. Throws where a run fails. */
export async function playTask(
  server: ToolServer,
  { domain, task }: { readonly domain: string; readonly task: string },
  person: AskedPerson = "looks",
): Promise<PlayedTask> {
  const gold = await server.ask<Gold>("/gold", `/${domain}/${task}/whole`);
  const whole = await playWay(server, `/${domain}/${task}/whole`, person);
  const killed = await playWay(server, `/${domain}/${task}/killed-${person}`, person);
  const isSame = killed.world.hash === whole.world.hash && killed.results === whole.results;
  return {
    domain,
    calls: gold.calls.length,
    kills: killed.kills,
    questions: killed.questions,
    wrong: differences(gold.done, killed.world.done),
    isRight: whole.world.hash === gold.hash && differences(gold.done, whole.world.done) === 0,
    isEqual: isSame,
  };
}

/** The count of calls that one list has more often than the other. */
function differences(wanted: readonly RightCall[], done: readonly RightCall[]): number {
  const counts = new Map<string, number>();
  const count = (calls: readonly RightCall[], by: number) => {
    for (const call of calls) {
      const key = JSON.stringify(call);
      counts.set(key, (counts.get(key) ?? 0) + by);
    }
  };
  count(wanted, 1);
  count(done, -1);
  return [...counts.values()].reduce((sum, one) => sum + Math.abs(one), 0);
}

/** Plays a task in one world, with as many processes as it takes. */
async function playWay(server: ToolServer, path: string, person: AskedPerson) {
  const home = mkdtempSync(join(tmpdir(), "madrigal-tau2-"));
  let [kills, text] = [0, ""];
  const tell = (chunk: string) => {
    text += chunk;
  };
  try {
    while (await isHeld(server, path, { home, person, tell })) kills += 1;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
  const results = /^results (.*)$/m.exec(text)?.[1];
  if (results === undefined) throw new Error(`${path} ended without results`);
  const questions = text.split("\n").filter((line) => line === "doubt").length;
  return { world: await server.ask<Ended>("/end", path), kills, questions, results };
}

interface Playing {
  readonly home: string;
  readonly person: AskedPerson;
  tell(chunk: string): void;
}

/** Starts a process, and kills it where a call is held; false where it came to the end of the task. */
async function isHeld(
  server: ToolServer,
  path: string,
  { home, person, tell }: Playing,
): Promise<boolean> {
  const child = spawn(projectNode, [START, PLAYER, home, server.url, path, person], {
    env: { PATH: process.env.PATH ?? "", HOME: home },
    stdio: ["ignore", "pipe", "inherit"],
  });
  child.stdout.setEncoding("utf8").on("data", tell);
  const ended = once(child, "close");
  const held = server.ask<boolean>("/held", path);
  // A process that ends leaves this question open until the world ends.
  held.catch(() => {});
  const isStopped = await Promise.race([held, ended.then(() => false)]);
  if (isStopped) child.kill("SIGKILL");
  const [code] = await ended;
  if (isStopped) await server.ask("/release", path);
  else if (code !== 0) throw new Error(`${path} ended with ${code}`);
  return isStopped;
}
