/** A real Restate server on loopback, in a folder of its own: the binary of npm for Linux, installed when a test first needs it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { npmScript } from "../npm/npm-programs.ts";

export interface RestateServer {
  readonly ingress: string;
  readonly admin: string;
  /** SIGKILL to this one process. */
  kill(): Promise<void>;
  /** Starts it again on what it has stored. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a server; `stop` ends it and takes its folder away. */
export async function startRestate(): Promise<RestateServer> {
  const folder = mkdtempSync(join(tmpdir(), "madrigal-restate-"));
  const [ingressPort, adminPort, nodePort] = await freePorts(3);
  const config = join(folder, "restate.toml");
  mkdirSync(join(folder, "base"));
  writeFileSync(
    config,
    [
      "disable-telemetry = true",
      'bind-ip = "127.0.0.1"',
      'advertised-host = "127.0.0.1"',
      'listen-mode = "tcp"',
      `bind-port = ${nodePort}`,
      "default-num-partitions = 4",
      'rocksdb-total-memory-size = "256 MiB"',
      "[worker.invoker]",
      "http2-streams-per-connection-limit = 8",
      "[ingress]",
      `bind-address = "127.0.0.1:${ingressPort}"`,
      "[admin]",
      `bind-address = "127.0.0.1:${adminPort}"`,
      "",
    ].join("\n"),
  );
  let child = await started(folder, config);
  const ingress = `http://127.0.0.1:${ingressPort}`;
  const admin = `http://127.0.0.1:${adminPort}`;
  await ready(child, ingress, admin);
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  };
  return {
    ingress,
    admin,
    kill: end,
    async restart() {
      child = await started(folder, config);
      await ready(child, ingress, admin);
    },
    async stop() {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function started(folder: string, config: string): Promise<ChildProcess> {
  const args = ["--config-file", config, "--base-dir", join(folder, "base"), "--no-logo"];
  const env = { PATH: process.env.PATH ?? "", HOME: folder, DO_NOT_TRACK: "1" };
  const child = spawn(npmScript("restate"), args, { cwd: folder, env, stdio: "ignore" });
  await once(child, "spawn");
  return child;
}

async function ready(child: ChildProcess, ingress: string, admin: string): Promise<void> {
  const places = [`${ingress}/restate/health`, `${admin}/health`];
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the Restate server ended with ${child.exitCode}`);
    const answers = await Promise.all(
      places.map(async (url) => (await fetch(url).catch(() => undefined))?.ok === true),
    );
    if (answers.every((isOk) => isOk)) return;
    await sleep(50);
  }
}

/** Ports that are free now. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports: number[] = [];
  for (const server of servers) {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    ports.push((server.address() as { readonly port: number }).port);
  }
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
