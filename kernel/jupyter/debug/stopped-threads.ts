/**
 * Keeps the stopped threads and announces one at a time, the newest first. A front end knows one at a time: the newest
 * is announced, the others wait until that one goes on.
 */

export interface StoppedThread {
  readonly thread: number;
  readonly reason: string;
  readonly text?: string;
}

type Publish = (event: string, body: Readonly<Record<string, unknown>>) => void;

export class StoppedThreads {
  readonly #publish: Publish;
  /** The announced one last. */
  #stopped: readonly StoppedThread[] = [];

  constructor(publish: Publish) {
    this.#publish = publish;
  }

  /** Returns the stopped threads, the announced one first. */
  get threads(): readonly number[] {
    return this.#stopped.map(({ thread }) => thread).toReversed();
  }

  /** The thread that a request means: JupyterLab names 1, or the one before, where it has lost count. */
  meant(thread: unknown): number | undefined {
    const named = this.#stopped.find((one) => one.thread === thread);
    return named?.thread ?? this.#stopped.at(-1)?.thread;
  }

  stopped(stop: StoppedThread): void {
    this.#stopped = [...this.#without(stop.thread), stop];
    this.#announce(stop);
  }

  continued(thread: number): void {
    const before = this.#stopped;
    this.#stopped = this.#without(thread);
    if (this.#stopped.length === before.length) return;
    this.#publish("continued", { threadId: thread, allThreadsContinued: false });
    const next = this.#stopped.at(-1);
    if (next !== undefined && before.at(-1)?.thread === thread) this.#announce(next);
  }

  #announce({ thread, reason, text }: StoppedThread): void {
    const more = text === undefined ? {} : { description: text, text };
    this.#publish("stopped", { reason, threadId: thread, allThreadsStopped: false, ...more });
  }

  #without(thread: number): readonly StoppedThread[] {
    return this.#stopped.filter((one) => one.thread !== thread);
  }
}
