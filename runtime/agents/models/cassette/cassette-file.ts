/** Reads a cassette from its file, and appends calls to it as whole lines. */
import {
  appendFileSync,
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
} from "node:fs";
import { dirname } from "node:path";
import { FailureError, messageOf } from "../../../failure.ts";
import { type CassetteCall, lineOf, readLine } from "./cassette-call.ts";

/** A call, and the number of its line from 1. */
export interface CassetteEntry {
  readonly line: number;
  readonly call: CassetteCall;
}

/** The calls of one file. Several processes may append to it at once: each line is written whole, in one write. */
export class CassetteFile {
  readonly path: string;
  #entries: readonly CassetteEntry[] | undefined;
  #byKey: ReadonlyMap<string, readonly CassetteEntry[]> | undefined;
  readonly #numbers = new Map<string, number>();
  readonly #turns = new Map<string, number>();
  readonly #used = new Set<CassetteEntry>();
  /** The beginning of the run, in milliseconds since the epoch: it goes on behind what was recorded since. */
  readonly #since: number | undefined;
  #isWhole = false;

  constructor(path: string, since?: number) {
    this.path = path;
    this.#since = since;
  }

  /** The lines as they are when they are first asked for; none where there is no file. */
  entries(): readonly CassetteEntry[] {
    this.#entries ??= readEntries(this.path);
    return this.#entries;
  }

  /**
   * The next answer to a request, in the order in which they were recorded; undefined behind the last one. `model` leaves out
   * those of others, `again` gives the last one again.
   */
  nextAnswer(
    key: string,
    { model, again }: { readonly model: string | undefined; readonly again: boolean },
  ): CassetteEntry | undefined {
    const all = this.#answers(key);
    const answers = model === undefined ? all : all.filter(({ call }) => call.model === model);
    const place = `${model ?? ""} ${key}`;
    const turn = this.#turns.get(place) ?? 0;
    this.#turns.set(place, turn + 1);
    const answer = answers[turn] ?? (again ? answers.at(-1) : undefined);
    if (answer !== undefined) this.#used.add(answer);
    return answer;
  }

  /** The answers that nobody was given, but for those that a later line replaces. */
  unused(): readonly CassetteEntry[] {
    return this.entries().filter(
      (entry) => !this.#used.has(entry) && this.#answers(entry.call.key).includes(entry),
    );
  }

  #answers(key: string): readonly CassetteEntry[] {
    this.#byKey ??= inOrder(this.entries());
    return this.#byKey.get(key) ?? [];
  }

  /** The number of the next call of this key; `anew` counts from 0, as if the file had none but the run's own. */
  takeNumber(key: string, { anew }: { readonly anew: boolean }): number {
    const before = anew ? this.#ownNumber(key) : (this.#answers(key).at(-1)?.call.n ?? -1);
    const number = this.#numbers.get(key) ?? before + 1;
    this.#numbers.set(key, number + 1);
    return number;
  }

  /** The last number that the run itself has recorded before it was stopped; -1 where it has none. */
  #ownNumber(key: string): number {
    const since = this.#since;
    if (since === undefined) return -1;
    const isOwn = ({ call }: CassetteEntry) => Date.parse(call.at) >= since;
    return this.#answers(key).findLast(isOwn)?.call.n ?? -1;
  }

  /** Appends a call. It does not count among `entries()`, which are those of before. Throws M8163. */
  append(call: CassetteCall): void {
    try {
      if (!this.#isWhole) mkdirSync(dirname(this.path), { recursive: true });
      const before = this.#isWhole || endsWhole(this.path) ? "" : "\n";
      appendFileSync(this.path, before + lineOf(call));
      this.#isWhole = true;
    } catch (cause) {
      throw notWritten(this.path, cause);
    }
  }
}

/** The cassettes of one run: whoever names the same file takes from the same answers. */
export class RunCassettes {
  readonly #files = new Map<string, CassetteFile>();
  readonly #since: number | undefined;

  /** `since`: a stored run goes on, which began then. */
  constructor(since?: number) {
    this.#since = since;
  }

  fileAt(path: string): CassetteFile {
    const file = this.#files.get(path) ?? new CassetteFile(path, this.#since);
    this.#files.set(path, file);
    return file;
  }
}

function readEntries(path: string): CassetteEntry[] {
  const entries: CassetteEntry[] = [];
  const lines = readText(path).split("\n");
  lines.forEach((text, index) => {
    if (text.trim() === "") return;
    const call = readLine(text);
    if (call === undefined) warnOfLine(path, index + 1);
    else entries.push({ line: index + 1, call });
  });
  return entries;
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw notRead(path, cause);
  }
}

/** By key, in the order of their numbers; of two with one number the later line. */
function inOrder(entries: readonly CassetteEntry[]): Map<string, readonly CassetteEntry[]> {
  const byKey = Map.groupBy(entries, ({ call }) => call.key);
  return new Map(
    [...byKey].map(([key, all]) => {
      const latest = new Map(all.map((entry) => [entry.call.n, entry]));
      return [key, [...latest.values()].sort((a, b) => a.call.n - b.call.n)];
    }),
  );
}

/** Returns whether the file has no half line at its end, as a process leaves one that is killed while it writes. */
function endsWhole(path: string): boolean {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    return true;
  }
  try {
    const { size } = fstatSync(file);
    const last = Buffer.alloc(1);
    return size === 0 || (readSync(file, last, 0, 1, size - 1) === 1 && last[0] === NEWLINE);
  } finally {
    closeSync(file);
  }
}

const NEWLINE = 10;

function warnOfLine(path: string, line: number): void {
  process.emitWarning(`line ${line} of ${path} is no whole call and is passed over`, {
    type: "CassetteWarning",
    code: "M8162",
    detail: "a process that was killed while it wrote leaves half a line: delete it",
  });
}

function notRead(path: string, cause: unknown): FailureError {
  const message = `the cassette ${path} can't be read: ${messageOf(cause)}`;
  const hint = "check that it is a file that you may read";
  return new FailureError({ class: "aborted", code: "M8161", message, hint }, { cause });
}

function notWritten(path: string, cause: unknown): FailureError {
  const message = `the cassette ${path} can't be written: ${messageOf(cause)}`;
  const hint = "check that there is room and that you may write to it; without it the call is lost";
  return new FailureError({ class: "aborted", code: "M8163", message, hint }, { cause });
}
