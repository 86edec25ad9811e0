/** Bounds how often each client asks: a bucket of requests for each, filled again as time goes on. */
import { LatestEntries } from "../a2a-server/runs-at-hand.ts";
import { HttpFault } from "./http-fault.ts";

/** Clients that are known; one that has not asked for long begins anew. */
const CLIENTS_MAX = 10_000;
/** The bucket of a client holds so many seconds of requests. */
const BURST_SECONDS = 2;

interface Bucket {
  readonly left: number;
  readonly at: number;
}

export class RequestRate {
  readonly #aSecond: number;
  readonly #now: () => number;
  readonly #buckets = new LatestEntries<Bucket>(CLIENTS_MAX);

  constructor(aSecond: number, now: () => number = () => performance.now()) {
    this.#aSecond = aSecond;
    this.#now = now;
  }

  /** Counts a request of a client. Throws 429 where it asks too often. */
  take(client: string): void {
    const now = this.#now();
    const burst = this.#aSecond * BURST_SECONDS;
    const { left, at } = this.#buckets.get(client) ?? { left: burst, at: now };
    const filled = Math.min(burst, left + ((now - at) / 1000) * this.#aSecond);
    this.#buckets.set(client, { left: Math.max(0, filled - 1), at: now });
    if (filled >= 1) return;
    throw new HttpFault(429, "M7780", "too many requests", {
      hint: `at most ${this.#aSecond} a second`,
      headers: { "retry-after": "1" },
    });
  }
}
