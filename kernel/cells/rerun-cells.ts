/** Runs stale cells again, each after those whose names it uses; what they make stands in place of what they showed. */
import { AGENT_CELL } from "../agent-access/asks.ts";
import type { Cell } from "./cell.ts";
import { runningCell } from "./current-cell.ts";
import type { LinkedCell } from "./kinds/dependents.ts";
import { mark } from "./modules/mark-stale.ts";
import type { AtWork, Notebook } from "./notebook.ts";

/** The cells that ran again; if the last of them failed, it and those that were not run any more and are stale. */
export interface CellsRerun {
  readonly ran: readonly Cell[];
  readonly failed?: { readonly cell: Cell; readonly left: readonly Cell[] };
}

/** `Cell[3] failed; Cell[4] and Cell[5] are still stale`. */
export function failureText({ cell, left }: NonNullable<CellsRerun["failed"]>): string {
  const names = left.map(({ name }) => name);
  if (names.length === 0) return `${cell.name} failed`;
  return `${cell.name} failed; still stale: ${names.join(", ")}, to be run once it is mended`;
}

/**
 * Runs each stale cell once, also those that become stale by that, but for the cell that asks for it; with `isDue` only those that
 * run by themselves. The first that fails ends it; the next time begins with that cell. Throws what cancelled that cell.
 */
export async function rerunStale(
  notebook: Notebook,
  { by, isDue = false }: { readonly by?: Cell; readonly isDue?: boolean },
): Promise<CellsRerun> {
  const { dependents } = notebook;
  const ran: Cell[] = [];
  const left = () =>
    staleCells(notebook)
      .filter(({ staleness }) => !isDue || staleness === "due")
      .filter((one) => !isCellOf(one)(by) && (one.isOvertaken || !ran.some(isCellOf(one))));
  for (let [next] = left(); next !== undefined; [next] = left()) {
    ran.push(next.cell);
    const { status } = await notebook.rerun(next.cell.original);
    if (by?.signal.aborted === true) throw by.signal.reason;
    if (status === "ok") continue;
    const rest = left();
    holdUp(rest, notebook);
    dependents.fail(next.cell);
    return { ran, failed: { cell: next.cell, left: rest.map(({ cell }) => cell) } };
  }
  // Cells that change what each other uses would run for ever.
  for (const one of [by, ...ran]) if (one !== undefined) dependents.settle(one);
  return { ran };
}

/** Cells that would run by themselves are marked as stale instead, as after a cell that failed or was stopped. */
export function holdUpDue(notebook: Notebook): void {
  const due = staleCells(notebook).filter(({ staleness }) => staleness === "due");
  holdUp(due, notebook);
}

function holdUp(cells: readonly LinkedCell[], { dependents }: Notebook): void {
  for (const { cell, marks } of cells) {
    dependents.set(cell, "stale");
    mark({ cell, marks });
  }
}

/** Those that stand in a notebook: lines of a console, and what a client ran, are no cells to be run again. */
export function staleCells({ dependents }: Notebook): readonly LinkedCell[] {
  return dependents.cells({ isFailedFirst: true }).filter(({ cell: { request }, staleness }) => {
    const { cellId, storeHistory } = request;
    const stands = storeHistory && cellId !== undefined && !cellId.startsWith(AGENT_CELL);
    return staleness !== "fresh" && stands;
  });
}

/** In reactive mode, runs what depends on what a cell has changed. */
export async function rerunDependents({ cell, notebook }: AtWork): Promise<void> {
  if (!notebook.parts.settings.isReactive || !cell.request.storeHistory) return;
  const { failed } = await rerunStale(notebook, { by: cell, isDue: true });
  if (failed !== undefined)
    cell.warn(`of the cells that depend on this one, ${failureText(failed)}`);
}

/** Has all run again that uses a value which a person has changed, as that of a slider. */
export function noteChanged(value: unknown, { names, dependents }: Notebook): void {
  for (const name of Object.keys(names)) {
    if (names[name] === value) dependents.overtake(name, "has another value", runningCell());
  }
}

function isCellOf({ cell }: LinkedCell): (other: Cell | undefined) => boolean {
  return (other) => other?.request.id === cell.request.id;
}
