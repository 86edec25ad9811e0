/** Pieces to roles: which word is a keyword here, which `-` a sign, which `<` a type's, which `{` a block. */
import {
  clauseWords,
  fileWords,
  graphWords,
  isScriptWord,
  wordsBehindExpressions,
} from "../syntax/words.ts";
import { type Ahead, continues, isClosing } from "./continues.ts";
import {
  braceKind,
  createFrame,
  createItem,
  endsItem,
  isParted,
  parenthesisKind,
} from "./frame.ts";
import type { FormatFrame, FrameKind } from "./frame-types.ts";
import type { ItemStarts } from "./item-starts.ts";
import type { Piece } from "./pieces.ts";
import { isOperandEnd, type TokenRead, type TokenRole } from "./read.ts";

/**
 * Reads the pieces once, from the first to the last. Without the places where items start, as those
 * of broken text, it guesses them from the lines; a wrong guess costs a space.
 */
export function readPieces(
  pieces: readonly Piece[],
  starts: ItemStarts | undefined,
): readonly TokenRead[] {
  const reader = new TokenReader(starts);
  const meaning = pieces.filter(({ kind }) => kind !== "comment");
  let at = 0;
  return pieces.map((piece) => {
    if (piece.kind === "comment") return reader.comment(piece);
    at += 1;
    return reader.read({ piece, next: meaning[at], second: meaning[at + 1] });
  });
}

class TokenReader {
  readonly #starts: ItemStarts | undefined;
  readonly #frames: FormatFrame[] = [];
  #frame = createFrame("file", "");
  #last: TokenRead | undefined;
  #beforeLast: TokenRead | undefined;
  #isAtLineStart = true;
  // `}` looks for its `{` down the stack only if there is one, or a text of brackets alone would take for ever.
  #braces = 0;

  constructor(starts: ItemStarts | undefined) {
    this.#starts = starts;
  }

  comment(piece: Piece): TokenRead {
    this.#isAtLineStart ||= piece.breaks > 0;
    const role = { isItemStart: false, isContinuing: false, role: "comment" as const };
    return { piece, frame: this.#frame, ...role };
  }

  read(ahead: Ahead): TokenRead {
    const { piece } = ahead;
    this.#isAtLineStart ||= piece.breaks > 0;
    const read = isClosing(piece) ? this.#close(piece) : this.#inItem(ahead);
    this.#beforeLast = this.#last;
    this.#last = read;
    this.#isAtLineStart = false;
    return read;
  }

  #close(piece: Piece): TokenRead {
    const closes = this.#pop(piece.text);
    const role = piece.text === "}" ? "close-brace" : "close";
    const read = {
      piece,
      role,
      frame: this.#frame,
      isItemStart: false,
      isContinuing: false,
    } as const;
    return closes === undefined ? read : { ...read, closes };
  }

  /** Closes what the bracket closes, and what was forgotten in it; a brace is closed by a brace only. */
  #pop(text: string): FormatFrame | undefined {
    const opening = text === "}" ? "{" : text === ")" ? "(" : "[";
    if (this.#frame.bracket !== opening) {
      if (opening !== "{" || this.#braces === 0) return undefined;
      while (this.#frame.bracket !== opening) this.#leave();
    }
    const closed = this.#frame;
    this.#leave();
    return closed;
  }

  #leave(): void {
    if (this.#frame.bracket === "{") this.#braces -= 1;
    this.#frame = this.#frames.pop() ?? this.#frame;
  }

  #enter(kind: FrameKind, bracket: string): FormatFrame {
    const inner = createFrame(kind, bracket, this.#frame.item.isInType);
    if (bracket === "{") this.#braces += 1;
    this.#frames.push(this.#frame);
    this.#frame = inner;
    return inner;
  }

  #inItem(ahead: Ahead): TokenRead {
    const frame = this.#frame;
    const known = this.#isKnownStart(ahead.piece);
    const isContinuing = known === undefined ? continues(ahead, this.#last, frame) : !known;
    const isItemStart = known ?? this.#isItemStart(ahead, isContinuing);
    if (isItemStart) frame.item = createItem(frame.isType);
    const role = this.#role(ahead, isItemStart);
    const read = { piece: ahead.piece, role, frame, isItemStart, isContinuing };
    const opens = this.#opened(ahead.piece, role);
    frame.item.length += 1;
    return opens === undefined ? read : { ...read, opens };
  }

  /** Returns whether an item starts here; undefined if that is not known. */
  #isKnownStart({ start }: Piece): boolean | undefined {
    if (this.#starts === undefined) return undefined;
    const last = this.#last;
    if (last === undefined || last.opens === this.#frame || this.#starts.has(start)) return true;
    const { kind, isType, item } = this.#frame;
    const isList = kind === "list" || kind === "params" || (kind === "object" && !isType);
    return isList && last.role === "comma" && item.angles === 0;
  }

  #isItemStart({ piece, next }: Ahead, isContinuing: boolean): boolean {
    const last = this.#last;
    if (last === undefined || last.opens === this.#frame || last.role === "semicolon") return true;
    if (last.closes !== undefined && endsItem(last.closes)) return piece.text !== ";";
    if (this.#isAtLineStart && this.#frame.item.angles === 0)
      return !isContinuing && piece.text !== "{" && piece.text !== ",";
    const isBehindComma = last.role === "comma" && this.#frame.item.angles === 0;
    if (!isBehindComma || !isParted(this.#frame)) return false;
    return this.#frame.kind !== "choice" || next?.text !== "=";
  }

  #opened({ text }: Piece, role: TokenRole): FormatFrame | undefined {
    if (role === "open-brace") return this.#enter(braceKind(this.#frame, this.#last), "{");
    if (role !== "open" && role !== "tight-open") return undefined;
    return this.#enter(text === "(" ? parenthesisKind(this.#frame) : "list", text);
  }

  #role(ahead: Ahead, isItemStart: boolean): TokenRole {
    const { kind, text } = ahead.piece;
    if (kind !== "token") return kind;
    if (/^[A-Za-z_]/.test(text)) return this.#word(ahead, isItemStart);
    if (/^["'\d$]/.test(text)) return "literal";
    return this.#sign(ahead, isItemStart);
  }

  #word(ahead: Ahead, isItemStart: boolean): "name" | "literal" | "keyword" {
    const { text } = ahead.piece;
    const { item, kind } = this.#frame;
    if (this.#last?.role === "dot" && this.#last.piece.text !== "..") return "name";
    if (isNamed(ahead)) return "name";
    if (text === "not" && isNegation(ahead)) return "keyword";
    if (text === "true" || text === "false" || text === "null") return "literal";
    if (reserved.has(text)) return "keyword";
    const isHead = isHeadWord(kind, ahead);
    if (isItemStart && !isHead) return "name";
    const isBehindOperand = this.#last !== undefined && isOperandEnd(this.#last);
    if (!isItemStart && !isBehindOperand && !this.#isSecondWord(text)) return "name";
    if (isHead) this.#frame.item = { ...createItem(this.#frame.isType), head: text };
    if (isScriptWord(text)) this.#frame.item.isScript = true;
    if (text === "writes") this.#frame.item.isWriting = true;
    if (text === "via" || text === "by") item.isInType = this.#frame.isType;
    return "keyword";
  }

  /** A word behind another, or behind a comma: `session resume x`, `not in`, `a says 1, fails 2`. */
  #isSecondWord(text: string): boolean {
    if (text === "in") return this.#last?.piece.text === "not";
    if (text === "resume") return this.#last?.piece.text === "session";
    const isScript = isScriptWord(text);
    return isScript && this.#frame.kind === "test" && this.#last?.role === "comma";
  }

  #sign(ahead: Ahead, isItemStart: boolean): TokenRole {
    const { item } = this.#frame;
    const isBehindOperand = !isItemStart && this.#last !== undefined && isOperandEnd(this.#last);
    switch (ahead.piece.text) {
      case "(":
      case "[":
        return isBehindOperand ? "tight-open" : "open";
      case "{":
        return "open-brace";
      case ",":
        return "comma";
      case ";":
        return "semicolon";
      case ".":
      case "?.":
      case "..":
        return "dot";
      case "/":
        return this.#frame.kind === "test" && item.head === undefined && !item.isScript
          ? "dot"
          : "operator";
      case "!":
      case "...":
        return "unary";
      case "-":
        return isBehindOperand ? "operator" : "unary";
      case "*":
        return this.#isStarName() ? "name" : "operator";
      case "<":
        if (!item.isInType || !isBehindOperand) return "operator";
        item.angles += 1;
        return "open-type";
      case ">":
        if (item.angles === 0) return "operator";
        item.angles -= 1;
        return "close-type";
      default:
        return this.#typedSign(ahead);
    }
  }

  /** `browser.*`, `tell *`, `approve tool *`. */
  #isStarName(): boolean {
    return ["tool", "tell", "."].includes(this.#last?.piece.text ?? "");
  }

  /** The signs with which a type or a conditional begins and ends. */
  #typedSign(ahead: Ahead): TokenRole {
    const { item, isType } = this.#frame;
    switch (ahead.piece.text) {
      case "->":
        item.hasArrow = true;
        return "operator";
      case "=":
        item.isInType = isType || item.head === "type";
        return "operator";
      case "?":
        if (this.#isMark(ahead)) return "mark";
        item.conditionals += 1;
        return "operator";
      case ":":
        if (item.conditionals > 0) {
          item.conditionals -= 1;
          return "operator";
        }
        item.isInType = item.isInType || this.#isTyped();
        return "colon";
      default:
        return "operator";
    }
  }

  #isTyped(): boolean {
    const { kind, item } = this.#frame;
    return kind === "state" || kind === "params" || item.head === "memory";
  }

  /** `a?: string`, `writes a?`. */
  #isMark({ next }: Ahead): boolean {
    if (next?.text === ":") return true;
    const before = this.#beforeLast?.piece.text;
    if (!this.#frame.item.isWriting || this.#last?.role !== "name") return false;
    return before === "writes" || before === ",";
  }
}

/** `not` before an operand, as the grammar decides it. */
function isNegation({ next }: Ahead): boolean {
  if (next === undefined || (next.kind !== "token" && next.kind !== "template")) return false;
  if (reserved.has(next.text)) return false;
  if (wordsBehindExpressions.some((word) => word === next.text)) return false;
  return next.kind === "template" || /^[A-Za-z_"'\d([!]/.test(next.text);
}

const reserved: ReadonlySet<string> = new Set(["else", "when", "each", "match"]);

/** A key, a label, a field or a parameter, whatever the word. */
function isNamed({ next, second }: Ahead): boolean {
  if (next?.text === ":" || next?.text === "=>") return true;
  return next?.text === "?" && second?.text === ":";
}

const headWords: Partial<Record<FrameKind, ReadonlySet<string>>> = {
  file: new Set<string>(fileWords),
  graph: new Set<string>(graphWords),
  body: new Set<string>(clauseWords),
  test: new Set(["given", "for", "in", "expect"]),
  choice: new Set(["state"]),
};

function isHeadWord(kind: FrameKind, { piece, next }: Ahead): boolean {
  if (headWords[kind]?.has(piece.text) !== true) return false;
  if (kind === "test") return !isScriptWord(next?.text ?? "") && next?.text !== "/";
  if (kind === "choice") return next?.text === "{";
  if (piece.text === "end") return next?.text === "when";
  return kind !== "graph" || (next?.text !== "->" && next?.text !== "|");
}
