/** The place where a real agent plays scenes: an empty home with a folder in it, and a server on loopback in the place of its model. */
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { agentsIn, killAll } from "../../support/agents/working-agents.ts";
import type { Protocol } from "../../support/providers/protocol.ts";
import {
  type ProtocolServer,
  protocolServer,
  type ServedRequest,
} from "../../support/providers/protocol-server.ts";
import type { AgentScene } from "./agent-scenes.ts";
import { freshHome } from "./fresh-home.ts";

export interface Stage {
  readonly home: string;
  readonly folder: string;
  /** The address of its model. */
  readonly url: string;
  /** Has the model play this scene from now on; the requests that it gets, and a promise of that many more. */
  readonly begin: (scene: AgentScene) => {
    readonly turns: readonly ServedRequest[];
    readonly asked: (count?: number) => Promise<void>;
  };
  readonly read: (file: string) => string | undefined;
  /** Kills the agents that work in this home, as `kill -9` does. */
  readonly kill: () => void;
  readonly close: () => Promise<void>;
}

export async function openStage(protocol: Protocol): Promise<Stage> {
  const home = freshHome();
  const folder = join(home, "work");
  mkdirSync(folder);
  let scene: AgentScene | undefined;
  let turns: ServedRequest[] = [];
  const server: ProtocolServer = await protocolServer(protocol, (request) => {
    // Every other request to its makers is refused.
    if (scene === undefined || request.tools.length === 0) return { kind: "status", status: 400 };
    return scene.moves(request, turns.push(request) - 1, folder);
  });
  return {
    ...{ home, folder, url: server.url },
    begin: (next) => {
      scene = next;
      turns = [];
      rmSync(join(folder, "note.txt"), { force: true });
      const before = server.requests.length;
      return { turns, asked: (count = 1) => server.asked(before + count) };
    },
    read: (file) =>
      existsSync(join(folder, file)) ? readFileSync(join(folder, file), "utf8") : undefined,
    kill: () => killAll(agentsIn(home)),
    close: async () => {
      await server.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
