/** Marks outputs as stale when a function or graph that made them is declared anew. */
import type { CellPart } from "../../types/service.ts";
import type { Cell } from "../cell.ts";
import { classify, splitImports } from "../kinds/classify.ts";
import type { Dependent } from "../kinds/dependents.ts";
import type { AtWork } from "../notebook.ts";
import { noteBundle } from "../output/note-bundle.ts";

/**
 * The greatest number of dependents that are checked again; each takes some hundredths of a second.
 */
const CHECKED_MAX = 10;

/** Runs a cell; outputs of others that it made stale are marked then, also where it failed in the middle. */
export async function watched<T>(
  parts: readonly CellPart[],
  at: AtWork,
  run: () => Promise<T>,
): Promise<T> {
  const { names, dependents, parts: own } = at.notebook;
  const leave = dependents.enter(at.cell, parts, names);
  try {
    return await run();
  } finally {
    await markStale(leave({ byValue: own.settings.isReactive }), at);
  }
}

/** Marks outputs that depend on names whose module has changed, each with its file. */
export async function markReloaded(files: ReadonlyMap<string, string>, at: AtWork): Promise<void> {
  const whys = [...files].map(([name, file]) => [name, whyOf(file)] as const);
  await markStale(at.notebook.dependents.changed(new Map(whys), at.cell), at);
}

function whyOf(file: string): string {
  return `comes from \`${file}\`, which has changed`;
}

/**
 * Marks those that show something, and names them in the cell that made them stale. In reactive mode they run again instead, once
 * that cell is over.
 */
async function markStale(dependents: readonly Dependent[], at: AtWork): Promise<void> {
  const outOfDate = dependents.filter((one) => isOutOfDate(one, at));
  const { isReactive } = at.notebook.parts.settings;
  for (const { cell } of outOfDate) at.notebook.dependents.set(cell, isReactive ? "due" : "stale");
  if (isReactive) return;
  const showing = dependents.filter(({ cell }) => cell.hasShown);
  const wrong = await noLongerFitting(showing, at);
  const shown = showing.filter((one) => wrong.has(one) || outOfDate.includes(one));
  if (shown.length === 0) return;
  for (const one of shown) mark(one, wrong.get(one));
  if (at.cell.request.silent) return;
  at.cell.warn(summary(shown, wrong));
}

/**
 * Returns whether the output of a dependent cell is out of date. A cell of graphs shows its graph,
 * which calls functions by name but holds the graphs that it calls: a new function leaves it valid.
 */
function isOutOfDate({ cell, because }: Dependent, { notebook }: AtWork): boolean {
  if (classify(cell.request.code).kind !== "graph") return true;
  return because.some((name) => typeof notebook.names[name] !== "function");
}

async function noLongerFitting(
  dependents: readonly Dependent[],
  at: AtWork,
): Promise<ReadonlyMap<Dependent, string>> {
  const found = new Map<Dependent, string>();
  for (const one of dependents.slice(0, CHECKED_MAX)) {
    const fault = await faultOf(one.cell, at);
    if (fault !== undefined) found.set(one, fault);
  }
  return found;
}

/**
 * Returns the code, the place and the message of the error that a cell which has run would fail
 * with now; undefined if it would not fail.
 */
async function faultOf(other: Cell, at: AtWork): Promise<string | undefined> {
  const { name, request } = other;
  const text = { name, code: request.code };
  switch (classify(text.code).kind) {
    case "typescript": {
      const checked = { name, code: splitImports(text.code).typescript };
      const [first] = await at.cell.orCancelled(at.notebook.parts.types().recheck(checked));
      return first && `${first.code} ${first.line}:${first.column} ${first.message}`;
    }
    case "graph": {
      const { graphFault } = await import("../kinds/check-graph-cell.ts");
      return await graphFault(text, at);
    }
    default:
      return undefined;
  }
}

/** Marks the output of a stale cell. */
export function mark({ cell, marks }: Pick<Dependent, "cell" | "marks">, wrong?: string): void {
  const names = [...marks].map(([name, why]) => `\`${name}\` ${why}`);
  const fits = wrong === undefined ? "" : `; it would fail with ${wrong}`;
  cell.mark(noteBundle(`stale: ${names.join(", ")}; run this cell again${fits}`, "madrigal-stale"));
}

function summary(dependents: readonly Dependent[], wrong: ReadonlyMap<Dependent, string>): string {
  const because = [...new Set(dependents.flatMap((one) => one.because))];
  const cells = dependents.map(({ cell }) => cell.name);
  const are = cells.length === 1 ? "shows" : "show";
  const lines = [...wrong].map(([{ cell }, reason]) => `  ${cell.name}: ${reason}`);
  return [
    `stale: ${cells.join(", ")} ${are} results of the earlier ${because.map((name) => `\`${name}\``).join(", ")}; run ${cells.length === 1 ? "it" : "them"} again`,
    ...lines,
  ].join("\n");
}
