/** Reads the streams of a run's `each` nodes: opens each on demand, takes one item at a time, closes it. */
import { toJson } from "../agents/values/json.ts";
import { BUFFERED_MAX, iteratorOf, Overflow } from "../agents/values/stream-source.ts";
import type { Cancellation } from "../cancellation.ts";
import type { Clock } from "../clock.ts";
import { type Failure, messageOf, stackOf } from "../failure.ts";
import type { LoggedCall, StreamNews } from "../records/records.ts";
import type { Start } from "../scheduler/advance.ts";
import type { Located } from "../scheduler/called-snapshots.ts";
import type { Completion } from "../scheduler/completion.ts";
import { type FunctionCall, keyOf } from "../scheduler/expressions/calls.ts";
import type { StreamSource } from "../scheduler/flow/flow-op.ts";

/** Streams that calls have given and nobody has opened yet, by the call's key. */
export class OfferedStreams {
  readonly #offered = new Map<string, unknown>();

  offer(key: string, source: unknown): void {
    this.#offered.set(key, source);
  }

  take(key: string): unknown {
    const source = this.#offered.get(key);
    this.#offered.delete(key);
    return source;
  }
}

/** The stream to read, and the last item of it that the log has. */
interface Pull {
  readonly source: StreamSource;
  readonly last: { readonly value: unknown } | undefined;
  readonly attempt: number;
}

export interface StreamsParts {
  readonly clock: Pick<Clock, "after" | "now">;
  readonly offered: OfferedStreams;
  readonly call: (call: FunctionCall) => Promise<LoggedCall>;
}

/** The open streams of one run, by the node run that reads them. */
export class EachStreams {
  readonly #parts: StreamsParts;
  readonly #open = new Map<number, OpenStream>();

  constructor(parts: StreamsParts) {
    this.#parts = parts;
  }

  /** The next item of the stream that a node run reads, which came when it is here. */
  async completion(
    { snapshot, run: { id, source } }: Located,
    { attempt }: Start,
    cancellation: Cancellation,
  ): Promise<Completion | undefined> {
    const expansion = source && snapshot.expansions.get(source.expansion);
    if (source === undefined || expansion === undefined) return undefined;
    const { last } = expansion.stream ?? {};
    const news = await this.#pull(id, { source, last, attempt }, cancellation);
    return news && { kind: "item", id, attempt, at: this.#parts.clock.now(), ...news };
  }

  /** The next item; `undefined` when it is not wanted any more. What comes late is the next pull's. */
  async #pull(
    id: number,
    { source, last, attempt }: Pull,
    cancellation: Cancellation,
  ): Promise<StreamNews | undefined> {
    const begin = () => this.#begin(source, last);
    const stream = this.#open.get(id) ?? new OpenStream(begin, this.#parts.clock);
    this.#open.set(id, stream);
    return await Promise.race([stream.next(attempt), cancelled(cancellation)]);
  }

  /** Closes those that nobody reads any more. */
  closeGone(isRead: (id: number) => boolean): void {
    if (this.#open.size === 0) return;
    for (const [id, stream] of this.#open) {
      if (isRead(id)) continue;
      this.#open.delete(id);
      void stream.close();
    }
  }

  /** Closes all, and waits until they are. */
  async close(): Promise<void> {
    const all = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(all.map((stream) => stream.close()));
  }

  /** Begins the stream: the one that the `each` was given, or one that continues behind the last item. */
  async #begin({ key, args, name, file }: StreamSource, last: Pull["last"]): Promise<unknown> {
    const { offered, call } = this.#parts;
    const known = offered.take(key);
    if (known !== undefined && last === undefined) return known;
    const behind = args === undefined || last === undefined ? [] : [{ after: last.value }];
    const again: FunctionCall = {
      name,
      args: [...(args ?? []), ...behind],
      ...(args === undefined ? { isRead: true } : {}),
      ...(file === undefined ? {} : { file }),
    };
    const { failure, value } = await call(again);
    if (failure !== undefined) throw new StreamFailed(failure);
    return offered.take(keyOf(again)) ?? value;
  }
}

class StreamFailed extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** The time that a stream has to close, in milliseconds. */
const GRACE_MS = 2000;

class OpenStream {
  readonly #begin: () => Promise<unknown>;
  #iterator: Promise<AsyncIterator<unknown>> | undefined;
  readonly #clock: Pick<Clock, "after">;
  /** The item that was asked for last: asked for again, it is the same one. */
  #asked: { readonly attempt: number; readonly item: Promise<StreamNews> } | undefined;

  constructor(begin: () => Promise<unknown>, clock: Pick<Clock, "after">) {
    this.#begin = begin;
    this.#clock = clock;
  }

  next(attempt: number): Promise<StreamNews> {
    if (this.#asked?.attempt !== attempt) this.#asked = { attempt, item: this.#ask() };
    return this.#asked.item;
  }

  async close(): Promise<void> {
    if (this.#iterator === undefined) return;
    const closing = this.#iterator.then((iterator) => iterator.return?.()).catch(() => undefined);
    let takeBack = () => {};
    const grace = new Promise<void>((resolve) => {
      takeBack = this.#clock.after(GRACE_MS, resolve);
    });
    await Promise.race([closing, grace]);
    takeBack();
  }

  async #ask(): Promise<StreamNews> {
    try {
      this.#iterator ??= this.#begin().then(iteratorOf);
      const { done, value } = await (await this.#iterator).next();
      return done === true ? { isDone: true } : itemOf(value);
    } catch (thrown) {
      return { failure: failureOf(thrown) };
    }
  }
}

function itemOf(value: unknown): StreamNews {
  const { value: json, faults } = toJson(value ?? null);
  const [fault] = faults;
  if (fault === undefined) return { value: json };
  const place = fault.path === "" ? "" : ` at \`${fault.path}\``;
  return {
    failure: {
      class: "tool",
      code: "M5320",
      message: `the stream gave an item that is not JSON: ${fault.found}${place}`,
      hint: "give plain objects, lists, texts, numbers, booleans or null",
    },
  };
}

function failureOf(thrown: unknown): Failure {
  if (thrown instanceof StreamFailed) return thrown.failure;
  if (thrown instanceof Overflow) return OVERFLOW;
  return {
    class: "tool",
    code: "M5320",
    message: `the stream failed: ${messageOf(thrown)}`,
    hint: "`on error skip` behind the `each` ends it there instead",
    ...stackOf(thrown),
  };
}

const OVERFLOW: Failure = {
  class: "tool",
  code: "M5303",
  message: `${BUFFERED_MAX} items of the Observable wait, and the next one came`,
  hint: "raise `parallel`, throttle the Observable, or give an AsyncIterable, which waits to be asked",
};

function cancelled(cancellation: Cancellation): Promise<undefined> {
  return new Promise((resolve) => {
    if (cancellation.isCancelled) resolve(undefined);
    cancellation.onCancel(() => resolve(undefined));
  });
}
