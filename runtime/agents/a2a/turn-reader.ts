/** Reads what a remote agent says of one task as the events of a turn; what is known already is not said again. */
import { isRecord, type JsonSchema } from "../../../dsl/index.ts";
import type { ControllerEvent } from "../operator/controller.ts";
import { malformed } from "./failures.ts";
import {
  type A2aMessage,
  dataOf,
  QUESTION_KEY,
  textOfParts,
  type WireArtifact,
  type WireEvent,
  type WirePart,
  type WireStatus,
  type WireTask,
  wordsOf,
} from "./wire.ts";

/** The facts that a reader needs before the first event. */
export interface ReadTurn {
  /** The agent's address, for errors. */
  readonly agent: string;
  /** The name and version of the agent, by its card. */
  readonly who: { readonly model: string; readonly version?: string };
  /** The session's name, once the task is known. */
  readonly sessionId: (task: { readonly contextId: string; readonly taskId: string }) => string;
  /** True if a value is asked for, and not a text. */
  readonly asksValue: boolean;
  /** The events of a turn that goes on that are known already. */
  readonly earlier?: readonly ControllerEvent[];
}

/** The most artifacts of one task, and parts of one artifact. */
const COUNT_MAX = 10_000;

export class TurnReader {
  readonly #of: ReadTurn;
  readonly #artifacts = new Map<string, WireArtifact & { readonly isTold?: true }>();
  readonly #messages: string[];
  readonly #messageIds = new Set<string>();
  readonly #made: string[];
  readonly #asked: Set<string>;
  readonly #askedBefore: readonly string[];
  readonly #answered = new Set<string>();
  #questions: number;
  #isBegun: boolean;
  #taskId: string | undefined;
  #contextId: string | undefined;
  /** The question that the agent waits with, if it does. */
  #open: string | undefined;

  constructor(of: ReadTurn) {
    this.#of = of;
    const earlier = of.earlier ?? [];
    this.#isBegun = earlier.some(({ kind }) => kind === "session_started");
    this.#messages = earlier.flatMap((event) =>
      event.kind === "message_completed" ? [event.text] : [],
    );
    this.#made = earlier.flatMap((event) =>
      event.kind === "artifact_created" ? [event.name] : [],
    );
    const asked = earlier.flatMap((event) =>
      event.kind === "input_requested" ? [event.inputId] : [],
    );
    this.#asked = new Set(asked);
    this.#askedBefore = asked;
    this.#questions = asked.length;
  }

  get taskId(): string | undefined {
    return this.#taskId;
  }

  get contextId(): string | undefined {
    return this.#contextId;
  }

  get openQuestion(): string | undefined {
    return this.#open === undefined || this.#answered.has(this.#open) ? undefined : this.#open;
  }

  /**
   * From here on the question of this id is none, whatever state the agent says it is in; without an id, none of those that were
   * known before.
   */
  answered(inputId?: string): void {
    for (const id of inputId === undefined ? this.#askedBefore : [inputId]) this.#answered.add(id);
  }

  /** The events that one event of the agent means. Throws M5213 for what belongs to another task. */
  read(event: WireEvent): readonly ControllerEvent[] {
    const { task, message, statusUpdate, artifactUpdate } = event;
    if (message !== undefined) return this.#reply(message);
    if (task !== undefined)
      return [...this.#belongs(task.id, task.contextId), ...this.#snapshot(task)];
    const update = statusUpdate ?? artifactUpdate;
    if (update === undefined) return [{ kind: "log", text: JSON.stringify(event) }];
    const begun = this.#belongs(update.taskId, update.contextId);
    if (statusUpdate !== undefined) return [...begun, ...this.#status(statusUpdate.status)];
    return [...begun, ...this.#piece(artifactUpdate as NonNullable<typeof artifactUpdate>)];
  }

  /** Holds the ids of an event against those of the turn; the first ones begin it. */
  #belongs(taskId: string | undefined, contextId: string | undefined): readonly ControllerEvent[] {
    const { agent } = this.#of;
    if (taskId === undefined || taskId === "") throw malformed(agent, "a task has no id");
    if (this.#taskId !== undefined && taskId !== this.#taskId)
      throw malformed(
        agent,
        `it speaks of the task \`${taskId}\`, and was asked for \`${this.#taskId}\``,
      );
    const known = this.#contextId;
    if (known !== undefined && contextId !== undefined && contextId !== known)
      throw malformed(
        agent,
        `the task is of the context \`${contextId}\`, and was of \`${known}\``,
      );
    this.#taskId = taskId;
    this.#contextId ??= contextId;
    return this.#begun();
  }

  #begun(): readonly ControllerEvent[] {
    if (this.#isBegun) return [];
    this.#isBegun = true;
    const ids = { contextId: this.#contextId ?? "", taskId: this.#taskId ?? "" };
    return [{ kind: "session_started", sessionId: this.#of.sessionId(ids), ...this.#of.who }];
  }

  /** An agent may answer at once, without a task. */
  #reply(message: A2aMessage): readonly ControllerEvent[] {
    this.#contextId ??= message.contextId;
    const begun = this.#begun();
    const parts = message.parts ?? [];
    return [...begun, ...this.#spoken(message), this.#completed(parts)];
  }

  #snapshot({ history = [], artifacts = [], status }: WireTask): readonly ControllerEvent[] {
    const own = history.filter(
      ({ role, messageId }) => role === "ROLE_AGENT" && messageId !== status?.message?.messageId,
    );
    if (artifacts.length > COUNT_MAX) throw malformed(this.#of.agent, "it has too many artifacts");
    for (const artifact of artifacts)
      this.#artifacts.set(artifact.artifactId, {
        ...artifact,
        ...(this.#artifacts.get(artifact.artifactId)?.isTold === true ? { isTold: true } : {}),
      });
    return [...own.flatMap((message) => this.#spoken(message)), ...this.#status(status)];
  }

  #piece({
    artifact,
    append = false,
    lastChunk = false,
  }: NonNullable<WireEvent["artifactUpdate"]>): readonly ControllerEvent[] {
    const { agent } = this.#of;
    if (artifact === undefined || !artifact.artifactId)
      throw malformed(agent, "an artifact has no id");
    const { artifactId, parts = [] } = artifact;
    const before = this.#artifacts.get(artifactId);
    const whole = append ? [...(before?.parts ?? []), ...parts] : parts;
    if (whole.length > COUNT_MAX || this.#artifacts.size > COUNT_MAX)
      throw malformed(agent, "an artifact has too many parts");
    const { isTold: _, ...known } = before ?? {};
    const next = { ...known, ...artifact, parts: whole };
    this.#artifacts.set(artifactId, next);
    const text = textOfParts(parts);
    const delta: readonly ControllerEvent[] =
      text === undefined || text === "" ? [] : [{ kind: "message_delta", text }];
    return lastChunk ? [...delta, ...this.#tell(next)] : delta;
  }

  #status(status: WireStatus = {}): readonly ControllerEvent[] {
    const { state = "", message } = status;
    this.#open = undefined;
    switch (state) {
      case "TASK_STATE_INPUT_REQUIRED":
      case "TASK_STATE_AUTH_REQUIRED":
        return [...this.#allMade(), ...this.#question(message, state)];
      case "TASK_STATE_COMPLETED":
        return [...this.#allMade(), this.#completed(message?.parts ?? [])];
      case "TASK_STATE_CANCELED":
        return [this.#failed("aborted", "canceled", message)];
      case "TASK_STATE_FAILED":
        return [...this.#allMade(), this.#failed("tool", "failed", message)];
      case "TASK_STATE_REJECTED":
        return [this.#failed("tool", "rejected", message)];
      case "TASK_STATE_SUBMITTED":
      case "TASK_STATE_WORKING":
        if (message !== undefined) return this.#spoken(message);
        return [
          { kind: "heartbeat", note: state === "TASK_STATE_WORKING" ? "working" : "submitted" },
        ];
      default:
        return [{ kind: "log", text: `the task is ${state || "in no state"}` }];
    }
  }

  #question(message: A2aMessage | undefined, state: string): readonly ControllerEvent[] {
    const inputId = message?.messageId || `input-${this.#questions + 1}`;
    this.#open = inputId;
    if (this.#asked.has(inputId)) return [];
    this.#asked.add(inputId);
    this.#questions += 1;
    const words = wordsOf(message?.parts);
    const login = "it needs an authorization outside of this conversation; answer when it is given";
    const text =
      state === "TASK_STATE_AUTH_REQUIRED" ? [words, login].filter(Boolean).join("\n") : words;
    const schema = message?.metadata?.[QUESTION_KEY];
    const asked = isRecord(schema) ? { schema: schema as JsonSchema } : {};
    return [{ kind: "input_requested", inputId, message: text || "it needs an answer", ...asked }];
  }

  #spoken(message: A2aMessage): readonly ControllerEvent[] {
    const { messageId } = message;
    if (this.#messageIds.has(messageId)) return [];
    if (messageId) this.#messageIds.add(messageId);
    const text = wordsOf(message.parts);
    if (text === "" || this.#isKnown(this.#messages, text)) return [];
    return [{ kind: "message_completed", text }];
  }

  /** Takes one that was known before off the list, once for each time that it is there. */
  #isKnown(earlier: string[], one: string): boolean {
    const at = earlier.indexOf(one);
    if (at >= 0) earlier.splice(at, 1);
    return at >= 0;
  }

  #allMade(): readonly ControllerEvent[] {
    return [...this.#artifacts.values()].flatMap((artifact) => this.#tell(artifact));
  }

  /** One artifact of ours holds one text or one file: an artifact of several parts is several of ours. */
  #tell(artifact: WireArtifact & { readonly isTold?: true }): readonly ControllerEvent[] {
    if (artifact.isTold) return [];
    this.#artifacts.set(artifact.artifactId, { ...artifact, isTold: true });
    const { parts = [], name = "", artifactId } = artifact;
    const isText = parts.every(({ text }) => text !== undefined);
    const [first = {}] = parts;
    const pieces = isText ? [{ ...first, text: textOfParts(parts) ?? "" }] : parts;
    return pieces.flatMap((part, index) => {
      const numbered = pieces.length === 1 ? "" : ` ${index + 1}`;
      const called = part.filename || `${name || artifactId}${numbered}`;
      if (this.#isKnown(this.#made, called)) return [];
      return [
        { kind: "artifact_created", name: called, artifactKind: "file", ...heldBy(part) } as const,
      ];
    });
  }

  #completed(spoken: readonly WirePart[]): ControllerEvent {
    const made = [...this.#artifacts.values()].flatMap(({ parts: own = [] }) => own);
    // A part with the name of a file is a file; the answer has none, unless there is nothing else.
    const unnamed = made.filter(({ filename }) => !filename);
    const parts = unnamed.length === 0 && spoken.length === 0 ? made : unnamed;
    const text = textOfParts(parts) ?? textOfParts(spoken);
    const value = dataOf(parts) ?? dataOf(spoken);
    const isValue = value !== undefined && (this.#of.asksValue || text === undefined);
    return {
      kind: "completed",
      text: text ?? (value === undefined ? "" : JSON.stringify(value)),
      ...(isValue ? { output: value } : {}),
    };
  }

  #failed(
    of: "aborted" | "tool",
    reason: string,
    message: A2aMessage | undefined,
  ): ControllerEvent {
    const words = wordsOf(message?.parts) || `the task was ${reason}`;
    return { kind: "failed", class: of, reason, message: words };
  }
}

/** The content of a part as an artifact has it. A file that is somewhere else is named and not fetched. */
function heldBy({ text, data, raw, url, mediaType }: WirePart) {
  const mime = mediaType ? { mime: mediaType } : {};
  if (text !== undefined) return { ...mime, text };
  if (raw !== undefined) return { ...mime, base64: raw };
  if (url !== undefined) return { ...mime, path: url };
  return { mime: "application/json", text: JSON.stringify(data ?? null) };
}
