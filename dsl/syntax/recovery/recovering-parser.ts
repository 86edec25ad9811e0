/** A parser that reports a faulty item once and goes on with the next line, so that one mistake costs one item. */
import {
  EmbeddedActionsParser,
  type IRecognitionException,
  type IToken,
  isRecognitionException,
  type TokenType,
} from "chevrotain";
import type { Finding } from "../../diagnostics/diagnostic.ts";
import type { Span } from "../../diagnostics/source.ts";
import type { BlockKind } from "../blocks.ts";
import { spanOf } from "../lexer.ts";
import { TabledLookahead } from "../lookahead.ts";
import * as token from "../tokens.ts";
import { lexerDefinition } from "../tokens.ts";
import { expectations, is, isEnd, syntaxFinding } from "./messages.ts";
import { strayItem } from "./stray-item.ts";

const openers: ReadonlySet<TokenType> = new Set([
  ...[token.LeftCurly, token.HoleOpen, token.TickOpen, token.TripleOpen],
]);
const closers: ReadonlySet<TokenType> = new Set([
  ...[token.RightCurly, token.TickClose, token.TripleClose],
]);
const nodeWords: ReadonlySet<TokenType> = new Set([
  ...[token.K.agent, token.K.operator, token.K.human, token.K.router, token.K.run],
  ...[token.K.reduce, token.K.tool, token.K.graph],
]);
const fileWords: ReadonlySet<TokenType> = new Set([
  ...[token.K.import, token.K.model, token.K.mcp, token.K.openapi],
  ...[token.K.type, token.K.config, token.K.test],
]);

/** The number of tokens that decide between alternatives. */
export const LOOKAHEAD = 2;

// A text with more faulty items is not of this language, or not yet; the rest of it is left unread.
const faultsMax = 200;

/** A `${` that was followed by something else where its expression ended. */
export interface UnclosedHole {
  readonly open: IToken;
  readonly last: IToken;
  readonly found: IToken;
}

/** The part of the parser that knows blocks, lines and mistakes, and no grammar. */
export abstract class RecoveringParser extends EmbeddedActionsParser {
  #findings: Finding[] = [];
  // The number of skips so far.
  #faults = 0;
  #lines = new Set<number>();
  #unclosedHoles: UnclosedHole[] = [];
  // By line: the column of its first token.
  #lineColumns: Map<number, number> = new Map();
  // The last block whose `}` stands further left than the line that opened it: probably the unclosed one.
  #suspect: IToken | undefined;

  protected constructor({ validate }: { readonly validate: boolean }) {
    super(lexerDefinition, {
      lookaheadStrategy: new TabledLookahead({ maxLookahead: LOOKAHEAD }),
      maxLookahead: LOOKAHEAD,
      recoveryEnabled: false,
      skipValidations: !validate,
      errorMessageProvider: expectations,
    });
  }

  /** Takes new tokens and forgets the last text. */
  protected begin(tokens: IToken[]): void {
    this.#findings = [];
    this.#faults = 0;
    this.#lines = new Set();
    this.#unclosedHoles = [];
    this.#suspect = undefined;
    this.#lineColumns = lineColumns(tokens);
    this.input = tokens;
  }

  protected get reported(): readonly Finding[] {
    return this.#findings;
  }

  protected get unclosedHoles(): readonly UnclosedHole[] {
    return this.#unclosedHoles;
  }

  /** Remembers a `${` that is not followed by its `}` where its expression ends. */
  protected noteUnclosedHole(open: IToken): void {
    this.#unclosedHoles.push({ open, last: this.LA(0), found: this.LA(1) });
  }

  /** Reports, unless this line has been reported already. */
  protected report(finding: Finding, at: IToken): void {
    if (this.RECORDING_PHASE) return;
    const line = (isEnd(at) ? this.LA(0).endLine : at.startLine) ?? 0;
    if (this.#lines.has(line) || this.#faults > faultsMax) return;
    this.#lines.add(line);
    this.#findings.push(finding);
  }

  /** Returns the offset of the next token; `spanFrom` makes a span of it when the rule is done. */
  protected mark(): number {
    return this.LA(1).startOffset;
  }

  protected spanFrom(start: number): Span {
    return { start, end: spanOf(this.LA(0)).end };
  }

  protected isNext(type: TokenType, ahead = 1): boolean {
    return is(this.LA(ahead).tokenType, type);
  }

  protected onSameLine(): boolean {
    return this.LA(1).startLine === this.LA(0).endLine;
  }

  /** Items up to the closing brace. A faulty one is reported and skipped up to the next line that is not deeper. */
  protected repeatItems<Item>(block: BlockKind, parseItem: () => Item): Item[] {
    const items: Item[] = [];
    let stuck = false;
    const GATE = () => !stuck && !this.#isItemOfOuterBlock(block);
    const DEF = () => {
      const first = this.LA(1);
      const item = this.#attempt(first, parseItem);
      if (item !== undefined) items.push(item);
      stuck = item === undefined && this.LA(1) === first;
    };
    this.MANY({ GATE, DEF });
    if (this.RECORDING_PHASE) return items;
    let isFollowUp = false;
    while (!this.#isBlockEnd(block)) {
      if (this.#faults > faultsMax) return this.#leaveRest(items);
      const count = items.length;
      this.#skipStray(block, { isFollowUp });
      stuck = false;
      this.MANY({ GATE, DEF });
      isFollowUp = items.length === count;
    }
    return items;
  }

  #leaveRest<Items>(items: Items): Items {
    while (!isEnd(this.LA(1))) this.SKIP_TOKEN();
    return items;
  }

  #attempt<Item>(first: IToken, parseItem: () => Item): Item | undefined {
    if (this.RECORDING_PHASE) return parseItem();
    try {
      return parseItem();
    } catch (error) {
      if (!(error instanceof Error) || !isRecognitionException(error)) throw error;
      if (this.LA(1) === first) return undefined;
      this.#reportFailure(error as unknown as IRecognitionException);
      this.#skipItem(first);
      return undefined;
    }
  }

  #reportFailure(error: IRecognitionException): void {
    const finding = syntaxFinding(error, this.LA(0));
    if (finding !== undefined) this.report(finding, error.token);
  }

  #isBlockEnd(block: BlockKind): boolean {
    if (isEnd(this.LA(1))) return true;
    if (block === "file") return false;
    if (block === "graph" && this.#isExtraBrace()) return false;
    return this.isNext(token.RightCurly) || this.#isItemOfOuterBlock(block);
  }

  // A `}` behind which the graph goes on, with a `}` left for its end.
  #isExtraBrace(): boolean {
    if (!this.isNext(token.RightCurly) || !this.#isGraphItem(2)) return false;
    let depth = 0;
    for (let ahead = 2; !isEnd(this.LA(ahead)) && depth >= 0; ahead++) {
      const { tokenType } = this.LA(ahead);
      if (openers.has(tokenType)) depth++;
      if (closers.has(tokenType)) depth--;
    }
    return depth < 0;
  }

  #isGraphItem(ahead: number): boolean {
    const { tokenType } = this.LA(ahead);
    if (this.isNext(token.RightCurly, ahead)) return true;
    if (fileWords.has(tokenType)) return false;
    if (nodeWords.has(tokenType)) return this.isNext(token.Name, ahead + 1);
    return this.isNext(token.Name, ahead) || this.isNext(token.LeftSquare, ahead);
  }

  // An item of an outer block that can't be one of this block: a `}` is missing before it.
  #isItemOfOuterBlock(block: BlockKind): boolean {
    if (block === "file" || this.RECORDING_PHASE || !this.#isLineStart()) return false;
    if (block === "graph") return this.#isFileItem();
    const { tokenType } = this.LA(1);
    if (this.isNext(token.K.says, 2) || this.isNext(token.K.fails, 2)) return false;
    if (nodeWords.has(tokenType) && this.isNext(token.Name, 2)) return true;
    if (tokenType === token.K.defaults && this.isNext(token.LeftCurly, 2)) return true;
    if (fileWords.has(tokenType) && tokenType !== token.K.model && this.#isNamed()) return true;
    const isFlow = this.isNext(token.Name) && this.isNext(token.Arrow, 2);
    return isFlow && (block === "body" || block === "state");
  }

  #isNamed(): boolean {
    return this.isNext(token.Name, 2) || this.isNext(token.StringToken, 2);
  }

  #isFileItem(): boolean {
    const { tokenType } = this.LA(1);
    if (fileWords.has(tokenType)) {
      return [token.Arrow, token.Bar].every((type) => !this.isNext(type, 2));
    }
    if (tokenType !== token.K.graph || !this.isNext(token.Name, 2)) return false;
    if (!this.isNext(token.LeftParen, 3)) {
      return !this.isNext(token.Equals, this.isNext(token.StringToken, 3) ? 4 : 3);
    }
    let ahead = 4;
    while (!this.isNext(token.RightParen, ahead) && !isEnd(this.LA(ahead))) ahead++;
    return this.isNext(token.LeftCurly, ahead + 1) || this.isNext(token.K.returns, ahead + 1);
  }

  // After one item that belongs into another block more of them follow: one mistake, said once.
  #skipStray(block: BlockKind, { isFollowUp }: { readonly isFollowUp: boolean }): void {
    const first = this.LA(1);
    const around = { beforePrevious: this.LA(-1), previous: this.LA(0), next: this.LA(2) };
    const finding = strayItem(block, { ...around, first });
    const isNew = !isFollowUp || isTypo(finding);
    if (finding !== undefined && isNew) this.report(finding, first);
    this.#skipItem(first);
    // Without this a `}` that belongs to nothing would hold us here for ever.
    if (this.LA(1) === first) this.SKIP_TOKEN();
  }

  #isLineStart(): boolean {
    const previous = this.LA(0);
    return isEnd(previous) || (this.LA(1).startLine ?? 0) > (previous.endLine ?? 0);
  }

  #skipItem(first: IToken): void {
    this.#faults++;
    let depth = this.#depthSince(first);
    while (!isEnd(this.LA(1))) {
      const next = this.LA(1);
      if (closers.has(next.tokenType)) {
        if (depth <= 0 && next.tokenType === token.RightCurly) return;
        depth--;
      } else if (next !== first && depth <= 0 && this.#isNewItem(first)) return;
      else if (openers.has(next.tokenType)) depth++;
      this.SKIP_TOKEN();
      if (depth <= 0 && next.tokenType === token.Semicolon) return;
    }
  }

  #isNewItem(first: IToken): boolean {
    return this.#isLineStart() && (this.LA(1).startColumn ?? 0) <= (first.startColumn ?? 0);
  }

  // The number of brackets that the failed rule had opened.
  #depthSince(first: IToken): number {
    let depth = 0;
    if (this.LA(1) === first) return depth;
    for (let back = 0; !isEnd(this.LA(back)); back--) {
      const seen = this.LA(back);
      if (openers.has(seen.tokenType)) depth++;
      if (closers.has(seen.tokenType)) depth--;
      if (seen === first) break;
    }
    return depth;
  }

  /** Takes the closing brace, or says that the block is never closed and takes nothing. */
  protected closeBlock(open: IToken): void {
    if (this.RECORDING_PHASE || this.isNext(token.RightCurly)) {
      const close = this.CONSUME(token.RightCurly);
      if (this.RECORDING_PHASE) return;
      if ((close.startColumn ?? 0) < this.#indentation(open)) this.#suspect = open;
      return;
    }
    const unclosed = this.#suspect ?? open;
    const message = "this `{` is never closed";
    this.report({ code: "M1104", message, span: spanOf(unclosed), hint: "add a `}`" }, unclosed);
  }

  // The column of the first token on the line of an opening brace.
  #indentation(open: IToken): number {
    return this.#lineColumns.get(open.startLine ?? 0) ?? 0;
  }
}

function lineColumns(tokens: readonly IToken[]): Map<number, number> {
  const columns = new Map<number, number>();
  let line = 0;
  for (const { startLine = 0, startColumn = 0 } of tokens) {
    if (startLine === line) continue;
    line = startLine;
    columns.set(line, startColumn);
  }
  return columns;
}

function isTypo(finding: Finding | undefined): boolean {
  const isMisplaced = finding?.code === "M1102" || finding?.code === "M1105";
  return !isMisplaced || `${finding.hint}`.startsWith("did you mean");
}
