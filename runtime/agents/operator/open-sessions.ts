/** Keeps the sessions of strong agents that a run has open, and closes them. */
import type { Cancellation } from "../../cancellation.ts";
import type { LogRecord } from "../../records/records.ts";
import { untilCancelled } from "../abort.ts";
import type { Controller, SessionHandle } from "./controller.ts";

/** The sessions that operators of one run have open in this process: one turn at a time each, all let go of at the end. */
export class OpenSessions {
  readonly #turns = new Map<string, Promise<void>>();
  readonly #open = new Map<
    string,
    { readonly controller: Controller; readonly handle: SessionHandle }
  >();

  readonly #steered = new Set<(to: string | null) => void>();

  /** Calls `listener` with the addressee of each text that a person tells the run; the result ends that. */
  onSteer(listener: (to: string | null) => void): () => void {
    this.#steered.add(listener);
    return () => this.#steered.delete(listener);
  }

  /** The listener of a run's records that has open turns hear at once what a person says to one node, or to whoever hears it first. */
  tellingSteers(then: () => void): (record: LogRecord) => void {
    return (record) => {
      if (record.kind === "steer")
        for (const listener of this.#steered) listener(record.message.receiver);
      then();
    };
  }

  add(controller: Controller, handle: SessionHandle): void {
    this.#open.set(keyOf(controller.name, handle.sessionId), { controller, handle });
  }

  /** Waits until nobody has a turn in the session; the result frees it. */
  async take(name: string, sessionId: string, cancellation: Cancellation): Promise<() => void> {
    const key = keyOf(name, sessionId);
    const before = this.#turns.get(key) ?? Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const own = before.then(() => promise);
    this.#turns.set(key, own);
    try {
      await untilCancelled(() => before, cancellation);
    } catch (thrown) {
      resolve();
      throw thrown;
    }
    return () => {
      resolve();
      if (this.#turns.get(key) === own) this.#turns.delete(key);
    };
  }

  /** Closes all of them at once; what that failed with. */
  async close(): Promise<readonly unknown[]> {
    const open = [...this.#open.values()];
    this.#open.clear();
    const closed = await Promise.allSettled(
      open.map(async ({ controller, handle }) => await controller.close(handle)),
    );
    return closed.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  }
}

function keyOf(name: string, sessionId: string): string {
  return `${name} ${sessionId}`;
}
