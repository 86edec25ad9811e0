/** Keeps outputs that stand in a notebook's file already where a new execution has changed nothing but ids, times and durations. */
import { isDeepStrictEqual } from "node:util";
import { comparable } from "./comparable-outputs.ts";
import { isCode, type NotebookFile } from "./notebook.ts";

export async function keepUnchanged(
  notebook: NotebookFile,
  before: NotebookFile,
): Promise<NotebookFile> {
  const folder = process.cwd();
  const compared = (file: NotebookFile) => comparable(file, folder, { keepsUserValues: true });
  const [now, then] = [await compared(notebook), await compared(before)];
  const known = new Map(before.cells.map((cell, at) => [cell.id, { cell, text: then[at] }]));
  const cells = notebook.cells.map((cell, at) => {
    const old = known.get(cell.id);
    if (old === undefined || !isCode(cell) || !isCode(old.cell)) return cell;
    return isDeepStrictEqual(now[at], old.text) ? { ...cell, outputs: old.cell.outputs } : cell;
  });
  return { ...notebook, cells };
}
