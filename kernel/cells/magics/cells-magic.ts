/** Runs `%cells` and `%reload`: the cells with what depends on what, stale ones run again, edited modules read again. */
import type { Bundle } from "../../cell-output.ts";
import { PLAIN, SVG } from "../../display/bundle.ts";
import { counted } from "../../display/visible.ts";
import type { LinkedCell } from "../kinds/dependents.ts";
import { refreshModules } from "../modules/refresh-modules.ts";
import type { AtWork } from "../notebook.ts";
import { failureText, rerunStale } from "../rerun-cells.ts";
import { runConfig } from "./config-magic.ts";
import { cellsSvg, cellsText } from "./draw-cells.ts";
import { PlainSentence } from "./listing.ts";
import type { MagicCall } from "./read-magic.ts";

/** `%cells [--run]`: the cells that have run and their dependencies; with `--run`, the stale ones run again before. */
export async function runCells(call: MagicCall, { cell, notebook }: AtWork): Promise<unknown> {
  if (!call.options.has("--run")) return new CellsDrawing(notebook.dependents.cells());
  const { ran, failed } = await rerunStale(notebook, { by: cell });
  if (ran.length === 0) return new PlainSentence("no cell is stale");
  const names = ran.map(({ name }) => name).join(", ");
  const end = failed === undefined ? "" : `; ${failureText(failed)}`;
  return new PlainSentence(`${counted(ran.length, "cell")} ran again: ${names}${end}`);
}

/** `%reload [on|off]`: reads edited modules again now; or says whether each cell does that before it runs. */
export async function runReload(call: MagicCall, at: AtWork): Promise<unknown> {
  if (call.words.length > 0)
    return runConfig({ ...call, words: [{ ...call.name, text: "reload" }, ...call.words] }, at);
  const files = await refreshModules(at);
  const isSame = files.length === 0;
  return new PlainSentence(isSame ? "no module has changed" : `read again: ${files.join(", ")}`);
}

class CellsDrawing {
  readonly #cells: readonly LinkedCell[];

  constructor(cells: readonly LinkedCell[]) {
    this.#cells = cells;
  }

  toMimeBundle(): Bundle["data"] {
    const plain = cellsText(this.#cells);
    return this.#cells.length === 0
      ? { [PLAIN]: plain }
      : { [SVG]: cellsSvg(this.#cells), [PLAIN]: plain };
  }
}
