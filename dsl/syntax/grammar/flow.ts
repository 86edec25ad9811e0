/** Edges: where a run goes from each node. */
import type { IOrAlt, IToken, TokenType } from "chevrotain";
import { defined } from "../../ir/defined.ts";
import { spanOf } from "../lexer.ts";
import * as token from "../tokens.ts";
import type {
  BranchAst,
  CaseAst,
  EachAst,
  FlowDecl,
  HopAst,
  HopClause,
  HopTarget,
  LiteralAst,
  Name,
  RefAst,
  SourceAst,
  StateDecl,
} from "../tree/ast.ts";
import { ClauseParser } from "./clauses.ts";

type EachOptions = Partial<Pick<EachAst, "parallel" | "need" | "when" | "onErrorSkip">>;

const hopWords: ReadonlySet<TokenType> = new Set([
  ...[token.K.when, token.K.max, token.K.after, token.K.on, token.K.detached, token.K.set],
]);

/** The rules of edges. */
export abstract class FlowParser extends ClauseParser {
  readonly flow = this.RULE("flow", (): FlowDecl => {
    const start = this.mark();
    const source = this.SUBRULE(this.flowSource);
    const hops = this.SUBRULE(this.arrows);
    return { kind: "flow", source, hops, span: this.spanFrom(start) };
  });

  readonly flowSource = this.RULE(
    "flowSource",
    (): SourceAst =>
      this.OR<IOrAlt<SourceAst>[]>([
        { ALT: () => this.SUBRULE(this.joinSource) },
        { ALT: () => this.SUBRULE(this.anySource) },
      ]),
  );

  readonly joinSource = this.RULE("joinSource", (): SourceAst => {
    const start = this.mark();
    this.CONSUME(token.LeftSquare);
    const nodes = this.SUBRULE(this.names);
    this.CONSUME(token.RightSquare);
    const need = this.OPTION(() => {
      this.CONSUME(token.K.need);
      return this.SUBRULE(this.count);
    });
    return { kind: "join", nodes, ...defined({ need }), span: this.spanFrom(start) };
  });

  readonly anySource = this.RULE("anySource", (): SourceAst => {
    const start = this.mark();
    const nodes: Name[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: token.Bar,
      DEF: () => {
        nodes.push(this.toName(this.CONSUME(token.Name)));
      },
    });
    return { kind: "any", nodes, span: this.spanFrom(start) };
  });

  readonly arrows = this.RULE("arrows", (): readonly HopAst[] => {
    const hops: HopAst[] = [];
    this.AT_LEAST_ONE(() => {
      this.CONSUME(token.Arrow);
      hops.push(this.SUBRULE(this.hop));
    });
    return hops;
  });

  readonly hop = this.RULE("hop", (): HopAst => {
    const start = this.mark();
    const target = this.SUBRULE(this.hopTarget);
    const clauses: HopClause[] = [];
    this.MANY({
      GATE: () => this.#isHopClause(),
      DEF: () => {
        clauses.push(this.SUBRULE(this.hopClause));
      },
    });
    return { ...target, clauses, span: this.spanFrom(start) };
  });

  readonly hopTarget = this.RULE(
    "hopTarget",
    (): HopTarget =>
      this.OR<IOrAlt<HopTarget>[]>([
        { ALT: () => this.SUBRULE(this.each) },
        { ALT: () => this.SUBRULE(this.match) },
        { ALT: () => this.SUBRULE(this.choice) },
        { ALT: () => this.SUBRULE(this.allOf) },
        { ALT: () => this.SUBRULE(this.oneOf) },
      ]),
  );

  // A node may be called `max`, `on` or `set`, and the next line may begin with it: what follows decides.
  #isHopClause(): boolean {
    if (!hopWords.has(this.LA(1).tokenType)) return false;
    if (this.isNext(token.K.when)) return true;
    if (this.isNext(token.K.max)) return this.isFollowedBy(token.NumberToken, token.Name);
    if (this.isNext(token.K.after)) return this.isFollowedBy(token.DurationToken);
    if (this.isNext(token.K.on)) return this.isFollowedBy(token.Name);
    if (this.isNext(token.K.set)) {
      return this.isFollowedBy(token.Name) && this.isNext(token.Equals, 3);
    }
    return this.onSameLine() || !this.isFollowedBy(token.Arrow, token.Bar);
  }

  readonly hopClause = this.RULE(
    "hopClause",
    (): HopClause =>
      this.OR<IOrAlt<HopClause>[]>([
        { ALT: () => this.SUBRULE(this.whenHop) },
        { ALT: () => this.SUBRULE(this.maxHop) },
        { ALT: () => this.SUBRULE(this.afterHop) },
        { ALT: () => this.SUBRULE(this.onHop) },
        { ALT: () => this.SUBRULE(this.detachedHop) },
        { ALT: () => this.SUBRULE(this.setHop) },
      ]),
  );

  readonly whenHop = this.RULE("whenHop", (): HopClause => {
    const start = this.mark();
    const condition = this.SUBRULE(this.whenCondition);
    return { kind: "when", condition, span: this.spanFrom(start) };
  });

  readonly maxHop = this.RULE("maxHop", (): HopClause => {
    const start = this.mark();
    this.CONSUME(token.K.max);
    const count = this.SUBRULE(this.count);
    return { kind: "max", count, span: this.spanFrom(start) };
  });

  readonly afterHop = this.RULE("afterHop", (): HopClause => {
    const start = this.mark();
    this.CONSUME(token.K.after);
    const { ms } = this.SUBRULE(this.duration);
    return { kind: "after", ms, span: this.spanFrom(start) };
  });

  readonly onHop = this.RULE("onHop", (): HopClause => {
    const start = this.mark();
    this.CONSUME(token.K.on);
    const what = this.toName(this.CONSUME(token.Name));
    return { kind: "on", what, span: this.spanFrom(start) };
  });

  readonly detachedHop = this.RULE("detachedHop", (): HopClause => {
    const word = this.CONSUME(token.K.detached);
    return { kind: "detached", span: spanOf(word) };
  });

  readonly setHop = this.RULE("setHop", (): HopClause => {
    const start = this.mark();
    this.CONSUME(token.K.set);
    const assigns = this.SUBRULE(this.assigns);
    return { kind: "set", assigns, span: this.spanFrom(start) };
  });

  readonly oneOf = this.RULE("oneOf", (): HopTarget => {
    const refs: RefAst[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: token.Bar,
      DEF: () => {
        refs.push(this.SUBRULE(this.ref));
      },
    });
    return { kind: "one-of", refs };
  });

  readonly allOf = this.RULE("allOf", (): HopTarget => {
    const refs: RefAst[] = [];
    this.CONSUME(token.LeftSquare);
    this.AT_LEAST_ONE_SEP({
      SEP: token.Comma,
      DEF: () => {
        refs.push(this.SUBRULE(this.ref));
      },
    });
    this.CONSUME(token.RightSquare);
    return { kind: "all-of", refs };
  });

  readonly ref = this.RULE("ref", (): RefAst => {
    const start = this.mark();
    const node = this.toName(this.CONSUME(token.Name));
    const args = this.SUBRULE(this.argsOnLine);
    // On the next line a string is the next case of a match.
    const GATE = () => this.onSameLine();
    const label = this.OPTION({
      GATE,
      DEF: () => this.stringLiteral(this.CONSUME(token.StringToken)),
    });
    return { node, args, ...defined({ label }), span: this.spanFrom(start) };
  });

  readonly each = this.RULE("each", (): HopTarget => {
    this.CONSUME(token.K.each);
    const variable = this.toName(this.CONSUME(token.Name));
    this.CONSUME(token.K.of);
    const items = this.SUBRULE(this.expression);
    const options = this.SUBRULE(this.eachOptions);
    this.CONSUME(token.LeftCurly);
    const states: StateDecl[] = [];
    this.MANY3({
      // A node may be called `state`.
      GATE: () => this.isNext(token.K.state) && this.isFollowedBy(token.LeftCurly),
      DEF: () => {
        states.push(this.SUBRULE(this.stateDecl));
      },
    });
    const body = [this.SUBRULE(this.hop)];
    this.MANY(() => {
      this.CONSUME(token.Arrow);
      body.push(this.SUBRULE2(this.hop));
    });
    const flows: FlowDecl[] = [];
    this.MANY2(() => {
      flows.push(this.SUBRULE(this.flow));
    });
    this.CONSUME(token.RightCurly);
    return { kind: "each", variable, items, onErrorSkip: false, ...options, states, body, flows };
  });

  readonly eachOptions = this.RULE("eachOptions", (): EachOptions => {
    let options: EachOptions = {};
    this.MANY(() => {
      const word = this.LA(1);
      const option = this.SUBRULE(this.eachOption);
      this.ACTION(() => {
        this.#checkSaidOnce(options, option, word);
        options = { ...options, ...option };
      });
    });
    return options;
  });

  #checkSaidOnce(options: EachOptions, option: EachOptions, word: IToken): void {
    if (!Object.keys(option).some((key) => key in options)) return;
    const message = `\`${word.image}\` is written twice`;
    const hint = "remove one of them";
    this.report({ code: "M1110", message, span: spanOf(word), hint }, word);
  }

  readonly eachOption = this.RULE(
    "eachOption",
    (): EachOptions =>
      this.OR<IOrAlt<EachOptions>[]>([
        {
          ALT: () => {
            this.CONSUME(token.K.parallel);
            return { parallel: this.SUBRULE(this.count) };
          },
        },
        {
          ALT: () => {
            this.CONSUME(token.K.need);
            return { need: this.SUBRULE2(this.count) };
          },
        },
        { ALT: () => ({ when: this.SUBRULE(this.whenCondition) }) },
        {
          ALT: () => {
            this.CONSUME(token.K.on);
            this.CONSUME(token.K.error);
            this.CONSUME(token.K.skip);
            return { onErrorSkip: true };
          },
        },
      ]),
  );

  readonly choice = this.RULE("choice", (): HopTarget => {
    const open = this.CONSUME(token.LeftCurly);
    const branches = this.repeatItems("choice", () => this.SUBRULE(this.branch));
    this.closeBlock(open);
    return { kind: "choice", branches };
  });

  readonly branch = this.RULE("branch", (): BranchAst => {
    const start = this.mark();
    const condition = this.OR<IOrAlt<{ readonly condition: BranchAst["condition"] } | undefined>[]>(
      [
        { ALT: () => this.#otherwise(this.CONSUME(token.K.else)) },
        { ALT: () => ({ condition: this.SUBRULE(this.expression) }) },
      ],
    );
    const hops = this.SUBRULE(this.arrows);
    const span = this.spanFrom(start);
    this.OPTION(() => this.CONSUME(token.Comma));
    return { ...defined({ condition: condition?.condition }), hops, span };
  });

  #otherwise(_else: IToken): undefined {
    return undefined;
  }

  readonly match = this.RULE("match", (): HopTarget => {
    this.CONSUME(token.K.match);
    const subject = this.SUBRULE(this.expression);
    const open = this.CONSUME(token.LeftCurly);
    const cases = this.repeatItems("match", () => this.SUBRULE(this.matchCase));
    this.closeBlock(open);
    return { kind: "match", subject, cases };
  });

  readonly matchCase = this.RULE("matchCase", (): CaseAst => {
    const start = this.mark();
    const values = this.OR<IOrAlt<readonly LiteralAst[] | undefined>[]>([
      { ALT: () => this.#otherwise(this.CONSUME(token.K.else)) },
      { ALT: () => this.SUBRULE(this.caseValues) },
    ]);
    const hops = this.SUBRULE(this.arrows);
    const span = this.spanFrom(start);
    this.OPTION(() => this.CONSUME(token.Comma));
    return { ...defined({ values }), hops, span };
  });

  readonly caseValues = this.RULE("caseValues", (): readonly LiteralAst[] => {
    const values: LiteralAst[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: token.Bar,
      DEF: () => {
        values.push(this.SUBRULE(this.literal));
      },
    });
    return values;
  });
}
