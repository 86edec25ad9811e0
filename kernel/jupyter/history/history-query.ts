/** Selects the inputs that a `history_request` asks for. */
import type { Dict } from "../wire/message.ts";

/** An input that was run, with the plain text of its result. */
export interface HistoryEntry {
  /** Front ends count the sessions of a workspace from 1. */
  readonly session: number;
  readonly line: number;
  readonly input: string;
  readonly output: string | null;
}

/** Session, line and input; with outputs asked for, input and output. */
type HistoryItem = readonly [number, number, string | readonly [string, string | null]];

/** The content of a `history_reply`; `entries` from the oldest on, `current` is the session that is asked. */
export function historyContent(
  entries: readonly HistoryEntry[],
  { current, asked }: { readonly current: number; readonly asked: Dict },
): Dict {
  const history = find(entries, current, asked).map(
    ({ session, line, input, output }): HistoryItem => [
      session,
      line,
      asked.output === true ? [input, output] : input,
    ],
  );
  return { status: "ok", history };
}

function find(
  entries: readonly HistoryEntry[],
  current: number,
  asked: Dict,
): readonly HistoryEntry[] {
  switch (asked.hist_access_type) {
    case "range":
      return range(entries, current, asked);
    case "search":
      return search(entries, asked);
    default:
      return newest(entries, asked.n);
  }
}

/**
 * Returns the entries from `start` to before `stop`, by line; session 0 is the current one, -1 the
 * one before.
 */
function range(
  entries: readonly HistoryEntry[],
  current: number,
  { session, start, stop }: Dict,
): readonly HistoryEntry[] {
  const wanted = sessionOf(entries, current, session);
  const from = typeof start === "number" ? start : 0;
  const to = typeof stop === "number" ? stop : Number.POSITIVE_INFINITY;
  return entries.filter(({ session, line }) => session === wanted && line >= from && line < to);
}

function sessionOf(
  entries: readonly HistoryEntry[],
  current: number,
  asked: unknown,
): number | undefined {
  if (typeof asked !== "number" || asked === 0) return current;
  if (asked > 0) return asked;
  const earlier = new Set(entries.map(({ session }) => session).filter((one) => one !== current));
  return [...earlier].at(asked);
}

function search(
  entries: readonly HistoryEntry[],
  { pattern, unique, n }: Dict,
): readonly HistoryEntry[] {
  const glob = typeof pattern === "string" ? pattern : "*";
  const found = entries.filter(({ input }) => matchesGlob(input, glob));
  const last = new Map(found.map((entry) => [entry.input, entry]));
  return newest(
    unique === true ? found.filter((entry) => last.get(entry.input) === entry) : found,
    n,
  );
}

function newest(entries: readonly HistoryEntry[], count: unknown): readonly HistoryEntry[] {
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
