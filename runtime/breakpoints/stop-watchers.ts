/** Notifies watchers when a run stops and when it continues, whoever moved it. */
import type { Stop } from "./breakpoint-types.ts";

/** Told why a run stands; nothing when it goes on. */
export type StopWatcher = (stop: Stop | undefined) => void;

export class StopWatchers {
  readonly #watchers = new Set<StopWatcher>();

  /** The result ends it. */
  add(watcher: StopWatcher): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  tell(stop: Stop | undefined): void {
    for (const watcher of [...this.#watchers]) watcher(stop);
  }

  /** Those of another program of the run. */
  takeOver(before: StopWatchers): void {
    for (const watcher of before.#watchers) this.add(watcher);
    before.#watchers.clear();
  }
}
