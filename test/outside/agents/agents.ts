/** Has the real Claude Code and the real Codex play turns behind our controllers, in a network of loopback alone, with a server in the place of their models. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { builtInController } from "../../../runtime/agents/operator/built-in.ts";
import { projectRoot } from "../../support/child.ts";
import { anthropicMessages } from "../../support/providers/anthropic-messages.ts";
import { openAiResponses } from "../../support/providers/openai-responses.ts";
import { protocolServer, type ServedRequest } from "../../support/providers/protocol-server.ts";
import { markdownTable } from "../table.ts";
import { type AgentScene, CLAUDE_SCENES, CODEX_SCENES, type ScenePlace } from "./agent-scenes.ts";

interface RealAgent {
  readonly name: "claude_code" | "codex";
  /** The variable that names its binary. */
  readonly variable: string;
  readonly scenes: readonly AgentScene[];
}

const AGENTS: readonly RealAgent[] = [
  { name: "claude_code", variable: "MADRIGAL_CLAUDE", scenes: CLAUDE_SCENES },
  { name: "codex", variable: "MADRIGAL_CODEX", scenes: CODEX_SCENES },
];

const INSIDE = "MADRIGAL_LOOPBACK_ONLY";

/** Returns whether each scene of each agent that is there, or those with a word, ended as it must; false where neither is there. */
export async function runAgents(
  tell: (text: string) => void,
  [only = ""]: readonly string[] = [],
): Promise<boolean> {
  const found = AGENTS.filter(({ variable }) => process.env[variable] !== undefined);
  for (const { name, variable } of AGENTS.filter((one) => !found.includes(one)))
    tell(`${name} is skipped: ${variable} names no binary`);
  if (found.length === 0) return false;
  if (process.env[INSIDE] === undefined) return await inLoopback(only);
  const rows: (readonly string[])[] = [];
  for (const agent of found)
    for (const scene of agent.scenes.filter(({ title }) => title.includes(only))) {
      const fault = await playScene(agent, scene);
      rows.push([agent.name, scene.title, fault ?? "yes"]);
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

async function playScene({ name, variable }: RealAgent, scene: AgentScene) {
  // Codex makes no helper programs below /tmp.
  const cache = join(projectRoot, "node_modules", ".cache", "madrigal", "agents");
  mkdirSync(cache, { recursive: true });
  const home = mkdtempSync(join(cache, "home-"));
  const folder = join(home, "work");
  mkdirSync(folder);
  const protocol = name === "codex" ? openAiResponses : anthropicMessages;
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
      [
        {
          ...(name === "codex" ? codexOptions : claudeOptions)(binary, server.url),
          ...scene.options,
        },
      ],
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

function claudeOptions(binary: string, url: string) {
  const set = { ANTHROPIC_API_KEY: "no key", ANTHROPIC_BASE_URL: url, API_TIMEOUT_MS: "4000" };
  return { command: [binary], model: "stub", set, idleMs: 60_000 };
}

function codexOptions(binary: string, url: string) {
  const provider = `{ name = "stub", base_url = "${url}/v1", env_key = "STUB_KEY", wire_api = "responses", request_max_retries = 0, stream_max_retries = 0 }`;
  const settings = [
    ...['model_provider="stub"', `model_providers.stub=${provider}`],
    ...["check_for_update_on_startup=false", "analytics.enabled=false"],
  ];
  return {
    command: [binary, ...settings.flatMap((setting) => ["-c", setting])],
    ...{ model: "stub", mode: "danger-full-access", set: { STUB_KEY: "no key" }, idleMs: 60_000 },
  };
}
