/**
 * The seam between an operator and one strong agent's real process. A controller starts and resumes sessions, says what
 * happens in them, and interrupts them; it routes nothing, merges no state and knows nobody else of the graph.
 *
 * A session is the agent's own conversation; a turn of it is one instruction and everything until `completed` or
 * `failed`. All data is plain JSON. Times are milliseconds, offsets are bytes. Methods reject with `FailureError`: class
 * `controller_lost` when the agent's process is gone (M8502) or does not know the session any more (M8503).
 */
import type { JsonSchema } from "../../../dsl/index.ts";
import type { Handoff } from "../../envelope.ts";
import { type FailureClass, FailureError, RunError } from "../../failure.ts";
import type { ModelSource } from "../../records/call-records.ts";
import type { OfferedSkill } from "../skills/offered-skill.ts";

export interface Controller {
  /** For people and the trace: `claude_code`. */
  readonly name: string;
  /** The origin of the answers; a scripted controller never says `live`. */
  readonly source: ModelSource;
  readonly capabilities: ControllerCapabilities;
  /** Begins a session with its first turn. Once `signal` is aborted nobody waits for it: what was begun is ended. */
  start(request: StartRequest, signal?: AbortSignal): Promise<SessionHandle>;
  /** Begins the next turn of a session or, with `received`, goes on with the turn that was cut off. */
  resume(request: ResumeRequest, signal?: AbortSignal): Promise<SessionHandle>;
  /** Streams the events of the turn, in order, up to and with `completed` or `failed`. Called once for each handle. */
  stream(handle: SessionHandle): AsyncIterable<ControllerChunk>;
  /** Answers an `approval_requested`. One that is not open, or answered already, changes nothing. */
  answer(handle: SessionHandle, answer: ApprovalAnswer): Promise<void>;
  /**
   * Ends the turn under way; its stream ends with `failed` of class `aborted`. Resolves when the agent stopped working.
   * Of a turn that is over, and called again, it does nothing. The session can take its next turn.
   */
  interrupt(handle: SessionHandle, reason?: string): Promise<void>;
  /**
   * Leaves the turn under way to the agent, because its run is paused or waits: `resume` with `received` goes on with it. Without
   * this, it is interrupted.
   */
  detach?(handle: SessionHandle): Promise<void>;
  /** Tells the agent something more in the middle of its turn; absent where it can't hear. */
  steer?(handle: SessionHandle, text: string): Promise<void>;
  /** Returns the position of a session between two turns. */
  snapshot(handle: SessionHandle): Promise<SessionSnapshot>;
  /** Brings a session back to where it stood: itself if nothing happened since, else another one of another id. */
  restore(snapshot: SessionSnapshot): Promise<SessionHandle>;
  /** Lets go of a session's process; the session itself stays. Does nothing when there is none. */
  close(handle: SessionHandle): Promise<void>;
}

export interface ControllerCapabilities {
  /** Set if a session can take a turn in another process than the one that began it. */
  readonly resume: boolean;
  /**
   * True if a turn that was cut off can continue; otherwise it is lost with its process. `asked`: its session goes on with
   * another turn, and the controller asks for leave first (`session.continue`).
   */
  readonly reattach: boolean | "asked";
  /** Set if the controller enforces `outputSchema`, so that `completed` has `output`. */
  readonly structuredOutput: boolean;
  /** Set if it asks before it acts (`approval_requested`). */
  readonly approvals: boolean;
  readonly snapshot: boolean;
  /** The parts of a session that a snapshot holds. */
  readonly facets: readonly SessionFacet[];
}

/** The session of an agent, in parts: what was said, the files it works on, the pages it has open. */
export type SessionFacet = "history" | "workspace" | "browser";

/** A turn of a session. */
export interface SessionHandle {
  /** The agent's own name of the session; what `session_started` says wins over it. */
  readonly sessionId: string;
  /** Turns of the session so far, with this one; from 1. */
  readonly turn: number;
}

/** The task of an operator, with everything that it is told. */
export interface StartRequest {
  /** The same for the same attempt, also in another process: run, node run and attempt. */
  readonly key: string;
  readonly runId: string;
  readonly nodeRunId: string;
  readonly attempt: number;
  /** The node's name. */
  readonly operator: string;
  /** The role of the node. */
  readonly role?: string;
  /** The whole text that the agent is given. */
  readonly instruction: string;
  readonly system?: string;
  /** The fields of the state that the node reads (`reads`), by name. */
  readonly stateView: Readonly<Record<string, unknown>>;
  readonly inbox: readonly unknown[];
  readonly artifacts: readonly unknown[];
  /** The skills of the node, with their instructions. */
  readonly skills: readonly OfferedSkill[];
  readonly session: "new" | "reuse" | "resume";
  /** The tools that the node names; empty: the agent's own. */
  readonly tools: readonly string[];
  /** The schema that the answer must fit, unless the answer is a text. */
  readonly outputSchema?: JsonSchema;
  /** The fields that the node writes, with the schema of each, and the nodes that it may hand its work over to. */
  readonly writes?: Readonly<Record<string, JsonSchema>>;
  readonly handoffs?: readonly string[];
  /** The messages that it may send, and the memories that it may ask. */
  readonly sends?: SendRight;
  readonly memories?: readonly string[];
  /** The pictures and documents that the instruction names: artifacts of the run. */
  readonly attachments?: readonly Attachment[];
  /** Set where an answer is put right: `instruction` says what was wrong with it. */
  readonly repair?: true;
  /** The time limit of the turn, in milliseconds. */
  readonly timeoutMs?: number;
}

/** The right of a node to send messages, by its `tell`. */
export interface SendRight {
  /** The nodes that it tells; absent where that is whoever follows. */
  readonly to?: readonly string[];
  /** The schema of a message, where its kind is a type. */
  readonly payload?: JsonSchema;
}

/** A file that goes with an instruction. */
export interface Attachment {
  readonly name: string;
  readonly mime: string;
  readonly hash: string;
}

export interface ResumeRequest extends StartRequest {
  readonly sessionId: string;
  /** The turns of the session so far, and its position, where the run knows them. */
  readonly turn?: number;
  readonly snapshot?: SessionSnapshot;
  /** Of a turn that was cut off: how many of its events, deltas left out, are known. Nothing of it is said again. */
  readonly received?: number;
  /** Those events. */
  readonly earlier?: readonly ControllerEvent[];
  /** Set where the last of them is a question, whose answer follows now. */
  readonly isAnswered?: boolean;
}

/** Bytes as they came, and what they mean: none, one or several events. */
export interface ControllerChunk {
  /** Byte for byte; empty for what the controller notes itself, such as silence. */
  readonly raw: string | Uint8Array;
  readonly events: readonly ControllerEvent[];
}

/** The normalised events, the agent's own questions, and `log` for everything else. */
export type ControllerEvent =
  | SessionStarted
  | { readonly kind: "message_delta"; readonly text: string }
  | { readonly kind: "message_completed"; readonly text: string; readonly usage?: ControllerUsage }
  | {
      readonly kind: "tool_call";
      readonly callId: string;
      readonly tool: string;
      readonly input: unknown;
    }
  | ControllerToolResult
  | ApprovalRequested
  | InputRequested
  | RecallRequested
  | ControllerArtifactCreated
  /** The agent's plan as it is now, whole. */
  | { readonly kind: "plan_updated"; readonly steps: readonly PlannedStep[] }
  /** The values that the agent would write into the state. */
  | { readonly kind: "state_hint"; readonly patch: Readonly<Record<string, unknown>> }
  /** A message that it sends to a node, or to whoever follows (null), once its turn is committed. */
  | { readonly kind: "message_sent"; readonly to: string | null; readonly payload: unknown }
  /** The work that it hands over when its turn ends, beside what `completed` says of that. */
  | (Handoff & { readonly kind: "handed_over"; readonly to: string })
  /** It is alive: a repeated call, a long tool. */
  | { readonly kind: "heartbeat"; readonly note?: string; readonly usage?: ControllerUsage }
  /** Output that could not be read, or is of no known kind. */
  | { readonly kind: "log"; readonly text: string }
  | Completed
  | ControllerFailed;

interface PlannedStep {
  readonly text: string;
  /** In the agent's words: `pending`, `in_progress`, `completed`, … */
  readonly status: string;
}

interface SessionStarted {
  readonly kind: "session_started";
  readonly sessionId: string;
  readonly model?: string;
  /** Of the agent's program. */
  readonly version?: string;
  readonly tools?: readonly string[];
}

interface ControllerToolResult {
  readonly kind: "tool_result";
  readonly callId: string;
  readonly value?: unknown;
  readonly error?: string;
  /** Somebody did not allow it. */
  readonly isDenied?: boolean;
}

interface ApprovalRequested {
  readonly kind: "approval_requested";
  readonly approvalId: string;
  readonly tool: string;
  readonly input: unknown;
  /** In the agent's words: what it wants, and why. */
  readonly message?: string;
  readonly risk?: "low" | "medium" | "high";
}

/** The agent asks for something that it must know before it goes on; `answer` approves with it as `input`. */
interface InputRequested {
  readonly kind: "input_requested";
  readonly inputId: string;
  /** In the agent's words. */
  readonly message: string;
  /** The schema of the answer; a text without. */
  readonly schema?: JsonSchema;
}

/** The agent asks a memory of its node; `answer` approves with the list of what is found as `input`. Nobody else is asked. */
interface RecallRequested {
  readonly kind: "recall_requested";
  readonly inputId: string;
  readonly memory: string;
  /** The words to look for. */
  readonly query: string;
}

interface ControllerArtifactCreated {
  readonly kind: "artifact_created";
  readonly name: string;
  /** `file`, `patch`, `report`, … */
  readonly artifactKind: string;
  readonly mime?: string;
  /** In the agent's workspace. */
  readonly path?: string;
  /** Its text or its bytes, where the agent says them. */
  readonly text?: string;
  readonly base64?: string;
}

interface Completed {
  readonly kind: "completed";
  /** The last thing said. */
  readonly text: string;
  /** The output, which fits `outputSchema`, from controllers that enforce it. */
  readonly output?: unknown;
  /** The values that the turn writes into the state, by field. */
  readonly patch?: Readonly<Record<string, unknown>>;
  readonly handoffs?: readonly (Handoff & { readonly to: string })[];
  readonly usage?: ControllerUsage;
}

interface ControllerFailed {
  readonly kind: "failed";
  readonly class: FailureClass;
  /** The agent's own code: `api_error`, `exit_3`. */
  readonly reason: string;
  readonly message: string;
  readonly details?: unknown;
  readonly usage?: ControllerUsage;
}

/** The usage since the controller's last report. An unknown price is null, an unknown count absent. */
export interface ControllerUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cachedTokens?: number;
  readonly reasoningTokens?: number;
  readonly costUsd?: number | null;
  readonly modelCalls?: number;
}

export interface ApprovalAnswer {
  readonly approvalId: string;
  readonly decision: "approve" | "deny";
  /** For approve: the input to act with instead, or what was asked for. */
  readonly input?: unknown;
  /** For deny: what the agent is told. */
  readonly reason?: string;
}

export interface SessionSnapshot {
  readonly controller: string;
  readonly sessionId: string;
  /** Turns so far. */
  readonly turn: number;
  readonly history?: { readonly messages: number; readonly cursor?: string };
  readonly workspace?: {
    readonly path: string;
    readonly revision?: string;
    /** The node run that the folder was made for. */
    readonly owner?: string;
  };
  readonly browser?: { readonly address?: string; readonly tabs?: readonly string[] };
}

// ── making one ──────────────────────────────────────────────────────────────────────────────────

const CONTROLLER = Symbol.for("madrigal.controller");

/** Makes an object a controller that a graph can name. What is missing throws M8509 here. */
export function controller<C extends Controller>(made: C): C {
  const missing = METHODS.filter((method) => typeof made?.[method] !== "function");
  const [first] = typeof made?.name === "string" && made.name !== "" ? missing : ["name"];
  if (first !== undefined || made.capabilities === undefined || made.source === undefined) {
    const what = first ?? (made.source === undefined ? "source" : "capabilities");
    throw new RunError("M8509", `this is no controller: it has no \`${what}\``, {
      hint: `a controller has \`name\`, \`source\`, \`capabilities\` and ${METHODS.map((name) => `\`${name}\``).join(", ")}`,
    });
  }
  Object.defineProperty(made, CONTROLLER, { value: true });
  return made;
}

const METHODS = [
  ...(["start", "resume", "stream", "answer"] as const),
  ...(["interrupt", "snapshot", "restore", "close"] as const),
];

/** Returns whether a value was made by `controller()`. */
export function isController(value: unknown): value is Controller {
  return typeof value === "object" && value !== null && CONTROLLER in value;
}

// ── what controllers reject with ────────────────────────────────────────────────────────────────

/** The agent's process is gone, and with it what it was doing. */
export function controllerLost(name: string, how: string, cause?: unknown): FailureError {
  const failure = {
    class: "controller_lost",
    code: "M8502",
    message: `\`${name}\` is lost: ${how}`,
    hint: "look at what it did so far, then resume the run: the node run begins anew",
  } as const;
  return new FailureError(failure, { cause });
}

/** The agent does not know a session any more. */
export function sessionGone(name: string, sessionId: string): FailureError {
  return new FailureError({
    class: "controller_lost",
    code: "M8503",
    message: `\`${name}\` has no session \`${sessionId}\``,
    hint: "sessions belong to the agent, its user and its folder; `session new` needs none",
  });
}
