/** Text to tokens, character by character: kinds and offsets in arrays of numbers, no object a token. */
import { isDigit, isLetter, isWordCharacter, signs, wordKind } from "./characters.ts";
import { Kind } from "./kinds.ts";
import { Rejection } from "./rejection.ts";

export interface Scanned {
  readonly count: number;
  readonly kinds: Uint8Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** 1 where a line ends between the token before and this one. */
  readonly isOnNewLine: Uint8Array;
}

// The limit of the language: deeper brackets are refused before they are parsed.
const depthMax = 200;

/** Cuts a whole text; throws a `Rejection` at the first character that begins no token. */
export function scan(text: string): Scanned {
  return new Scanner(text).scan();
}

class Scanner {
  readonly #text: string;
  readonly #length: number;
  #kinds: Uint8Array;
  #starts: Int32Array;
  #ends: Int32Array;
  #isOnNewLine: Uint8Array;
  #count = 0;
  #at = 0;
  #isNewLine = 0;
  #depth = 0;
  // What each `{` and `${` that is open stands in: 0 code, 1 a prompt, 3 a prompt in three backticks.
  readonly #outer: number[] = [];
  #mode = 0;

  constructor(text: string) {
    this.#text = text;
    this.#length = text.length;
    const capacity = (text.length >> 2) + 16;
    this.#kinds = new Uint8Array(capacity);
    this.#starts = new Int32Array(capacity);
    this.#ends = new Int32Array(capacity);
    this.#isOnNewLine = new Uint8Array(capacity);
  }

  scan(): Scanned {
    while (this.#at < this.#length) {
      if (this.#mode === 0) this.#code();
      else this.#prompt();
    }
    this.#push(Kind["end of text"], this.#length, this.#length);
    return {
      count: this.#count,
      kinds: this.#kinds,
      starts: this.#starts,
      ends: this.#ends,
      isOnNewLine: this.#isOnNewLine,
    };
  }

  #push(kind: number, start: number, end: number): void {
    if (this.#count === this.#kinds.length) this.#grow();
    const index = this.#count++;
    this.#kinds[index] = kind;
    this.#starts[index] = start;
    this.#ends[index] = end;
    this.#isOnNewLine[index] = this.#isNewLine;
    this.#isNewLine = 0;
    this.#at = end;
  }

  #grow(): void {
    const capacity = this.#kinds.length * 2;
    this.#kinds = extended(this.#kinds, new Uint8Array(capacity));
    this.#starts = extended(this.#starts, new Int32Array(capacity));
    this.#ends = extended(this.#ends, new Int32Array(capacity));
    this.#isOnNewLine = extended(this.#isOnNewLine, new Uint8Array(capacity));
  }

  #code(): void {
    const start = this.#at;
    const code = this.#text.charCodeAt(start);
    switch (code) {
      case 10:
      case 13:
        this.#isNewLine = 1;
        this.#at++;
        return;
      case 32:
      case 9:
      case 0xfeff:
      case 0xa0:
        this.#at = afterSpaces(this.#text, start + 1);
        return;
      case 34:
      case 39:
        this.#string(code);
        return;
      case 36:
        this.#money();
        return;
      case 47:
        this.#slash();
        return;
      case 96:
        this.#openPrompt();
        return;
    }
    if (isLetter(code)) this.#word();
    else if (isDigit(code)) this.#number();
    else this.#sign(code);
  }

  #word(): void {
    const text = this.#text;
    const start = this.#at;
    let end = start;
    let hash = 0;
    for (let code = text.charCodeAt(end); isWordCharacter(code); code = text.charCodeAt(++end))
      hash = (hash * 31 + code) | 0;
    this.#push(wordKind(text, start, end, hash), start, end);
  }

  #number(): void {
    const text = this.#text;
    const start = this.#at;
    let end = afterDigits(text, start);
    if (text.charCodeAt(end) === 46 && isDigit(text.charCodeAt(end + 1)))
      end = afterDigits(text, end + 1);
    const unit = end;
    while (isWordCharacter(text.charCodeAt(end))) end++;
    const kind = unit === end ? Kind.number : unitKind(text.slice(unit, end));
    if (kind === undefined) throw new Rejection("no such unit", start);
    this.#push(kind, start, end);
  }

  #string(quote: number): void {
    const text = this.#text;
    const start = this.#at;
    for (let at = start + 1; at < this.#length; at++) {
      const code = text.charCodeAt(at);
      if (code === quote) {
        this.#push(Kind.string, start, at + 1);
        return;
      }
      if (code === 92) at++;
      const last = code === 92 ? text.charCodeAt(at) : code;
      if (last === 10 || last === 13) break;
    }
    throw new Rejection("a string without end", start);
  }

  #money(): void {
    const start = this.#at;
    const text = this.#text;
    let end = afterDigits(text, start + 1);
    if (end === start + 1) throw new Rejection("a dollar sign", start);
    if (text.charCodeAt(end) === 46 && isDigit(text.charCodeAt(end + 1)))
      end = afterDigits(text, end + 1);
    this.#push(Kind.money, start, end);
  }

  #slash(): void {
    const text = this.#text;
    const start = this.#at;
    const next = text.charCodeAt(start + 1);
    if (next === 47) {
      let at = start + 2;
      while (at < this.#length && text.charCodeAt(at) !== 10 && text.charCodeAt(at) !== 13) at++;
      this.#at = at;
    } else if (next === 42) {
      const close = text.indexOf("*/", start + 2);
      if (close < 0) throw new Rejection("a comment without end", start);
      if (hasLineEnd(text, start, close)) this.#isNewLine = 1;
      this.#at = close + 2;
    } else this.#push(Kind.slash, start, start + 1);
  }

  #sign(code: number): void {
    const start = this.#at;
    const candidates = signs[code];
    if (candidates !== undefined)
      for (const { text, kind } of candidates) {
        if (text.length > 1 && !this.#text.startsWith(text, start)) continue;
        this.#bracketOrSign(kind, start + text.length);
        return;
      }
    throw new Rejection("a character that means nothing", start);
  }

  #bracketOrSign(kind: number, end: number): void {
    const start = this.#at;
    if (kind === Kind.leftCurly) this.#outer.push(0);
    if (kind === Kind.leftCurly || kind === Kind.leftParen || kind === Kind.leftSquare)
      this.#deeper(start);
    else if (kind === Kind.rightCurly) {
      const outer = this.#outer.pop();
      if (outer === undefined) throw new Rejection("a brace that closes nothing", start);
      this.#mode = outer;
      this.#depth--;
    } else if (kind === Kind.rightParen || kind === Kind.rightSquare)
      this.#depth = Math.max(0, this.#depth - 1);
    this.#push(kind, start, end);
  }

  #deeper(at: number): void {
    this.#depth++;
    if (this.#depth > depthMax) throw new Rejection("nests too deep", at);
  }

  #openPrompt(): void {
    const start = this.#at;
    const ticks = this.#text.startsWith("```", start) ? 3 : 1;
    this.#deeper(start);
    this.#outer.push(this.#mode);
    this.#mode = ticks;
    this.#push(ticks === 3 ? Kind.triple : Kind.tick, start, start + ticks);
  }

  #prompt(): void {
    const text = this.#text;
    const start = this.#at;
    let at = start;
    for (; at < this.#length; at++) {
      const code = text.charCodeAt(at);
      if (code === 92) at++;
      else if (code === 96 && (this.#mode === 1 || text.startsWith("```", at))) break;
      else if (code === 36 && text.charCodeAt(at + 1) === 123) break;
    }
    if (at >= this.#length) throw new Rejection("a prompt without end", start);
    if (at > start) this.#push(Kind.piece, start, at);
    this.#closePromptOrOpenHole(at);
  }

  #closePromptOrOpenHole(at: number): void {
    if (this.#text.charCodeAt(at) === 96) {
      this.#depth--;
      const ticks = this.#mode;
      this.#mode = this.#outer.pop() ?? 0;
      this.#push(ticks === 3 ? Kind.tripleEnd : Kind.tickEnd, at, at + ticks);
      return;
    }
    this.#deeper(at);
    this.#outer.push(this.#mode);
    this.#mode = 0;
    this.#push(Kind.hole, at, at + 2);
  }
}

function extended<Numbers extends Uint8Array | Int32Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}

// A line begins with several of them.
function afterSpaces(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) === 32) at++;
  return at;
}

function afterDigits(text: string, from: number): number {
  let at = from;
  while (isDigit(text.charCodeAt(at))) at++;
  return at;
}

function hasLineEnd(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) return true;
  }
  return false;
}

function unitKind(unit: string): number | undefined {
  if (unit === "k" || unit === "M") return Kind.number;
  return ["ms", "s", "m", "h", "d"].includes(unit) ? Kind.duration : undefined;
}
