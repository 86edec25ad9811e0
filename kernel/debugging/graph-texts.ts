/** Finds the cell of a graph's text; front ends know cells by their whole text, with the magic. */
import { graphText } from "../cells/kinds/classify.ts";

const cells = new Map<string, string>();

export function rememberGraphCell(code: string): void {
  cells.set(graphText(code), code);
}

/** The whole text of the cell that declared a graph of this text. */
export function graphCellOf(text: string): string | undefined {
  return cells.get(text);
}
