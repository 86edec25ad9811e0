/** Speaks the Agent Client Protocol: one controller for every agent that has it. */
import { pathToFileURL } from "node:url";
import { isRecord } from "../../../../dsl/index.ts";
import type { ApprovalAnswer, Controller, ControllerEvent } from "../../operator/controller.ts";
import { GONE } from "../process/agent-turn.ts";
import type { AgentKind, AgentWire, WiredTurn, WireIo } from "../process/agent-wire.ts";
import { type AgentSurroundings, processController } from "../process/process-controller.ts";
import { RpcCalls, type RpcMessage } from "../process/rpc-calls.ts";
import { AcpEvents, type AcpHabits } from "./acp-events.ts";

/** The controller `acp`: the agent that its `command` names. */
export function acp(options: unknown, surroundings: AgentSurroundings): Controller {
  return processController(ACP, options, surroundings);
}

/** The controller `openclaw`. */
export function openclaw(options: unknown, surroundings: AgentSurroundings): Controller {
  return processController(OPENCLAW, options, surroundings);
}

const ACP: AgentKind = {
  name: "acp",
  program: [],
  install: 'its `command` names the agent: `acp(command: ["gemini", "--acp"])`',
  tried: "",
  capabilities: {
    resume: true,
    reattach: "asked",
    structuredOutput: false,
    approvals: true,
    snapshot: false,
    facets: ["history", "workspace"],
  },
  wire: (turn) => new AcpWire(turn),
};

export const OPENCLAW: AgentKind = {
  ...ACP,
  name: "openclaw",
  program: ["openclaw", "acp"],
  install: "`npm install --global openclaw` installs it",
  tried: "2026.9.6",
  wire: (turn) => new AcpWire(turn, OPENCLAW_HABITS),
};

const OPENCLAW_HABITS: AcpHabits = {
  // It would begin a session of that id where it knows none.
  loads: (sessionId) => ({ sessionKey: `acp-bridge:${sessionId}`, requireExisting: true }),
  // `exec: command: ls`
  toolOf: (title) => /^([\w.-]+): /.exec(title)?.[1] ?? title,
};

const PROTOCOL = 1;
const RPC = { jsonrpc: "2.0" } as const;

class AcpWire implements AgentWire {
  readonly command: readonly string[];
  readonly env = {};
  readonly #turn: WiredTurn;
  readonly #habits: AcpHabits;
  readonly #events: AcpEvents;
  readonly #calls = new RpcCalls({
    send: (message) => this.#io?.send({ ...RPC, ...message }),
    refused: (message) => [...this.#events.flush(), refusal(message)],
  });
  #io: WireIo | undefined;
  #able: RpcMessage = {};
  #sessionId = "";

  constructor(turn: WiredTurn, habits: AcpHabits = {}) {
    this.#turn = turn;
    this.#habits = habits;
    this.#events = new AcpEvents(habits);
    this.command = turn.program;
  }

  begin(io: WireIo): void {
    this.#io = io;
    const params = {
      protocolVersion: PROTOCOL,
      clientInfo: { name: "madrigal", title: "Madrigal", version: "1" },
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    };
    this.#calls.call("initialize", params, ({ agentCapabilities, agentInfo }) => {
      const version = isRecord(agentInfo) ? agentInfo.version : undefined;
      this.#able = isRecord(agentCapabilities) ? agentCapabilities : {};
      return this.#openSession(typeof version === "string" ? { version } : {});
    });
  }

  read(message: RpcMessage): readonly ControllerEvent[] {
    const settled = this.#calls.settle(message);
    if (settled !== undefined) return settled;
    const { id, method } = message;
    const events = this.#events.read(message);
    // A request that this client does not have, such as one for files: the agent has its own tools.
    if (id !== undefined && method !== "session/request_permission")
      this.#io?.send({ ...RPC, id, error: { code: -32601, message: "there is no such method" } });
    return events;
  }

  answer({ approvalId, decision, input }: ApprovalAnswer): void {
    const asked = this.#events.askedAs(approvalId);
    if (asked === undefined) return;
    // It has no way to act with another input than its own.
    const isAllowed = decision === "approve" && input === undefined;
    if (!isAllowed) this.#events.deny(asked);
    const optionId = isAllowed ? asked.allow : asked.reject;
    const outcome =
      optionId === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId };
    this.#io?.send({ ...RPC, id: asked.id, result: { outcome } });
  }

  interrupt(): void {
    this.#io?.send({ ...RPC, method: "session/cancel", params: { sessionId: this.#sessionId } });
  }

  #openSession(agent: { readonly version?: string }): readonly ControllerEvent[] {
    const { session, folder } = this.#turn;
    const where = { cwd: folder, mcpServers: this.#servers() };
    const opened = (sessionId: string): readonly ControllerEvent[] => {
      this.#sessionId = sessionId;
      this.#choose();
      return [{ kind: "session_started", sessionId, ...agent }];
    };
    if (session.kind === "new") {
      this.#calls.call("session/new", where, (result) => opened(String(result.sessionId)));
      return [];
    }
    const { sessionId } = session;
    if (this.#able.loadSession !== true) return [refusal(`session ${sessionId} not found`)];
    const _meta = this.#habits.loads?.(sessionId);
    const asked = { sessionId, ...where, ...(_meta === undefined ? {} : { _meta }) };
    this.#calls.call("session/load", asked, () => opened(sessionId));
    return [];
  }

  /** The mode and the model that the program names; an agent that does not have them refuses the turn. */
  #choose(): void {
    const { mode, model } = this.#turn.options;
    const sessionId = this.#sessionId;
    const choices = [
      ...(mode === undefined ? [] : [["session/set_mode", { sessionId, modeId: mode }] as const]),
      ...(model === undefined
        ? []
        : [["session/set_model", { sessionId, modelId: model }] as const]),
    ];
    const next = (): readonly ControllerEvent[] => {
      const [method, params] = choices.shift() ?? [];
      if (method === undefined || params === undefined) this.#ask();
      else this.#calls.call(method, params, next);
      return [];
    };
    next();
  }

  #ask(): void {
    this.#events.isHeard = true;
    const params = { sessionId: this.#sessionId, prompt: this.#prompt() };
    this.#calls.call("session/prompt", params, (ended) => [
      ...this.#events.flush(),
      this.#events.end(ended),
    ]);
  }

  #servers(): readonly RpcMessage[] {
    const { server } = this.#turn;
    const { mcpCapabilities } = this.#able;
    if (server === undefined || !isRecord(mcpCapabilities) || mcpCapabilities.http !== true)
      return [];
    const headers = [{ name: "Authorization", value: `Bearer ${server.token}` }];
    return [{ type: "http", name: server.name, url: server.url, headers }];
  }

  #prompt(): readonly RpcMessage[] {
    const { promptCapabilities } = this.#able;
    const { instruction, system, attachments } = this.#turn;
    const takesPictures = isRecord(promptCapabilities) && promptCapabilities.image === true;
    const text = system === undefined ? instruction : `${system}\n\n${instruction}`;
    const files = attachments.map(({ name, mime, path, bytes }) =>
      takesPictures && mime.startsWith("image/")
        ? { type: "image", mimeType: mime, data: Buffer.from(bytes).toString("base64") }
        : { type: "resource_link", name, mimeType: mime, uri: pathToFileURL(path).href },
    );
    return [{ type: "text", text }, ...files];
  }
}

function refusal(message: string): ControllerEvent {
  const isGone = /session .*not found|no session found|resource not found|unknown session/i.test(
    message,
  );
  const isRefused = /auth/i.test(message);
  const reason = isGone ? GONE : "refused";
  const of = isGone ? "controller_lost" : isRefused ? "model" : "tool";
  return { kind: "failed", class: of, reason, message };
}
