/** Makes controllers of strong agents behind stubs that speak their wires. */
import { join } from "node:path";
import type { StrongAgentOptions } from "../../../runtime/agents/controllers/process/agent-options.ts";
import type { AgentSurroundings } from "../../../runtime/agents/controllers/process/process-controller.ts";
import { builtInController } from "../../../runtime/agents/operator/built-in.ts";
import type { Controller } from "../../../runtime/index.ts";
import { projectNode, temporaryFolder } from "../child.ts";

export type StubbedAgent = "claude_code" | "codex" | "acp" | "openclaw";

const SCRIPTS: Readonly<Record<StubbedAgent, string>> = {
  claude_code: "claude-stub.js",
  codex: "codex-stub.js",
  acp: "acp-stub.js",
  openclaw: "acp-stub.js",
};

/** The stub of an agent as a program. */
export function stubCommand(agent: StubbedAgent): readonly string[] {
  return [projectNode, join(import.meta.dirname, SCRIPTS[agent])];
}

/** A stub that plays a scene, with a home of its own. */
export function agentStub(
  agent: StubbedAgent,
  scene: string,
  options: StrongAgentOptions = {},
  surroundings: Partial<AgentSurroundings> = {},
): Controller {
  const home = temporaryFolder("madrigal-agent-home-");
  return builtInController(
    { controller: { name: [agent], args: [] } },
    [
      {
        command: stubCommand(agent),
        pool: 8,
        ...options,
        set: { STUB_SCENE: scene, ...options.set },
      },
    ],
    { env: { PATH: process.env.PATH, HOME: home }, folder: home, ...surroundings },
  );
}
