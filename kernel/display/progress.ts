/** Shows a progress bar in one place of the cell. */
import { randomUUID } from "node:crypto";
import type { Bundle } from "../cell-output.ts";
import { currentHost } from "../host.ts";
import { bundleOf, HTML, PLAIN } from "./bundle.ts";
import { escapeMarkup } from "./escape.ts";
import { durationText, shortCount } from "./numbers.ts";
import { counted, cut, visibleLine } from "./visible.ts";

export interface ProgressOptions {
  /** The name of the work. */
  readonly label?: string;
  /** The number of items, if the items do not have a length. */
  readonly total?: number;
}

/** A bar that is moved by hand. */
export class ProgressBar {
  readonly #bar: Bar;

  constructor(bar: Bar) {
    this.#bar = bar;
  }

  /** Counts `count` more items as done; `label` names the next one. */
  advance(count = 1, label?: string): void {
    this.#bar.set(this.#bar.done + count, label);
  }

  /** Sets the number of items that are done. */
  set(done: number, label?: string): void {
    this.#bar.set(done, label);
  }

  /** No more will come: the bar stays as it is. */
  end(): void {
    this.#bar.end();
  }
}

/** Goes through the items, and shows how far it is; of a number, a bar to be moved by hand. */
export function progress(total: number, options?: ProgressOptions): ProgressBar;
export function progress<T>(items: Iterable<T>, options?: ProgressOptions): Generator<T, void>;
export function progress<T>(
  items: AsyncIterable<T>,
  options?: ProgressOptions,
): AsyncGenerator<T, void>;
export function progress<T>(
  items: number | Iterable<T> | AsyncIterable<T>,
  { label = "", total = lengthOf(items) }: ProgressOptions = {},
): ProgressBar | Generator<T, void> | AsyncGenerator<T, void> {
  const bar = new Bar(label, total);
  if (typeof items === "number") return new ProgressBar(bar);
  // A text is one item after the other, too.
  return isAsyncIterable(items) ? eachAwaited(items, bar) : each(items, bar);
}

function* each<T>(items: Iterable<T>, bar: Bar): Generator<T, void> {
  bar.begin();
  try {
    for (const item of items) {
      yield item;
      bar.set(bar.done + 1);
    }
  } finally {
    // A loop that was left early shows where.
    bar.end();
  }
}

async function* eachAwaited<T>(items: AsyncIterable<T>, bar: Bar): AsyncGenerator<T, void> {
  bar.begin();
  try {
    for await (const item of items) {
      yield item;
      bar.set(bar.done + 1);
    }
  } finally {
    bar.end();
  }
}

function isAsyncIterable<T>(items: Iterable<T> | AsyncIterable<T>): items is AsyncIterable<T> {
  return typeof items === "object" && Symbol.asyncIterator in items;
}

function lengthOf(items: unknown): number | undefined {
  if (typeof items === "number") return items;
  const { length, size } = items as { readonly length?: unknown; readonly size?: unknown };
  const count = length ?? size;
  return typeof count === "number" ? count : undefined;
}

/** The shortest time between two updates, in milliseconds. */
const UPDATE_MS = 100;
/** Before that a rate says nothing. */
const RATE_MS = 1_000;

/** The loops that are not over, by the run of the cell in which they stand: the first of them is the outermost loop's. */
const underWay = new Map<string | undefined, Bar[]>();

class Bar {
  readonly #label: string;
  readonly #total: number | undefined;
  readonly #cellRun = currentHost()?.cellRun?.();
  readonly #depth: number;
  readonly #place: BarPlace;
  readonly #startedAt = performance.now();
  // The cell is the one that begins the loop, wherever the loop goes on.
  readonly #output = currentHost()?.boundOutput();
  #next: string;
  #shownAt = Number.NEGATIVE_INFINITY;
  /** The progress of the loops within this one, which come one after the other. */
  #inner: BarPlace | undefined;
  #text = "";
  done = 0;

  constructor(label: string, total: number | undefined) {
    this.#label = label;
    this.#next = label;
    this.#total = total;
    const outer = underWay.get(this.#cellRun) ?? [];
    this.#depth = outer.length;
    this.#place = outer.at(-1)?.placeWithin() ?? newPlace();
    if (this.#output !== undefined) this.show();
  }

  /** Loops that begin from now on are within this one. */
  begin(): void {
    this.#place.isTaken = true;
    underWay.set(this.#cellRun, [...(underWay.get(this.#cellRun) ?? []), this]);
  }

  /** A loop within this one has the place of the one before it; one that goes on beside that has another. */
  placeWithin(): BarPlace {
    if (this.#inner === undefined || this.#inner.isTaken) this.#inner = newPlace();
    return this.#inner;
  }

  /** Shows where it came to, and leaves its place to the next loop. */
  end(): void {
    this.show();
    this.#place.isTaken = false;
    const left = (underWay.get(this.#cellRun) ?? []).filter((bar) => bar !== this);
    if (left.length > 0) underWay.set(this.#cellRun, left);
    else underWay.delete(this.#cellRun);
  }

  set(done: number, label?: string): void {
    this.done = done;
    this.#next = label ?? this.#label;
    if (this.#output === undefined || performance.now() - this.#shownAt < UPDATE_MS) return;
    this.show();
  }

  show(): void {
    const of: ProgressState = {
      label: this.#next,
      done: this.done,
      total: this.#total,
      depth: this.#depth,
      elapsedMs: performance.now() - this.#startedAt,
    };
    const text = plainOf(of);
    if (text === this.#text) return;
    this.#text = text;
    this.#shownAt = performance.now();
    if (this.#output === undefined) {
      // Outside of a notebook nothing is drawn over: only where it came to is told.
      process.stdout.write(`${text}\n`);
      return;
    }
    const kind = this.#place.isShown ? "update" : "display";
    this.#place.isShown = true;
    this.#output({ kind, displayId: this.#place.displayId, bundle: bundle(of) });
  }
}

/** A line of the cell's output. */
interface BarPlace {
  readonly displayId: string;
  isShown: boolean;
  isTaken: boolean;
}

function newPlace(): BarPlace {
  return { displayId: randomUUID(), isShown: false, isTaken: false };
}

interface ProgressState {
  readonly label: string;
  readonly done: number;
  readonly total: number | undefined;
  /** The number of loops around it. */
  readonly depth: number;
  readonly elapsedMs: number;
}

const WIDTH = 30;

function bundle(state: ProgressState): Bundle {
  return bundleOf({ [HTML]: htmlOf(state), [PLAIN]: plainOf(state) });
}

function plainOf(state: ProgressState): string {
  const { total } = state;
  const filled = Math.round(shareOf(state) * WIDTH);
  const bar = total === undefined ? [] : [`${"█".repeat(filled)}${"░".repeat(WIDTH - filled)}`];
  return `${"  ".repeat(state.depth)}${[...labelOf(state), ...bar, countText(state)].join(" ")}`;
}

function htmlOf(state: ProgressState): string {
  const label = labelOf(state).map((text) => `${escapeMarkup(text)} `);
  const { total } = state;
  const percent = Math.round(shareOf(state) * 100);
  const bar =
    total === undefined
      ? ""
      : `<span style="display:inline-block;width:16em;height:.7em;border-radius:.35em;background:rgba(128,128,128,.25);overflow:hidden;vertical-align:middle"><span style="display:inline-block;width:${percent}%;height:100%;background:rgba(64,128,224,.85);vertical-align:top"></span></span> `;
  const inner = state.depth === 0 ? "" : ` style="margin-left:${state.depth * 1.5}em"`;
  return `<div class="madrigal-progress mathjax_ignore"${inner}>${label.join("")}${bar}${countText(state)}</div>`;
}

function labelOf({ label }: ProgressState): readonly string[] {
  return label === "" ? [] : [cut(visibleLine(label), 80)];
}

function shareOf({ done, total }: ProgressState): number {
  if (total === undefined || total <= 0) return done > 0 || total === 0 ? 1 : 0;
  return Math.min(1, Math.max(0, done / total));
}

function countText(state: ProgressState): string {
  const { done, total } = state;
  const count =
    total === undefined ? `${counted(done)} done` : `${counted(done)}/${counted(total)}`;
  return [count, ...paceText(state)].join(" · ");
}

/** `2.5/s`, and how long what is left takes at this rate. */
function paceText({ done, total, elapsedMs }: ProgressState): readonly string[] {
  if (elapsedMs < RATE_MS || done <= 0) return [];
  const perSecond = (done * 1_000) / elapsedMs;
  const rate =
    perSecond >= 1
      ? `${shortCount(Number(perSecond.toPrecision(2)))}/s`
      : `${durationText(1_000 / perSecond)} each`;
  if (total === undefined) return [rate];
  if (done >= total) return [rate, `took ${durationText(elapsedMs)}`];
  return [rate, `${durationText(((total - done) * elapsedMs) / done)} left`];
}
