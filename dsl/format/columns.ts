/** Aligns columns: types of fields that follow each other, and clauses of one body. */
import type { FormatFrame } from "./frame-types.ts";
import type { FormattedLine } from "./lines.ts";
import type { TokenRead } from "./read.ts";
import { isSpaced } from "./spacing.ts";

/** The first reads of a line up to `end` are filled up to a width. */
export interface AlignedColumn {
  readonly end: number;
  readonly width: number;
}

// A longer word or name stands out of its column rather than moving all the others to the right.
const clauseWidthMax = 7;
const fieldWidthMax = 24;

/** The column of each line that has one; a run ends with a blank line or its block. */
export function toColumns(
  lines: readonly FormattedLine[],
): ReadonlyMap<FormattedLine, AlignedColumn> {
  const columns = new Map<FormattedLine, AlignedColumn>();
  for (const run of runs(lines)) {
    const width = Math.max(...run.map((cell) => cell.width));
    for (const { line, end } of run) columns.set(line, { end, width });
  }
  return columns;
}

interface ColumnCell {
  readonly line: FormattedLine;
  readonly frame: FormatFrame;
  readonly end: number;
  readonly width: number;
}

function runs(lines: readonly FormattedLine[]): readonly (readonly ColumnCell[])[] {
  const all: ColumnCell[][] = [];
  let open = new Map<FormatFrame, ColumnCell[]>();
  for (const line of lines) {
    if (line.isBlankBefore) open = new Map();
    const cell = cellOf(line);
    if (cell === undefined) continue;
    const run = open.get(cell.frame) ?? [];
    if (run.length === 0) all.push(run);
    run.push(cell);
    open.set(cell.frame, run);
  }
  return all;
}

function cellOf(line: FormattedLine): ColumnCell | undefined {
  const { reads } = line;
  const [first] = reads;
  if (first === undefined || !first.isItemStart) return undefined;
  const end = endOfHead(reads, first);
  const [before, after] = [reads[end - 1], reads[end]];
  if (before === undefined || after === undefined || !isSpaced(before, after)) return undefined;
  if (after.role === "comment" || hasSecondItem(reads, first)) return undefined;
  const width = reads.slice(0, end).reduce((sum, { piece }) => sum + piece.text.length, 0);
  const isField = first.frame.kind === "state";
  const isTooWide = width > (isField ? fieldWidthMax : clauseWidthMax);
  return isTooWide ? undefined : { line, frame: first.frame, end, width };
}

/** Returns the number of reads before the first column; 0 if the line has none. */
function endOfHead(reads: readonly TokenRead[], { role, frame }: TokenRead): number {
  if (frame.kind === "body") return role === "keyword" && !opensBlock(reads) ? 1 : 0;
  if (frame.kind !== "state" || role !== "name") return 0;
  const colon = reads[1]?.role === "mark" ? 2 : 1;
  return reads[colon]?.role === "colon" ? colon + 1 : 0;
}

/** A brace that opens several lines stands beside its word. */
function opensBlock(reads: readonly TokenRead[]): boolean {
  const opened = reads[1]?.role === "open-brace" ? reads[1].opens : undefined;
  if (opened === undefined) return false;
  return opened.kind === "state" || !reads.some(({ closes }) => closes === opened);
}

function hasSecondItem(reads: readonly TokenRead[], first: TokenRead): boolean {
  return reads.some((read) => read !== first && read.isItemStart && read.frame === first.frame);
}
