/** Which rows of a benchmark are to be measured: all, or those that the call names. */
import { CommandError } from "../../kernel/command-error.ts";

export class Wanted {
  readonly #names: readonly string[];
  readonly #there = new Set<string>();
  #isFound = false;

  /** Without names every row is wanted. */
  constructor(names: readonly string[] = []) {
    this.#names = names.map((name) => name.toLowerCase());
  }

  /** Whether a row is: asked before it is measured. */
  has(name: string, store?: string): boolean {
    const row = store === undefined ? name : `${name} (${store})`;
    this.#there.add(row);
    const isWanted =
      this.#names.length === 0 || this.#names.some((words) => isIn(words, row.toLowerCase()));
    this.#isFound ||= isWanted;
    return isWanted;
  }

  /** Throws M7104 where no row was wanted; the message has those that there are. */
  assertFound(): void {
    if (this.#isFound || this.#there.size === 0) return;
    const names = this.#names.map((name) => `\`${name}\``).join(", ");
    throw new CommandError("M7104", `there is no row ${names}`, {
      hint: `there is ${[...this.#there].join("; ")}`,
    });
  }
}

/** As whole words: `chain 100` is no part of `chain 1000`. */
function isIn(words: string, row: string): boolean {
  const at = row.indexOf(words);
  if (at === -1) return false;
  const [before = "", after = ""] = [row[at - 1], row[at + words.length]];
  return (!isWordy(before) && !isWordy(after)) || isIn(words, row.slice(at + 1));
}

function isWordy(character: string): boolean {
  return /^[a-z0-9]$/.test(character);
}
