/** Draws a run in the cell that started it, and updates the drawing as the run goes on. */
import type { Ir } from "../../../dsl/index.ts";
import type { Artifact, DrivenRun, RunEvent } from "../../../runtime/index.ts";
import type { CellOutput } from "../../cell-output.ts";
import { SessionDrawing, sessionsReady } from "../agent-sessions/session-drawing.ts";
import { layoutGraph, layoutNow } from "../graph/layout.ts";
import type { GraphLayout } from "../graph/placed.ts";
import { calledIrOf, PlansOfRun } from "../values/plans-of-run.ts";
import { artifactBundle, isShown } from "./artifact-bundle.ts";
import { rememberOutput } from "./output-bundle.ts";
import { Pace, type Schedule } from "./pace.ts";
import { PageDrawing, pagesReady } from "./page-drawing.ts";
import { pictureBundle } from "./run-bundle.ts";
import { noteForms } from "./run-lines.ts";
import { StatesBefore } from "./state-before.ts";
import { count, newTally } from "./tally.ts";

/** More pictures of one run are told by `run.artifacts`, not shown. */
const ARTIFACTS_MAX = 10;

type ShowRun = (output: CellOutput) => void;

/**
 * Shows how the run stands, at once and at most ten times a second from then on. When it ends, its last picture is shown
 * before anybody who waits for `run.output` goes on, so that a notebook is never saved without it. A run that was paused
 * and goes on is followed wherever it is drawn; the pictures of one that had ended stay as they are.
 */
export function followRun(
  run: DrivenRun,
  show: ShowRun,
  schedule: Schedule = scheduleQuietly,
): void {
  const before = followers.get(run) ?? [];
  const drawn: Drawn[] = [];
  for (const follower of before) {
    // The layout may differ from now on.
    if (follower.show === show || !follower.isOver) {
      follower.stop();
      drawn.push(follower);
    } else follower.leave();
  }
  // A run that is drawn already, as in a loop that rewinds it, keeps its place and its pace.
  if (drawn.every((one) => one.show !== show)) {
    drawn.push({ show, place: newPlace(run, show, schedule) });
  }
  const all = drawn.map((one) => new Follower(run, one));
  followers.set(run, all);
  for (const follower of all) follower.start();
}

/** Notes which questions of the run stand as forms below its drawings, and draws those anew. */
export function showForms(run: DrivenRun, ids: ReadonlySet<string>): void {
  noteForms(run, ids);
  for (const follower of followers.get(run) ?? []) follower.drawAgain();
}

/**
 * Draws what waits for its turn, and resolves when no drawing waits for its layout any more: right away, but for the first
 * run of a process.
 */
export async function drawingsReady(): Promise<void> {
  for (const follower of [...behind]) follower.catchUp();
  while (preparing.size > 0) await Promise.all(preparing);
  sessionsReady();
  await pagesReady();
}

/**
 * The events of a pause, which are drawn without delay only at the pace of a person, as a cell can
 * step through a run.
 */
const STANDS: ReadonlySet<RunEvent["kind"]> = new Set(["run.paused", "run.held"]);

/** One for each cell that draws the run. */
const followers = new WeakMap<DrivenRun, readonly Follower[]>();
const places = new WeakMap<DrivenRun, number>();
const preparing = new Set<Promise<void>>();
/** The followers whose picture is older than their run. */
const behind = new Set<Follower>();

/** A cell in which a run is drawn, and the pace of its drawings; `page` is the browser of its agents, `sessions` what strong agents do. */
interface CellDrawing {
  readonly displayId: string;
  readonly pace: Pace;
  readonly page: PageDrawing;
  readonly sessions: SessionDrawing;
}

interface Drawn {
  readonly show: ShowRun;
  readonly place: CellDrawing;
}

function newPlace(run: DrivenRun, show: ShowRun, schedule: Schedule): CellDrawing {
  const number = (places.get(run) ?? 0) + 1;
  places.set(run, number);
  const displayId = number === 1 ? `run-${run.id}` : `run-${run.id}-${number}`;
  const page = new PageDrawing({ displayId: `${displayId}-page`, show, schedule });
  const sessions = new SessionDrawing(run, { displayId: `${displayId}-agents`, show, schedule });
  return { displayId, pace: new Pace(schedule), page, sessions };
}

function scheduleQuietly(task: () => void, delayMs: number): void {
  // A picture keeps no process alive.
  setTimeout(task, delayMs).unref();
}

class Follower implements Drawn {
  readonly show: ShowRun;
  readonly place: CellDrawing;
  readonly #run: DrivenRun;
  readonly #tally = newTally();
  readonly #before: StatesBefore;
  readonly #plans: PlansOfRun;
  #layout: GraphLayout | undefined;
  #isReplaying = true;
  #isStopped = false;
  readonly #shownArtifacts = new Set<string>();
  #unsubscribe = () => {};

  constructor(run: DrivenRun, { show, place }: Drawn) {
    this.#run = run;
    this.#before = new StatesBefore(run.ir);
    this.#plans = new PlansOfRun({
      run,
      calledIr: calledIrOf(run),
      layOut: (ir, take) => this.#layOut(ir, take),
    });
    this.show = show;
    this.place = place;
  }

  /** True if the run had ended at its last event. */
  get isOver(): boolean {
    return this.#tally.isOver;
  }

  start(): void {
    this.#layOut(this.#run.ir, (layout) => {
      this.#layout = layout;
    });
    this.place.sessions.begin();
    const subscription = this.#run.events$.subscribe((event) => this.#take(event));
    subscription.add(this.#run.livePages$.subscribe((page) => this.place.page.take(page)));
    this.#unsubscribe = () => subscription.unsubscribe();
    this.#isReplaying = false;
    if (this.place.pace.isShown) this.#drawSoon();
    else this.#draw();
  }

  /** Draws the run's last state, and stops following it. */
  leave(): void {
    this.catchUp();
    this.stop();
  }

  stop(): void {
    this.#isStopped = true;
    behind.delete(this);
    this.#unsubscribe();
  }

  #layOut(ir: Ir, take: (layout: GraphLayout) => void): void {
    let layout: GraphLayout | undefined;
    try {
      layout = layoutNow(ir);
    } catch {
      return; // What can't be laid out is told in words.
    }
    if (layout !== undefined) {
      take(layout);
      return;
    }
    const prepared = layoutGraph(ir)
      .then((made) => {
        take(made);
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
    if (event.kind === "artifact.created") this.#showArtifact(event.artifact);
    this.place.sessions.take(event);
    this.#before.take(event, this.#run.steps);
    const isPlanChanged = this.#plans.take(event);
    if (!count(this.#tally, event) && !isPlanChanged) return;
    // The past is replayed while we subscribe: it is drawn once, after that.
    if (this.#isReplaying) return;
    const { pace } = this.place;
    const isAtOnce =
      event.kind === "run.finished" ? pace.ends() : STANDS.has(event.kind) && pace.isRested;
    if (isAtOnce) this.#draw();
    else this.#drawSoon();
  }

  /** Shows a picture or a table once, below the drawing; a run that makes many shows the first ones. */
  #showArtifact(artifact: Omit<Artifact, "producer" | "nodeRun">): void {
    if (this.#isReplaying || this.#isStopped || !isShown(artifact)) return;
    if (this.#shownArtifacts.size >= ARTIFACTS_MAX || this.#shownArtifacts.has(artifact.id)) return;
    this.#shownArtifacts.add(artifact.id);
    const bundle = artifactBundle(artifact, this.#run.artifact(artifact.id));
    this.show({ kind: "display", bundle });
  }

  /** Draws what has changed since the last picture. */
  catchUp(): void {
    if (behind.has(this)) this.#draw();
  }

  drawAgain(): void {
    if (!this.#isStopped) this.#drawSoon();
  }

  #drawSoon(): void {
    if (behind.has(this)) return;
    behind.add(this);
    this.place.pace.drawSoon(() => this.catchUp());
  }

  #draw(): void {
    behind.delete(this);
    if (this.#isStopped) return;
    const { displayId, pace } = this.place;
    const kind = pace.isShown ? "update" : "display";
    pace.drawn();
    try {
      const picture = { tally: this.#tally, layout: this.#layout, plans: this.#plans };
      this.show({ kind, displayId, bundle: pictureBundle(this.#run, picture) });
    } catch {
      // The picture may be gone from the page, which is no reason to stop the run.
      this.stop();
    }
  }
}
