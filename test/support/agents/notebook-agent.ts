/** The agents of the notebook of strong agents: the real one that a variable names, before a scripted model on loopback; else its recorded wire. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { REAL_AGENTS, type RealAgentName } from "./real-agents.ts";
import { type SceneVariables, sceneModel } from "./scene-model.ts";

export interface NotebookAgent {
  readonly name: RealAgentName;
  /** The program and its first arguments. */
  readonly command: readonly string[];
  /** One line for people: which of the two it is, in which version. */
  readonly description: string;
  /** The options of its controller with which it plays a scene. */
  readonly options: (scene: string, variables: SceneVariables) => Readonly<Record<string, unknown>>;
  /** The run's own tools that it was offered, then a triple for each of its calls: the tool, whether it failed, its result. */
  readonly stateCalls: () => readonly unknown[];
  readonly close: () => Promise<void>;
}

const STUBS: Readonly<Record<RealAgentName, string>> = {
  claude_code: "claude-stub.js",
  codex: "codex-stub.js",
};

/** `home`: all that the agent finds of a home. A real one is used only where its variable names its binary, never one of the PATH. */
export async function notebookAgent(name: RealAgentName, home: string): Promise<NotebookAgent> {
  const { variable } = REAL_AGENTS[name];
  const binary = process.env[variable] ?? "";
  return binary === "" ? recorded(name, home) : await real(name, binary, home);
}

function recorded(name: RealAgentName, home: string): NotebookAgent {
  const command = [process.execPath, join(import.meta.dirname, STUBS[name])];
  return {
    name,
    command,
    description: `the recorded wire of ${versionOf(command, home)}`,
    options: (scene, variables) => ({
      ...{ command, source: "cassette" },
      set: { HOME: home, STUB_SCENE: scene, ...variables },
    }),
    stateCalls: () => JSON.parse(readFileSync(join(home, ".claude-stub", "calls.json"), "utf8")),
    close: async () => {},
  };
}

async function real(name: RealAgentName, binary: string, home: string): Promise<NotebookAgent> {
  const { options, protocol } = REAL_AGENTS[name];
  const model = await sceneModel(protocol);
  return {
    name,
    command: [binary],
    description: `the real ${versionOf([binary], home)} before a scripted model on loopback`,
    options: (scene, variables) => {
      const { set, ...more } = options(binary, model.url(scene, variables));
      return { ...more, source: "scripted", set: { HOME: home, ...set } };
    },
    stateCalls: model.stateCalls,
    close: model.close,
  };
}

function versionOf([program = "", ...args]: readonly string[], home: string): string {
  const env = { PATH: process.env.PATH, HOME: home };
  const stdio = ["ignore", "pipe", "ignore"] as const;
  return execFileSync(program, [...args, "--version"], { env, stdio: [...stdio] })
    .toString()
    .trim();
}
