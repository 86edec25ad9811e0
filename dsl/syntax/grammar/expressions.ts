/** Expressions: TypeScript's, without what has effects. */
import type { IOrAlt, IToken, TokenType } from "chevrotain";
import type { Span } from "../../diagnostics/source.ts";
import { defined } from "../../ir/defined.ts";
import { binaryExpression, type Operand, type WrittenOperator } from "../binary.ts";
import { spanOf } from "../lexer.ts";
import { templateParts } from "../template.ts";
import * as token from "../tokens.ts";
import type { ArgAst, ExprAst, ObjectAst, ObjectEntry, TemplateAst } from "../tree/ast.ts";
import { wordsBehindExpressions } from "../words.ts";
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
  token.K.in,
];

/** The tokens that an operand begins with. */
const OPERAND_STARTS: readonly TokenType[] = [
  ...[token.Name, token.StringToken, token.NumberToken, token.LeftParen, token.LeftSquare],
  ...[token.K.true, token.K.false, token.K.null, token.TickOpen, token.TripleOpen, token.Bang],
];

const BEHIND_OPERANDS: ReadonlySet<TokenType> = new Set(
  wordsBehindExpressions.map((word) => token.K[word]),
);

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
    const first = this.SUBRULE(this.unary);
    const operators: IToken[] = [];
    const operands: Operand[] = [first];
    // `in` and `not` on a line of their own begin something else.
    const GATE = () => !this.isNext(token.Name) || this.onSameLine();
    const DEF = () => {
      operators.push(this.OR(this.#operators));
      operands.push(this.SUBRULE2(this.unary));
    };
    this.MANY({ GATE, DEF });
    return this.ACTION(() =>
      operators.length === 0 && first.negations.length === 0
        ? first.expression
        : this.#combine(operands, operators),
    );
  });

  #combine(operands: readonly Operand[], operators: readonly IToken[]): ExprAst {
    this.#checkMix(operators);
    return binaryExpression(
      operands,
      operators.map(
        ({ image }) => (image.endsWith("==") ? image.slice(0, 2) : image) as WrittenOperator,
      ),
    );
  }

  // `not in` is told by its first word.
  #operators = [
    ...binaryOperators.map((type) => ({ ALT: () => this.CONSUME(type) })),
    {
      ALT: () => {
        const not = this.CONSUME(token.K.not);
        this.CONSUME2(token.K.in);
        return not;
      },
    },
  ];

  // JavaScript refuses this too, since the precedence of the two is easily confused.
  #checkMix(operators: readonly IToken[]): void {
    const nullish = operators.find(({ tokenType }) => tokenType === token.QuestionQuestion);
    const logical = operators.find(({ image }) => image === "||" || image === "&&");
    if (nullish === undefined || logical === undefined) return;
    const message = `\`??\` beside \`${logical.image}\` needs parentheses`;
    const hint = "write `(a ?? b) || c` or `a ?? (b || c)`";
    this.report({ code: "M1111", message, span: spanOf(nullish), hint }, nullish);
  }

  readonly unary = this.RULE("unary", (): Operand => {
    const negations: number[] = [];
    const GATE = () => this.isNext(token.K.not) && this.isNegation();
    this.MANY({ GATE, DEF: () => void negations.push(this.CONSUME(token.K.not).startOffset) });
    const start = this.mark();
    const signs: IToken[] = [];
    this.MANY2(() => {
      signs.push(this.OR(this.#signs));
    });
    const operand = this.SUBRULE(this.postfix);
    const expression =
      signs.length === 0 ? operand : this.ACTION(() => this.#signed(signs, operand));
    return { expression, span: this.spanFrom(start), negations };
  });

  #signs = [token.Bang, token.Minus].map((type) => ({ ALT: () => this.CONSUME(type) }));

  // Before an operand on its line `not` is the operator, elsewhere a name.
  private isNegation(): boolean {
    const [not, next] = [this.LA(1), this.LA(2)];
    if (next.startLine !== not.startLine || BEHIND_OPERANDS.has(next.tokenType)) return false;
    return OPERAND_STARTS.some((type) => this.isNext(type, 2));
  }

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
          const args = this.SUBRULE(this.callArgs);
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
    { ALT: (): ExprAst => this.SUBRULE(this.objectOrMerge) },
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
        items.push(this.SUBRULE(this.listItem));
      },
    });
    this.CONSUME(token.RightSquare);
    return { kind: "list", items, span: this.spanFrom(start) };
  });

  readonly listItem = this.RULE(
    "listItem",
    (): ExprAst =>
      this.OR([
        { ALT: () => this.SUBRULE(this.spread) },
        { ALT: () => this.SUBRULE(this.itemOrRange) },
      ]),
  );

  readonly itemOrRange = this.RULE("itemOrRange", (): ExprAst => {
    const start = this.mark();
    const from = this.SUBRULE(this.expression);
    const to = this.OPTION(() => {
      this.CONSUME(token.DotDot);
      return this.SUBRULE2(this.expression);
    });
    return to === undefined ? from : { kind: "range", from, to, span: this.spanFrom(start) };
  });

  readonly spread = this.RULE("spread", (): ExprAst => {
    const start = this.mark();
    this.CONSUME(token.DotDotDot);
    const value = this.SUBRULE(this.expression);
    return { kind: "spread", value, span: this.spanFrom(start) };
  });

  readonly objectOrMerge = this.RULE("objectOrMerge", (): ExprAst => {
    const start = this.mark();
    const parts: (ExprAst | ObjectEntry)[] = [];
    this.CONSUME(token.LeftCurly);
    this.MANY_SEP({
      SEP: token.Comma,
      DEF: () => {
        parts.push(
          this.OR<IOrAlt<ExprAst | ObjectEntry>[]>([
            { ALT: () => this.SUBRULE(this.spread) },
            { ALT: () => this.SUBRULE(this.entry) },
          ]),
        );
      },
    });
    this.CONSUME(token.RightCurly);
    return this.ACTION(() => objectOf(parts, this.spanFrom(start)));
  });

  readonly object = this.RULE("object", (): ObjectAst => {
    const start = this.mark();
    const entries: ObjectEntry[] = [];
    this.CONSUME(token.LeftCurly);
    this.MANY_SEP({
      SEP: token.Comma,
      DEF: () => {
        entries.push(this.SUBRULE(this.entry));
      },
    });
    this.CONSUME(token.RightCurly);
    return { kind: "object", entries, span: this.spanFrom(start) };
  });

  readonly entry = this.RULE("entry", (): ObjectEntry => {
    const key = this.SUBRULE(this.objectKey);
    const value = this.OPTION(() => {
      this.CONSUME(token.Colon);
      return this.SUBRULE(this.expression);
    });
    return { key, ...defined({ value }) };
  });

  readonly args = this.RULE("args", (): readonly ArgAst[] => {
    const args: ArgAst[] = [];
    this.CONSUME(token.LeftParen);
    this.MANY_SEP({
      SEP: token.Comma,
      DEF: () => {
        args.push(this.SUBRULE(this.arg));
      },
    });
    this.CONSUME(token.RightParen);
    return args;
  });

  /** The arguments of a call in an expression, where a list can be spread. */
  readonly callArgs = this.RULE("callArgs", (): readonly ArgAst[] => {
    const args: ArgAst[] = [];
    this.CONSUME(token.LeftParen);
    this.MANY_SEP({
      SEP: token.Comma,
      DEF: () => {
        args.push(
          this.OR<IOrAlt<ArgAst>[]>([
            { ALT: () => ({ value: this.SUBRULE(this.spread) }) },
            { ALT: () => this.SUBRULE(this.arg) },
          ]),
        );
      },
    });
    this.CONSUME(token.RightParen);
    return args;
  });

  readonly arg = this.RULE("arg", (): ArgAst => {
    const label = this.OPTION(() => {
      const name = this.toName(this.CONSUME(token.Word));
      this.CONSUME(token.Colon);
      return name;
    });
    return { ...defined({ label }), value: this.SUBRULE(this.expression) };
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

/** An object, or a merge where it has spreads: entries side by side are one part. */
function objectOf(parts: readonly (ExprAst | ObjectEntry)[], span: Span): ExprAst {
  const entries = parts.filter(isEntry);
  if (entries.length === parts.length) return { kind: "object", entries, span };
  const merged: ExprAst[] = [];
  let open: ObjectEntry[] = [];
  const close = () => {
    const [first, last] = [open[0], open.at(-1)];
    if (first === undefined || last === undefined) return;
    const end = (last.value ?? last.key).span.end;
    merged.push({ kind: "object", entries: open, span: { start: first.key.span.start, end } });
    open = [];
  };
  for (const part of parts) {
    if (isEntry(part)) open.push(part);
    else {
      close();
      merged.push(part);
    }
  }
  close();
  return { kind: "merge", parts: merged, span };
}

function isEntry(part: ExprAst | ObjectEntry): part is ObjectEntry {
  return !("kind" in part);
}
