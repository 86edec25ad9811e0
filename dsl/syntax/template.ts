/** The text of a prompt as the model gets it: indentation taken off, escapes resolved. */

import { unescapeText } from "./literals.ts";
import type { ExprAst } from "./tree/ast.ts";

type TemplatePiece = string | ExprAst;

/** Cleans the raw pieces of a template; only those between triple backticks lose their common indentation. */
export function templateParts(
  pieces: readonly TemplatePiece[],
  { dedent }: { readonly dedent: boolean },
): readonly TemplatePiece[] {
  const plain = pieces.map((piece) =>
    typeof piece === "string" ? piece.replace(/\r\n?/g, "\n") : piece,
  );
  const shown = dedent ? withoutIndentation(withoutEdges(plain)) : plain;
  return shown
    .map((piece) => (typeof piece === "string" ? unescapeText(piece) : piece))
    .filter((piece) => piece !== "");
}

// The line breaks beside the triple backticks are not part of the text; a first line beside them is left as it is.
function withoutEdges(pieces: readonly TemplatePiece[]): readonly TemplatePiece[] {
  const last = pieces.length - 1;
  return pieces.map((piece, index) => {
    if (typeof piece !== "string") return piece;
    const begun = index === 0 ? piece.replace(/^[ \t]*\n/, "\n") : piece;
    return index === last ? begun.replace(/\n[ \t]*$/, "") : begun;
  });
}

function withoutIndentation(pieces: readonly TemplatePiece[]): readonly TemplatePiece[] {
  const depth = commonIndentation(pieces);
  const indentation = new RegExp(`\\n[ \\t]{0,${depth}}`, "g");
  return pieces.map((piece, index) => {
    if (typeof piece !== "string") return piece;
    const text = piece.replace(indentation, "\n");
    return index === 0 ? text.replace(/^\n/, "") : text;
  });
}

function commonIndentation(pieces: readonly TemplatePiece[]): number {
  const depths = pieces.flatMap((piece, index) => {
    if (typeof piece !== "string") return [];
    const isBeforeHole = index + 1 < pieces.length;
    const lines = piece.split("\n").slice(1);
    return lines.flatMap((line, at) => {
      const isBlank = line.trim() === "" && !(isBeforeHole && at === lines.length - 1);
      return isBlank ? [] : [line.length - line.trimStart().length];
    });
  });
  return depths.reduce((least, depth) => Math.min(least, depth), depths[0] ?? 0);
}
