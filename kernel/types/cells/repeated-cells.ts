/** Keeps the conversions of cells that are run again unchanged. */

import type { Converted } from "../service.ts";
import type { CellProgram } from "./cell-program.ts";

/** The inputs of a conversion besides the text of the cell. */
interface Circumstances {
  readonly program: CellProgram;
  /** Grows when one of the user's files has changed. */
  readonly revision: number;
  /** The declarations that the cell sees. */
  readonly known: string;
}

const KEPT_MAX = 50;

/** The cells that were converted last. Only such as declare nothing belong here: the others change what cells see. */
export class RepeatedCells {
  readonly #kept = new Map<string, Converted>();
  #of: Circumstances | undefined;

  /** Under the name of the cell that is asked for; undefined when anything it depends on has changed. */
  find(name: string, code: string, now: Circumstances): Converted | undefined {
    if (!isSame(this.#of, now)) {
      this.#kept.clear();
      this.#of = now;
    }
    const found = this.#kept.get(code);
    if (found === undefined) return undefined;
    return {
      ...found,
      sourceMap: JSON.stringify({ ...JSON.parse(found.sourceMap), sources: [name] }),
    };
  }

  /** To be called in the same circumstances as `find` before it. */
  keep(code: string, converted: Converted): void {
    if (this.#kept.size >= KEPT_MAX) this.#kept.clear();
    this.#kept.set(code, converted);
  }
}

function isSame(one: Circumstances | undefined, other: Circumstances): boolean {
  return (
    one?.program === other.program && one.revision === other.revision && one.known === other.known
  );
}
