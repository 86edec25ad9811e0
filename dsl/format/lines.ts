/** Lines as the author broke them, each with its indentation. */
import type { FormatFrame } from "./frame-types.ts";
import type { TokenRead } from "./read.ts";

/** A line of the text; a prompt or a comment in it may itself have several. */
export interface FormattedLine {
  readonly reads: readonly TokenRead[];
  /** In steps of two columns. */
  readonly depth: number;
  readonly isBlankBefore: boolean;
}

/** Groups what stands on one line and says how deep each line stands. */
export function toLines(reads: readonly TokenRead[]): readonly FormattedLine[] {
  const groups = byLine(reads);
  const following = followingOf(groups);
  const depths = new Map<FormatFrame, number>();
  return groups.map((group, index) => {
    const depth = depthOf(group, following[index], depths);
    for (const { opens } of group) if (opens !== undefined) depths.set(opens, depth);
    return { reads: group, depth, isBlankBefore: isBlankBefore(group, groups[index - 1]) };
  });
}

type LineGroup = readonly TokenRead[];

function byLine(reads: readonly TokenRead[]): readonly LineGroup[] {
  const groups: TokenRead[][] = [];
  for (const read of reads) {
    const group = groups.at(-1);
    if (group === undefined || read.piece.breaks > 0) groups.push([read]);
    else group.push(read);
  }
  return groups;
}

/**
 * Returns, for each line, the token that decides about its indentation: its first token, or, for a
 * comment of its own, the next token of the text.
 */
function followingOf(groups: readonly LineGroup[]): readonly (TokenRead | undefined)[] {
  const following: (TokenRead | undefined)[] = [];
  let next: TokenRead | undefined;
  for (const group of groups.toReversed()) {
    next = group.find(({ role }) => role !== "comment") ?? next;
    following.push(next);
  }
  return following.reverse();
}

function depthOf(
  group: LineGroup,
  following: TokenRead | undefined,
  depths: ReadonlyMap<FormatFrame, number>,
): number {
  const inside = (frame: FormatFrame) => (depths.get(frame) ?? -1) + 1;
  const frame = group[0]?.frame;
  if (frame === undefined) return 0;
  if (following === undefined || !group.includes(following)) {
    // A comment that stands alone belongs to what it stands before, though never to a closing bracket.
    const isContinuing = following?.frame === frame && following.isContinuing;
    return inside(frame) + (isContinuing ? 1 : 0);
  }
  const closed = closedFirst(group);
  if (closed !== undefined) return depths.get(closed) ?? 0;
  return inside(following.frame) + (following.isContinuing ? 1 : 0);
}

/** The outermost of the brackets that a line begins by closing. */
function closedFirst(group: LineGroup): FormatFrame | undefined {
  const tokens = group.filter(({ role }) => role !== "comment");
  const end = tokens.findIndex(({ role }) => role !== "close" && role !== "close-brace");
  const closing = end === -1 ? tokens : tokens.slice(0, end);
  return closing.findLast(({ closes }) => closes !== undefined)?.closes;
}

function isBlankBefore(group: LineGroup, before: LineGroup | undefined): boolean {
  const [first] = group;
  if (before === undefined || first === undefined || first.piece.breaks < 2) return false;
  const last = before.findLast(({ role }) => role !== "comment");
  return last?.opens === undefined && closedFirst(group) === undefined;
}
