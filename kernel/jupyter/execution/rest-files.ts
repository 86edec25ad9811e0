/** Writes what a cell prints beyond a front end's limit to a file, whole and in order. */
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RequestId } from "../link.ts";
import type { StreamPart } from "./stream-batch.ts";

// Notebooks with more than some megabytes in a cell can't be opened any more.
const SHOWN_CHARS_MAX = 2 * 1024 * 1024;

/** The part of a text that is shown; `file` is where the rest went, said with its first part. */
export interface ShownText {
  readonly text: string;
  readonly file?: string;
}

interface PrintedCount {
  chars: number;
  path?: string;
}

export interface RestOptions {
  readonly max?: number;
  /** Returns the name of the cell for names of files. */
  readonly nameOf: (id: RequestId) => string;
}

/** Counts what each stream of each cell printed. */
export class RestFiles {
  readonly #folder: () => string | undefined;
  readonly #max: number;
  readonly #nameOf: RestOptions["nameOf"];
  readonly #printed = new Map<RequestId, Record<StreamPart["name"], PrintedCount>>();

  /** In this folder; where there is none, all is shown. */
  constructor(folder: () => string | undefined, { max = SHOWN_CHARS_MAX, nameOf }: RestOptions) {
    this.#folder = folder;
    this.#max = max;
    this.#nameOf = nameOf;
  }

  /** Writes what is too much. What can't be written is shown, however long. */
  take(part: StreamPart): ShownText {
    const printed = this.#printedBy(part);
    const before = printed.chars;
    printed.chars += part.text.length;
    if (printed.chars <= this.#max) return { text: part.text };
    const cut = before >= this.#max ? 0 : wholeUpTo(part.text, this.#max - before);
    try {
      const file = this.#append(part, { printed, cut });
      const text = part.text.slice(0, cut);
      return file === undefined ? { text } : { text, file };
    } catch {
      return { text: part.text };
    }
  }

  forget(id: RequestId): void {
    this.#printed.delete(id);
  }

  /** The file's path when it is new. */
  #append(
    { id, name, text }: StreamPart,
    { printed, cut }: { readonly printed: PrintedCount; readonly cut: number },
  ): string | undefined {
    const rest = text.slice(cut);
    if (printed.path !== undefined) {
      appendFileSync(printed.path, rest);
      return undefined;
    }
    const folder = this.#folder();
    if (folder === undefined) throw new Error("there is no workspace");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, `${this.#nameOf(id)}-${name}.txt`);
    writeFileSync(path, rest, { flag: "wx", mode: 0o600 });
    printed.path = path;
    return path;
  }

  #printedBy({ id, name }: StreamPart): PrintedCount {
    const both = this.#printed.get(id) ?? { stdout: { chars: 0 }, stderr: { chars: 0 } };
    this.#printed.set(id, both);
    return both[name];
  }
}

/** The longest beginning of at most so many units that cuts no character in two. */
function wholeUpTo(text: string, units: number): number {
  const code = text.charCodeAt(units - 1);
  const isHigh = code >= 0xd800 && code <= 0xdbff;
  return isHigh ? units - 1 : units;
}
