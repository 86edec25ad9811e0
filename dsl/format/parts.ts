/** Finds the brackets of a text with their items, and the breaks that comments ask for. */
import type { ItemKind, ItemStarts } from "./item-starts.ts";
import type { TokenRead } from "./read.ts";
import { separatorOf } from "./separators.ts";

/** A pair of brackets, by the indices of its two tokens. */
export interface BracketPair {
  readonly open: number;
  readonly close: number;
  /** The first tokens of its items; of an empty pair none. */
  readonly items: readonly number[];
  /** The kind of items of a block; undefined for lists, objects and arguments. */
  readonly block: ItemKind | undefined;
  /** True if it never stands on one line. */
  readonly isBroken: boolean;
}

export interface TextParts {
  readonly reads: readonly TokenRead[];
  /** The pair that each opening token opens. */
  readonly pairs: ReadonlyMap<number, BracketPair>;
  /** The items of the file. */
  readonly items: readonly number[];
  /** True for each token that the author's comments keep on a line of its own. */
  readonly isHard: readonly boolean[];
  /** True for each token behind which a separator stands if the next item is on its line. */
  readonly isSeparated: readonly boolean[];
}

// More clauses than these, or two fields, are easier to read one a line.
const clausesMax = 3;

/** Finds the brackets of a text whose brackets all match. */
export function toParts(reads: readonly TokenRead[], starts: ItemStarts): TextParts {
  const isHard = reads.map((read, index) => isHardBreak(reads[index - 1], read));
  const pairs = new Map<number, BracketPair>();
  const file: OpenPair = newPair(-1);
  const open: OpenPair[] = [file];
  const isSeparated = reads.map(() => false);
  reads.forEach((read, index) => {
    const current = open.at(-1) ?? file;
    const kind = starts.get(read.piece.start);
    if (isHard[index]) current.isHard = true;
    if (read.piece.kind === "template" && read.piece.text.includes("\n")) current.isTall = true;
    if (read.closes !== undefined || read.role === "close-type") {
      open.pop();
      const pair = toPair(current, index);
      pairs.set(current.open, pair);
      const around = open.at(-1) ?? file;
      around.isHard ||= pair.isBroken;
      around.isTall ||= current.isTall;
      return;
    }
    if (read.role !== "comment" && isItem(reads, index, current, kind)) {
      const isNext = current.items.length > 0;
      if (isNext && kind !== undefined && separatorOf[kind] !== undefined)
        isSeparated[tokenBefore(reads, index)] = true;
      current.items.push(index);
      current.block ??= kind;
    }
    if (read.opens !== undefined || read.role === "open-type") open.push(newPair(index));
  });
  return { reads, pairs, items: file.items, isHard, isSeparated };
}

interface OpenPair {
  readonly open: number;
  readonly items: number[];
  block: ItemKind | undefined;
  isHard: boolean;
  /** True if a prompt of several lines stands in it. */
  isTall: boolean;
}

function newPair(open: number): OpenPair {
  return { open, items: [], block: undefined, isHard: false, isTall: false };
}

function toPair({ open, items, block, isHard, isTall }: OpenPair, close: number): BracketPair {
  const isBlock = block !== undefined && block !== "member";
  const isBroken = isHard || (isBlock && isTall) || items.length > itemsOnLine(block);
  return { open, close, items, block, isBroken };
}

function itemsOnLine(block: ItemKind | undefined): number {
  if (block === "declaration") return 0;
  if (block === "clause") return clausesMax;
  return block === "field" || block === "flow" ? 1 : Number.POSITIVE_INFINITY;
}

function isItem(
  reads: readonly TokenRead[],
  index: number,
  pair: OpenPair,
  kind: ItemKind | undefined,
): boolean {
  if (kind !== undefined) return true;
  if (pair.block !== undefined || reads[pair.open]?.opens === undefined) return false;
  const before = tokenBefore(reads, index);
  return before === pair.open || reads[before]?.role === "comma";
}

/** The index of the last token before another that is no comment; -1 if there is none. */
export function tokenBefore(reads: readonly TokenRead[], index: number): number {
  let before = index - 1;
  while (reads[before]?.role === "comment") before -= 1;
  return before;
}

/** A comment of its own line stays there, and nothing follows one that ends with its line. */
function isHardBreak(before: TokenRead | undefined, read: TokenRead): boolean {
  if (before === undefined) return false;
  if (read.role === "comment") return read.piece.breaks > 0;
  if (before.role !== "comment") return false;
  return before.piece.text.startsWith("//") || (before.piece.breaks > 0 && read.piece.breaks > 0);
}
