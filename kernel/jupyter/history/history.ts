/** Answers `history_request`: inputs of this and earlier sessions, with the text of their results. */

import type { Dict } from "../wire/message.ts";
import type { HistoryFiles } from "./history-files.ts";
import { historyContent } from "./history-query.ts";

interface HistoryInput {
  readonly line: number;
  readonly input: string;
  output: string | null;
}

const ENTRIES_MAX = 10_000;
/** Of a session that is kept nowhere. */
const ONLY_SESSION = 1;

export class SessionHistory {
  readonly #entries: HistoryInput[] = [];
  readonly #files: HistoryFiles | undefined;

  /** Without files it knows nothing but itself. */
  constructor(files?: HistoryFiles) {
    this.#files = files;
  }

  add(line: number, input: string): void {
    this.#entries.push({ line, input, output: null });
    if (this.#entries.length > ENTRIES_MAX) this.#entries.shift();
    this.#files?.write({ line, input });
  }

  /** The result of the newest cell with this number. */
  setOutput(line: number, output: string): void {
    const entry = this.#entries.findLast((each) => each.line === line);
    if (entry !== undefined) entry.output = output;
    this.#files?.write({ line, output });
  }

  /** The content of a `history_reply` to a request of this content. */
  async answer(asked: Dict): Promise<Dict> {
    const session = (await this.#files?.session()) ?? ONLY_SESSION;
    const own = this.#entries.map((entry) => ({ session, ...entry }));
    const earlier = (await this.#files?.others()) ?? [];
    return historyContent([...earlier, ...own], { current: session, asked });
  }

  /** Resolves when all is written. */
  async close(): Promise<void> {
    await this.#files?.written();
  }
}
