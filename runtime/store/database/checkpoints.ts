/**
 * Copies the write-ahead log into the database file in a thread of its own whenever enough was written. Otherwise SQLite
 * does so within a COMMIT, and the commit waits for the disk.
 */
import { Worker } from "node:worker_threads";

/** Four times as many as SQLite's own thousand pages: the thread is started for runs that write much. */
const BYTES = 16 * 1024 * 1024;
/** Pages that a transaction touches whatever it writes. */
const BYTES_A_TRANSACTION = 16 * 1024;
const closeWaitMs = 5_000;

/** Of a checkpoint: none, one that is asked for, one under way. */
const [IDLE, ASKED, BUSY] = [0, 1, 2];
/** The script of the checkpoint thread; without it, the thread of the store copies by itself. */
const SCRIPT = new URL("./checkpoint-worker.js", import.meta.url);

/** The data of the checkpoint thread. */
interface CheckpointWork {
  readonly file: string;
  /** One of the three; shared by both threads. */
  readonly state: Int32Array<SharedArrayBuffer>;
}

export class Checkpoints {
  readonly #work: CheckpointWork;
  readonly #failed: () => void;
  #worker: Worker | undefined;
  #written = 0;

  /** `failed`: there is no thread for it, somebody else must do it. */
  constructor(file: string, failed: () => void) {
    this.#work = { file, state: new Int32Array(new SharedArrayBuffer(4)) };
    this.#failed = failed;
  }

  wrote(bytes: number): void {
    this.#written += bytes;
  }

  /** Behind each transaction. */
  committed(): void {
    this.#written += BYTES_A_TRANSACTION;
    if (this.#written < BYTES) return;
    if (Atomics.compareExchange(this.#work.state, 0, IDLE, ASKED) !== IDLE) return;
    this.#written = 0;
    this.#worker ??= this.#start();
    this.#worker?.postMessage("go");
  }

  /** Waits for one that is under way: whoever closes the file last tidies it up. */
  close(): void {
    const { state } = this.#work;
    if (Atomics.compareExchange(state, 0, ASKED, IDLE) === BUSY) {
      Atomics.wait(state, 0, BUSY, closeWaitMs);
    }
    void this.#worker?.terminate();
    this.#worker = undefined;
  }

  #start(): Worker | undefined {
    try {
      const worker = new Worker(SCRIPT, {
        workerData: { ...this.#work, IDLE, ASKED, BUSY },
        execArgv: [],
      });
      worker.unref();
      worker.on("error", () => {
        this.#worker = undefined;
        this.#failed();
      });
      return worker;
    } catch {
      this.#failed();
      return undefined;
    }
  }
}
