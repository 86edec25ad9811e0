/** Expressions: TypeScript's, without what has effects. */
import type { IOrAlt, IToken, TokenType } from "chevrotain";
import type { Span } from "../../diagnostics/source.ts";
import { defined } from "../../ir/defined.ts";
import { binaryExpression, type Operand } from "../binary.ts";
import { spanOf } from "../lexer.ts";
import { templateParts } from "../template.ts";
import * as token from "../tokens.ts";
import type { ArgAst, BinaryOp, ExprAst, Name, ObjectAst, TemplateAst } from "../tree/ast.ts";
import { LiteralParser } from "./literals.ts";

const binaryOperators: readonly TokenType[] = [
  ...[
    token.EqualEqual,
    token.NotEqual,
    token.EqualEqualEqual,
    token.NotEqualEqual,
    token.LessEqual,
  ],
  ...[token.GreaterEqual, token.Less, token.Greater, token.AndAnd, token.OrOr],
  ...[token.QuestionQuestion, token.Plus, token.Minus, token.Star, token.Slash, token.Percent],
];

/** The rules of expressions and prompts. */
export abstract class ExpressionParser extends LiteralParser {
  readonly expression = this.RULE("expression", (): ExprAst => {
    const start = this.mark();
    const test = this.SUBRULE(this.binary);
    const branches = this.OPTION(() => {
      this.CONSUME(token.Question);
      const then = this.SUBRULE(this.expression);
      this.CONSUME(token.Colon);
      return { then, else: this.SUBRULE2(this.expression) };
    });
    if (branches === undefined) return test;
    return { kind: "conditional", test, ...branches, span: this.spanFrom(start) };
  });

  readonly binary = this.RULE("binary", (): ExprAst => {
    const start = this.mark();
    const first = this.SUBRULE(this.unary);
    const operators: IToken[] = [];
    const operands: Operand[] = [];
    this.MANY(() => {
      if (operators.length === 0) operands.push(this.operand(start, first));
      operators.push(this.OR(this.#operators));
      operands.push(this.operand(this.mark(), this.SUBRULE2(this.unary)));
    });
    return operators.length === 0 ? first : this.ACTION(() => this.#combine(operands, operators));
  });

  #combine(operands: readonly Operand[], operators: readonly IToken[]): ExprAst {
    this.#checkMix(operators);
    return binaryExpression(
      operands,
      operators.map(({ image }) => (image.length === 3 ? image.slice(0, 2) : image) as BinaryOp),
    );
  }

  #operators = binaryOperators.map((type) => ({ ALT: () => this.CONSUME(type) }));

  private operand(start: number, expression: ExprAst): Operand {
    return { expression, span: this.spanFrom(start) };
  }

  // JavaScript refuses this too, since the precedence of the two is easily confused.
  #checkMix(operators: readonly IToken[]): void {
    const nullish = operators.find(({ tokenType }) => tokenType === token.QuestionQuestion);
    const logical = operators.find(({ image }) => image === "||" || image === "&&");
    if (nullish === undefined || logical === undefined) return;
    const message = `\`??\` beside \`${logical.image}\` needs parentheses`;
    const hint = "write `(a ?? b) || c` or `a ?? (b || c)`";
    this.report({ code: "M1111", message, span: spanOf(nullish), hint }, nullish);
  }

  readonly unary = this.RULE("unary", (): ExprAst => {
    const signs: IToken[] = [];
    this.MANY(() => {
      signs.push(
        this.OR([
          { ALT: () => this.CONSUME(token.Bang) },
          { ALT: () => this.CONSUME(token.Minus) },
        ]),
      );
    });
    const operand = this.SUBRULE(this.postfix);
    return signs.length === 0 ? operand : this.ACTION(() => this.#signed(signs, operand));
  });

  #signed(signs: readonly IToken[], operand: ExprAst): ExprAst {
    return signs.reduceRight<ExprAst>((inner, { image, startOffset }) => {
      const op = image === "!" ? "!" : "-";
      return { kind: "unary", op, operand: inner, span: this.spanFrom(startOffset) };
    }, operand);
  }

  readonly postfix = this.RULE("postfix", (): ExprAst => {
    const start = this.mark();
    let object = this.SUBRULE(this.primary);
    const GATE = () =>
      this.onSameLine() || this.isNext(token.Dot) || this.isNext(token.QuestionDot);
    const DEF = () => {
      const apply = this.SUBRULE(this.postfixStep);
      this.ACTION(() => {
        object = apply(object, this.spanFrom(start));
      });
    };
    this.MANY({ GATE, DEF });
    return object;
  });

  readonly postfixStep = this.RULE("postfixStep", (): ((object: ExprAst, span: Span) => ExprAst) =>
    this.OR<IOrAlt<(object: ExprAst, span: Span) => ExprAst>[]>([
      { ALT: () => this.SUBRULE(this.memberStep) },
      {
        ALT: () => {
          this.CONSUME(token.LeftSquare);
          const index = this.SUBRULE(this.expression);
          this.CONSUME(token.RightSquare);
          return (object, span) => ({ kind: "index", object, index, span });
        },
      },
      {
        ALT: () => {
          const args = this.SUBRULE(this.args);
          return (callee, span) => ({ kind: "call", callee, args, span });
        },
      },
    ]),
  );

  readonly memberStep = this.RULE("memberStep", () => {
    const optional = this.OR([
      { ALT: () => this.CONSUME(token.Dot) === undefined },
      { ALT: () => this.CONSUME(token.QuestionDot) !== undefined },
    ]);
    const name = this.toName(this.CONSUME(token.Word));
    return (object: ExprAst, span: Span): ExprAst => ({
      kind: "member",
      object,
      name,
      optional,
      span,
    });
  });

  // One token tells them apart: Chevrotain then looks it up in a table instead of trying one after the other.
  #primaries = [
    { ALT: (): ExprAst => this.stringLiteral(this.CONSUME(token.StringToken)) },
    { ALT: (): ExprAst => this.numberLiteral(this.CONSUME(token.NumberToken)) },
    { ALT: (): ExprAst => this.SUBRULE(this.duration) },
    { ALT: (): ExprAst => this.SUBRULE(this.money) },
    { ALT: (): ExprAst => this.SUBRULE(this.constant) },
    { ALT: (): ExprAst => this.SUBRULE(this.nameOrLambda) },
    { ALT: (): ExprAst => this.SUBRULE(this.template) },
    { ALT: (): ExprAst => this.SUBRULE(this.groupOrLambda) },
    { ALT: (): ExprAst => this.SUBRULE(this.list) },
    { ALT: (): ExprAst => this.SUBRULE(this.object) },
  ];

  readonly primary = this.RULE("primary", (): ExprAst => this.OR(this.#primaries));

  readonly nameOrLambda = this.RULE("nameOrLambda", (): ExprAst => {
    const name = this.toName(this.CONSUME(token.Name));
    const body = this.OPTION(() => {
      this.CONSUME(token.FatArrow);
      return this.SUBRULE(this.expression);
    });
    if (body === undefined) return { kind: "name", ...name };
    return { kind: "lambda", params: [name], body, span: this.spanFrom(name.span.start) };
  });

  readonly groupOrLambda = this.RULE(
    "groupOrLambda",
    (): ExprAst =>
      this.OR<IOrAlt<ExprAst>[]>([
        { GATE: () => this.isLambda(), ALT: () => this.SUBRULE(this.parameterLambda) },
        { ALT: () => this.SUBRULE(this.parenthesized), IGNORE_AMBIGUITIES: true },
      ]),
  );

  readonly parameterLambda = this.RULE("parameterLambda", (): ExprAst => {
    const start = this.mark();
    this.CONSUME(token.LeftParen);
    const params = this.SUBRULE(this.names);
    this.CONSUME(token.RightParen);
    this.CONSUME(token.FatArrow);
    const body = this.SUBRULE(this.expression);
    return { kind: "lambda", params, body, span: this.spanFrom(start) };
  });

  // Only what stands behind the bracket tells a list of parameters from a group.
  private isLambda(): boolean {
    if (!this.isNext(token.LeftParen)) return false;
    let ahead = 2;
    while (this.isNext(token.Name, ahead) || this.isNext(token.Comma, ahead)) ahead++;
    return this.isNext(token.RightParen, ahead) && this.isNext(token.FatArrow, ahead + 1);
  }

  readonly parenthesized = this.RULE("parenthesized", (): ExprAst => {
    this.CONSUME(token.LeftParen);
    const inner = this.SUBRULE(this.expression);
    this.CONSUME(token.RightParen);
    return inner;
  });

  readonly list = this.RULE("list", (): ExprAst => {
    const start = this.mark();
    const items: ExprAst[] = [];
    this.CONSUME(token.LeftSquare);
    this.MANY_SEP({
      SEP: token.Comma,
      DEF: () => {
        items.push(this.SUBRULE(this.expression));
      },
    });
    this.CONSUME(token.RightSquare);
    return { kind: "list", items, span: this.spanFrom(start) };
  });

  readonly object = this.RULE("object", (): ObjectAst => {
    const start = this.mark();
    const entries: { key: Name; value?: ExprAst }[] = [];
    this.CONSUME(token.LeftCurly);
    this.MANY_SEP({
      SEP: token.Comma,
      DEF: () => {
        const key = this.SUBRULE(this.objectKey);
        const value = this.OPTION(() => {
          this.CONSUME(token.Colon);
          return this.SUBRULE(this.expression);
        });
        entries.push({ key, ...defined({ value }) });
      },
    });
    this.CONSUME(token.RightCurly);
    return { kind: "object", entries, span: this.spanFrom(start) };
  });

  readonly args = this.RULE("args", (): readonly ArgAst[] => {
    const args: ArgAst[] = [];
    this.CONSUME(token.LeftParen);
    this.MANY_SEP({
      SEP: token.Comma,
      DEF: () => {
        const label = this.OPTION(() => {
          const name = this.toName(this.CONSUME(token.Word));
          this.CONSUME(token.Colon);
          return name;
        });
        args.push({ ...defined({ label }), value: this.SUBRULE(this.expression) });
      },
    });
    this.CONSUME(token.RightParen);
    return args;
  });

  /** `(…)` behind a name, if it stands on the same line. */
  readonly argsOnLine = this.RULE("argsOnLine", (): readonly ArgAst[] => {
    const GATE = () => this.onSameLine();
    return this.OPTION({ GATE, DEF: () => this.SUBRULE(this.args) }) ?? [];
  });

  readonly expressions = this.RULE("expressions", (): readonly ExprAst[] => {
    const items: ExprAst[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: token.Comma,
      DEF: () => {
        items.push(this.SUBRULE(this.expression));
      },
    });
    return items;
  });

  readonly template = this.RULE("template", (): TemplateAst => {
    const start = this.mark();
    const pieces = this.OR([
      {
        ALT: () => {
          this.CONSUME(token.TickOpen);
          const inner = this.SUBRULE(this.templatePieces);
          this.CONSUME(token.TickClose);
          return this.ACTION(() => templateParts(inner, { dedent: false }));
        },
      },
      {
        ALT: () => {
          this.CONSUME(token.TripleOpen);
          const inner = this.SUBRULE2(this.templatePieces);
          this.CONSUME(token.TripleClose);
          return this.ACTION(() => templateParts(inner, { dedent: true }));
        },
      },
    ]);
    return { kind: "template", parts: pieces, span: this.spanFrom(start) };
  });

  readonly templatePieces = this.RULE("templatePieces", (): readonly (string | ExprAst)[] => {
    const pieces: (string | ExprAst)[] = [];
    this.MANY(() => {
      this.OR([
        { ALT: () => pieces.push(this.CONSUME(token.TemplateText).image) },
        { ALT: () => pieces.push(this.SUBRULE(this.hole)) },
      ]);
    });
    return pieces;
  });

  readonly hole = this.RULE("hole", (): ExprAst => {
    const open = this.CONSUME(token.HoleOpen);
    const value = this.SUBRULE(this.expression);
    if (!this.RECORDING_PHASE && !this.isNext(token.RightCurly)) this.noteUnclosedHole(open);
    this.CONSUME(token.RightCurly);
    return value;
  });
}
