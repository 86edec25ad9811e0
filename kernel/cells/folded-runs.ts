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
  // One that is drawn here already, as in a loop that rewinds it, stays so.
  if (cell.drawn.size < DRAWN_MAX || cell.drawn.has(run)) return false;
  const fold = folds.get(cell) ?? new FoldedRuns(cell);
  folds.set(cell, fold);
  fold.add(run);
  return true;
}

class FoldedRuns {
  readonly #cell: Cell;
  /** By id, as a run may go on later. */
  readonly #statuses = new Map<string, RunStatus>();
  readonly #pace = new Pace((task, delayMs) => setTimeout(task, delayMs).unref());

  constructor(cell: Cell) {
    this.#cell = cell;
  }

  add(run: DrivenRun): void {
    const take = () => {
      if (this.#statuses.get(run.id) === run.status) return;
      this.#statuses.set(run.id, run.status);
      this.#show();
    };
    take();
    run.events$.subscribe({
      next: ({ kind }) => kind.startsWith("run.") && take(),
      complete: take,
    });
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
    const byStatus = Map.groupBy(this.#statuses, ([, status]) => status);
    const counts = [...byStatus].map(([status, runs]) => `${runs.length} ${status}`);
    const failed = (byStatus.get("failed") ?? []).map(([id]) => shortRunId(id));
    const named = failed.slice(0, NAMED_MAX).join(", ");
    const more = failed.length > NAMED_MAX ? ", …" : "";
    return [
      `${counted(this.#statuses.size, "more run")}, not drawn: ${counts.join(", ")}`,
      ...(named === "" ? [] : [`failed: ${named}${more}`]),
    ].join(" · ");
  }
}
