/** Writes who asked for what, and what came of it, as lines of JSON; never a token, an input or an answer. */
import { appendFile } from "node:fs/promises";

export interface AuditLine {
  readonly role: string | undefined;
  readonly address: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code?: string;
  readonly run?: string;
}

/** Lines that wait for the disk; more are counted and left out. */
const WAITING_MAX = 10_000;

export class AuditLog {
  readonly #path: string;
  readonly #tell: (line: string) => void;
  #waiting: string[] = [];
  #left = 0;
  #writing: Promise<void> | undefined;

  constructor(path: string, tell: (line: string) => void) {
    this.#path = path;
    this.#tell = tell;
  }

  write(line: AuditLine): void {
    if (this.#waiting.length >= WAITING_MAX) this.#left += 1;
    else this.#waiting.push(JSON.stringify({ at: new Date().toISOString(), ...line }));
    this.#writing ??= this.#flush();
  }

  /** Resolves when all lines are on the disk. */
  async close(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  /** One write for all that came meanwhile: a busy server would not get behind a write for each. */
  async #flush(): Promise<void> {
    while (this.#waiting.length > 0) {
      const lines = this.#waiting;
      this.#waiting = [];
      if (this.#left > 0)
        lines.push(JSON.stringify({ at: new Date().toISOString(), left_out: this.#left }));
      this.#left = 0;
      await appendFile(this.#path, `${lines.join("\n")}\n`, { mode: 0o600 }).catch((cause: Error) =>
        this.#tell(`madrigal serve: the audit log can't be written: ${cause.message}`),
      );
    }
    this.#writing = undefined;
  }
}
