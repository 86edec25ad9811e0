/** Plays one task of a remote agent as a turn: its events, its questions, and the way back to it when the connection is lost. */
import { setTimeout as sleep } from "node:timers/promises";
import { FailureError } from "../../failure.ts";
import type { ApprovalAnswer, ControllerChunk, ControllerEvent } from "../operator/controller.ts";
import { isUnknownTask, malformed, notReached, remoteFailure } from "./failures.ts";
import type { RemoteAgent } from "./remote-agent.ts";
import type { TurnReader } from "./turn-reader.ts";
import { type A2aMessage, partFor, type WireEvent } from "./wire.ts";

interface TurnOf {
  readonly agent: RemoteAgent;
  readonly address: string;
  /** The same for the same attempt: messages of it have ids of it. */
  readonly key: string;
  readonly reader: TurnReader;
  readonly timeoutMs: number;
  readonly reconnectMs: number;
}

const ENDED = statesOf("COMPLETED", "FAILED", "CANCELED", "REJECTED");
/** The states in which nothing more comes by itself. */
const AT_REST = statesOf("COMPLETED", "FAILED", "CANCELED", "REJECTED", "INPUT_REQUIRED");

function statesOf(...names: readonly string[]): ReadonlySet<string | undefined> {
  return new Set(names.map((name) => `TASK_STATE_${name}`));
}

const POLL_MS = 500;
const WAIT_MAX_MS = 5000;

export class RemoteTurn {
  readonly #of: TurnOf;
  readonly #stop = new AbortController();
  readonly #interrupted = Promise.withResolvers<undefined>();
  #answered = Promise.withResolvers<AsyncIterable<WireEvent>>();
  #events: AsyncIterable<WireEvent> = nothing();
  /** Chunks that were read and not told yet. */
  #waiting: ControllerChunk[] = [];
  #facts: ControllerEvent[];
  #state: string | undefined;
  #isInterrupted = false;
  #isOver = false;

  constructor(of: TurnOf, earlier: readonly ControllerEvent[] = []) {
    this.#of = of;
    this.#facts = [...earlier];
  }

  get facts(): readonly ControllerEvent[] {
    return this.#facts;
  }

  get reader(): TurnReader {
    return this.#of.reader;
  }

  /** Sends the message that begins the task; resolves once the task is known. */
  async begin(message: A2aMessage): Promise<void> {
    await this.#send(message);
  }

  /** Goes on with a task that another connection began; `first` is told before anything else. */
  async reattach(id: string, first: readonly ControllerEvent[] = []): Promise<void> {
    if (first.length > 0) this.#waiting.push({ raw: lineOf({ again: first }), events: first });
    const task = await this.#of.agent.task(id, this.#stop.signal);
    this.#take({ task });
    this.#events = AT_REST.has(this.#state) ? nothing() : this.#follow(id);
  }

  async *play(): AsyncGenerator<ControllerChunk> {
    // A question of before that is open no more was answered in another process.
    this.#of.reader.answered();
    let lostSince: number | undefined;
    for (;;) {
      yield* this.#flush();
      if (this.#isOver) return;
      try {
        for await (const event of this.#events) {
          lostSince = undefined;
          this.#take(event);
          yield* this.#flush();
          if (this.#isOver) return;
        }
      } catch (thrown) {
        if (this.#isInterrupted) break;
        if (!this.#canGoOn(thrown)) throw thrown;
        lostSince ??= Date.now();
      }
      if (this.#isInterrupted) break;
      const asked = this.#of.reader.openQuestion !== undefined;
      if (!asked) lostSince ??= Date.now();
      const next = asked ? await this.#untilAnswered() : await this.#found(lostSince ?? 0);
      if (next === undefined) break;
      this.#events = next;
    }
    if (!this.#isOver) yield { raw: "", events: [INTERRUPTED] };
    this.#isOver = true;
  }

  /** Answers the question of this id; one that is not open, or answered already, is left. */
  async answer({ approvalId, decision, input, reason }: ApprovalAnswer): Promise<void> {
    const { reader, key } = this.#of;
    const { taskId = "", contextId } = reader;
    if (this.#isOver || reader.openQuestion !== approvalId) return;
    const isLogin = this.#state === "TASK_STATE_AUTH_REQUIRED" && decision === "approve";
    if (isLogin) this.#events = this.#follow(taskId);
    else
      await this.#send({
        messageId: `${key}/${approvalId}`,
        taskId,
        ...(contextId === undefined ? {} : { contextId }),
        role: "ROLE_USER",
        parts: [partFor(decision === "approve" ? (input ?? "yes") : (reason ?? NO_ANSWER))],
      });
    reader.answered(approvalId);
    this.#answered.resolve(this.#events);
    this.#answered = Promise.withResolvers();
  }

  /** Ends the task, where the agent lets us. */
  async interrupt(): Promise<void> {
    if (this.#isOver || this.#isInterrupted) return;
    this.leave();
    const { taskId } = this.#of.reader;
    if (!taskId) return;
    await this.#of.agent.cancel(taskId, AbortSignal.timeout(this.#of.timeoutMs)).catch(() => {});
  }

  /** Lets go of the connection; the task goes on without us. */
  leave(): void {
    this.#isInterrupted = true;
    this.#stop.abort();
    this.#interrupted.resolve(undefined);
  }

  async #send(message: A2aMessage): Promise<void> {
    const events = this.#of.agent.send(message, this.#stop.signal);
    const first = await this.#first(events);
    if (first.done === true)
      throw remoteFailure("M5213", {
        agent: this.#of.address,
        message: "says nothing to a message",
      });
    this.#take(first.value);
    // The task of an agent without streams is polled.
    const { taskId } = this.#of.reader;
    const polls = !this.#of.agent.streams && taskId !== undefined && !AT_REST.has(this.#state);
    this.#events = polls ? this.#poll(taskId) : events;
  }

  /** The first event of an answer has the time of an answer, also where a stream begins at once and says nothing. */
  async #first(events: AsyncGenerator<WireEvent>): Promise<IteratorResult<WireEvent>> {
    const { address, timeoutMs } = this.#of;
    const { promise, reject } = Promise.withResolvers<never>();
    const late = () => {
      reject(notReached(address, `it said nothing within ${timeoutMs / 1000} s`));
      this.#stop.abort();
    };
    const timer = setTimeout(late, timeoutMs);
    try {
      return await Promise.race([events.next(), promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  #take(event: WireEvent): void {
    this.#state = (event.task ?? event.statusUpdate)?.status?.state ?? this.#state;
    const events = this.#of.reader.read(event);
    this.#waiting.push({ raw: lineOf(event), events });
  }

  *#flush(): Generator<ControllerChunk> {
    for (let chunk = this.#waiting.shift(); chunk !== undefined; chunk = this.#waiting.shift()) {
      const facts = chunk.events.filter(({ kind }) => kind !== "message_delta");
      this.#facts.push(...facts);
      this.#isOver ||= facts.some(({ kind }) => kind === "completed" || kind === "failed");
      yield chunk;
    }
  }

  async #untilAnswered(): Promise<AsyncIterable<WireEvent> | undefined> {
    return await Promise.race([this.#answered.promise, this.#interrupted.promise]);
  }

  /** The events of the task by a new connection, looked for until the time is over. */
  async #found(since: number): Promise<AsyncIterable<WireEvent> | undefined> {
    const { reader, agent, address, reconnectMs } = this.#of;
    const { taskId } = reader;
    if (!taskId) throw notReached(address, "the connection was lost before there was a task");
    for (let waitMs = 50; ; waitMs = Math.min(2 * waitMs, WAIT_MAX_MS)) {
      const isLate = Date.now() - since > reconnectMs;
      try {
        this.#take({ task: await agent.task(taskId, this.#stop.signal) });
        const isAtRest = ENDED.has(this.#state) || reader.openQuestion !== undefined;
        if (isAtRest) return nothing();
        if (!AT_REST.has(this.#state)) return this.#follow(taskId);
        if (isLate) throw malformed(address, "its question was answered, and it asks it still");
      } catch (thrown) {
        if (this.#isInterrupted) return undefined;
        if (!this.#canGoOn(thrown) || isLate) throw thrown;
      }
      await sleep(waitMs, undefined, { signal: this.#stop.signal }).catch(() => {});
      if (this.#isInterrupted) return undefined;
    }
  }

  async *#follow(taskId: string): AsyncGenerator<WireEvent> {
    const { agent } = this.#of;
    if (agent.streams) yield* agent.follow(taskId, this.#stop.signal);
    else yield* this.#poll(taskId);
  }

  async *#poll(taskId: string): AsyncGenerator<WireEvent> {
    do {
      await sleep(POLL_MS, undefined, { signal: this.#stop.signal });
      yield { task: await this.#of.agent.task(taskId, this.#stop.signal) };
    } while (!AT_REST.has(this.#state));
  }

  /** A connection that was lost, or a task that ended between two looks at it. */
  #canGoOn(thrown: unknown): boolean {
    if (!(thrown instanceof FailureError) || isUnknownTask(thrown)) return false;
    return thrown.failure.class === "transport" || thrown.failure.code === "M5212";
  }
}

const NO_ANSWER = "There is no answer to this question. Go on without it, or end the task.";

const INTERRUPTED: ControllerEvent = {
  kind: "failed",
  class: "aborted",
  reason: "interrupted",
  message: "the turn was interrupted",
};

function lineOf(event: unknown): string {
  return `${JSON.stringify(event)}\n`;
}

async function* nothing(): AsyncGenerator<WireEvent> {}
