/** Lines to text. */
import { toColumns } from "./columns.ts";
import type { FormattedLine } from "./lines.ts";
import type { TokenRead } from "./read.ts";
import { isSpaced } from "./spacing.ts";

/** The text of the lines, each ended by `lineBreak`. */
export function render(lines: readonly FormattedLine[], lineBreak: string): string {
  const columns = toColumns(lines);
  const texts = lines.map((line) => {
    const indentation = "  ".repeat(line.depth);
    const { reads } = line;
    const column = columns.get(line);
    const head = joinReads(reads.slice(0, column?.end ?? 0), indentation).padEnd(
      column?.width ?? 0,
    );
    const text = joinReads(reads.slice(column?.end ?? 0), indentation);
    const blank = line.isBlankBefore ? lineBreak : "";
    return `${blank}${indentation}${head}${column === undefined ? "" : " "}${text}${lineBreak}`;
  });
  return texts.join("");
}

function joinReads(reads: readonly TokenRead[], indentation: string): string {
  return reads
    .map((read, index) => {
      const before = reads[index - 1];
      if (before === undefined) return imageOf(read, indentation);
      return `${isSpaced(before, read) ? " " : ""}${read.piece.text}`;
    })
    .join("");
}

/** A comment whose lines all begin with a star moves as a whole; the lines of any other are its author's. */
function imageOf({ role, piece: { text } }: TokenRead, indentation: string): string {
  const isStarred = role === "comment" && /^\/\*(?:[^\n]*\n[ \t]*\*)*[^\n]*$/.test(text);
  return isStarred ? text.replace(/\n[ \t]*\*/g, `\n${indentation} *`) : text;
}
