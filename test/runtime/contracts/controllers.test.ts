import { type ScriptedTurn, scriptedController } from "../../../runtime/index.ts";
import { controllerContract, type Scene } from "../../contract/controller.ts";
import { agentStub } from "../../support/agents/agent-stubs.ts";

const TURNS: Readonly<Record<Scene, ScriptedTurn>> = {
  talks: { steps: [{ say: "I think about it." }], says: "done" },
  works: {
    steps: [
      { say: "I look first." },
      { tool: "shell", input: { run: "ls" }, result: "a.ts" },
      { kind: "artifact_created", name: "a.ts", artifactKind: "file", path: "a.ts" },
      { kind: "state_hint", patch: { seen: 1 } },
      { kind: "heartbeat" },
      { tool: "shell", input: { run: "test" }, error: "1 failed" },
    ],
    says: { ok: true },
    usage: { inputTokens: 10, outputTokens: 4 },
  },
  asks: {
    steps: [{ tool: "shell", input: { run: "rm" }, ask: "May I?", risk: "high" }],
    says: "ok",
  },
  hangs: { steps: [{ silence: true }], says: "never" },
  dies: { steps: [{ say: "I begin." }, { crash: "exit 137", once: true }], says: "done" },
  babbles: {
    steps: [
      { garbage: "\u001b[31mwarning\u001b[0m\n" },
      { garbage: new Uint8Array([0xff, 0xfe, 0x0a]) },
    ],
    says: "done",
  },
};

controllerContract("the scripted controller", (scene) => scriptedController([TURNS[scene]]));

controllerContract("a scripted controller that can't go on with a turn", (scene) =>
  scriptedController([TURNS[scene]], {
    capabilities: { reattach: false, snapshot: false, approvals: false },
  }),
);

for (const agent of ["claude_code", "codex", "acp"] as const)
  controllerContract(`A13 ${agent}, played by a stub that speaks its wire,`, (scene) =>
    agentStub(agent, scene),
  );
