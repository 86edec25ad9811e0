/** Literals and names: what has no parts of its own to evaluate. */
import type { IOrAlt, IToken, TokenType } from "chevrotain";
import type { Span } from "../../diagnostics/source.ts";
import { spanOf } from "../lexer.ts";
import { durationMs, numberValue, stringValue } from "../literals.ts";
import { isEnd } from "../recovery/messages.ts";
import { RecoveringParser } from "../recovery/recovering-parser.ts";
import * as token from "../tokens.ts";
import type { CountAst, DottedAst, LiteralAst, Name, StringLiteral } from "../tree/ast.ts";

/** The rules of names and literals. */
export abstract class LiteralParser extends RecoveringParser {
  readonly names = this.RULE("names", (): readonly Name[] => {
    const names: Name[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: token.Comma,
      DEF: () => {
        names.push(this.toName(this.CONSUME(token.Name)));
      },
    });
    return names;
  });

  readonly dotted = this.RULE("dotted", (): DottedAst => {
    const start = this.mark();
    const parts = [this.toName(this.CONSUME(token.Name))];
    let star = false;
    this.MANY({
      GATE: () => !star,
      DEF: () => {
        this.CONSUME(token.Dot);
        const part = this.SUBRULE(this.dottedSegment);
        if (part === "*") star = true;
        else parts.push(part);
      },
    });
    return { parts, star, span: this.spanFrom(start) };
  });

  readonly dottedSegment = this.RULE("dottedSegment", (): Name | "*" =>
    this.OR<IOrAlt<Name | "*">[]>([
      { ALT: () => this.toName(this.CONSUME(token.Name)) },
      { ALT: () => this.quotedName(this.CONSUME(token.StringToken)) },
      {
        ALT: () => {
          this.CONSUME(token.Star);
          return "*";
        },
      },
    ]),
  );

  readonly dottedList = this.RULE("dottedList", (): readonly DottedAst[] => {
    const items: DottedAst[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: token.Comma,
      DEF: () => {
        items.push(this.SUBRULE(this.dotted));
      },
    });
    return items;
  });

  readonly literal = this.RULE(
    "literal",
    (): LiteralAst =>
      this.OR<IOrAlt<LiteralAst>[]>([
        { ALT: () => this.stringLiteral(this.CONSUME(token.StringToken)) },
        { ALT: () => this.SUBRULE(this.signedNumber) },
        { ALT: () => this.SUBRULE(this.constant) },
      ]),
  );

  readonly signedNumber = this.RULE("signedNumber", (): LiteralAst => {
    const start = this.mark();
    const minus = this.OPTION(() => this.CONSUME(token.Minus));
    const value = numberValue(this.CONSUME(token.NumberToken).image);
    return {
      kind: "number",
      value: minus === undefined ? value : -value,
      span: this.spanFrom(start),
    };
  });

  readonly constant = this.RULE("constant", (): LiteralAst => {
    const start = this.mark();
    const value = this.OR<IOrAlt<boolean | null>[]>([
      { ALT: () => this.CONSUME(token.K.true) !== undefined },
      { ALT: () => this.CONSUME(token.K.false) === undefined },
      { ALT: () => (this.CONSUME(token.K.null) === undefined ? false : null) },
    ]);
    const span = this.spanFrom(start);
    return value === null ? { kind: "null", span } : { kind: "boolean", value, span };
  });

  readonly duration = this.RULE("duration", () => {
    const found = this.CONSUME(token.DurationToken);
    return { kind: "duration" as const, ms: durationMs(found.image), span: spanOf(found) };
  });

  readonly money = this.RULE("money", () => {
    const found = this.CONSUME(token.MoneyToken);
    return { kind: "money" as const, usd: Number(found.image.slice(1)), span: spanOf(found) };
  });

  readonly count = this.RULE(
    "count",
    (): CountAst =>
      this.OR<IOrAlt<CountAst>[]>([
        { ALT: () => this.numberLiteral(this.CONSUME(token.NumberToken)) },
        {
          ALT: () => {
            const name = this.toName(this.CONSUME(token.Name));
            return { kind: "name", name, span: name.span };
          },
        },
      ]),
  );

  protected toName(found: IToken): Name {
    return { text: found.image, span: spanOf(found) };
  }

  protected quotedName(found: IToken): Name {
    return { text: stringValue(found.image), span: spanOf(found) };
  }

  protected stringLiteral(found: IToken): StringLiteral {
    return { kind: "string", value: stringValue(found.image), span: spanOf(found) };
  }

  protected numberLiteral(found: IToken): { kind: "number"; value: number; span: Span } {
    return { kind: "number", value: numberValue(found.image), span: spanOf(found) };
  }

  readonly objectKey = this.RULE(
    "objectKey",
    (): Name =>
      this.OR([
        { ALT: () => this.toName(this.CONSUME(token.Word)) },
        { ALT: () => this.quotedName(this.CONSUME(token.StringToken)) },
      ]),
  );

  /**
   * Returns whether one of the token types follows the next token; only then does a word that may
   * be a name begin a clause here.
   */
  protected isFollowedBy(...types: readonly TokenType[]): boolean {
    return !isEnd(this.LA(2)) && types.some((type) => this.isNext(type, 2));
  }
}
