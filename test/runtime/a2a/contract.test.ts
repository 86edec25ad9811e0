/** A remote agent, served by the protocol's own package, keeps the contract of controllers; of both versions and bindings. */
import { a2aController } from "../../../runtime/index.ts";
import { controllerContract, type Scene } from "../../contract/controller.ts";
import { type AgentScript, sdkAgent } from "./sdk-agent.ts";

const SCRIPTS: Readonly<Record<Scene, AgentScript>> = {
  talks: () => [{ say: "I think about it." }, { done: "done" }],
  works: () => [
    { say: "I look first." },
    { say: "I have looked." },
    { file: "a.txt", text: "a" },
    { done: "done" },
  ],
  asks: () => [{ done: "it asks for no leave" }],
  hangs: () => [{ say: "I begin." }, { hang: true }],
  dies: () => [{ say: "I begin." }, { hang: true }],
  babbles: () => [{ done: "done" }],
};

for (const [title, how] of [
  ["a2a", {}],
  ["a2a by HTTP+JSON", { binding: "HTTP+JSON" as const }],
  ["a2a 0.3", { legacy: true }],
] as const)
  controllerContract(
    `A58 ${title}`,
    async (scene) => {
      const agent = await sdkAgent({ script: SCRIPTS[scene], ...how });
      // It is gone for good once it has begun.
      const gone = scene === "dies" ? { reconnectMs: 0, timeoutMs: 2000 } : {};
      const made = a2aController(agent.url, gone);
      const stream = made.stream.bind(made);
      if (scene === "dies")
        made.stream = (handle) => {
          agent.end();
          return stream(handle);
        };
      return made;
    },
    // Version 0.3 has no list of tasks.
    {
      ...{ tellsTools: false, canBabble: false, lostAs: "transport" },
      listsSessions: !("legacy" in how),
    },
  );
