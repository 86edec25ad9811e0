/** The inputs of this session and the plain text of their results, as `history_request` asks for them. */
import type { Dict } from "./wire/message.ts";

interface Entry {
  readonly line: number;
  readonly input: string;
  output: string | null;
}

const ENTRIES_MAX = 10_000;
/** Front ends count sessions from 1; this kernel knows only its own. */
const SESSION = 1;

/** Session, line and input; with outputs asked for, input and output. */
type Item = readonly [number, number, string | readonly [string, string | null]];

export class History {
  readonly #entries: Entry[] = [];

  add(line: number, input: string): void {
    this.#entries.push({ line, input, output: null });
    if (this.#entries.length > ENTRIES_MAX) this.#entries.shift();
  }

  /** The result of the newest cell with this number. */
  setOutput(line: number, output: string): void {
    const entry = this.#entries.findLast((each) => each.line === line);
    if (entry !== undefined) entry.output = output;
  }

  /** The content of a `history_reply` to a request of this content. */
  answer(asked: Dict): Dict {
    const found = this.#find(asked);
    const history = found.map(
      ({ line, input, output }): Item => [
        SESSION,
        line,
        asked.output === true ? [input, output] : input,
      ],
    );
    return { status: "ok", history };
  }

  #find(asked: Dict): readonly Entry[] {
    switch (asked.hist_access_type) {
      case "range":
        return this.#range(asked);
      case "search":
        return this.#search(asked);
      default:
        return newest(this.#entries, asked.n);
    }
  }

  /** From `start` to before `stop`, by line; session 0 is this one. */
  #range({ session = 0, start, stop }: Dict): readonly Entry[] {
    if (session !== 0 && session !== SESSION) return [];
    const from = typeof start === "number" ? start : 0;
    const to = typeof stop === "number" ? stop : Number.POSITIVE_INFINITY;
    return this.#entries.filter(({ line }) => line >= from && line < to);
  }

  #search({ pattern, unique, n }: Dict): readonly Entry[] {
    const glob = typeof pattern === "string" ? pattern : "*";
    const found = this.#entries.filter(({ input }) => matchesGlob(input, glob));
    const last = new Map(found.map((entry) => [entry.input, entry]));
    return newest(
      unique === true ? found.filter((entry) => last.get(entry.input) === entry) : found,
      n,
    );
  }
}

function newest(entries: readonly Entry[], count: unknown): readonly Entry[] {
  return typeof count === "number" && count >= 0
    ? entries.slice(Math.max(0, entries.length - count))
    : entries;
}

/** `*` is any text, `?` any character. Not by a RegExp: one with many stars may take for ever on a long cell. */
function matchesGlob(text: string, glob: string): boolean {
  let at = 0;
  let next = 0;
  let star = -1;
  let afterStar = 0;
  while (at < text.length) {
    if (glob[next] === "*") {
      star = next;
      next += 1;
      afterStar = at;
    } else if (glob[next] === "?" || glob[next] === text[at]) {
      next += 1;
      at += 1;
    } else if (star >= 0) {
      // The last star takes one character more; no earlier one has to.
      afterStar += 1;
      at = afterStar;
      next = star + 1;
    } else return false;
  }
  return /^\**$/.test(glob.slice(next));
}
