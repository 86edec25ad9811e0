/** The clauses in the body of a node. */
import type { IOrAlt, IToken, TokenType } from "chevrotain";
import { defined } from "../../ir/defined.ts";
import * as token from "../tokens.ts";
import type { Clause, CountAst, Name } from "../tree/ast.ts";
import { PolicyParser } from "./policies.ts";

type ClauseOf<Kind extends Clause["kind"]> = Extract<Clause, { readonly kind: Kind }>;

/** The rules of clauses. */
export abstract class ClauseParser extends PolicyParser {
  readonly body = this.RULE("body", (): readonly Clause[] => {
    const open = this.CONSUME(token.LeftCurly);
    const clauses = this.repeatItems("body", () => this.SUBRULE(this.clauseItem));
    this.closeBlock(open);
    return clauses;
  });

  readonly clauseItem = this.RULE("clauseItem", (): Clause => {
    const clause = this.SUBRULE(this.clause);
    this.OPTION(() => this.CONSUME(token.Semicolon));
    return clause;
  });

  readonly clause = this.RULE("clause", (): Clause => this.OR(this.#clauses));

  #clauses = [
    { ALT: (): Clause => this.SUBRULE(this.textClause) },
    { ALT: (): Clause => this.SUBRULE(this.askClause) },
    { ALT: (): Clause => this.SUBRULE(this.toolsClause) },
    { ALT: (): Clause => this.SUBRULE(this.skillsClause) },
    { ALT: (): Clause => this.SUBRULE(this.controllerClause) },
    { ALT: (): Clause => this.SUBRULE(this.sessionClause) },
    { ALT: (): Clause => this.SUBRULE(this.readsClause) },
    { ALT: (): Clause => this.SUBRULE(this.editsClause) },
    { ALT: (): Clause => this.SUBRULE(this.writesClause) },
    { ALT: (): Clause => this.SUBRULE(this.stateDecl) },
    { ALT: (): Clause => this.SUBRULE(this.effectsClause) },
    { ALT: (): Clause => this.SUBRULE(this.tellClause) },
    { ALT: (): Clause => this.SUBRULE(this.retryClause) },
    { ALT: (): Clause => this.SUBRULE(this.limitClause) },
    { ALT: (): Clause => this.SUBRULE(this.cacheClause) },
    { ALT: (): Clause => this.SUBRULE(this.ensureClause) },
    { ALT: (): Clause => this.SUBRULE(this.everyClause) },
    { ALT: (): Clause => this.SUBRULE(this.historyClause) },
    { ALT: (): Clause => this.SUBRULE(this.recallClause) },
    { ALT: (): Clause => this.SUBRULE(this.storeClause) },
    { ALT: (): Clause => this.SUBRULE(this.approveClause) },
    { ALT: (): Clause => this.SUBRULE(this.setClause) },
  ];

  readonly textClause = this.RULE("textClause", (): Clause => {
    const start = this.mark();
    const kind = this.OR<IOrAlt<"model" | "system" | "prompt" | "context">[]>([
      { ALT: () => this.#word(token.K.model, "model") },
      { ALT: () => this.#word(token.K.system, "system") },
      { ALT: () => this.#word(token.K.prompt, "prompt") },
      { ALT: () => this.#word(token.K.context, "context") },
    ]);
    const value = this.SUBRULE(this.expression);
    return { kind, value, span: this.spanFrom(start) };
  });

  readonly askClause = this.RULE("askClause", (): ClauseOf<"ask"> => {
    const start = this.mark();
    this.CONSUME(token.K.ask);
    const value = this.SUBRULE(this.expression);
    const from = this.OPTION(() => {
      this.CONSUME(token.K.from);
      return this.SUBRULE2(this.expression);
    });
    const need = this.SUBRULE(this.optionalNeed, { ARGS: [from !== undefined] });
    const wait = this.SUBRULE(this.wait);
    const then = this.SUBRULE(this.escalations, { ARGS: [wait.withinMs] });
    const otherwise = this.OPTION2({
      // A default answer needs a time after which it counts.
      GATE: () => (then === undefined ? wait.withinMs : then.at(-1)?.withinMs) !== undefined,
      DEF: () => {
        this.CONSUME(token.K.else);
        return this.SUBRULE3(this.expression);
      },
    });
    const parts = defined({ from, need, then, otherwise });
    return { kind: "ask", value, ...wait, ...parts, span: this.spanFrom(start) };
  });

  readonly toolsClause = this.RULE("toolsClause", (): ClauseOf<"tools"> => {
    const start = this.mark();
    this.CONSUME(token.K.tools);
    const tools = this.SUBRULE(this.dottedList);
    return { kind: "tools", tools, span: this.spanFrom(start) };
  });

  readonly skillsClause = this.RULE("skillsClause", (): ClauseOf<"skills"> => {
    const start = this.mark();
    this.CONSUME(token.K.skills);
    const skills = this.SUBRULE(this.expressions);
    return { kind: "skills", skills, span: this.spanFrom(start) };
  });

  readonly controllerClause = this.RULE("controllerClause", (): ClauseOf<"controller"> => {
    const start = this.mark();
    this.CONSUME(token.K.controller);
    const name = this.SUBRULE(this.dotted);
    const args = this.SUBRULE(this.argsOnLine);
    return { kind: "controller", name, args, span: this.spanFrom(start) };
  });

  readonly sessionClause = this.RULE("sessionClause", (): ClauseOf<"session"> => {
    const start = this.mark();
    this.CONSUME(token.K.session);
    const policy = this.OR<IOrAlt<Omit<ClauseOf<"session">, "kind" | "span">>[]>([
      { ALT: () => ({ policy: this.#word(token.K.new, "new") }) },
      { ALT: () => ({ policy: this.#word(token.K.reuse, "reuse"), ...this.#sessionName() }) },
      {
        ALT: () => ({
          policy: this.#word(token.K.resume, "resume"),
          value: this.SUBRULE(this.expression),
        }),
      },
    ]);
    return { kind: "session", ...policy, span: this.spanFrom(start) };
  });

  #sessionName(): { name?: Name } {
    // On the next line a name is the next clause.
    const GATE = () => this.onSameLine();
    const name = this.OPTION({ GATE, DEF: () => this.toName(this.CONSUME(token.Name)) });
    return defined({ name });
  }

  readonly readsClause = this.RULE("readsClause", (): ClauseOf<"reads"> => {
    const start = this.mark();
    const fields: Name[] = [];
    const earlier: Name[] = [];
    this.CONSUME(token.K.reads);
    this.AT_LEAST_ONE_SEP({
      SEP: token.Comma,
      DEF: () => {
        const { field, isEarlier } = this.SUBRULE(this.readField);
        fields.push(field);
        if (isEarlier) earlier.push(field);
      },
    });
    const marked = earlier.length === 0 ? undefined : { earlier };
    return { kind: "reads", fields, ...marked, span: this.spanFrom(start) };
  });

  readonly readField = this.RULE("readField", () => {
    // A field may be called `earlier`, and on the next line a name is the next clause.
    const GATE = () =>
      this.isNext(token.K.earlier) &&
      this.isNext(token.Name, 2) &&
      this.LA(2).startLine === this.LA(1).endLine;
    const word = this.OPTION({ GATE, DEF: () => this.CONSUME(token.K.earlier) });
    const field = this.toName(this.CONSUME(token.Name));
    return { field, isEarlier: word !== undefined };
  });

  readonly editsClause = this.RULE("editsClause", (): ClauseOf<"edits"> => {
    const start = this.mark();
    this.CONSUME(token.K.edits);
    const fields = this.SUBRULE(this.names);
    return { kind: "edits", fields, span: this.spanFrom(start) };
  });

  readonly effectsClause = this.RULE("effectsClause", (): ClauseOf<"effects"> => {
    const start = this.mark();
    this.CONSUME(token.K.effects);
    const level = this.OR<IOrAlt<ClauseOf<"effects">["level"]>[]>([
      { ALT: () => this.#word(token.K.none, "none") },
      { ALT: () => this.#word(token.K.workspace, "workspace") },
      { ALT: () => this.#word(token.K.external, "external") },
    ]);
    return { kind: "effects", level, span: this.spanFrom(start) };
  });

  readonly tellClause = this.RULE("tellClause", (): ClauseOf<"tell"> => {
    const start = this.mark();
    this.CONSUME(token.K.tell);
    const targets = this.OR<IOrAlt<readonly Name[]>[]>([
      { ALT: () => this.#nothing(this.CONSUME(token.Star)) },
      { ALT: () => this.SUBRULE(this.names) },
    ]);
    const what = this.OPTION(() => {
      this.CONSUME(token.K.as);
      const as = this.toName(this.CONSUME(token.Name));
      const payload = this.OPTION2(() => this.SUBRULE(this.objectOrMerge));
      return { as, ...defined({ payload }) };
    });
    return { kind: "tell", targets, ...what, span: this.spanFrom(start) };
  });

  readonly retryClause = this.RULE("retryClause", (): ClauseOf<"retry"> => {
    const start = this.mark();
    const rules: { count: CountAst; on: readonly Name[] }[] = [];
    this.CONSUME(token.K.retry);
    this.AT_LEAST_ONE_SEP({
      SEP: token.Comma,
      DEF: () => {
        rules.push(this.SUBRULE(this.retryRule));
      },
    });
    const backoffMs = this.OPTION(() => this.SUBRULE(this.backoff));
    return { kind: "retry", rules, ...defined({ backoffMs }), span: this.spanFrom(start) };
  });

  readonly retryRule = this.RULE("retryRule", () => {
    const count = this.SUBRULE(this.count);
    const on: Name[] = [];
    this.OPTION(() => {
      this.CONSUME(token.K.on);
      this.AT_LEAST_ONE_SEP({
        SEP: token.Bar,
        DEF: () => {
          on.push(this.toName(this.CONSUME(token.Name)));
        },
      });
    });
    return { count, on };
  });

  readonly backoff = this.RULE("backoff", () => {
    this.CONSUME(token.K.backoff);
    const from = this.SUBRULE(this.duration).ms;
    const to = this.OPTION(() => {
      this.CONSUME(token.DotDot);
      return this.SUBRULE2(this.duration).ms;
    });
    return { from, ...defined({ to }) };
  });

  readonly cacheClause = this.RULE("cacheClause", (): ClauseOf<"cache"> => {
    const start = this.mark();
    this.CONSUME(token.K.cache);
    const ttlMs = this.OPTION(() => this.SUBRULE(this.duration).ms);
    const by = this.OPTION2(() => {
      this.CONSUME(token.K.by);
      return this.SUBRULE(this.expressions);
    });
    return { kind: "cache", ...defined({ ttlMs }), by: by ?? [], span: this.spanFrom(start) };
  });

  readonly ensureClause = this.RULE("ensureClause", (): ClauseOf<"ensure"> => {
    const start = this.mark();
    const word = this.CONSUME(token.K.ensure);
    const condition = this.SUBRULE(this.expression);
    const hint = this.OPTION(() => this.stringLiteral(this.CONSUME(token.StringToken)));
    const by = this.SUBRULE(this.optionalBy);
    const asked = this.SUBRULE(this.elseAsk);
    const span = this.spanFrom(start);
    if (by !== undefined && (condition.kind !== "string" || hint !== undefined || asked.elseAsk)) {
      const message = "`by` stands behind a condition in quotes, and nothing else does";
      const advice = 'write `ensure "what must be so" by model`, or leave `by` out';
      this.report({ code: "M1109", message, span: by.span, hint: advice }, word);
    }
    return { kind: "ensure", condition, ...defined({ hint, by }), ...asked, span };
  });

  readonly everyClause = this.RULE("everyClause", (): ClauseOf<"every"> => {
    const start = this.mark();
    this.CONSUME(token.K.every);
    const interval = this.SUBRULE(this.expression);
    const intervalMax = this.OPTION(() => {
      this.CONSUME(token.DotDot);
      return this.SUBRULE2(this.expression);
    });
    const until = this.OPTION2(() => {
      this.CONSUME(token.K.until);
      return this.SUBRULE3(this.expression);
    });
    const by = this.SUBRULE(this.optionalBy);
    const max = this.OPTION3(() => {
      this.CONSUME(token.K.max);
      return this.SUBRULE(this.count);
    });
    const parts = defined({ intervalMax, until, by, max });
    return { kind: "every", interval, ...parts, span: this.spanFrom(start) };
  });

  readonly historyClause = this.RULE("historyClause", (): ClauseOf<"history"> => {
    const start = this.mark();
    this.CONSUME(token.K.history);
    // On the next line a name is the next clause.
    const isHere = () => this.onSameLine();
    const found = this.OPTION({ GATE: isHere, DEF: () => this.SUBRULE(this.historySource) });
    const GATE = () => found?.source !== "none";
    const size = this.OPTION2({ GATE, DEF: () => this.SUBRULE(this.quantity) });
    const short = this.OPTION3({ GATE, DEF: () => this.CONSUME(token.K.summarize) });
    return {
      kind: "history",
      ...(found ?? { source: "own" }),
      ...defined({ size }),
      summarize: short !== undefined,
      span: this.spanFrom(start),
    };
  });

  readonly historySource = this.RULE("historySource", () =>
    this.OR<IOrAlt<Pick<ClauseOf<"history">, "source" | "field">>[]>([
      // Each of these words is a name, too, and comes first.
      {
        ALT: () => ({ source: this.#word(token.K.none, "none") }),
        IGNORE_AMBIGUITIES: true,
      },
      { ALT: () => ({ source: this.#word(token.K.own, "own") }), IGNORE_AMBIGUITIES: true },
      { ALT: () => ({ source: this.#word(token.K.inbox, "inbox") }), IGNORE_AMBIGUITIES: true },
      { ALT: () => ({ source: this.#word(token.K.thread, "thread") }), IGNORE_AMBIGUITIES: true },
      { ALT: () => ({ source: "field", field: this.toName(this.CONSUME(token.Name)) }) },
    ]),
  );

  readonly recallClause = this.RULE("recallClause", (): ClauseOf<"recall"> => {
    const start = this.mark();
    this.CONSUME(token.K.recall);
    const memory = this.toName(this.CONSUME(token.Name));
    const top = this.OPTION(() => {
      this.CONSUME(token.K.top);
      return this.SUBRULE(this.count);
    });
    const by = this.OPTION2(() => {
      this.CONSUME(token.K.by);
      return this.SUBRULE(this.expression);
    });
    return { kind: "recall", memory, ...defined({ top, by }), span: this.spanFrom(start) };
  });

  readonly storeClause = this.RULE("storeClause", (): ClauseOf<"store"> => {
    const start = this.mark();
    this.CONSUME(token.K.store);
    const value = this.SUBRULE(this.expression);
    this.CONSUME(token.K.into);
    const memory = this.toName(this.CONSUME(token.Name));
    return { kind: "store", value, memory, span: this.spanFrom(start) };
  });

  readonly approveClause = this.RULE("approveClause", (): ClauseOf<"approve"> => {
    const start = this.mark();
    this.CONSUME(token.K.approve);
    const what = this.OR<IOrAlt<Pick<ClauseOf<"approve">, "when" | "tools">>[]>([
      { ALT: () => ({ when: this.#word(token.K.before, "before"), tools: [] }) },
      { ALT: () => ({ when: this.#word(token.K.after, "after"), tools: [] }) },
      {
        ALT: () => ({
          when: this.#word(token.K.tool, "tool"),
          tools: this.SUBRULE(this.approvedTools),
        }),
      },
    ]);
    const consent = this.SUBRULE(this.consent);
    return { kind: "approve", ...what, consent, span: this.spanFrom(start) };
  });

  readonly approvedTools = this.RULE("approvedTools", () =>
    this.OR([
      { ALT: () => this.#nothing(this.CONSUME(token.Star)) },
      { ALT: () => this.SUBRULE(this.dottedList) },
    ]),
  );

  readonly setClause = this.RULE("setClause", (): ClauseOf<"set"> => {
    const start = this.mark();
    this.CONSUME(token.K.set);
    const assigns = this.SUBRULE(this.assigns);
    return { kind: "set", assigns, span: this.spanFrom(start) };
  });

  #word<const Text extends string>(type: TokenType, text: Text): Text {
    this.CONSUME(type);
    return text;
  }

  // `*` means all of them, which the tree says by naming none.
  #nothing(_star: IToken): readonly never[] {
    return [];
  }
}
