/** Speaks to the `claude` of the user: `stream-json` both ways, its own questions for leave, forks and schemas. */
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "../../../../dsl/index.ts";
import {
  type ApprovalAnswer,
  type Controller,
  type ControllerEvent,
  sessionGone,
} from "../../operator/controller.ts";
import type { AgentKind, AgentWire, WiredTurn, WireIo } from "../process/agent-wire.ts";
import { type AgentSurroundings, processController } from "../process/process-controller.ts";
import { ClaudeEvents } from "./claude-events.ts";

/** The controller `claude_code`. */
export function claudeCode(options: unknown, surroundings: AgentSurroundings): Controller {
  return processController(CLAUDE_CODE, options, surroundings);
}

export const CLAUDE_CODE: AgentKind = {
  name: "claude_code",
  program: ["claude"],
  install: "`npm install --global @anthropic-ai/claude-code` installs it",
  tried: "2.1.330",
  capabilities: {
    resume: true,
    reattach: "asked",
    structuredOutput: true,
    approvals: true,
    snapshot: true,
    facets: ["history", "workspace"],
  },
  wire: (turn) => new ClaudeWire(turn),
};

/** Turns off news, updates and the program's own repetitions: `retry` of the node repeats a failed turn, visibly. */
const QUIET = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  CLAUDE_CODE_MAX_RETRIES: "1",
  DISABLE_AUTOUPDATER: "1",
  DISABLE_TELEMETRY: "1",
};

/** The tools of a turn that puts an answer right. */
const REPAIR_TOOLS = ["Read", "Write", "Glob", "Grep"];

class ClaudeWire implements AgentWire {
  readonly command: readonly string[];
  readonly env = QUIET;
  readonly #turn: WiredTurn;
  readonly #events = new ClaudeEvents();
  /** The input of each call that waits for leave. */
  readonly #inputs = new Map<string, unknown>();
  #io: WireIo | undefined;

  constructor(turn: WiredTurn) {
    this.#turn = turn;
    this.command = [...turn.program, ...claudeArguments(turn)];
  }

  begin(io: WireIo): void {
    this.#io = io;
    this.#say(this.#turn.instruction);
  }

  read(message: Readonly<Record<string, unknown>>): readonly ControllerEvent[] {
    if (message.type === "control_request" && isRecord(message.request))
      this.#inputs.set(String(message.request_id), message.request.input);
    return this.#events.read(message);
  }

  answer({ approvalId, decision, input, reason }: ApprovalAnswer): void {
    const open = this.#events.questions.take({ approvalId, decision, input });
    if (open === "more") return;
    const requestId = open?.request ?? approvalId;
    if (decision === "deny") this.#events.deny(requestId);
    const ownInput = this.#inputs.get(requestId);
    const answers = open && { ...(isRecord(ownInput) ? ownInput : {}), answers: open.values };
    const response =
      decision === "approve"
        ? { behavior: "allow", updatedInput: answers ?? input ?? ownInput ?? {} }
        : { behavior: "deny", message: reason ?? "this was not allowed" };
    this.#io?.send({
      type: "control_response",
      response: { subtype: "success", request_id: requestId, response },
    });
  }

  interrupt(): void {
    this.#io?.send({
      type: "control_request",
      request_id: randomUUID(),
      request: { subtype: "interrupt" },
    });
  }

  steer(text: string): void {
    this.#say(text, []);
  }

  cursor(): string | undefined {
    return this.#events.cursor;
  }

  isGone(text: string): boolean {
    return /no conversation found|resume .*not found/i.test(text);
  }

  #say(text: string, attachments = this.#turn.attachments): void {
    const pictures = attachments.filter(({ mime }) => mime.startsWith("image/"));
    const files = attachments.filter(({ mime }) => !mime.startsWith("image/"));
    const named = files.map(({ name, path }) => `- ${name}: ${path}`).join("\n");
    const content = [
      ...pictures.map(({ mime, bytes }) => ({
        type: "image",
        source: { type: "base64", media_type: mime, data: Buffer.from(bytes).toString("base64") },
      })),
      { type: "text", text: named === "" ? text : `${text}\n\nFiles that go with this:\n${named}` },
    ];
    this.#io?.send({
      type: "user",
      message: { role: "user", content },
      parent_tool_use_id: null,
      session_id: "",
    });
  }
}

function claudeArguments(turn: WiredTurn): readonly string[] {
  const { options, system, outputSchema, isRepair, ownFolder } = turn;
  const { model, mode = "default", tools = turn.tools, allow = [], deny = [], turns } = options;
  const offered = isRepair ? REPAIR_TOOLS : tools;
  const free = turn.server === undefined ? allow : [...allow, `mcp__${turn.server.name}`];
  return [
    ...["-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"],
    ...["--include-partial-messages", "--permission-prompt-tool", "stdio"],
    ...["--permission-mode", mode, "--strict-mcp-config"],
    ...named("--mcp-config", mcpConfig(turn)),
    ...sessionArguments(turn),
    ...named("--model", model),
    ...named("--append-system-prompt", system),
    ...named("--json-schema", outputSchema && JSON.stringify(outputSchema)),
    ...named("--max-turns", turns?.toString()),
    ...listed("--tools", offered),
    ...listed("--allowedTools", free),
    ...listed("--disallowedTools", deny),
    ...["--add-dir", ownFolder],
  ];
}

function sessionArguments({ session }: WiredTurn): readonly string[] {
  if (session.kind === "new") return ["--session-id", randomUUID()];
  const before = session.kind === "next" ? session.sessionId : session.from.sessionId;
  // A name may come from the state: one that begins like an option would be one.
  if (before.startsWith("-")) throw sessionGone(CLAUDE_CODE.name, before);
  if (session.kind === "next") return ["--resume", before];
  const { from, sessionId } = session;
  return [
    ...["--resume", from.sessionId, "--fork-session", "--session-id", sessionId],
    ...named("--resume-session-at", from.history?.cursor),
  ];
}

/** The token of the server stands in a file that only the user reads, not in the list of processes. */
function mcpConfig({ server, ownFolder }: WiredTurn): string | undefined {
  if (server === undefined) return undefined;
  const { name, url, token } = server;
  const headers = { Authorization: `Bearer ${token}` };
  const path = join(ownFolder, "mcp.json");
  const config = { mcpServers: { [name]: { type: "http", url, headers } } };
  writeFileSync(path, JSON.stringify(config), { mode: 0o600 });
  return path;
}

function named(flag: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [flag, value];
}

function listed(flag: string, values: readonly string[]): readonly string[] {
  return values.length === 0 ? [] : [flag, values.join(",")];
}
