/** The signs between items that a text may have or leave out: the layout decides which of them stand. */
import type { ItemKind, ItemStarts } from "./item-starts.ts";
import type { Piece } from "./pieces.ts";
import type { TokenRead } from "./read.ts";

/** The sign between two items of a kind that stand on one line. */
export const separatorOf: Readonly<Partial<Record<ItemKind, "," | ";">>> = {
  clause: ";",
  branch: ",",
  member: ",",
};

/**
 * Leaves out every sign that the layout may put in: `;` and `,` behind items, and the `|` before the first type of a union.
 * A comment behind such a sign begins the line that the sign began, else it would become a part of a `//` before it.
 */
export function withoutSeparators(pieces: readonly Piece[], starts: ItemStarts): readonly Piece[] {
  let before: Piece | undefined;
  let leftOut: Piece | undefined;
  return pieces.flatMap((piece, index) => {
    const breaks = Math.max(piece.breaks, leftOut?.breaks ?? 0);
    leftOut = undefined;
    if (piece.kind === "comment") return { ...piece, breaks };
    const next = nextToken(pieces, index + 1);
    const isOptional =
      piece.kind === "token" &&
      ((isSeparator(piece) && isItemEnd(next, starts)) || isLeadingBar(piece, before));
    before = piece;
    if (!isOptional) return piece;
    leftOut = { ...piece, breaks };
    return [];
  });
}

/** Returns a sign that stands behind, or a bar that stands before, what was read. */
export function separatorRead(
  { frame, piece: { start } }: TokenRead,
  text: "," | ";" | "|",
  breaks: number,
): TokenRead {
  const role = text === "|" ? "operator" : text === "," ? "comma" : "semicolon";
  const piece = { kind: "token", text, start, breaks, isTight: false } as const;
  return { piece, role, frame, isItemStart: false, isContinuing: text === "|" };
}

/** Returns where the first type of `type T = A | B` stands, if a line is broken before the bar at `bar`. */
export function behindEqualsOfType(
  reads: readonly TokenRead[],
  from: number,
  bar: number,
): number | undefined {
  const isUnion = reads[from]?.piece.text === "type" && reads[from]?.frame.kind === "file";
  return isUnion && reads[bar]?.piece.text === "|" ? from + 3 : undefined;
}

function isSeparator({ text }: Piece): boolean {
  return text === "," || text === ";";
}

function isItemEnd(next: Piece | undefined, starts: ItemStarts): boolean {
  if (next === undefined) return true;
  const kind = starts.get(next.start);
  return kind === undefined ? next.text === "}" : separatorOf[kind] !== undefined;
}

// No operand ends here, so the bar is none between two types.
const beforeTypes: ReadonlySet<string> = new Set(["=", ":", "(", "[", "<", ","]);

function isLeadingBar({ text }: Piece, before: Piece | undefined): boolean {
  return text === "|" && before?.kind === "token" && beforeTypes.has(before.text);
}

function nextToken(pieces: readonly Piece[], from: number): Piece | undefined {
  for (let index = from; index < pieces.length; index++)
    if (pieces[index]?.kind !== "comment") return pieces[index];
  return undefined;
}
