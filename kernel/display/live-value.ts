/** Represents a value whose outputs can change after they were shown. */
import type { Bundle } from "../cell-output.ts";

export abstract class LiveValue {
  readonly #outputs = new Set<(bundle: Bundle) => void>();

  abstract toMimeBundle(): Bundle;

  /** Has `update` called with each form that it takes later. */
  follow(update: (bundle: Bundle) => void): void {
    this.#outputs.add(update);
  }

  /** Shows the value as it is now wherever it was shown, in saved notebooks too. */
  protected showAgain(): void {
    for (const update of this.#outputs) update(this.toMimeBundle());
  }
}
