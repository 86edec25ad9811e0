/** Has the real Claude Code, Codex and OpenClaw play turns behind our controllers, in a network of loopback alone, with a server in the place of their models. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { builtInController } from "../../../runtime/agents/operator/built-in.ts";
import { REAL_AGENTS, type RealAgentName } from "../../support/agents/real-agents.ts";
import { projectRoot } from "../../support/child.ts";
import { compatibleChat } from "../../support/providers/openai-chat.ts";
import { markdownTable } from "../table.ts";
import { type AgentScene, CLAUDE_SCENES, CODEX_SCENES, type ScenePlace } from "./agent-scenes.ts";
import { OPENCLAW_VARIABLE, startGateway } from "./openclaw.ts";
import { OPENCLAW_SCENES } from "./openclaw-scenes.ts";
import { NOTEBOOK_TITLE, runNotebook } from "./run-notebook.ts";
import { openStage, type Stage } from "./stage.ts";

interface PlayingAgent {
  readonly name: RealAgentName | "openclaw";
  /** The variable that names its binary. */
  readonly variable: string;
  readonly scenes: readonly AgentScene[];
  /** Plays them; the fault of each that has one. */
  readonly play: (binary: string, scenes: readonly AgentScene[]) => AsyncIterable<PlayedScene>;
}

interface PlayedScene {
  readonly title: string;
  readonly fault: string | undefined;
}

const AGENTS: readonly PlayingAgent[] = [
  playing("claude_code", CLAUDE_SCENES),
  playing("codex", CODEX_SCENES),
  {
    ...{ name: "openclaw", variable: OPENCLAW_VARIABLE, scenes: OPENCLAW_SCENES },
    play: playOpenClaw,
  },
];

/** Those whose binaries the notebook asks for. */
const NOTEBOOK_AGENTS: readonly RealAgentName[] = ["claude_code", "codex"];

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
  for (const { name, variable, scenes, play } of found) {
    const chosen = scenes.filter(({ title }) => title.includes(only));
    for await (const { title, fault = "yes" } of play(process.env[variable] ?? "", chosen)) {
      tell(`${name}: ${title}: ${fault.slice(0, 100)}`);
      rows.push([name, title, fault]);
    }
  }
  const names = NOTEBOOK_AGENTS.filter((name) => found.some((one) => one.name === name));
  if (names.length > 0 && NOTEBOOK_TITLE.includes(only))
    rows.push([names.join(", "), NOTEBOOK_TITLE, (await runNotebook(names)) ?? "yes"]);
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

/** An agent that has a stage for each scene. */
function playing(name: RealAgentName, scenes: readonly AgentScene[]): PlayingAgent {
  const { variable, protocol, options } = REAL_AGENTS[name];
  return {
    ...{ name, variable, scenes },
    play: async function* (binary, chosen) {
      for (const scene of chosen) {
        const stage = await openStage(protocol);
        const fault = await playScene(name, scene, stage, options(binary, stage.url));
        await stage.close();
        yield { title: scene.title, fault };
      }
    },
  };
}

/** All scenes before one gateway: it takes long to start. */
async function* playOpenClaw(
  binary: string,
  scenes: readonly AgentScene[],
): AsyncIterable<PlayedScene> {
  if (scenes.length === 0) return;
  const stage = await openStage(compatibleChat);
  try {
    const gateway = await startGateway(binary, stage);
    try {
      for (const scene of scenes) {
        const fault = await playScene("openclaw", scene, stage, gateway.options);
        yield { title: scene.title, fault };
      }
    } finally {
      await gateway.close();
    }
  } finally {
    await stage.close();
  }
}

async function playScene(name: string, scene: AgentScene, stage: Stage, options: object) {
  const { home, folder, kill, read } = stage;
  const controller: ScenePlace["controller"] = (more) =>
    builtInController(
      { controller: { name: [name], args: [] } },
      [{ ...options, ...scene.options, ...more }],
      { env: { PATH: process.env.PATH, HOME: home }, folder },
    );
  try {
    return await scene.play({ controller, kill, read, ...stage.begin(scene) });
  } catch (thrown) {
    return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  }
}
