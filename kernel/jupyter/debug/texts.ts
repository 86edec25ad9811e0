/** Finds the texts that a debugger can show: cells by their path, and other sources of frames. */
import { CommandError } from "../../command-error.ts";
import { dumpedCell } from "./cell-paths.ts";
import type { DumpedCell } from "./target.ts";

export class DebuggedTexts {
  readonly #cells = new Map<string, DumpedCell>();
  readonly #others = new Map<string, string>();

  dump(code: string): DumpedCell {
    const cell = dumpedCell(code);
    this.#cells.set(cell.path, cell);
    return cell;
  }

  cell(path: string): DumpedCell | undefined {
    return this.#cells.get(path);
  }

  know(path: string, text: string): void {
    this.#others.set(path, text);
  }

  /** The body of the answer to `source`. M7766 for a path that nobody has named. */
  source(path: string): { readonly content: string; readonly mimeType: string } {
    const cell = this.#cells.get(path);
    const content = cell?.code ?? this.#others.get(path);
    if (content === undefined) {
      throw new CommandError("M7766", `the debugger knows no text \`${path}\``, {
        hint: "run the cell again, so that the debugger knows its text",
      });
    }
    return { content, mimeType: "text/typescript" };
  }
}
