/** Keeps the visitors of an app: each has a kernel and a folder of runs of its own, and a place until it has left for a while. */
import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { AppKernel, type AppKernelParts } from "./app-kernel.ts";
import { EventStream } from "./event-stream.ts";
import type { PageState } from "./page-state.ts";

export interface VisitorsParts extends Omit<AppKernelParts, "home"> {
  /** The folder that has a folder of runs for each visitor. */
  readonly homes: string;
  /** The most visitors at once, each with a kernel. */
  readonly max: number;
  /** The time after which a visitor without an open page loses the place, in milliseconds. */
  readonly leaveMs: number;
}

/** Requests that change something: so many at once, and so many a second. */
const BURST = 200;
const A_SECOND = 60;
/** Pages that one visitor has open. */
const PAGES_MAX = 4;
/** Visitors that have left are listed for the owner. */
const LISTED = 200;

export class Visitor {
  readonly secret = randomBytes(24).toString("base64url");
  readonly number: number;
  readonly home: string;
  readonly since = new Date();
  readonly #parts: AppKernelParts;
  readonly #leave: { readonly ms: number; readonly left: () => void };
  readonly #streams = new Set<EventStream>();
  #kernel: AppKernel | undefined;
  #leaving: NodeJS.Timeout | undefined;
  #rate = { left: BURST, at: performance.now() };
  #hasLeft = false;

  constructor(
    number: number,
    parts: AppKernelParts,
    leave: { readonly ms: number; readonly left: () => void },
  ) {
    this.number = number;
    this.home = parts.home;
    this.#parts = parts;
    this.#leave = leave;
    this.#wait();
  }

  get kernel(): AppKernel | undefined {
    return this.#kernel;
  }

  get hasLeft(): boolean {
    return this.#hasLeft;
  }

  get isHere(): boolean {
    return this.#streams.size > 0;
  }

  /** Tells the page all that its kernel shows; the first page starts it. */
  listen(outgoing: ServerResponse): void {
    clearTimeout(this.#leaving);
    const [oldest] = this.#streams;
    if (this.#streams.size >= PAGES_MAX) oldest?.end();
    const stream = new EventStream(outgoing, this.#begun().page, () => {
      this.#streams.delete(stream);
      if (this.#streams.size === 0) this.#wait();
    });
    this.#streams.add(stream);
  }

  /** False where it asks too often. */
  mayAsk(): boolean {
    const now = performance.now();
    const { left, at } = this.#rate;
    const refilled = Math.min(BURST, left + ((now - at) / 1000) * A_SECOND);
    this.#rate = { left: Math.max(0, refilled - 1), at: now };
    return refilled >= 1;
  }

  /** Passes on what a view says; false for a widget that is not on this visitor's page. */
  say(widget: string, content: unknown): boolean {
    return this.#kernel?.say(this.#kernel.page, widget, content) ?? false;
  }

  answer(value: string): void {
    this.#kernel?.page.answer(value);
  }

  /** Runs the notebook anew, in another kernel. */
  async again(): Promise<void> {
    const old = this.#kernel;
    this.#kernel = undefined;
    // Each page connects again, and starts the next one.
    for (const stream of [...this.#streams]) stream.end();
    await old?.end("started again");
  }

  /** Gives the place back. */
  async leave(text: string): Promise<void> {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    clearTimeout(this.#leaving);
    await this.#kernel?.end(text);
    for (const stream of [...this.#streams]) stream.end();
  }

  #begun(): { readonly page: PageState } {
    if (this.#kernel !== undefined) return this.#kernel;
    this.#kernel = new AppKernel(this.#parts);
    void this.#kernel.run(); // Does not reject.
    return this.#kernel;
  }

  #wait(): void {
    if (this.#hasLeft) return;
    clearTimeout(this.#leaving);
    this.#leaving = setTimeout(this.#leave.left, this.#leave.ms).unref();
  }
}

export class Visitors {
  readonly max: number;
  readonly #parts: VisitorsParts;
  readonly #all: Visitor[] = [];
  #count = 0;

  constructor(parts: VisitorsParts) {
    this.#parts = parts;
    this.max = parts.max;
  }

  /** A new visitor; undefined where all places are taken. */
  enter(): Visitor | undefined {
    const { homes, leaveMs, ...parts } = this.#parts;
    if (this.taken >= this.max) return undefined;
    this.#count += 1;
    const home = join(homes, `visitor-${this.#count}`);
    mkdirSync(home, { recursive: true, mode: 0o700 });
    const leave = { ms: leaveMs, left: () => void visitor.leave("left") };
    const visitor = new Visitor(this.#count, { ...parts, home }, leave);
    this.#all.push(visitor);
    if (this.#all.length > LISTED) {
      const gone = this.#all.findIndex(({ hasLeft }) => hasLeft);
      if (gone >= 0) this.#all.splice(gone, 1);
    }
    return visitor;
  }

  get taken(): number {
    return this.#all.filter(({ hasLeft }) => !hasLeft).length;
  }

  /** The visitor with this cookie, who has not left. */
  find(secret: string): Visitor | undefined {
    return this.#all.find((one) => one.secret === secret && !one.hasLeft);
  }

  numbered(number: number): Visitor | undefined {
    return this.#all.find((one) => one.number === number && !one.hasLeft);
  }

  /** Lists the visitors for the owner, the newest first. */
  async list(): Promise<readonly unknown[]> {
    return await Promise.all(
      this.#all.toReversed().map(async ({ number, since, home, hasLeft, isHere, kernel }) => ({
        visitor: number,
        since: `${since.toISOString().slice(0, 16).replace("T", " ")} UTC`,
        seen: hasLeft ? "left" : isHere ? "yes" : "no",
        status: kernel === undefined ? "not started" : kernel.page.status.text || "done",
        home,
        runs: hasLeft || kernel === undefined ? [] : await kernel.runs(),
      })),
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map((one) => one.leave("the app has ended")));
  }
}
