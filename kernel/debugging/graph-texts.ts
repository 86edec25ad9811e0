/** Which cell a graph's text is of: front ends know cells by their whole text, graphs the one without its magic. */
import { graphText } from "../cells/kinds/classify.ts";

const cells = new Map<string, string>();

export function rememberGraphCell(code: string): void {
  cells.set(graphText(code), code);
}

/** The whole text of the cell that declared a graph of this text. */
export function graphCellOf(text: string): string | undefined {
  return cells.get(text);
}
