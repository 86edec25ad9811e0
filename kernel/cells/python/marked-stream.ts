/** Passes on what a stream of another process gives, and tells where the output of one cell ends: a mark stands there. */
import type { Readable } from "node:stream";

export class MarkedStream {
  readonly #write: (chunk: Uint8Array) => void;
  /** Bytes that may be the beginning of the mark. */
  #held = Buffer.alloc(0);
  #mark = Buffer.alloc(0);
  #found: (() => void) | undefined;

  constructor(stream: Readable, write: (chunk: Uint8Array) => void) {
    this.#write = write;
    stream.on("data", (chunk: Buffer) => this.#take(chunk));
    stream.on("close", () => this.#end());
  }

  /** Resolves when all in front of the mark has been written, or nothing more will come. A mark begins with a zero, and has one byte for each character. */
  until(mark: string): Promise<void> {
    this.#mark = Buffer.from(mark);
    return new Promise((resolve) => (this.#found = resolve));
  }

  #take(chunk: Buffer): void {
    const all = Buffer.concat([this.#held, chunk]);
    this.#held = Buffer.alloc(0);
    const at = this.#found === undefined ? -1 : all.indexOf(this.#mark);
    if (at !== -1) {
      this.#pass(all.subarray(0, at));
      const rest = all.subarray(at + this.#mark.length);
      this.#end();
      this.#pass(rest);
      return;
    }
    const begin = this.#found === undefined ? -1 : this.#beginOfMark(all);
    this.#pass(begin === -1 ? all : all.subarray(0, begin));
    if (begin !== -1) this.#held = all.subarray(begin);
  }

  /** The offset of a mark that the end of the bytes cuts off; -1 where there is none. */
  #beginOfMark(bytes: Buffer): number {
    const first = Math.max(0, bytes.length - this.#mark.length + 1);
    for (let at = bytes.indexOf(0, first); at !== -1; at = bytes.indexOf(0, at + 1)) {
      if (bytes.subarray(at).equals(this.#mark.subarray(0, bytes.length - at))) return at;
    }
    return -1;
  }

  #pass(bytes: Buffer): void {
    if (bytes.length > 0) this.#write(bytes);
  }

  #end(): void {
    this.#pass(this.#held);
    this.#held = Buffer.alloc(0);
    this.#found?.();
    this.#found = undefined;
  }
}
