/** The real OpenClaw: its gateway, which does the work, and the options of the bridge to it that the controller starts. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectNode } from "../../support/child.ts";
import type { Stage } from "./stage.ts";

/** Names `openclaw.mjs` of its package. */
export const OPENCLAW_VARIABLE = "MADRIGAL_OPENCLAW";

export interface Gateway {
  readonly options: Readonly<Record<string, unknown>>;
  readonly close: () => Promise<void>;
}

const PORT = 18_789;
const ADDRESS = `127.0.0.1:${PORT}`;
const STARTED_MS = 300_000;

/** Starts its gateway and waits until it answers; what it wrote is in the error where it does not. */
export async function startGateway(program: string, stage: Stage): Promise<Gateway> {
  const { home, folder } = stage;
  const own = join(home, ".openclaw");
  mkdirSync(own);
  writeFileSync(join(own, "openclaw.json"), JSON.stringify(configOf(stage)));
  const log = openSync(join(home, "gateway.log"), "w");
  const child = spawn(projectNode, [program, "gateway", "run"], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: home },
    detached: true,
    stdio: ["ignore", log, log],
  });
  await waitForGateway(child);
  return {
    options: { command: [projectNode, program, "acp"], idleMs: STARTED_MS },
    close: async () => {
      const ended = once(child, "close");
      // Its own way to end waits for turns that never do.
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
      await ended;
    },
  };
}

async function waitForGateway(child: ChildProcess): Promise<void> {
  const until = performance.now() + STARTED_MS;
  while (child.exitCode === null && performance.now() < until) {
    const answer = await fetch(`http://${ADDRESS}/healthz`).catch(() => undefined);
    if (answer?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`the gateway of OpenClaw did not start (exit ${child.exitCode})`);
}

function configOf({ home, folder, url }: Stage) {
  const token = "no key";
  const model = {
    ...{ id: "stub", name: "stub", reasoning: false, input: ["text"], maxTokens: 4096 },
    ...{ contextWindow: 200_000, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } },
  };
  return {
    gateway: {
      ...{ mode: "local", bind: "loopback", port: PORT, auth: { mode: "token", token } },
      remote: { url: `ws://${ADDRESS}`, token },
    },
    telemetry: { enabled: false },
    update: { checkOnStart: false },
    logging: { file: join(home, "openclaw.log") },
    models: {
      providers: {
        stub: { baseUrl: `${url}/v1`, apiKey: token, api: "openai-completions", models: [model] },
      },
    },
    agents: {
      defaults: {
        model: { primary: "stub/stub" },
        ...{ workspace: folder, skipBootstrap: true, heartbeat: { every: "0m" } },
      },
    },
    tools: { exec: { host: "gateway", mode: "ask" } },
  };
}
