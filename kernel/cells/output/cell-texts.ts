/** Keeps the texts of cells as they ran, by the names that stacks call them. */
import { renderDiagnostic } from "../../../dsl/index.ts";
import type { Cell } from "../cell.ts";
import { pictured } from "./frame-output.ts";

interface KeptCellText {
  readonly code: string;
  readonly cellId: string | undefined;
}

const texts = new Map<string, KeptCellText>();
/** The name of each cell of the front end since it ran last. */
const newest = new Map<string, string>();

export function rememberText({ name, request }: Cell): void {
  const { code, cellId } = request;
  texts.set(name, { code, cellId });
  if (cellId !== undefined) newest.set(cellId, name);
}

/** The text of a cell as it ran. */
export function textOfCell(name: string): string | undefined {
  return texts.get(name)?.code;
}

/** The lines of a frame around a place of a cell that has run; none where nobody knows its text. */
export function frameLines({ cell, line, column }: CellPlace): readonly string[] {
  const known = texts.get(cell);
  if (known === undefined) return [];
  const text = pictured(known.code);
  const rest = (text.split("\n")[line - 1] ?? "").slice(column - 1);
  const length = /^(?:new\s+|await\s+)?[\p{L}\p{N}_$]+/u.exec(rest)?.[0].length ?? 1;
  const place = { file: cell, line, column, endLine: line, endColumn: column + length };
  const framed = { code: "", severity: "error", message: "", ...place } as const;
  const [, ...lines] = renderDiagnostic(framed, { file: cell, text }, { color: true }).split("\n");
  const since = known.cellId === undefined ? cell : (newest.get(known.cellId) ?? cell);
  if (since === cell) return lines;
  return [...lines, `  note: this is ${cell} as it was; it has run again since, as ${since}`];
}

export interface CellPlace {
  readonly cell: string;
  readonly line: number;
  readonly column: number;
}

/** The first place in a cell that the frames of a stack name. */
export function placeIn(frames: readonly string[]): CellPlace | undefined {
  for (const frame of frames) {
    const [, cell, line, column] = /(\w+\[\d+\]):(\d+):(\d+)/.exec(frame) ?? [];
    if (cell !== undefined) return { cell, line: Number(line), column: Number(column) };
  }
  return undefined;
}
