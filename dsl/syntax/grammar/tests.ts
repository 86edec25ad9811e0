/** Tests: scripted answers in, paths and values expected. */
import type { IOrAlt, TokenType } from "chevrotain";
import { defined } from "../../ir/defined.ts";
import * as token from "../tokens.ts";
import type { AssignAst, Name, ScriptLineAst, TestDecl, TestItem } from "../tree/ast.ts";
import { type ScriptWord, scriptWords } from "../words.ts";
import { FlowParser } from "./flow.ts";

const valueBeginnings: readonly TokenType[] = [
  ...[token.Word, token.StringToken, token.NumberToken, token.DurationToken, token.MoneyToken],
  ...[token.TickOpen, token.TripleOpen, token.LeftCurly, token.LeftSquare, token.LeftParen],
  token.Bang,
];

/** The rules of tests. */
export abstract class TestParser extends FlowParser {
  readonly testDecl = this.RULE("testDecl", (): TestDecl => {
    const start = this.mark();
    this.CONSUME(token.K.test);
    const title = this.stringLiteral(this.CONSUME(token.StringToken));
    this.CONSUME(token.K.of);
    const of = this.toName(this.CONSUME(token.Name));
    const open = this.CONSUME(token.LeftCurly);
    const items = this.repeatItems("test", () => this.SUBRULE(this.testItem));
    this.closeBlock(open);
    return { kind: "test", title, of, items, span: this.spanFrom(start) };
  });

  // A node may be called `given` or `expect`; the words decide that Chevrotain's two tokens cannot.
  readonly testItem = this.RULE(
    "testItem",
    (): TestItem =>
      this.OR<IOrAlt<TestItem>[]>([
        {
          GATE: () => !this.isScript(),
          ALT: () => this.SUBRULE(this.given),
          IGNORE_AMBIGUITIES: true,
        },
        {
          GATE: () => !this.isScript() && this.isExpectedPath(),
          ALT: () => this.SUBRULE(this.expectPath),
          IGNORE_AMBIGUITIES: true,
        },
        {
          GATE: () => !this.isScript() && this.isExpectedMessage(),
          ALT: () => this.SUBRULE(this.expectTold),
          IGNORE_AMBIGUITIES: true,
        },
        {
          GATE: () => !this.isScript(),
          ALT: () => this.SUBRULE(this.expect),
          IGNORE_AMBIGUITIES: true,
        },
        {
          GATE: () => !this.isScript(),
          ALT: () => this.SUBRULE(this.anyInput),
          IGNORE_AMBIGUITIES: true,
        },
        {
          GATE: () => !this.isScript(),
          ALT: () => this.SUBRULE(this.anyOrder),
          IGNORE_AMBIGUITIES: true,
        },
        { ALT: () => this.SUBRULE(this.script) },
      ]),
  );

  private isScript(): boolean {
    if (this.isNext(token.Slash, 2)) return true;
    const says = valueWords.some((word) => this.isNext(token.K[word], 2));
    return says && valueBeginnings.some((type) => this.isNext(type, 3));
  }

  private isExpectedPath(): boolean {
    return this.isNext(token.K.path, 2) && this.isNext(token.Name, 3);
  }

  private isExpectedMessage(): boolean {
    return this.isNext(token.Name, 2) && this.isNext(token.K.was, 3);
  }

  readonly given = this.RULE("given", (): TestItem => {
    const start = this.mark();
    this.CONSUME(token.K.given);
    const assigns: readonly AssignAst[] = this.SUBRULE(this.assigns);
    return { kind: "given", assigns, span: this.spanFrom(start) };
  });

  readonly expectPath = this.RULE("expectPath", (): TestItem => {
    const start = this.mark();
    const path: Name[] = [];
    this.CONSUME(token.K.expect);
    this.CONSUME(token.K.path);
    this.AT_LEAST_ONE_SEP({
      SEP: token.Arrow,
      DEF: () => {
        path.push(this.toName(this.CONSUME(token.Name)));
      },
    });
    return { kind: "expect-path", path, span: this.spanFrom(start) };
  });

  readonly expectTold = this.RULE("expectTold", (): TestItem => {
    const start = this.mark();
    this.CONSUME(token.K.expect);
    const node = this.toName(this.CONSUME(token.Name));
    this.CONSUME(token.K.was);
    this.CONSUME(token.K.told);
    const as = this.toName(this.CONSUME2(token.Name));
    const payload = this.OPTION(() => this.SUBRULE(this.objectOrMerge));
    return { kind: "expect-told", node, as, ...defined({ payload }), span: this.spanFrom(start) };
  });

  readonly expect = this.RULE("expect", (): TestItem => {
    const start = this.mark();
    this.CONSUME(token.K.expect);
    const condition = this.SUBRULE(this.expression);
    return { kind: "expect", condition, span: this.spanFrom(start) };
  });

  readonly anyInput = this.RULE("anyInput", (): TestItem => {
    const start = this.mark();
    this.CONSUME(token.K.for);
    this.CONSUME(token.K.any);
    const names = this.SUBRULE(this.names);
    const when = this.OPTION(() => {
      this.CONSUME(token.K.when);
      return this.SUBRULE(this.expression);
    });
    return { kind: "any-input", names, ...defined({ when }), span: this.spanFrom(start) };
  });

  readonly anyOrder = this.RULE("anyOrder", (): TestItem => {
    const start = this.mark();
    this.CONSUME(token.K.in);
    this.CONSUME(token.K.any);
    this.CONSUME(token.K.order);
    return { kind: "any-order", span: this.spanFrom(start) };
  });

  readonly script = this.RULE("script", (): TestItem => {
    const start = this.mark();
    const node = this.toName(this.CONSUME(token.Name));
    const inside: Name[] = [];
    this.MANY(() => {
      this.CONSUME(token.Slash);
      inside.push(this.toName(this.CONSUME2(token.Name)));
    });
    const lines: ScriptLineAst[] = [this.SUBRULE(this.scriptLine)];
    this.MANY2(() => {
      this.CONSUME(token.Comma);
      const line = this.OR<IOrAlt<ScriptLineAst>[]>([
        { ALT: () => this.SUBRULE2(this.scriptLine), IGNORE_AMBIGUITIES: true },
        {
          ALT: () => ({ how: lines.at(-1)?.how ?? "says", value: this.SUBRULE(this.expression) }),
        },
      ]);
      lines.push(line);
    });
    return { kind: "script", node, inside, lines, span: this.spanFrom(start) };
  });

  readonly scriptLine = this.RULE(
    "scriptLine",
    (): ScriptLineAst =>
      this.OR<IOrAlt<ScriptLineAst>[]>([
        {
          ALT: () => {
            const how = this.SUBRULE(this.scriptWord);
            return { how, value: this.SUBRULE(this.expression) };
          },
        },
        {
          ALT: () => {
            const start = this.mark();
            this.CONSUME(token.K.expires);
            const value = { kind: "null", span: this.spanFrom(start) } as const;
            return { how: "expires", value };
          },
        },
      ]),
  );

  readonly scriptWord = this.RULE("scriptWord", (): ScriptWord => {
    const { image } = this.OR([
      { ALT: () => this.CONSUME(token.K.says) },
      { ALT: () => this.CONSUME(token.K.fails) },
      { ALT: () => this.CONSUME(token.K.denied) },
      { ALT: () => this.CONSUME(token.K.answers) },
      { ALT: () => this.CONSUME(token.K.calls) },
    ]);
    return valueWords.find((word) => word === image) ?? "says";
  });
}

/** The words before a value. */
const valueWords = scriptWords.filter((word) => word !== "expires");
