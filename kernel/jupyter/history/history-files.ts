/** Stores the history of a workspace: a file for each session, which only its own kernel writes. */
import { appendFile, mkdir, open, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { HistoryEntry } from "./history-query.ts";

/** One line of a session's file: an input, or the result of the newest input of this number. */
type HistoryLine =
  | { readonly line: number; readonly input: string }
  | { readonly line: number; readonly output: string };

const SESSIONS_MAX = 100;
const ENTRIES_MAX = 10_000;
// A table of a thousand rows is no help to who looks for what was typed.
const OUTPUT_CHARS_MAX = 10_000;

interface Claimed {
  readonly folder: string;
  readonly session: number;
  readonly file: string;
}

export class HistoryFiles {
  readonly #folder: Promise<string | undefined>;
  /** Taken when the first input is written, so that kernels that run nothing leave nothing. */
  #claimed: Promise<Claimed | undefined> | undefined;
  #written: Promise<void> = Promise.resolve();

  /** In this folder of the workspace, once it is known; nothing is kept where there is none. */
  constructor(folder: Promise<string | undefined>) {
    this.#folder = folder;
  }

  /** Keeps a line. What can't be written is not kept: a cell runs all the same. */
  write(line: HistoryLine): void {
    if ("output" in line && line.output.length > OUTPUT_CHARS_MAX) return;
    this.#claimed ??= claim(this.#folder).catch(() => undefined);
    const claimed = this.#claimed;
    this.#written = this.#written.then(async () => {
      const { file } = (await claimed) ?? {};
      if (file !== undefined) await appendFile(file, `${JSON.stringify(line)}\n`);
    });
    this.#written = this.#written.catch(() => {});
  }

  /** The number of this session; undefined before its first input, and where nothing is kept. */
  async session(): Promise<number | undefined> {
    return (await this.#claimed)?.session;
  }

  /** Returns the entries of other sessions of this workspace, the oldest session first. */
  async others(): Promise<readonly HistoryEntry[]> {
    const folder = await this.#folder;
    if (folder === undefined) return [];
    const own = await this.session();
    const sessions = (await sessionsIn(folder)).filter((session) => session !== own);
    const entries: HistoryEntry[] = [];
    for (const session of sessions.reverse()) {
      if (entries.length >= ENTRIES_MAX) break;
      entries.unshift(...(await readSession(folder, session)));
    }
    return entries;
  }

  async written(): Promise<void> {
    await this.#written;
  }
}

/** The next number of this folder: who makes the file has it. */
async function claim(known: Promise<string | undefined>): Promise<Claimed | undefined> {
  const folder = await known;
  if (folder === undefined) return undefined;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const sessions = await sessionsIn(folder);
  for (let session = (sessions.at(-1) ?? 0) + 1; ; session += 1) {
    const file = fileOf(folder, session);
    if (!(await isMade(file))) continue;
    const old = sessions.slice(0, Math.max(0, sessions.length + 1 - SESSIONS_MAX));
    await Promise.all(old.map((one) => rm(fileOf(folder, one), { force: true })));
    return { folder, session, file };
  }
}

/** False when another kernel has it. */
async function isMade(file: string): Promise<boolean> {
  try {
    await (await open(file, "wx", 0o600)).close();
    return true;
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown && thrown.code === "EEXIST") return false;
    throw thrown;
  }
}

/** Returns the numbers of the stored sessions, in order. */
async function sessionsIn(folder: string): Promise<number[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .flatMap((name) => /^(\d+)\.jsonl$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

function fileOf(folder: string, session: number): string {
  return join(folder, `${session}.jsonl`);
}

async function readSession(folder: string, session: number): Promise<readonly HistoryEntry[]> {
  const text = await readFile(fileOf(folder, session), "utf8").catch(() => "");
  const entries: HistoryEntry[] = [];
  for (const line of text.split("\n").map(parsed)) {
    if (line === undefined) continue;
    if ("input" in line) entries.push({ session, ...line, output: null });
    else {
      const at = entries.findLastIndex((entry) => entry.line === line.line);
      const entry = entries[at];
      if (entry !== undefined) entries[at] = { ...entry, output: line.output };
    }
  }
  return entries;
}

/** Undefined for what is no line of ours: the last one of a kernel that was killed is cut short. */
function parsed(text: string): HistoryLine | undefined {
  try {
    const value: Partial<Record<"line" | "input" | "output", unknown>> = JSON.parse(text);
    const { line, input, output } = value;
    if (typeof line !== "number") return undefined;
    if (typeof input === "string") return { line, input };
    return typeof output === "string" ? { line, output } : undefined;
  } catch {
    return undefined;
  }
}
