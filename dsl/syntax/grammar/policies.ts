/** Parses the parts that nodes and graphs share: limits, writes, assignments and consent. */
import type { IOrAlt } from "chevrotain";
import { defined } from "../../ir/defined.ts";
import { spanOf } from "../lexer.ts";
import { numberValue } from "../literals.ts";
import * as token from "../tokens.ts";
import type {
  AssignAst,
  ConsentAst,
  ElseAskAst,
  EscalationAst,
  LimitClause,
  QuantityAst,
  WaitAst,
  WriteAst,
  WritesClause,
} from "../tree/ast.ts";
import { TypeParser } from "./types.ts";

/** The rules that nodes, graphs and edges share. */
export abstract class PolicyParser extends TypeParser {
  readonly limitClause = this.RULE("limitClause", (): LimitClause => {
    const start = this.mark();
    const quantities: QuantityAst[] = [];
    this.CONSUME(token.K.limit);
    this.AT_LEAST_ONE_SEP({
      SEP: token.Comma,
      DEF: () => {
        quantities.push(this.SUBRULE(this.quantity));
      },
    });
    const elseAsk = this.SUBRULE(this.elseAsk);
    return { kind: "limit", quantities, ...elseAsk, span: this.spanFrom(start) };
  });

  readonly elseAsk = this.RULE("elseAsk", (): ElseAskAst => {
    const asked = this.OPTION(() => {
      this.CONSUME(token.K.else);
      this.CONSUME(token.K.ask);
      return { withinMs: this.SUBRULE(this.optionalWithin) };
    });
    return { elseAsk: asked !== undefined, ...defined({ withinMs: asked?.withinMs }) };
  });

  readonly quantity = this.RULE(
    "quantity",
    (): QuantityAst =>
      this.OR<IOrAlt<QuantityAst>[]>([
        { ALT: () => this.SUBRULE(this.duration) },
        { ALT: () => this.SUBRULE(this.money) },
        { ALT: () => this.SUBRULE(this.amount) },
      ]),
  );

  readonly amount = this.RULE("amount", (): QuantityAst => {
    const start = this.mark();
    const number = this.CONSUME(token.NumberToken);
    const value = numberValue(number.image);
    if (this.RECORDING_PHASE || (this.onSameLine() && this.isNext(token.Name))) {
      const unit = this.toName(this.CONSUME(token.Name));
      return { kind: "amount", value, unit, span: this.spanFrom(start) };
    }
    const span = spanOf(number);
    const message = `\`${number.image}\` has no unit`;
    const hint = "write for example `20 turns`, `40k tokens`, `60 steps`, `3m` or `$2`";
    this.report({ code: "M1108", message, span, hint }, number);
    return { kind: "amount", value, unit: { text: "", span }, span };
  });

  readonly writesClause = this.RULE("writesClause", (): WritesClause => {
    const start = this.mark();
    const writes: WriteAst[] = [];
    this.CONSUME(token.K.writes);
    this.AT_LEAST_ONE_SEP({
      SEP: token.Comma,
      DEF: () => {
        writes.push(this.SUBRULE(this.write));
      },
    });
    return { kind: "writes", writes, span: this.spanFrom(start) };
  });

  readonly write = this.RULE("write", (): WriteAst => {
    const start = this.mark();
    const field = this.toName(this.CONSUME(token.Name));
    const optional = this.SUBRULE(this.questionMark);
    const value = this.OPTION(() => this.SUBRULE(this.initial));
    const via = this.SUBRULE(this.optionalVia);
    return { field, optional, ...defined({ value, via }), span: this.spanFrom(start) };
  });

  readonly assigns = this.RULE("assigns", (): readonly AssignAst[] => {
    const assigns = [this.SUBRULE(this.assign)];
    this.MANY({
      // Behind the comma there may be the next branch of a choice instead.
      GATE: () => this.isFollowedBy(token.Name) && this.isNext(token.Equals, 3),
      DEF: () => {
        this.CONSUME(token.Comma);
        assigns.push(this.SUBRULE2(this.assign));
      },
    });
    return assigns;
  });

  readonly assign = this.RULE("assign", (): AssignAst => {
    const start = this.mark();
    const field = this.toName(this.CONSUME(token.Name));
    const value = this.SUBRULE(this.initial);
    const via = this.OPTION({
      // Behind a `given` a node called `via` may have its script.
      GATE: () => this.isFollowedBy(token.Name) && !this.isFollowedBy(token.K.says, token.K.fails),
      DEF: () => this.SUBRULE(this.via),
    });
    return { field, value, ...defined({ via }), span: this.spanFrom(start) };
  });

  readonly consent = this.RULE("consent", (): ConsentAst => {
    const text = this.OPTION(() => this.SUBRULE(this.template));
    const when = this.OPTION2(() => this.SUBRULE(this.whenCondition));
    const by = this.SUBRULE(this.optionalBy);
    const from = this.OPTION3({
      // A node may be called `from`: an arrow follows it.
      GATE: () => !this.isFollowedBy(token.Arrow, token.Bar),
      DEF: () => {
        this.CONSUME(token.K.from);
        return this.SUBRULE(this.expression);
      },
    });
    const need = this.SUBRULE(this.optionalNeed, { ARGS: [from !== undefined] });
    const wait = this.SUBRULE(this.wait);
    const then = this.SUBRULE(this.escalations, { ARGS: [wait.withinMs] });
    return { ...defined({ text, when, by, from, need, then }), ...wait };
  });

  /** `then ask "lead" within 1d`, as often as the one before waits only so long. */
  readonly escalations = this.RULE(
    "escalations",
    (withinMs?: number): readonly EscalationAst[] | undefined => {
      const then: EscalationAst[] = [];
      this.MANY({
        // A node may be called `then`: an arrow follows it.
        GATE: () =>
          (then.length === 0 ? withinMs : then.at(-1)?.withinMs) !== undefined &&
          this.isFollowedBy(token.K.ask),
        DEF: () => {
          this.CONSUME(token.K.then);
          this.CONSUME(token.K.ask);
          const to = this.SUBRULE(this.expression);
          const need = this.SUBRULE(this.optionalNeed, { ARGS: [true] });
          then.push({ to, ...defined({ need }), ...this.SUBRULE(this.wait) });
        },
      });
      return then.length === 0 ? undefined : then;
    },
  );

  /** `need 2`: how many of the persons before it must say yes. */
  readonly optionalNeed = this.RULE("optionalNeed", (isBehindPersons: boolean) =>
    this.OPTION({
      GATE: () => isBehindPersons && this.isFollowedBy(token.NumberToken, token.Name),
      DEF: () => {
        this.CONSUME(token.K.need);
        return this.SUBRULE(this.count);
      },
    }),
  );

  /** `within 2h..1d`: how long an answer is waited for, and how often who is asked is reminded. */
  readonly wait = this.RULE("wait", (): WaitAst => {
    const withinMs = this.SUBRULE(this.optionalWithin);
    const until = this.OPTION({
      GATE: () => withinMs !== undefined,
      DEF: () => {
        const start = this.mark();
        this.CONSUME(token.DotDot);
        return { withinMs: this.SUBRULE(this.duration).ms, span: this.spanFrom(start) };
      },
    });
    if (withinMs === undefined || until === undefined) return defined({ withinMs });
    return { withinMs: until.withinMs, remind: { ms: withinMs, span: until.span } };
  });

  /** `within 1h`: how long an answer is waited for. */
  readonly optionalWithin = this.RULE("optionalWithin", (): number | undefined =>
    this.OPTION({
      GATE: () => this.isFollowedBy(token.DurationToken),
      DEF: () => {
        this.CONSUME(token.K.within);
        return this.SUBRULE(this.duration).ms;
      },
    }),
  );

  readonly whenCondition = this.RULE("whenCondition", () => {
    this.CONSUME(token.K.when);
    return this.SUBRULE(this.expression);
  });

  // A node may be called `by`: then an arrow follows, not a name.
  readonly optionalBy = this.RULE("optionalBy", () =>
    this.OPTION({
      GATE: () => this.isFollowedBy(token.Name),
      DEF: () => {
        this.CONSUME(token.K.by);
        return this.toName(this.CONSUME(token.Name));
      },
    }),
  );
}
