/** The drawing of a run that keeps up with it, where the cell that started it shows it. */
import type { GraphRun, RunEvent } from "../../../runtime/index.ts";
import type { CellOutput } from "../../cell-output.ts";
import { type Layout, layoutGraph, layoutNow } from "../graph/layout.ts";
import { rememberOutput } from "./output-bundle.ts";
import { pictureBundle } from "./run-bundle.ts";
import { StatesBefore } from "./state-before.ts";
import { count, newTally } from "./tally.ts";

type Show = (output: CellOutput) => void;

/** Calls `task` once, `delayMs` from now. */
export type Schedule = (task: () => void, delayMs: number) => void;

/** A picture that changes more often than this only flickers. */
const UPDATE_MS = 100;

/**
 * Shows how the run stands, at once and at most ten times a second from then on. When it stops or ends, its last
 * picture is shown before anybody who waits for `run.output` goes on, so that a notebook is never saved without it.
 */
export function followRun(run: GraphRun, show: Show, schedule: Schedule = scheduleQuietly): void {
  followers.get(run)?.stop();
  const follower = new Follower(run, { show, schedule, place: nextPlace(run) });
  followers.set(run, follower);
  follower.start();
}

/** Resolves when no drawing waits for its layout any more: right away, but for the first run of a process. */
export async function drawingsReady(): Promise<void> {
  while (preparing.size > 0) await Promise.all(preparing);
}

/** Who waits for the run may go on right after these. */
const STOPS: ReadonlySet<RunEvent["kind"]> = new Set(["run.finished", "run.paused", "run.held"]);

// A run that goes on in another cell is drawn there from then on; what it left in the first one stays as it is.
const followers = new WeakMap<GraphRun, Follower>();
const places = new WeakMap<GraphRun, number>();
const preparing = new Set<Promise<void>>();

function nextPlace(run: GraphRun): number {
  const place = (places.get(run) ?? 0) + 1;
  places.set(run, place);
  return place;
}

function scheduleQuietly(task: () => void, delayMs: number): void {
  // A picture keeps no process alive.
  setTimeout(task, delayMs).unref();
}

class Follower {
  readonly #run: GraphRun;
  readonly #show: Show;
  readonly #schedule: Schedule;
  readonly #displayId: string;
  readonly #tally = newTally();
  readonly #before: StatesBefore;
  #layout: Layout | undefined;
  #isShown = false;
  #isWaiting = false;
  #isStopped = false;
  #unsubscribe = () => {};

  constructor(run: GraphRun, of: { show: Show; schedule: Schedule; place: number }) {
    this.#run = run;
    this.#before = new StatesBefore(run.ir);
    this.#show = of.show;
    this.#schedule = of.schedule;
    this.#displayId = of.place === 1 ? `run-${run.id}` : `run-${run.id}-${of.place}`;
  }

  start(): void {
    this.#prepareLayout();
    const subscription = this.#run.events$.subscribe((event) => this.#take(event));
    this.#unsubscribe = () => subscription.unsubscribe();
    this.#draw();
  }

  stop(): void {
    this.#isStopped = true;
    this.#unsubscribe();
  }

  #prepareLayout(): void {
    try {
      this.#layout = layoutNow(this.#run.ir);
    } catch {
      return; // What can't be laid out is told in words.
    }
    if (this.#layout !== undefined) return;
    const prepared = layoutGraph(this.#run.ir)
      .then((layout) => {
        this.#layout = layout;
        this.#draw();
      })
      .catch(() => {})
      .finally(() => preparing.delete(prepared));
    preparing.add(prepared);
  }

  #take(event: RunEvent): void {
    if (event.kind === "run.finished" && event.output !== undefined) {
      rememberOutput(event.output, this.#run);
    }
    this.#before.take(event, this.#run.steps);
    if (!count(this.#tally, event)) return;
    // The past is replayed while we subscribe: it is drawn once, after that.
    if (!this.#isShown) return;
    if (STOPS.has(event.kind)) this.#draw();
    else this.#drawSoon();
  }

  #drawSoon(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#schedule(() => {
      if (this.#isWaiting) this.#draw();
    }, UPDATE_MS);
  }

  #draw(): void {
    this.#isWaiting = false;
    if (this.#isStopped) return;
    const displayId = this.#displayId;
    const kind = this.#isShown ? "update" : "display";
    this.#isShown = true;
    try {
      const picture = { tally: this.#tally, layout: this.#layout };
      this.#show({ kind, displayId, bundle: pictureBundle(this.#run, picture) });
    } catch {
      // Nobody may see the picture any more; that is no reason to stop the run.
      this.stop();
    }
  }
}
