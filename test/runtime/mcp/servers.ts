/** Starts MCP servers for tests: those of npm as commands, and one that misbehaves. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { scripted } from "../../../runtime/index.ts";
import { freePort } from "./free-port.ts";

const modules = fileURLToPath(new URL("../../../node_modules/", import.meta.url));
const node = process.execPath;

/** The command of a server of npm. */
export const commands = {
  everything: `"${node}" "${modules}@modelcontextprotocol/server-everything/dist/index.js" stdio`,
  filesystem: (root: string) =>
    `"${node}" "${modules}@modelcontextprotocol/server-filesystem/dist/index.js" "${root}"`,
  memory: `"${node}" "${modules}@modelcontextprotocol/server-memory/dist/index.js"`,
  odd: (folder: string, ...ways: readonly string[]) => ownServer("odd", [folder, ...ways]),
  asking: (folder: string) => ownServer("asking", [folder]),
  skills: (folder: string, ...ways: readonly string[]) => ownServer("skills", [folder, ...ways]),
  hostileSkills: (folder: string) => ownServer("hostile-skills", [folder]),
};

function ownServer(name: string, given: readonly string[]): string {
  const file = fileURLToPath(new URL(`${name}-server.js`, import.meta.url));
  return [node, file, ...given].map((word) => `"${word}"`).join(" ");
}

/** A folder that is gone after the test. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "madrigal-mcp-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** How often something was written down in a folder of the odd server. */
export function countIn(folder: string, what: "counted" | "listed"): number {
  try {
    return readFileSync(join(folder, what), "utf8").length;
  } catch {
    return 0;
  }
}

/** The processes that the odd server and what it started have been, the newest last. */
export function pidsIn(folder: string): readonly number[] {
  const names = readdirSync(folder).filter((name) => name.startsWith("pid-"));
  return names.map((name) => Number(name.slice(4)));
}

/** Starts server-everything on a port of this machine; the result is its address. */
export async function everythingOverHttp(kind: "streamableHttp" | "sse"): Promise<string> {
  const port = await freePort();
  const entry = `${modules}@modelcontextprotocol/server-everything/dist/index.js`;
  const child = spawn(node, [entry, kind], {
    env: { PATH: process.env.PATH ?? "", PORT: `${port}` },
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => ended(child));
  await saysPort(child, port);
  return `http://127.0.0.1:${port}/${kind === "sse" ? "sse" : "mcp"}`;
}

function saysPort(child: ChildProcess, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("exit", () => reject(new Error("the server ended")));
    child.stderr?.on("data", (chunk) => {
      if (`${chunk}`.includes(`${port}`)) resolve();
    });
  });
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill("SIGKILL");
  });
}

/** A model that calls tools one after the other and then says `done`. */
export function calling(
  node: string,
  ...calls: readonly (readonly [tool: string, input?: object])[]
) {
  const turns = calls.map(([tool, input = {}]) => ({ calls: [{ tool, input }] }));
  return { m: scripted({ [node]: [...turns, "done"] } as never) };
}

/** Returns whether a process lives; one that has ended and that nobody has waited for does not. */
export function lives(pid: number): boolean {
  try {
    return !/^State:\s*[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

/** Resolves when a process has ended. */
export async function hasEnded(pid: number): Promise<void> {
  while (lives(pid)) await new Promise((go) => setImmediate(go));
}
