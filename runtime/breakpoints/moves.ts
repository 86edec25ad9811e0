/** Queues the moves of a debugger: each goes on until the run stands again. */
import type { Stop } from "./breakpoint-types.ts";
import { StopWatchers } from "./stop-watchers.ts";

/** One move under way: told by the engine's letters when it begins, and by the run when it stands. */
interface Move {
  begun: boolean;
  readonly stop: PromiseWithResolvers<Stop>;
}

export class Moves {
  readonly watchers = new StopWatchers();
  #turn: Promise<unknown> = Promise.resolve();
  #move: Move | undefined;

  /** Does `work` when everything asked for before is done. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }

  /** Sets the run going; resolves with why it stands again. Holds that come before `begun` is called are others'. */
  async until(go: (begun: () => void) => void): Promise<Stop> {
    const move: Move = { begun: false, stop: Promise.withResolvers<Stop>() };
    this.#move = move;
    try {
      go(() => {
        move.begun = true;
      });
      return await move.stop.promise;
    } finally {
      this.#move = undefined;
    }
  }

  held(stop: Stop): void {
    if (this.#move?.begun === true) this.#move.stop.resolve(stop);
    this.watchers.tell(stop);
  }

  settled(stop: Stop): void {
    this.#move?.stop.resolve(stop);
    this.watchers.tell(stop);
  }

  broken(error: unknown): void {
    this.#move?.stop.reject(error);
    this.watchers.tell({ kind: "end", status: "failed" });
  }
}
