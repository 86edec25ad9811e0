/** The brackets that are open at a place, and what each of them holds, as far as tokens tell. */
import { nodeKindsWhere } from "../vocabulary/node-kinds.ts";
import type { FormatFrame, FormatItem, FrameKind } from "./frame-types.ts";
import { isOperandEnd, type TokenRead } from "./read.ts";

export function createFrame(kind: FrameKind, bracket: string, isType = false): FormatFrame {
  return { kind, bracket, isType, item: createItem(isType) };
}

export function createItem(isInType: boolean): FormatItem {
  return {
    ...{ head: undefined, length: 0, isInType },
    ...{ conditionals: 0, angles: 0, isWriting: false, hasArrow: false, isScript: false },
  };
}

/** Returns whether the brace that closes this frame ends the item around it. */
export function endsItem({ kind }: FormatFrame): boolean {
  return kind === "graph" || kind === "body" || kind === "state" || kind === "test";
}

/**
 * Returns whether commas separate the items of this frame; elsewhere an item goes on behind a
 * comma.
 */
export function isParted({ kind }: FormatFrame): boolean {
  return !(kind === "file" || kind === "graph" || kind === "body" || kind === "test");
}

const nodeWords = new Set<string>([...nodeKindsWhere(({ form }) => form === "body"), "defaults"]);
const callWords = new Set<string>(nodeKindsWhere(({ form }) => form === "call"));

/** Returns the kind of frame that a `(` opens. */
export function parenthesisKind({ kind, item }: FormatFrame): FrameKind {
  const isDeclaration = nodeWords.has(item.head ?? "") || callWords.has(item.head ?? "");
  const isInBlock = kind === "file" || kind === "graph";
  return isInBlock && isDeclaration && item.length === 2 ? "params" : "list";
}

/** Returns the kind of frame that a `{` opens. */
export function braceKind(frame: FormatFrame, last: TokenRead | undefined): FrameKind {
  const isBehindOperand = last !== undefined && isOperandEnd(last);
  switch (frame.kind) {
    case "file":
      return fileBrace(frame.item.head, isBehindOperand);
    case "graph":
      return graphBrace(frame.item, last, isBehindOperand);
    case "body":
      return frame.item.head === "state" && frame.item.length <= 2 ? "state" : "object";
    case "choice":
      return isStateHead(frame.item, last) ? "state" : flowBrace(last, isBehindOperand);
    default:
      return "object";
  }
}

function fileBrace(head: string | undefined, isBehindOperand: boolean): FrameKind {
  if (head === "graph" || head === "test") return head;
  return head === undefined && isBehindOperand ? "graph" : "object";
}

function graphBrace(
  item: FormatItem,
  last: TokenRead | undefined,
  isBehindOperand: boolean,
): FrameKind {
  const { head } = item;
  if (head === "state") return "state";
  if (head !== undefined && nodeWords.has(head)) return "body";
  if (head !== undefined && !callWords.has(head)) return "object";
  if (item.hasArrow) return flowBrace(last, isBehindOperand);
  return isBehindOperand ? "body" : "object";
}

/** In the body of an `each` a node may be called `state`, too; a brace never follows that. */
function isStateHead({ head, length }: FormatItem, last: TokenRead | undefined): boolean {
  return head === "state" && length <= 2 && last?.piece.text === "state";
}

function flowBrace(last: TokenRead | undefined, isBehindOperand: boolean): FrameKind {
  return isBehindOperand || last?.piece.text === "->" ? "choice" : "object";
}
