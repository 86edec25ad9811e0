/** Plays one turn of a strong agent: its process, what it says, what it asks for, and every way in which the turn ends. */
import type { TimerClock } from "../../../clock.ts";
import { FailureError } from "../../../failure.ts";
import {
  type ApprovalAnswer,
  type ControllerChunk,
  type ControllerEvent,
  controllerLost,
  sessionGone,
} from "../../operator/controller.ts";
import { AgentProcess, type ProcessEnd, type StopTimes } from "./agent-process.ts";
import type { AgentWire } from "./agent-wire.ts";
import { readMessage } from "./read-message.ts";
import { TurnChunks } from "./turn-chunks.ts";

type TurnEvent = ControllerEvent & { readonly kind: "completed" | "failed" };
/** A question that a turn waits with. */
export type TurnQuestion = ControllerEvent & {
  readonly kind: "approval_requested" | "input_requested" | "recall_requested";
};
type FailedEnd = ControllerEvent & { readonly kind: "failed" };

/** A turn that is played, or asked about. */
export interface PlayedTurn {
  /** Heard once. */
  readonly chunks: AsyncIterable<ControllerChunk>;
  answer(answer: ApprovalAnswer): void;
  steer(text: string): void;
  /** Ends it as interrupted; nothing where it is over. */
  interrupt(reason?: string): Promise<void>;
}

/** The environment of a turn. */
export interface TurnSetting {
  readonly agent: string;
  readonly wire: AgentWire;
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly clock: TimerClock;
  readonly stopTimes: StopTimes;
  /** The longest turn and the longest silence, in milliseconds, without the time in which a person is asked. */
  readonly timeoutMs: number | undefined;
  readonly idleMs: number;
  /** The session that the agent must know. */
  readonly sessionId: string | undefined;
  /** Called once its processes have ended and before the turn does: it may still ask and tell. */
  readonly ending: (end: TurnEvent, io: EndingIo) => Promise<TurnEvent>;
}

/** The means of whoever adds to the end of a turn. */
export interface EndingIo {
  readonly tell: (...events: readonly ControllerEvent[]) => void;
  readonly ask: (event: TurnQuestion) => Promise<ApprovalAnswer | undefined>;
}

/** A sign of life is told so often while an agent says nothing. */
const TICK_MS = 15_000;

const STDERR_KEPT = 2000;

/** So much of a line that nobody can read is an event; its bytes are kept whole. */
const NOTE_BYTES_MAX = 2000;

export class AgentTurn implements PlayedTurn {
  readonly chunks: TurnChunks;
  /** The agent's own name of the session; rejects where the turn ends before there is one. */
  readonly started: Promise<string>;
  readonly #of: TurnSetting;
  readonly #process: AgentProcess;
  readonly #sessionKnown = Promise.withResolvers<string>();
  readonly #over = Promise.withResolvers<void>();
  /** Questions that are open: those of the agent by its wire, ours by whoever waits. */
  readonly #asked = new Map<string, ((answer: ApprovalAnswer | undefined) => void) | "agent">();
  /** The lines of the end and behind it; they are told with it. */
  readonly #late: { readonly raw: Buffer; readonly events: readonly ControllerEvent[] }[] = [];
  #stderr = "";
  #end: TurnEvent | undefined;
  #isLeft = false;
  #isOver = false;
  #isInterrupted = false;
  #silentMs = 0;
  #workedMs = 0;
  #stopTick: () => void = () => {};

  constructor(of: TurnSetting) {
    this.#of = of;
    this.chunks = new TurnChunks({
      pause: () => this.#process.pause(),
      resume: () => this.#process.resume(),
    });
    const { command, env: own } = of.wire;
    this.#process = new AgentProcess(
      { command, env: { ...of.env, ...own }, folder: of.folder },
      { line: (raw, from) => this.#hear(raw, from) },
      of.clock,
    );
    this.started = this.#sessionKnown.promise;
    this.started.catch(() => {});
    void this.#process.ended.then((end) => this.#processEnded(end));
    of.wire.begin({
      send: (message) => this.#process.write(`${JSON.stringify(message)}\n`),
      tell: (...events) => this.tell(...events),
    });
    this.#tick();
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Resolves when the turn is over and no process of it is left. */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  /** Tells events that belong to no line of the agent. */
  tell(...events: readonly ControllerEvent[]): void {
    if (!this.#isOver) this.#take(Buffer.alloc(0), events);
  }

  /** Asks a person in the middle of the turn; undefined where the turn ends first. */
  ask(event: TurnQuestion): Promise<ApprovalAnswer | undefined> {
    const { promise, resolve } = Promise.withResolvers<ApprovalAnswer | undefined>();
    if (this.#isInterrupted) resolve(undefined);
    this.#asked.set(questionId(event), resolve);
    this.chunks.push({ raw: "", events: [event] });
    void this.over.then(() => resolve(undefined));
    return promise;
  }

  answer(answer: ApprovalAnswer): void {
    const waiting = this.#asked.get(answer.approvalId);
    if (waiting === undefined) return;
    this.#asked.delete(answer.approvalId);
    this.#silentMs = 0;
    if (waiting === "agent") this.#of.wire.answer(answer);
    else waiting(answer);
  }

  steer(text: string): void {
    this.#of.wire.steer?.(text);
  }

  async interrupt(reason = "the turn was interrupted"): Promise<void> {
    this.#isInterrupted = true;
    // The end of the turn may wait with a question of ours, which nobody answers any more.
    for (const waiting of this.#asked.values()) if (waiting !== "agent") waiting(undefined);
    await this.#stop({
      kind: "failed",
      class: "aborted",
      reason: "interrupted",
      message: reason,
    });
  }

  async #stop(end: FailedEnd): Promise<void> {
    if (!this.#isLeft) {
      this.#isLeft = true;
      this.#end = end;
      this.#of.wire.interrupt();
      this.#finish();
    }
    await this.over;
  }

  // ── what it says ──────────────────────────────────────────────────────────────────────────────

  #hear(raw: Buffer, from: "stdout" | "stderr"): void {
    this.#silentMs = 0;
    if (from === "stderr") this.#stderr = (this.#stderr + raw.toString()).slice(-STDERR_KEPT);
    const message = from === "stdout" ? readMessage(raw) : undefined;
    if (message !== undefined) {
      const events = this.#of.wire.read(message);
      if (this.#isLeft) this.#hearLate(raw, events);
      else this.#take(raw, events);
      return;
    }
    const text = raw.subarray(0, NOTE_BYTES_MAX).toString("utf8").trimEnd();
    const event = { kind: "log", text } as const;
    if (this.#isLeft) this.#late.push({ raw, events: [event] });
    else this.#take(raw, [event]);
  }

  /** An agent that was asked to stop says so, and what it has used: then it may end. */
  #hearLate(raw: Buffer, events: readonly ControllerEvent[]): void {
    this.#late.push({ raw, events: [] });
    const end = events.find(isEnd) as TurnEvent | undefined;
    if (end === undefined) return;
    if (this.#end !== undefined && end.usage !== undefined)
      this.#end = { ...this.#end, usage: end.usage };
    this.#process.closeInput();
  }

  #take(raw: Buffer, events: readonly ControllerEvent[]): void {
    const at = events.findIndex(isEnd);
    const before = at === -1 ? events : events.slice(0, at);
    for (const event of before) {
      if (event.kind === "session_started") this.#sessionKnown.resolve(event.sessionId);
      if (isQuestion(event)) this.#asked.set(questionId(event), "agent");
    }
    const end = at === -1 ? undefined : (events[at] as TurnEvent);
    if (end === undefined || this.#isLeft) {
      if (raw.length > 0 || before.length > 0) this.chunks.push({ raw, events: before });
      return;
    }
    this.#isLeft = true;
    this.#end = end;
    this.#late.push({ raw, events: before });
    this.#process.closeInput();
    this.#finish();
  }

  // ── how it ends ───────────────────────────────────────────────────────────────────────────────

  /** Ends its processes, asks what there is to ask, and tells the end with the bytes that came since. */
  #finish(): void {
    const finishing = async () => {
      this.#stopTick();
      await this.#process.stop(this.#of.stopTimes);
      const end = this.#end;
      if (end === undefined) return;
      const last = await this.#of.ending(end, {
        tell: (...events) => this.chunks.push({ raw: "", events }),
        ask: (event) => this.ask(event),
      });
      const before = this.#late.flatMap(({ events }) => events);
      this.#close(Buffer.concat(this.#late.map(({ raw }) => raw)), [...before, last], last);
    };
    finishing().catch((failure: unknown) => this.#fail(failure));
  }

  #processEnded(end: ProcessEnd): void {
    if (this.#isLeft) return;
    this.#isLeft = true;
    this.#stopTick();
    const { agent, sessionId, wire } = this.#of;
    if (sessionId !== undefined && wire.isGone?.(this.#stderr) === true) {
      this.#fail(sessionGone(agent, sessionId));
      return;
    }
    const { code, signal } = end;
    if (code === null || code === 0) {
      const how = signal === null ? "it ended before its turn did" : `it was ended by ${signal}`;
      this.#fail(controllerLost(agent, how));
      return;
    }
    const stderr = this.#stderr.trim();
    this.#end = {
      kind: "failed",
      class: "tool",
      reason: `exit_${code}`,
      message: stderr === "" ? `it ended with ${code}` : stderr,
    };
    this.#finish();
  }

  #close(raw: Buffer, events: readonly ControllerEvent[], last: TurnEvent): void {
    const { sessionId, agent } = this.#of;
    if (last.kind === "failed") {
      const isGone = last.reason === GONE && sessionId !== undefined;
      this.#sessionKnown.reject(isGone ? sessionGone(agent, sessionId) : notBegun(agent, last));
    }
    this.chunks.push({ raw, events });
    this.#endWith({});
  }

  #fail(failure: unknown): void {
    this.#sessionKnown.reject(failure);
    this.#endWith({ failure });
  }

  #endWith(end: { readonly failure?: unknown }): void {
    this.#isOver = true;
    this.chunks.close(end);
    this.#over.resolve();
  }

  // ── time ──────────────────────────────────────────────────────────────────────────────────────

  #tick(): void {
    const { clock, timeoutMs, idleMs } = this.#of;
    const everyMs = Math.min(TICK_MS, idleMs, timeoutMs ?? TICK_MS);
    this.#stopTick = clock.after(
      everyMs,
      () => {
        // While a person is asked, no time passes.
        if (this.#asked.size === 0) this.#pass(everyMs);
        if (!this.#isLeft) this.#tick();
      },
      { background: true },
    );
  }

  #pass(ms: number): void {
    const { timeoutMs, idleMs } = this.#of;
    this.#workedMs += ms;
    this.#silentMs += ms;
    if (timeoutMs !== undefined && this.#workedMs >= timeoutMs)
      void this.#stop(timedOut("timeout", `it worked for ${timeoutMs / 1000} s`));
    else if (this.#silentMs >= idleMs)
      void this.#stop(timedOut("idle", `it said nothing for ${idleMs / 1000} s`));
    else if (this.#silentMs >= TICK_MS)
      this.chunks.push({ raw: "", events: [{ kind: "heartbeat", note: "its process runs" }] });
  }
}

/** The reason of an end by which an agent says that it does not know the session. */
export const GONE = "session_gone";

/** Returns whether an event waits for an answer. */
export function isQuestion<E extends ControllerEvent>(event: E): event is E & TurnQuestion {
  const { kind } = event;
  return kind === "approval_requested" || kind === "input_requested" || kind === "recall_requested";
}

export function questionId(event: TurnQuestion): string {
  return event.kind === "approval_requested" ? event.approvalId : event.inputId;
}

function isEnd({ kind }: ControllerEvent): boolean {
  return kind === "completed" || kind === "failed";
}

function timedOut(reason: string, message: string): FailedEnd {
  return { kind: "failed", class: "timeout", reason, message };
}

function notBegun(agent: string, { class: of, reason, message }: FailedEnd): FailureError {
  return new FailureError({
    class: of,
    code: "M8504",
    message: `\`${agent}\` failed (${reason}): ${message}`,
    hint: "it ended before its session began",
  });
}
