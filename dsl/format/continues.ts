/** Decides whether a line continues the one before. */
import { clauseWords, isScriptWord, reservedWords, smallWords } from "../syntax/words.ts";
import { isParted } from "./frame.ts";
import type { FormatFrame } from "./frame-types.ts";
import type { Piece } from "./pieces.ts";
import type { TokenRead } from "./read.ts";

/** A piece, and the two behind it that decide what a soft keyword is. */
export interface Ahead {
  readonly piece: Piece;
  readonly next: Piece | undefined;
  readonly second: Piece | undefined;
}

/** Returns whether a line that begins with this piece continues an item of the frame. */
export function continues(ahead: Ahead, last: TokenRead | undefined, frame: FormatFrame): boolean {
  if (last === undefined || last.opens === frame || isClosing(ahead.piece)) return false;
  return asksForMore(last, ahead, frame) || joins(ahead, last, frame);
}

export function isClosing({ kind, text }: Piece): boolean {
  return kind === "token" && (text === "}" || text === ")" || text === "]");
}

function asksForMore(last: TokenRead, ahead: Ahead, frame: FormatFrame): boolean {
  switch (last.role) {
    case "operator":
    case "dot":
    case "colon":
    case "unary":
    case "open-type":
      return true;
    case "comma":
      return !isParted(frame) || (frame.kind === "choice" && ahead.next?.text === "=");
    case "keyword":
      return wantsOperand(last);
    default:
      return false;
  }
}

const complete: ReadonlySet<string> = new Set(["cache", "history", "state"]);
const conditionWords: ReadonlySet<string> = new Set(["when", "match", "each"]);

function wantsOperand({ piece: { text }, frame, isItemStart }: TokenRead): boolean {
  if (conditionWords.has(text)) return true;
  return isItemStart && frame.kind === "body" && !complete.has(text);
}

const joiningSigns: ReadonlySet<string> = new Set([
  ...["->", "=>", "=", "==", "!=", "===", "!==", "<", "<=", ">", ">=", "&&", "||", "??"],
  ...["+", "*", "/", "%", "|", "?", ":", ".", "?.", ".."],
]);

function joins(ahead: Ahead, last: TokenRead, frame: FormatFrame): boolean {
  const { kind, text } = ahead.piece;
  if (kind === "template") return frame.kind !== "choice" && !isParted(frame);
  if (kind !== "token") return false;
  if (/^[A-Za-z_]/.test(text)) return joinsAsWord(ahead, frame);
  if (/^["'\d$]/.test(text)) return !isParted(frame) || frame.kind === "state";
  if (text === "-") return frame.kind !== "choice" && last.role !== "comma";
  return text === "," ? !isParted(frame) : joiningSigns.has(text);
}

const bodyWords: ReadonlySet<string> = new Set(
  [...smallWords, ...reservedWords].filter((word) => !isIn(clauseWords, word)),
);
const fileJoins = ["returns", "from", "of", "as", "optional", "by"];
const graphJoins = ["writes", "else", "by", "within", "then", "need", "parallel", "returns"];

function joinsAsWord({ piece: { text }, next, second }: Ahead, frame: FormatFrame): boolean {
  const isNode = next?.text === "->" || next?.text === "|";
  const isField = next?.text === ":" || (next?.text === "?" && second?.text === ":");
  switch (frame.kind) {
    case "file":
      return fileJoins.includes(text);
    case "graph":
      return !isNode && (graphJoins.includes(text) || isHopClause(text, next, second));
    case "choice":
      return isHopClause(text, next, second);
    case "body":
      return bodyWords.has(text);
    case "state":
      return text === "via" && !isField;
    case "test":
      return isScriptWord(text) && !isScriptWord(next?.text ?? "");
    default:
      return false;
  }
}

/** A node or a field may have the same name: what follows decides, as in the grammar. */
function isHopClause(text: string, next: Piece | undefined, second: Piece | undefined): boolean {
  const follows = next?.text ?? "";
  switch (text) {
    case "when":
      return true;
    case "detached":
      return !isOneOf(next, ["->", "|"]);
    case "max":
      return /^\w/.test(follows);
    case "after":
      return /^\d/.test(follows);
    case "on":
    case "via":
      return /^[A-Za-z_]/.test(follows);
    case "set":
      return /^[A-Za-z_]/.test(follows) && second?.text === "=";
    default:
      return false;
  }
}

function isOneOf(piece: Piece | undefined, texts: readonly string[]): boolean {
  return piece !== undefined && texts.includes(piece.text);
}

function isIn(words: readonly string[], word: string): boolean {
  return words.includes(word);
}
