/** Shows a short table or a sentence as the value of a magic. */
import type { Bundle } from "../../cell-output.ts";
import { tableBundle, tableOf } from "../../display/table/table.ts";

/** A sentence that shows itself without quotes. */
export class PlainSentence {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toMimeBundle(): Bundle["data"] {
    return { "text/plain": this.#text };
  }
}

/** A short table that shows itself. */
export class Listing {
  readonly #bundle: Bundle;

  constructor(
    columns: readonly {
      readonly name: string;
      readonly type: string;
      readonly isUnbroken?: boolean;
    }[],
    rows: readonly Readonly<Record<string, unknown>>[],
    caption: string,
  ) {
    this.#bundle = tableBundle({ ...tableOf(columns, rows), caption });
  }

  toMimeBundle(): Bundle["data"] {
    return this.#bundle.data;
  }
}
