/** Keeps the runs that a server has at hand: all that go on, and the latest of those that have ended. */
import type { Run } from "../../runtime/index.ts";
import { isEnded } from "./task-of-run.ts";

/** The latest entries of a map; older ones go. */
export class LatestEntries<T> {
  readonly #most: number;
  readonly #entries = new Map<string, T>();

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): T | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: T): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#most && oldest !== undefined) this.#entries.delete(oldest);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}

/** A run that has ended is opened again from its log; so many of them need not be. */
const ENDED_MAX = 100;

export class RunsAtHand {
  readonly #open = new Map<string, Run>();
  readonly #ended = new LatestEntries<Run>(ENDED_MAX);

  /** The runs that had not ended when they were last looked at. */
  get all(): readonly Run[] {
    return [...this.#open.values()];
  }

  get size(): number {
    return this.#open.size + this.#ended.size;
  }

  get(id: string): Run | undefined {
    return this.#open.get(id) ?? this.#ended.get(id);
  }

  add(run: Run): void {
    this.#open.set(run.id, run);
    for (const [id, run] of this.#open) {
      if (!isEnded(run)) continue;
      this.#open.delete(id);
      this.#ended.set(id, run);
    }
  }
}
