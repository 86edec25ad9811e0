/** Speaks to the `codex app-server` of the user: JSON-RPC in lines, one turn of a thread a process. */
import { isRecord } from "../../../../dsl/index.ts";
import type { ApprovalAnswer, Controller, ControllerEvent } from "../../operator/controller.ts";
import { GONE } from "../process/agent-turn.ts";
import type { AgentKind, AgentWire, WiredTurn, WireIo } from "../process/agent-wire.ts";
import { type AgentSurroundings, processController } from "../process/process-controller.ts";
import { RpcCalls, type RpcMessage } from "../process/rpc-calls.ts";
import { CodexEvents } from "./codex-events.ts";

/** The controller `codex`. */
export function codex(options: unknown, surroundings: AgentSurroundings): Controller {
  return processController(CODEX, options, surroundings);
}

export const CODEX: AgentKind = {
  name: "codex",
  program: ["codex"],
  install: "`npm install --global @openai/codex` installs it",
  tried: "0.169.0",
  capabilities: {
    resume: true,
    reattach: "asked",
    structuredOutput: true,
    approvals: true,
    snapshot: false,
    facets: ["history", "workspace"],
  },
  wire: (turn) => new CodexWire(turn),
};

const VERSION = "1";

class CodexWire implements AgentWire {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly #turn: WiredTurn;
  readonly #sandbox: string;
  readonly #events = new CodexEvents();
  readonly #calls = new RpcCalls({ send: (message) => this.#io?.send(message), refused });
  #io: WireIo | undefined;
  #thread = "";
  #turnId = "";
  /** The words of people from before the turn had its id. */
  readonly #early: string[] = [];

  constructor(turn: WiredTurn) {
    this.#turn = turn;
    const { server, program, options } = turn;
    this.command = [...program, ...serverArguments(server), "app-server"];
    this.env = server === undefined ? {} : { [TOKEN]: server.token };
    this.#sandbox = options.mode ?? "workspace-write";
  }

  begin(io: WireIo): void {
    this.#io = io;
    const clientInfo = { name: "madrigal", title: "Madrigal", version: VERSION };
    const capabilities = { experimentalApi: true };
    this.#calls.call("initialize", { clientInfo, capabilities }, ({ userAgent }) => {
      io.send({ method: "initialized" });
      this.#openThread(typeof userAgent === "string" ? { version: userAgent } : {});
      return [];
    });
  }

  read(message: RpcMessage): readonly ControllerEvent[] {
    const settled = this.#calls.settle(message);
    if (settled !== undefined) return settled;
    const events = this.#events.read(message);
    const { id } = message;
    // A request that this client does not have: to take it for leave to run a command would give leave for something else.
    if (id !== undefined && !this.#events.isAsked(id))
      this.#io?.send({ id, error: { code: -32601, message: "there is no such method" } });
    return events;
  }

  answer(given: ApprovalAnswer): void {
    const { approvalId, decision, input } = given;
    const open = this.#events.questions.take({ approvalId, decision, input });
    if (open === "more") return;
    const id = this.#events.requestOf(open?.request ?? approvalId);
    if (id === undefined) return;
    const answers = Object.entries(open?.values ?? {}).map(([question, value]) => [
      question,
      { answers: [String(value)] },
    ]);
    // It has no way to act with another input than its own.
    const isLeft = decision === "approve" && input === undefined;
    const elicited = this.#events.elicited(given);
    const result =
      elicited ??
      (open === undefined
        ? { decision: isLeft ? "accept" : "decline" }
        : { answers: Object.fromEntries(answers) });
    this.#io?.send({ id, result });
    if (
      elicited === undefined &&
      open === undefined &&
      decision === "approve" &&
      input !== undefined
    )
      this.steer(
        `The call was not made: a person allows it with this input instead: ${JSON.stringify(input)}`,
      );
  }

  interrupt(): void {
    this.#calls.tell("turn/interrupt", { threadId: this.#thread, turnId: this.#turnId });
  }

  steer(text: string): void {
    if (this.#turnId === "") {
      this.#early.push(text);
      return;
    }
    const input = [{ type: "text", text }];
    const to = { threadId: this.#thread, expectedTurnId: this.#turnId };
    this.#calls.tell("turn/steer", { ...to, input });
  }

  #openThread(agent: { readonly version?: string }): void {
    const { session, folder, options, system } = this.#turn;
    const how = {
      cwd: folder,
      approvalPolicy: "on-request",
      sandbox: this.#sandbox,
      ...(options.model === undefined ? {} : { model: options.model }),
      ...(system === undefined ? {} : { developerInstructions: system }),
    };
    const opened = ({ thread, model }: RpcMessage): readonly ControllerEvent[] => {
      this.#thread = String(isRecord(thread) ? thread.id : "");
      this.#events.thread = this.#thread;
      this.#startTurn();
      const named = typeof model === "string" ? { model } : {};
      return [{ kind: "session_started", sessionId: this.#thread, ...named, ...agent }];
    };
    if (session.kind === "new") this.#calls.call("thread/start", how, opened);
    else if (session.kind === "next")
      this.#calls.call("thread/resume", { threadId: session.sessionId, ...how }, opened);
    else this.#calls.call("thread/fork", { threadId: session.from.sessionId, ...how }, opened);
  }

  #startTurn(): void {
    const { outputSchema } = this.#turn;
    const schema = outputSchema === undefined ? {} : { outputSchema };
    const params = { threadId: this.#thread, input: this.#input(), ...schema };
    this.#calls.call("turn/start", params, ({ turn }) => {
      this.#turnId = String(isRecord(turn) ? turn.id : "");
      for (const text of this.#early.splice(0)) this.steer(text);
      return [];
    });
  }

  #input(): readonly Readonly<Record<string, string>>[] {
    const { instruction, attachments } = this.#turn;
    const pictures = attachments.filter(({ mime }) => mime.startsWith("image/"));
    const files = attachments.filter(({ mime }) => !mime.startsWith("image/"));
    const named = files.map(({ name, path }) => `- ${name}: ${path}`).join("\n");
    const text =
      named === "" ? instruction : `${instruction}\n\nFiles that go with this:\n${named}`;
    return [{ type: "text", text }, ...pictures.map(({ path }) => ({ type: "localImage", path }))];
  }
}

/** The variable in which it finds the token of the run's server: in its arguments everybody could read it. */
const TOKEN = "MADRIGAL_STATE_TOKEN";

function serverArguments(server: WiredTurn["server"]): readonly string[] {
  if (server === undefined) return [];
  const of = `mcp_servers.${server.name}`;
  return [
    ...["-c", `${of}.url=${JSON.stringify(server.url)}`],
    ...["-c", `${of}.bearer_token_env_var=${JSON.stringify(TOKEN)}`],
  ];
}

function refused(message: string): readonly ControllerEvent[] {
  const isGone = /no rollout|thread.* not found/i.test(message);
  const reason = isGone ? GONE : "refused";
  return [{ kind: "failed", class: isGone ? "controller_lost" : "tool", reason, message }];
}
