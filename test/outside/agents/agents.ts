/** Has the real Claude Code and the real Codex play turns behind our controllers, in a network of loopback alone, with a server in the place of their models. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { builtInController } from "../../../runtime/agents/operator/built-in.ts";
import { REAL_AGENTS, type RealAgentName } from "../../support/agents/real-agents.ts";
import { projectRoot } from "../../support/child.ts";
import { protocolServer, type ServedRequest } from "../../support/providers/protocol-server.ts";
import { markdownTable } from "../table.ts";
import { type AgentScene, CLAUDE_SCENES, CODEX_SCENES, type ScenePlace } from "./agent-scenes.ts";
import { freshHome } from "./fresh-home.ts";
import { NOTEBOOK_TITLE, runNotebook } from "./run-notebook.ts";

const SCENES: readonly (readonly [RealAgentName, readonly AgentScene[]])[] = [
  ["claude_code", CLAUDE_SCENES],
  ["codex", CODEX_SCENES],
];

const INSIDE = "MADRIGAL_LOOPBACK_ONLY";

/** Returns whether each scene of each agent that is there, or those with a word, ended as it must; false where neither is there. */
export async function runAgents(
  tell: (text: string) => void,
  [only = ""]: readonly string[] = [],
): Promise<boolean> {
  const isThere = (name: RealAgentName) => process.env[REAL_AGENTS[name].variable] !== undefined;
  const found = SCENES.filter(([name]) => isThere(name));
  for (const [name] of SCENES.filter((one) => !found.includes(one)))
    tell(`${name} is skipped: ${REAL_AGENTS[name].variable} names no binary`);
  if (found.length === 0) return false;
  if (process.env[INSIDE] === undefined) return await inLoopback(only);
  const rows: (readonly string[])[] = [];
  for (const [name, scenes] of found)
    for (const scene of scenes.filter(({ title }) => title.includes(only)))
      rows.push([name, scene.title, (await playScene(name, scene)) ?? "yes"]);
  if (NOTEBOOK_TITLE.includes(only)) {
    const names = found.map(([name]) => name);
    rows.push([names.join(", "), NOTEBOOK_TITLE, (await runNotebook(names)) ?? "yes"]);
  }
  tell(markdownTable(["agent", "scene", "as it should be"], rows));
  return rows.every(([, , seen]) => seen === "yes");
}

/** Plays all of it again where there is no network but loopback; this process only waits. */
async function inLoopback(only: string): Promise<boolean> {
  const up = 'ip link set lo up && exec "$@"';
  const own = [
    process.execPath,
    join(projectRoot, "test", "outside", "outside.ts"),
    "agents",
    only,
  ];
  const child = spawn("unshare", ["--net", "sh", "-c", up, "sh", ...own], {
    env: { ...process.env, [INSIDE]: "1" },
    stdio: "inherit",
  });
  const [code] = await once(child, "close");
  return code === 0;
}

async function playScene(name: RealAgentName, scene: AgentScene) {
  const { variable, protocol, options } = REAL_AGENTS[name];
  const home = freshHome();
  const folder = join(home, "work");
  mkdirSync(folder);
  const turns: ServedRequest[] = [];
  const server = await protocolServer(protocol, (request) => {
    // Every other request to its makers is refused.
    if (request.tools.length === 0) return { kind: "status", status: 400 };
    turns.push(request);
    return scene.moves(request, turns.length - 1, folder);
  });
  const binary = process.env[variable] ?? "";
  const controller = () =>
    builtInController(
      { controller: { name: [name], args: [] } },
      [{ ...options(binary, server.url), ...scene.options }],
      { env: { PATH: process.env.PATH, HOME: home }, folder },
    );
  const place: ScenePlace = {
    controller,
    turns,
    asked: (count = 1) => server.asked(count),
    kill: () => killAgents(home),
    read: (file) =>
      existsSync(join(folder, file)) ? readFileSync(join(folder, file), "utf8") : undefined,
  };
  try {
    return await scene.play(place);
  } catch (thrown) {
    return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  } finally {
    await server.close();
    rmSync(home, { recursive: true, force: true });
  }
}

/** Kills the agents that live in this home, as `kill -9` does. */
function killAgents(home: string): void {
  for (const pid of readdirSync("/proc").filter((one) => /^\d+$/.test(one)))
    try {
      const environ = readFileSync(`/proc/${pid}/environ`, "utf8");
      const isAgent = environ.includes(`HOME=${home}\0`) && environ.includes("MADRIGAL_AGENT=");
      if (isAgent) process.kill(Number(pid), "SIGKILL");
    } catch {
      // It has ended by itself, or is somebody else's.
    }
}
