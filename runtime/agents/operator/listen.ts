/** Reads bytes and events from a controller's stream, and cuts them where the log keeps them. */
import { Cancellation } from "../../cancellation.ts";
import type { SleepClock } from "../../clock.ts";
import { FailureError, messageOf } from "../../failure.ts";
import type { HeardEvent, TurnHeard } from "../../records/controller-values.ts";
import type { Redactor } from "../../redaction/redact.ts";
import { mapTexts } from "../../redaction/redact.ts";
import type { TextPieces } from "../../redaction/redact-pieces.ts";
import { within } from "../abort.ts";
import { toJson } from "../values/json.ts";
import {
  type Controller,
  type ControllerChunk,
  type ControllerEvent,
  controllerLost,
  type SessionHandle,
} from "./controller.ts";
import { RawPieces, type RawStore, rawPiece } from "./raw-piece.ts";

export interface TurnListening {
  readonly controller: Controller;
  readonly handle: SessionHandle;
  /** Bytes of the attempt's raw stream before this part of it. */
  readonly rawBytes: number;
  readonly clock: SleepClock;
  /** The longest silence of a controller, in milliseconds. */
  readonly silenceMs: number;
  readonly redact: (text: string) => string;
  readonly redactPieces: Redactor["redactPieces"];
  readonly delta: (text: string) => void;
  readonly store: RawStore | undefined;
}

/** Events that only show progress; they are kept with the next event of another kind. */
const SIDE_NOTES: readonly ControllerEvent["kind"][] = ["heartbeat", "log"];

/** So many of them are kept without one. */
const SIDE_NOTES_MAX = 64;

/** The time in which an interrupted agent must stop; after that it is no longer awaited. */
const STOP_MS = 5000;

export class Listener {
  readonly #of: TurnListening;
  readonly #chunks: AsyncIterator<ControllerChunk>;
  readonly #texts: TextPieces;
  #rawBytes: number;
  /** Events that came with the last chunk and were not told yet. */
  #waiting: HeardEvent[] = [];
  #isOver = false;
  /** The chunk that was asked for and has not come. */
  #asked: Promise<IteratorResult<ControllerChunk>> | undefined;
  #isCut = false;
  #wake: () => void = () => {};

  constructor(of: TurnListening) {
    this.#of = of;
    this.#rawBytes = of.rawBytes;
    this.#texts = of.redactPieces(of.delta);
    this.#chunks = of.controller.stream(of.handle)[Symbol.asyncIterator]();
  }

  get handle(): SessionHandle {
    return this.#of.handle;
  }

  /** Ends `next` with what has come so far, so that the agent can be told something at once. */
  cut(): void {
    this.#isCut = true;
    this.#wake();
  }

  /** Everything up to the next event that says something, or until it is cut. */
  async next(cancellation: Cancellation): Promise<TurnHeard> {
    const events: HeardEvent[] = [];
    const raw = new RawPieces(this.#of.store);
    for (;;) {
      const event = this.#waiting.shift();
      if (event === undefined) {
        const chunk = await this.#chunk(cancellation);
        if (chunk === undefined) return { verb: "next", events, raw: raw.end() };
        this.#take(chunk, raw);
        continue;
      }
      events.push(event);
      this.#isOver ||= event.kind === "completed" || event.kind === "failed";
      if (!SIDE_NOTES.includes(event.kind) || events.length >= SIDE_NOTES_MAX)
        return { verb: "next", events, raw: raw.end() };
    }
  }

  /**
   * Stops the agent, unless its turn is over or is gone on with later; never rejects, and waits no longer than it must.
   */
  async leave({ isPaused }: { readonly isPaused: boolean }): Promise<void> {
    const { controller, handle, clock } = this.#of;
    const waits = new Cancellation();
    const stop = async () => {
      const isLeft = isPaused && controller.detach !== undefined;
      if (!this.#isOver)
        await (isLeft ? controller.detach?.(handle) : controller.interrupt(handle));
      await this.#chunks.return?.();
    };
    const late = clock.sleep(STOP_MS, waits);
    await Promise.race([stop(), late]).catch(() => {});
    waits.cancel();
    late.catch(() => {});
  }

  /** The next chunk; undefined where the listening was cut before it came. */
  async #chunk(cancellation: Cancellation): Promise<ControllerChunk | undefined> {
    const { controller, clock, silenceMs } = this.#of;
    const late = () => {
      throw silent(controller.name, silenceMs);
    };
    try {
      this.#asked ??= this.#chunks.next();
      const asked = this.#untilCut(this.#asked);
      const waits = { ms: silenceMs, clock, cancellation, late };
      const result = await within(() => asked, waits);
      if (result === undefined) {
        this.#isCut = false;
        return undefined;
      }
      this.#asked = undefined;
      const { done, value } = result;
      if (done !== true) return value;
      throw controllerLost(controller.name, "it ended without having completed or failed");
    } catch (thrown) {
      if (thrown instanceof FailureError) throw thrown;
      throw controllerLost(controller.name, messageOf(thrown), thrown);
    }
  }

  /** No race with a promise that lasts: that would keep every chunk of the turn in memory. */
  #untilCut<T>(asked: Promise<T>): Promise<T | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<T | undefined>();
    asked.then(resolve, reject);
    this.#wake = () => resolve(undefined);
    if (this.#isCut) this.#wake();
    return promise;
  }

  /** Takes a chunk in: its bytes are gathered, its deltas told, its events wait their turn. */
  #take({ raw, events }: ControllerChunk, pieces: RawPieces): void {
    const { redact } = this.#of;
    const { piece, to } = rawPiece(raw, this.#rawBytes, redact);
    const from = this.#rawBytes;
    this.#rawBytes = to;
    for (const event of events) {
      if (event.kind === "message_delta") this.#texts.write(event.text);
      else {
        this.#texts.end();
        this.#waiting.push({ ...mapTexts(known(event), redact), raw: [from, to] });
      }
    }
    if (to > from) pieces.add(piece, to - from);
  }
}

type LoggedControllerEvent = Exclude<ControllerEvent, { readonly kind: "message_delta" }>;

const KINDS: readonly string[] = [
  ...["session_started", "message_completed", "tool_call", "tool_result", "approval_requested"],
  ...["input_requested", "recall_requested", "message_sent", "handed_over"],
  ...["artifact_created", "plan_updated", "state_hint", "heartbeat", "log", "completed", "failed"],
];

/** Converts an event of an unknown kind, or one that is no JSON, into a note for the log. */
function known(event: LoggedControllerEvent): LoggedControllerEvent {
  const { value, faults } = toJson(event);
  if (faults.length === 0 && KINDS.includes(event.kind))
    return value as unknown as LoggedControllerEvent;
  return { kind: "log", text: JSON.stringify(value) };
}

function silent(name: string, silenceMs: number): FailureError {
  return new FailureError({
    class: "timeout",
    code: "M8505",
    message: `\`${name}\` said nothing for ${silenceMs / 1000} s`,
    hint: "its turn was interrupted; `retry 1 on timeout` begins another attempt",
  });
}
