/** Ends the kernel: the main thread closes its session, or is ended by force after five seconds. */

export interface ShutdownParts {
  /** Stops the cell under way. */
  readonly interrupt: () => Promise<void>;
  readonly postClose: () => void;
  /** Lets no more cell begin; resolves when the one under way is over and its reply sent. */
  readonly refuseCells: () => Promise<void>;
  /** Ends calls and closes sockets; what was sent is delivered first. */
  readonly release: () => Promise<void>;
  readonly kill?: () => void;
  readonly deadlineMs?: number;
}

const DEADLINE_MS = 5000;

export class Shutdown {
  readonly #parts: Required<ShutdownParts>;
  readonly #closed = Promise.withResolvers<true>();
  #begun = false;

  constructor(parts: ShutdownParts) {
    this.#parts = {
      kill: () => void process.kill(process.pid, "SIGKILL"),
      deadlineMs: DEADLINE_MS,
      ...parts,
    };
  }

  /** Begins the end, however often it is asked for. */
  begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    void this.#leave(); // Does not throw; nobody can wait for the end.
  }

  /** The main thread's word that its session is closed. */
  mainClosed(): void {
    this.#closed.resolve(true);
  }

  async #leave(): Promise<void> {
    const { interrupt, postClose, refuseCells, release, kill, deadlineMs } = this.#parts;
    const late = Promise.withResolvers<false>();
    const timer = setTimeout(() => late.resolve(false), deadlineMs);
    const cellOver = refuseCells();
    // Not awaited: a main thread that can't be interrupted is what the deadline is for.
    interrupt().catch(() => undefined);
    postClose();
    const isClosed = await Promise.race([this.#closed.promise, late.promise]);
    await Promise.race([cellOver, late.promise]);
    clearTimeout(timer);
    await release();
    if (!isClosed) kill();
  }
}
