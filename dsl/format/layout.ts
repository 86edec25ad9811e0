/** Decides where lines break: what fits in a line stands on one, what does not is broken at defined places. */
import { breakPlaces } from "./break-places.ts";
import type { ItemStarts } from "./item-starts.ts";
import { type BracketPair, type TextParts, tokenBefore, toParts } from "./parts.ts";
import type { TokenRead } from "./read.ts";
import { behindEqualsOfType, separatorOf, separatorRead } from "./separators.ts";
import { isSpaced } from "./spacing.ts";

const columnMax = 100;

/** Returns the tokens with the line breaks and separators that they should have. */
export function layOut(reads: readonly TokenRead[], starts: ItemStarts): readonly TokenRead[] {
  return new Layout(toParts(reads, starts)).placeFile();
}

/** Tokens from one index up to another, and where they stand. */
interface LayoutRange {
  readonly from: number;
  readonly to: number;
  /** The depth of the item, whose further lines stand one step deeper. */
  readonly base: number;
  /** The depth and the column of the line that the range begins on. */
  readonly depth: number;
  readonly column: number;
  /** The places of lower ranks are broken already. */
  readonly rank: number;
}

type PairSet = ReadonlySet<BracketPair>;

class Layout {
  readonly #parts: TextParts;
  readonly #reads: readonly TokenRead[];
  readonly #breaks: number[];
  readonly #separators = new Map<number, "," | ";">();
  readonly #leadingBars = new Set<number>();

  constructor(parts: TextParts) {
    this.#parts = parts;
    this.#reads = parts.reads;
    this.#breaks = parts.reads.map(() => 0);
  }

  placeFile(): readonly TokenRead[] {
    this.#placeItems(this.#parts.items, { from: 0, to: this.#reads.length }, 0);
    return this.#reads.flatMap((read, index) => {
      const breaks = this.#breaks[index] ?? 0;
      const hasBar = this.#leadingBars.has(index);
      const placed = { ...read, piece: { ...read.piece, breaks: hasBar ? 0 : breaks } };
      const separator = this.#separators.get(index);
      return [
        ...(hasBar ? [separatorRead(read, "|", breaks)] : []),
        placed,
        ...(separator === undefined ? [] : [separatorRead(read, separator, 0)]),
      ];
    });
  }

  /** Places items one a line, each with the comments before the next one. */
  #placeItems(
    items: readonly number[],
    { from, to }: { readonly from: number; readonly to: number },
    depth: number,
  ): void {
    this.#placeComments(from, items[0] ?? to);
    const kind = this.#reads[items[0] ?? -1]?.frame.kind;
    const column = kind === "body" || kind === "state" ? this.#columnOf(items) : 0;
    items.forEach((start, index) => {
      if (start > 0) this.#breakLine(start);
      const next = items[index + 1] ?? to;
      const end = tokenBefore(this.#reads, next) + 1;
      const padding = Math.max(0, column - this.#headWidth(start));
      const range = { from: start, to: end, base: depth, depth, rank: 0 };
      this.#place({ ...range, column: depth * 2 + padding });
      this.#placeComments(end, next);
    });
  }

  #placeComments(from: number, to: number): void {
    for (let index = from; index < to; index++)
      if (this.#parts.isHard[index]) this.#breakLine(index);
  }

  /** A blank line of the author stays. */
  #breakLine(index: number): void {
    this.#breaks[index] = Math.min(Math.max(this.#reads[index]?.piece.breaks ?? 0, 1), 2);
  }

  /** Columns move what stands behind the words of clauses and the names of fields to the right: how far at most. */
  #columnOf(items: readonly number[]): number {
    const max = this.#reads[items[0] ?? -1]?.frame.kind === "body" ? 7 : 23;
    return items.reduce((column, start) => {
      const width = this.#headWidth(start);
      return width > max ? column : Math.max(column, width);
    }, 0);
  }

  #headWidth(start: number): number {
    const mark = this.#reads[start + 1]?.role === "mark" ? 1 : 0;
    return (this.#reads[start]?.piece.text.length ?? 0) + mark;
  }

  #place(range: LayoutRange): void {
    const { from, to } = range;
    const pairs = this.#pairsIn(from, to);
    const places = breakPlaces(this.#reads, this.#parts.pairs, range);
    const hasPlaces = places.some((rank) => rank.length > 0);
    // Comments may break the line; if all of it fits then, nothing else does.
    const sets = [new Set<BracketPair>(), ...expansions(this.#reads, pairs, hasPlaces)];
    const expanded = sets.find((set) => this.#fits(range, set));
    const rank = places.findIndex((at, index) => index >= range.rank && at.length > 0);
    const at = places[rank];
    if (expanded !== undefined || at === undefined) {
      this.#placeExpanded(range, expanded ?? lastOf(pairs));
    } else {
      const isPath = this.#reads[from]?.piece.text === "expect";
      this.#placeBroken(range, isPath ? this.#filled(range, at) : at, rank + 1);
    }
  }

  #placeBroken(range: LayoutRange, places: readonly number[], rank: number): void {
    const { from, to, base } = range;
    const type = behindEqualsOfType(this.#reads, from, places[0] ?? to);
    if (type !== undefined) this.#leadingBars.add(type);
    const starts = type === undefined ? places : [type, ...places];
    const [first = to] = starts;
    this.#place({ ...range, to: first, rank });
    starts.forEach((start, index) => {
      this.#breaks[start] = 1;
      const end = starts[index + 1] ?? to;
      const column = (base + 1) * 2 + (start === type ? 2 : 0);
      this.#place({ from: start, to: end, base, depth: base + 1, column, rank });
    });
  }

  /** The fewest of these places at which the lines fit: a path is read along its lines. */
  #filled(range: LayoutRange, places: readonly number[]): readonly number[] {
    const filled: number[] = [];
    let line = range;
    places.forEach((place, index) => {
      if (this.#fits({ ...line, to: places[index + 1] ?? range.to }, new Set())) return;
      filled.push(place);
      line = { ...range, from: place, column: (range.base + 1) * 2 };
    });
    return filled.length === 0 ? places : filled;
  }

  #placeExpanded({ from, to, base, depth }: LayoutRange, expanded: PairSet): void {
    let line = depth;
    for (let index = from; index < to; index++) {
      if (index > from && this.#parts.isHard[index]) {
        this.#breakLine(index);
        line = base + 1;
      }
      const pair = this.#parts.pairs.get(index);
      if (pair === undefined) continue;
      if (expanded.has(pair)) this.#placePair(pair, line);
      else this.#separateAll([pair]);
      index = pair.close;
    }
  }

  #placePair(pair: BracketPair, depth: number): void {
    const { open, close, items } = this.#innermost(pair);
    // Before a minus the end of a branch can't be told from the middle of an expression.
    this.#separate(pair, (next) => this.#reads[next]?.piece.text === "-");
    this.#placeItems(items, { from: open + 1, to: close }, depth + 1);
    this.#breaks[close] = 1;
  }

  /** Brackets whose only content are brackets open and close with them: `f({ … })`. */
  #innermost(pair: BracketPair): BracketPair {
    const only = this.#parts.pairs.get(pair.open + 1);
    const isOnly = only?.close === pair.close - 1 && only.items.length > 0;
    if (!isOnly || pair.block !== undefined || this.#parts.isHard[pair.open + 1]) return pair;
    return this.#innermost(only);
  }

  /** Puts the signs between the items of blocks that stand on one line, and of those in them. */
  #separateAll(pairs: readonly BracketPair[]): void {
    for (const pair of pairs) {
      this.#separate(pair, () => true);
      this.#separateAll(this.#pairsIn(pair.open + 1, pair.close));
    }
  }

  #separate({ items, block }: BracketPair, isWanted: (next: number) => boolean): void {
    const separator = block === undefined ? undefined : separatorOf[block];
    if (separator === undefined) return;
    for (const next of items.slice(1))
      if (isWanted(next)) this.#separators.set(tokenBefore(this.#reads, next), separator);
  }

  #pairsIn(from: number, to: number): readonly BracketPair[] {
    const pairs: BracketPair[] = [];
    for (let index = from; index < to; index++) {
      const pair = this.#parts.pairs.get(index);
      if (pair === undefined) continue;
      pairs.push(pair);
      index = pair.close;
    }
    return pairs;
  }

  /** Returns whether all lines of a range fit if these brackets of it are opened over several lines. */
  #fits({ from, to, base, depth, column }: LayoutRange, expanded: PairSet): boolean {
    let at = column;
    let line = depth;
    for (let index = from; index < to; index++) {
      const read = this.#reads[index];
      const before = this.#reads[index - 1];
      if (read === undefined) break;
      if (index > from && this.#parts.isHard[index]) {
        line = base + 1;
        at = line * 2;
      } else if (index > from && before !== undefined && isSpaced(before, read)) at += 1;
      if (read.role === "comment") continue;
      const [head = "", ...lines] = read.piece.text.split("\n");
      at += head.length + (this.#parts.isSeparated[index] ? 1 : 0);
      if (at > columnMax) return false;
      at = lines.at(-1)?.length ?? at;
      const pair = this.#parts.pairs.get(index);
      if (pair === undefined) continue;
      if (expanded.has(pair)) {
        index = pair.close;
        at = line * 2 + 1;
      } else if (pair.isBroken) return false;
    }
    return at <= columnMax;
  }
}

/** Returns what is opened where nothing fits: all that never stands on one line, and the last brackets. */
function lastOf(pairs: readonly BracketPair[]): PairSet {
  const last = pairs.filter(({ items }) => items.length > 0).slice(-1);
  return new Set([...pairs.filter(({ isBroken }) => isBroken), ...last]);
}

/** Returns the sets of brackets that may be opened over several lines, the best first. */
function expansions(
  reads: readonly TokenRead[],
  pairs: readonly BracketPair[],
  hasPlaces: boolean,
): readonly PairSet[] {
  const broken = pairs.filter(({ isBroken }) => isBroken);
  const filled = pairs.filter(({ items }) => items.length > 0);
  const params = filled.filter(({ open }) => reads[open]?.opens?.kind === "params");
  const blocks = filled.filter(({ block }) => block !== undefined && block !== "member");
  const sets = [broken, ...blocks.toReversed().map((block) => [...broken, block])];
  sets.push([...broken, ...blocks], [...broken, ...blocks, ...params]);
  if (!hasPlaces) {
    const last = filled.filter((pair) => !blocks.includes(pair)).slice(-1);
    sets.push([...broken, ...last], [...broken, ...blocks, ...last]);
  }
  return sets.filter(({ length }) => length > 0).map((set) => new Set(set));
}
