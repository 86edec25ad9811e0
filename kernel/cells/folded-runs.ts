/** Draws the first runs of a cell, and counts the others in one line: a loop of runs would fill the page. */
import type { DrivenRun, RunStatus } from "../../runtime/index.ts";
import { shortRunId } from "../../runtime/index.ts";
import { counted, Pace } from "../display/index.ts";
import type { Cell } from "./cell.ts";
import { noteHtml } from "./output/note-bundle.ts";

const DRAWN_MAX = 5;
/** Failed runs that are named; `%runs` lists all. */
const NAMED_MAX = 5;

const folds = new WeakMap<Cell, FoldedRuns>();

/** Returns whether the run is one of too many that the cell has started; then it is counted. */
export function isFolded(run: DrivenRun, cell: Cell): boolean {
  if (cell.drawn.size < DRAWN_MAX) return false;
  const fold = folds.get(cell) ?? new FoldedRuns(cell);
  folds.set(cell, fold);
  fold.add(run);
  return true;
}

class FoldedRuns {
  readonly #cell: Cell;
  readonly #statuses = new Map<RunStatus, number>();
  readonly #failed: string[] = [];
  readonly #pace = new Pace((task, delayMs) => setTimeout(task, delayMs).unref());
  #count = 0;

  constructor(cell: Cell) {
    this.#cell = cell;
  }

  add(run: DrivenRun): void {
    this.#count += 1;
    let status = run.status;
    this.#move(undefined, status);
    const take = () => {
      if (run.status === status) return;
      this.#move(status, run.status);
      status = run.status;
      if (status === "failed") this.#failed.push(shortRunId(run.id));
      this.#show();
    };
    // A run's own events tell each change of its status; without a listener for pieces of texts.
    run.events$.subscribe({
      next: ({ kind }) => kind.startsWith("run.") && take(),
      complete: take,
    });
    this.#show();
  }

  #move(from: RunStatus | undefined, to: RunStatus): void {
    if (from !== undefined) this.#statuses.set(from, (this.#statuses.get(from) ?? 1) - 1);
    this.#statuses.set(to, (this.#statuses.get(to) ?? 0) + 1);
  }

  #show(): void {
    if (this.#pace.isShown) this.#pace.drawSoon(() => this.#draw());
    else this.#draw();
  }

  #draw(): void {
    const kind = this.#pace.isShown ? "update" : "display";
    this.#pace.drawn();
    const text = this.#text();
    const data = { "text/html": noteHtml(text, "madrigal-folded"), "text/plain": text };
    const displayId = `folded-${this.#cell.request.id}`;
    this.#cell.draw({ kind, displayId, bundle: { data, metadata: {} } });
  }

  #text(): string {
    const statuses = [...this.#statuses].filter(([, count]) => count > 0);
    const named = this.#failed.slice(0, NAMED_MAX).join(", ");
    const more = this.#failed.length > NAMED_MAX ? ", …" : "";
    return [
      `${counted(this.#count, "more run")}, not drawn: ${statuses.map(([status, count]) => `${count} ${status}`).join(", ")}`,
      ...(named === "" ? [] : [`failed: ${named}${more}`]),
    ].join(" · ");
  }
}
