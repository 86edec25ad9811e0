/** Types: TypeScript's for plain data, and what is declared with them: parameters, fields, state. */
import type { IOrAlt } from "chevrotain";
import type { Span } from "../../diagnostics/source.ts";
import { defined } from "../../ir/defined.ts";
import { spanOf } from "../lexer.ts";
import { withoutType } from "../recovery/messages.ts";
import * as token from "../tokens.ts";
import type {
  FieldDecl,
  MemberAst,
  MemoryDecl,
  Name,
  Param,
  StateDecl,
  TypeAst,
  ViaAst,
} from "../tree/ast.ts";
import { ExpressionParser } from "./expressions.ts";

/** The rules of types, fields and parameters. */
export abstract class TypeParser extends ExpressionParser {
  readonly type = this.RULE("type", (): TypeAst => {
    const start = this.mark();
    const types: TypeAst[] = [];
    this.OPTION(() => this.CONSUME(token.Bar));
    this.AT_LEAST_ONE_SEP({
      SEP: token.Bar,
      DEF: () => {
        types.push(this.SUBRULE(this.arrayType));
      },
    });
    const [only] = types;
    if (types.length === 1 && only !== undefined) return only;
    return { kind: "union-type", types, span: this.spanFrom(start) };
  });

  readonly arrayType = this.RULE("arrayType", (): TypeAst => {
    const start = this.mark();
    let type = this.SUBRULE(this.primitiveType);
    this.MANY({
      GATE: () => this.onSameLine() && this.isNext(token.RightSquare, 2),
      DEF: () => {
        this.CONSUME(token.LeftSquare);
        this.CONSUME(token.RightSquare);
        this.ACTION(() => {
          type = { kind: "array-type", of: type, span: this.spanFrom(start) };
        });
      },
    });
    return type;
  });

  readonly primitiveType = this.RULE(
    "primitiveType",
    (): TypeAst =>
      this.OR<IOrAlt<TypeAst>[]>([
        { ALT: () => this.SUBRULE(this.namedType) },
        { ALT: () => this.SUBRULE(this.literalType) },
        { ALT: () => this.SUBRULE(this.objectType) },
        { ALT: () => this.SUBRULE(this.groupedType) },
        { ALT: () => this.SUBRULE(this.tupleType) },
      ]),
  );

  readonly namedType = this.RULE("namedType", (): TypeAst => {
    const start = this.mark();
    const name = this.SUBRULE(this.dotted);
    const args: TypeAst[] = [];
    this.OPTION(() => {
      this.CONSUME(token.Less);
      this.AT_LEAST_ONE_SEP({
        SEP: token.Comma,
        DEF: () => {
          args.push(this.SUBRULE(this.type));
        },
      });
      this.CONSUME(token.Greater);
    });
    return { kind: "named", name, args, span: this.spanFrom(start) };
  });

  readonly literalType = this.RULE("literalType", (): TypeAst => {
    const literal = this.SUBRULE(this.literal);
    const value = literal.kind === "null" ? null : literal.value;
    return { kind: "literal-type", value, span: literal.span };
  });

  readonly objectType = this.RULE("objectType", (): TypeAst => {
    const start = this.mark();
    const members: MemberAst[] = [];
    this.CONSUME(token.LeftCurly);
    this.MANY(() => {
      members.push(this.SUBRULE(this.member));
    });
    this.CONSUME(token.RightCurly);
    return { kind: "object-type", members, span: this.spanFrom(start) };
  });

  readonly member = this.RULE("member", (): MemberAst => {
    const name = this.toName(this.CONSUME(token.Word));
    const optional = this.SUBRULE(this.questionMark);
    this.CONSUME(token.Colon);
    const type = this.SUBRULE(this.type);
    this.OPTION(() =>
      this.OR([
        { ALT: () => this.CONSUME(token.Comma) },
        { ALT: () => this.CONSUME(token.Semicolon) },
      ]),
    );
    return { name, optional, type };
  });

  readonly groupedType = this.RULE("groupedType", (): TypeAst => {
    this.CONSUME(token.LeftParen);
    const type = this.SUBRULE(this.type);
    this.CONSUME(token.RightParen);
    return type;
  });

  readonly tupleType = this.RULE("tupleType", (): TypeAst => {
    const start = this.mark();
    const types: TypeAst[] = [];
    this.CONSUME(token.LeftSquare);
    this.AT_LEAST_ONE_SEP({
      SEP: token.Comma,
      DEF: () => {
        types.push(this.SUBRULE(this.type));
      },
    });
    this.CONSUME(token.RightSquare);
    return { kind: "tuple-type", types, span: this.spanFrom(start) };
  });

  readonly questionMark = this.RULE(
    "questionMark",
    (): boolean => this.OPTION(() => this.CONSUME(token.Question)) !== undefined,
  );

  /** `: Type`, which begins on the line of its colon, or the next line's name would be taken for the type. */
  readonly annotation = this.RULE("annotation", (): TypeAst => {
    if (this.#isMissing()) return this.#withoutType();
    const colon = this.CONSUME(token.Colon);
    if (this.RECORDING_PHASE || this.onSameLine() || this.isNext(token.Bar)) {
      return this.SUBRULE(this.type);
    }
    const message = "a type is missing after `:`";
    const hint = "write it on the line of the colon, for example `string`";
    this.report({ code: "M1107", message, span: spanOf(colon), hint }, colon);
    return unknownType(spanOf(colon));
  });

  // Behind these the declaration goes on as if its type were there, so that one type costs no whole graph.
  #isMissing(): boolean {
    if (this.RECORDING_PHASE || this.isNext(token.Colon)) return false;
    const follows = [token.Comma, token.RightParen, token.Equals, token.RightCurly];
    return !this.onSameLine() || follows.some((type) => this.isNext(type));
  }

  #withoutType(): TypeAst {
    const finding = withoutType(this.LA(0), this.LA(1));
    this.report(finding, this.LA(0));
    const { end } = spanOf(this.LA(0));
    return unknownType({ start: end, end });
  }

  readonly params = this.RULE("params", (): readonly Param[] => {
    const params: Param[] = [];
    this.CONSUME(token.LeftParen);
    this.MANY_SEP({
      SEP: token.Comma,
      DEF: () => {
        params.push(this.SUBRULE(this.param));
      },
    });
    this.CONSUME(token.RightParen);
    return params;
  });

  readonly param = this.RULE("param", (): Param => {
    const start = this.mark();
    const name = this.toName(this.CONSUME(token.Name));
    const optional = this.SUBRULE(this.questionMark);
    const type = this.SUBRULE(this.annotation);
    const value = this.OPTION(() => this.SUBRULE(this.initial));
    return { name, optional, type, ...defined({ value }), span: this.spanFrom(start) };
  });

  readonly initial = this.RULE("initial", () => {
    this.CONSUME(token.Equals);
    return this.SUBRULE(this.expression);
  });

  readonly stateDecl = this.RULE("stateDecl", (): StateDecl => {
    const start = this.mark();
    this.CONSUME(token.K.state);
    const scope = this.SUBRULE(this.stateScope);
    const open = this.CONSUME(token.LeftCurly);
    const fields = this.repeatItems("state", () => this.SUBRULE(this.field));
    this.closeBlock(open);
    return { kind: "state", scope, fields, span: this.spanFrom(start) };
  });

  readonly stateScope = this.RULE("stateScope", (): StateDecl["scope"] => {
    const scope = this.OPTION(() =>
      this.OR<IOrAlt<"thread" | "user">[]>([
        {
          ALT: () => {
            this.CONSUME(token.K.thread);
            return "thread";
          },
        },
        {
          ALT: () => {
            this.CONSUME(token.K.user);
            return "user";
          },
        },
      ]),
    );
    return scope ?? "run";
  });

  readonly field = this.RULE("field", (): FieldDecl => {
    const start = this.mark();
    const name = this.toName(this.CONSUME(token.Name));
    const optional = this.SUBRULE(this.questionMark);
    const type = this.SUBRULE(this.annotation);
    const value = this.OPTION(() => this.SUBRULE(this.initial));
    const via = this.SUBRULE(this.optionalVia);
    return { name, optional, type, ...defined({ value, via }), span: this.spanFrom(start) };
  });

  // A field may be called `via` too: then a colon follows, not a name.
  readonly optionalVia = this.RULE("optionalVia", (): ViaAst | undefined =>
    this.OPTION({
      GATE: () => this.isFollowedBy(token.Name),
      DEF: () => this.SUBRULE(this.via),
    }),
  );

  readonly via = this.RULE("via", (): ViaAst => {
    const start = this.mark();
    this.CONSUME(token.K.via);
    const name: Name = this.toName(this.CONSUME(token.Name));
    const args = this.SUBRULE(this.argsOnLine);
    return { name, args, span: this.spanFrom(start) };
  });

  readonly memoryDecl = this.RULE("memoryDecl", (): MemoryDecl => {
    const start = this.mark();
    this.CONSUME(token.K.memory);
    const name = this.toName(this.CONSUME(token.Name));
    const scope = this.OPTION(() => this.SUBRULE(this.memoryScope));
    const type = this.SUBRULE(this.annotation);
    const by = this.OPTION2({
      GATE: () => !this.isFollowedBy(token.Arrow, token.Bar),
      DEF: () => {
        this.CONSUME(token.K.by);
        return this.SUBRULE(this.expression);
      },
    });
    const options = this.OPTION3(() => this.SUBRULE(this.object));
    const more = defined({ scope, by, options });
    return { kind: "memory", name, type, ...more, span: this.spanFrom(start) };
  });

  readonly memoryScope = this.RULE("memoryScope", () =>
    this.OR<IOrAlt<NonNullable<MemoryDecl["scope"]>>[]>([
      { ALT: () => this.CONSUME(token.K.thread) && "thread" },
      { ALT: () => this.CONSUME(token.K.user) && "user" },
      { ALT: () => this.CONSUME(token.K.agent) && "agent" },
      { ALT: () => this.CONSUME(token.K.workspace) && "workspace" },
    ]),
  );
}

function unknownType(span: Span): TypeAst {
  const name = { parts: [{ text: "unknown", span }], star: false, span };
  return { kind: "named", name, args: [], span };
}
