/** Joins what a cell writes in small pieces, so that front ends get few messages and still see it at once. */
import type { RequestId } from "../link.ts";

export interface StreamPart {
  readonly id: RequestId;
  readonly name: "stdout" | "stderr";
  readonly text: string;
}

const WAIT_MS = 50;
const TEXT_MAX = 16_384;

/** Holds the text of one stream of one cell; all else comes out before it takes another. */
export class StreamBatch {
  readonly #send: (part: StreamPart) => void;
  #held: StreamPart | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(send: (part: StreamPart) => void) {
    this.#send = send;
  }

  write(part: StreamPart): void {
    if (part.text === "") return;
    const held = this.#held;
    if (held !== undefined && (held.id !== part.id || held.name !== part.name)) this.flush();
    this.#held = { ...part, text: `${this.#held?.text ?? ""}${part.text}` };
    if (this.#held.text.length >= TEXT_MAX) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), WAIT_MS);
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined) this.#send(held);
  }
}
