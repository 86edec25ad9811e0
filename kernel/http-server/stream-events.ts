/** Sends the events of runs as server-sent events, each with an id to go on from; clients that do not read are dropped. */
import type { ServerResponse } from "node:http";
import { type DrivenRun, type RunEvent, redaction } from "../../runtime/index.ts";
import { HttpFault } from "./http-fault.ts";

export interface StreamLimits {
  /** Streams that are open at once. */
  readonly streamsMax: number;
  /** Events that wait for one client. */
  readonly waitingMax: number;
  /** The time in which a client takes what it was sent. */
  readonly stalledMs: number;
}

export const STREAM_LIMITS: StreamLimits = {
  streamsMax: 10_000,
  waitingMax: 10_000,
  stalledMs: 15_000,
};

/** Something is sent at least so often, so that nobody takes a long step for silence. */
const ALIVE_MS = 15_000;

/** Makes of an event the texts that are sent, one after the other. */
export type ShowEvent = (event: RunEvent) => readonly (string | Buffer)[];

export interface StreamOf {
  readonly run: DrivenRun;
  readonly outgoing: ServerResponse;
  /** The texts before the first event. */
  readonly begin?: () => readonly string[];
  readonly show: ShowEvent;
  /** The texts behind the last event of a run that is over. */
  readonly end: () => readonly string[];
  /** Set if the stream also ends where the run comes to rest without being over. */
  readonly endsAtRest?: boolean;
}

/** The streams that are open. */
export class EventStreams {
  readonly #limits: StreamLimits;
  readonly #open = new Set<ServerResponse>();

  constructor(limits: StreamLimits = STREAM_LIMITS) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Throws 503 where too many are open; sends until the run is over, or the client is gone or too slow. */
  async send(stream: StreamOf, headers: Readonly<Record<string, string>> = {}): Promise<void> {
    const { outgoing } = stream;
    if (this.#open.size >= this.#limits.streamsMax)
      throw new HttpFault(503, "M7780", `${this.#limits.streamsMax} streams are open`, {
        hint: "ask again when some have ended",
        headers: { "retry-after": "5" },
      });
    this.#open.add(outgoing);
    outgoing.once("close", () => this.#open.delete(outgoing));
    outgoing.writeHead(200, { "content-type": "text/event-stream", ...headers });
    outgoing.flushHeaders();
    const alive = setInterval(() => outgoing.write(":\n\n"), ALIVE_MS).unref();
    try {
      await this.#pump(stream);
    } finally {
      clearInterval(alive);
    }
  }

  /** Ends all of them: each client comes back, with the id of the last event that it had. */
  close(): void {
    for (const outgoing of this.#open) outgoing.end();
  }

  async #pump({ run, outgoing, begin, show, end, endsAtRest = false }: StreamOf): Promise<void> {
    const { waitingMax, stalledMs } = this.#limits;
    let waiting: RunEvent[] = [];
    let isOver = false;
    let wake = Promise.withResolvers<void>();
    let isPast = true;
    const rest = () => {
      isOver = true;
      wake.resolve();
    };
    const subscription = run.events$.subscribe({
      next: (event) => {
        waiting.push(event);
        // The past is there anyway; what comes must be read.
        if (waiting.length > waitingMax && !isPast) drop(outgoing);
        wake.resolve();
      },
      complete: rest,
    });
    isPast = false;
    if (endsAtRest) run.settled().then(rest, rest);
    const gone = new Promise<void>((resolve) => outgoing.once("close", () => resolve()));
    try {
      for (const text of begin?.() ?? []) outgoing.write(text);
      while (!outgoing.destroyed) {
        const events = waiting;
        waiting = [];
        for (const event of events)
          for (const text of show(event)) if (!(await sent(outgoing, text, stalledMs))) return;
        if (waiting.length > 0) continue;
        if (isOver) break;
        wake = Promise.withResolvers();
        await Promise.race([wake.promise, gone]);
      }
      for (const text of end()) outgoing.write(text);
      outgoing.end();
    } finally {
      subscription.unsubscribe();
    }
  }
}

/** False where the client does not take it in time, and is gone then. */
async function sent(
  outgoing: ServerResponse,
  text: string | Buffer,
  stalledMs: number,
): Promise<boolean> {
  if (outgoing.destroyed) return false;
  if (outgoing.write(text)) return true;
  const timer = setTimeout(() => drop(outgoing), stalledMs);
  const { promise, resolve } = Promise.withResolvers<void>();
  outgoing.once("drain", resolve).once("close", resolve);
  await promise;
  outgoing.off("drain", resolve).off("close", resolve);
  clearTimeout(timer);
  return !outgoing.destroyed;
}

/** Resets the connection: an orderly end would keep what the system holds for the client until it is read. */
function drop(outgoing: ServerResponse): void {
  outgoing.socket?.resetAndDestroy();
  outgoing.destroy();
}

/** Events as they are sent: the same for all clients of a run, which may be many. */
const shownTexts = new WeakMap<RunEvent, Buffer>();

/** Shows the events behind the one with the id `after`, without what is private; pieces of texts have no id, as they are not kept. */
export function eventTexts(run: DrivenRun, after: string | undefined): ShowEvent {
  const shower = redaction.eventShower(run.ir);
  const from = readEventId(after);
  return (event) => {
    shower.learn(event);
    const { kind, seq, part } = event;
    if (seq < from[0] || (seq === from[0] && part <= from[1])) return [];
    const known = shownTexts.get(event);
    if (known !== undefined) return [known];
    const id = kind === "model.delta" || kind === "tool.progress" ? "" : `id: ${seq}.${part}\n`;
    // JSON has no line ends.
    const text = Buffer.from(`${id}data: ${JSON.stringify(shower.show(event))}\n\n`);
    shownTexts.set(event, text);
    return [text];
  };
}

function readEventId(id: string | undefined): readonly [seq: number, part: number] {
  const [, seq = "-1", part = "-1"] = /^(\d{1,15})\.(\d{1,15})$/.exec(id ?? "") ?? [];
  return [Number(seq), Number(part)];
}
