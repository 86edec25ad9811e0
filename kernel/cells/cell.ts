/** Represents one cell that runs or ran: where its output goes, and how it is cancelled. */
import { StringDecoder } from "node:string_decoder";
import { type DrivenRun, RunError } from "../../runtime/index.ts";
import type { Bundle, CellOutput } from "../cell-output.ts";
import type { CellRequest } from "../jupyter/link.ts";
import { noteBundle } from "./output/note-bundle.ts";

export type StreamName = "stdout" | "stderr";

/** Lives on after its end for what its timers, runs and promises still print. */
export class Cell {
  readonly request: CellRequest;
  /** The request as it came: with its line `%%time`. */
  original: CellRequest;
  /** `Cell[3]`: what stacks and errors call it. */
  readonly name: string;
  /** Runs that it started or waits for: cancelling it pauses them. */
  readonly runs = new Set<DrivenRun>();
  /** Those that it started. */
  readonly started = new Set<DrivenRun>();
  /** Runs that are drawn in its output, and stay drawn there as they go on. */
  readonly drawn = new Set<DrivenRun>();
  /** True if its output has anything but an error. */
  hasShown = false;
  /** True if it begins with `%%time`. */
  isTimed = false;
  /** True if it failed or was cancelled, and its work is still being stopped. */
  isEnding = false;
  #isMarked = false;
  readonly #send: (output: CellOutput) => void;
  readonly #controller = new AbortController();
  readonly #cancelled = Promise.withResolvers<never>();
  readonly #decoders = { stdout: new StringDecoder("utf8"), stderr: new StringDecoder("utf8") };

  constructor(request: CellRequest, name: string, send: (output: CellOutput) => void) {
    this.request = request;
    this.original = request;
    this.name = name;
    this.#send = send;
    // Callers that race with it get the rejection; without one it must not be unhandled.
    this.#cancelled.promise.catch(() => {});
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** A cancelled cell shows only what was cancelled: how its drawings ended, and errors. */
  show(output: CellOutput): void {
    // Code that awaits can't be stopped; its output after a stop is dropped.
    if (this.signal.aborted && ["stream", "display", "result"].includes(output.kind)) return;
    this.hasShown ||= ["stream", "display", "result"].includes(output.kind);
    this.#send(output);
  }

  /** The same as a function, which is one and the same for all drawings of runs in this cell. */
  readonly draw = (output: CellOutput): void => this.show(output);

  /** Shows what is amiss and stops nothing: as a note of its own, since front ends show stderr as they show errors. */
  warn(text: string): void {
    this.show({ kind: "display", bundle: noteBundle(text) });
  }

  /** Shows something about what it has shown, below it; the next mark stands in place of the last. */
  mark(bundle: Bundle): void {
    const kind = this.#isMarked ? "update" : "display";
    this.#isMarked = true;
    this.#send({ kind, displayId: `mark-${this.request.id}`, bundle });
  }

  /**
   * Shows text that code wrote to a stream; a character split over two writes is shown whole, with
   * the second.
   */
  write(name: StreamName, chunk: string | Uint8Array): void {
    const text = typeof chunk === "string" ? chunk : this.#decoders[name].write(Buffer.from(chunk));
    if (text !== "") this.show({ kind: "stream", name, text });
  }

  /** Shows what is left of a character that was never completed. */
  flush(): void {
    for (const name of ["stdout", "stderr"] as const) {
      const text = this.#decoders[name].end();
      if (text !== "") this.show({ kind: "stream", name, text });
    }
  }

  /** Cancels the cell: `orCancelled` rejects at once for all who wait by it. */
  cancel(): void {
    if (this.signal.aborted) return;
    const reason = new RunError("M7501", "the cell was cancelled");
    this.#controller.abort(reason);
    this.#cancelled.reject(reason);
  }

  /** `work`, unless the cell is cancelled before: the work itself may never end. */
  orCancelled<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#cancelled.promise]);
  }
}
