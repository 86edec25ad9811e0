/** Files, graphs and tests: what holds everything else. */
import type { IOrAlt, IToken } from "chevrotain";
import type { Finding } from "../../diagnostics/diagnostic.ts";
import { defined } from "../../ir/defined.ts";
import type { UnclosedHole } from "../recovery/recovering-parser.ts";
import * as token from "../tokens.ts";
import type {
  ApproveDecl,
  BreakDecl,
  CallDecl,
  ConfigDecl,
  DefaultsDecl,
  EndWhenDecl,
  ExprAst,
  GraphDecl,
  GraphItem,
  ImportDecl,
  McpDecl,
  ModelDecl,
  Name,
  NodeDecl,
  ObjectAst,
  PricePart,
  TopItem,
  TypeDecl,
} from "../tree/ast.ts";
import { TestParser } from "./tests.ts";

/** The items and findings of parsed tokens. */
export interface ParsedFileCst {
  readonly items: readonly TopItem[];
  readonly findings: readonly Finding[];
  readonly unclosedHoles: readonly UnclosedHole[];
}

/** The whole grammar. One instance parses any number of texts, one after the other. */
export class FileParser extends TestParser {
  constructor(options: { readonly validate: boolean }) {
    super(options);
    this.performSelfAnalysis();
  }

  /** Never throws for what a person wrote. */
  parseTokens(tokens: IToken[]): ParsedFileCst {
    this.begin(tokens);
    const items = this.file();
    return { items, findings: this.reported, unclosedHoles: this.unclosedHoles };
  }

  readonly file = this.RULE("file", (): readonly TopItem[] =>
    this.repeatItems("file", () => this.SUBRULE(this.topItem)),
  );

  readonly topItem = this.RULE(
    "topItem",
    (): TopItem =>
      this.OR<IOrAlt<TopItem>[]>([
        { ALT: () => this.SUBRULE(this.importDecl) },
        { ALT: () => this.SUBRULE(this.modelDecl) },
        { ALT: () => this.SUBRULE(this.mcpDecl) },
        { ALT: () => this.SUBRULE(this.typeDecl) },
        { ALT: () => this.SUBRULE(this.memoryDecl) },
        { ALT: () => this.SUBRULE(this.configDecl) },
        { ALT: () => this.SUBRULE(this.graphDecl) },
        { ALT: () => this.SUBRULE(this.testDecl) },
      ]),
  );

  readonly importDecl = this.RULE("importDecl", (): ImportDecl => {
    const start = this.mark();
    const names: { name: Name; as?: Name }[] = [];
    this.CONSUME(token.K.import);
    this.CONSUME(token.LeftCurly);
    this.AT_LEAST_ONE_SEP({
      SEP: token.Comma,
      DEF: () => {
        names.push(this.SUBRULE(this.importedName));
      },
    });
    this.CONSUME(token.RightCurly);
    this.CONSUME(token.K.from);
    const from = this.stringLiteral(this.CONSUME(token.StringToken));
    return { kind: "import", names, from, span: this.spanFrom(start) };
  });

  readonly importedName = this.RULE("importedName", () => {
    const name = this.toName(this.CONSUME(token.Name));
    const as = this.OPTION(() => {
      this.CONSUME(token.K.as);
      return this.toName(this.CONSUME2(token.Name));
    });
    return { name, ...defined({ as }) };
  });

  readonly modelDecl = this.RULE("modelDecl", (): ModelDecl => {
    const start = this.mark();
    this.CONSUME(token.K.model);
    const name = this.toName(this.CONSUME(token.Name));
    const value = this.SUBRULE(this.initial);
    const settings = this.OPTION(() => this.SUBRULE(this.modelSettings));
    return { kind: "model", name, value, ...settings, span: this.spanFrom(start) };
  });

  readonly modelSettings = this.RULE("modelSettings", (): Pick<ModelDecl, "options" | "price"> => {
    const start = this.mark();
    const entries: ObjectAst["entries"][number][] = [];
    const price: PricePart[] = [];
    this.CONSUME(token.LeftCurly);
    this.MANY_SEP({
      SEP: token.Comma,
      DEF: () => {
        const setting = this.SUBRULE(this.modelSetting);
        if ("key" in setting) entries.push(setting);
        else price.push(setting);
      },
    });
    this.CONSUME(token.RightCurly);
    const options = { kind: "object" as const, entries, span: this.spanFrom(start) };
    // Without a setting, what stands there is the price alone.
    return {
      ...(entries.length === 0 && price.length > 0 ? {} : { options }),
      ...(price.length === 0 ? {} : { price }),
    };
  });

  /** `temperature: 0`, `price in $3`, or a further part of a price: `out $15`. */
  readonly modelSetting = this.RULE(
    "modelSetting",
    (): ObjectAst["entries"][number] | PricePart => {
      const start = this.mark();
      const key = this.SUBRULE(this.objectKey);
      const value = this.OPTION(() =>
        this.OR<IOrAlt<ExprAst | Omit<PricePart, "span">>[]>([
          {
            ALT: () => {
              this.CONSUME(token.Colon);
              return this.SUBRULE(this.expression);
            },
          },
          {
            ALT: () => {
              const part = this.toName(this.CONSUME(token.Name));
              return { lead: key, part, usd: this.SUBRULE(this.money).usd };
            },
          },
          { ALT: () => ({ part: key, usd: this.SUBRULE2(this.money).usd }) },
        ]),
      );
      if (value !== undefined && "part" in value) return { ...value, span: this.spanFrom(start) };
      return { key, ...defined({ value }) };
    },
  );

  readonly mcpDecl = this.RULE("mcpDecl", (): McpDecl => {
    const start = this.mark();
    const protocol = this.OR([
      { ALT: () => void this.CONSUME(token.K.mcp) },
      { ALT: () => this.CONSUME(token.K.openapi) && ("openapi" as const) },
    ]);
    const name = this.toName(this.CONSUME(token.Name));
    const value = this.SUBRULE(this.initial);
    const options = this.OPTION(() => this.SUBRULE(this.object));
    const optional = this.OPTION2(() => this.CONSUME(token.K.optional)) !== undefined;
    const span = this.spanFrom(start);
    return {
      kind: "mcp",
      ...defined({ protocol }),
      name,
      value,
      ...defined({ options }),
      optional,
      span,
    };
  });

  readonly typeDecl = this.RULE("typeDecl", (): TypeDecl => {
    const start = this.mark();
    this.CONSUME(token.K.type);
    const name = this.toName(this.CONSUME(token.Name));
    this.CONSUME(token.Equals);
    const type = this.SUBRULE(this.type);
    return { kind: "type", name, type, span: this.spanFrom(start) };
  });

  readonly configDecl = this.RULE("configDecl", (): ConfigDecl => {
    const start = this.mark();
    this.CONSUME(token.K.config);
    const value = this.SUBRULE(this.object);
    return { kind: "config", value, span: this.spanFrom(start) };
  });

  readonly graphDecl = this.RULE("graphDecl", (): GraphDecl => {
    const start = this.mark();
    this.CONSUME(token.K.graph);
    const name = this.toName(this.CONSUME(token.Name));
    const params = this.OPTION(() => this.SUBRULE(this.params)) ?? [];
    const returns = this.OPTION2(() => {
      this.CONSUME(token.K.returns);
      return this.SUBRULE(this.names);
    });
    const description = this.OPTION3(() => this.stringLiteral(this.CONSUME(token.StringToken)));
    const open = this.CONSUME(token.LeftCurly);
    const items = this.repeatItems("graph", () => this.SUBRULE(this.graphItem));
    this.closeBlock(open);
    const head = { name, params, returns: returns ?? [], ...defined({ description }) };
    return { kind: "graph", ...head, items, span: this.spanFrom(start) };
  });

  readonly graphItem = this.RULE("graphItem", (): GraphItem => this.OR(this.#graphItems));

  #graphItems = [
    { ALT: (): GraphItem => this.SUBRULE(this.stateDecl) },
    { ALT: (): GraphItem => this.SUBRULE(this.memoryDecl) },
    { ALT: (): GraphItem => this.SUBRULE(this.defaultsDecl) },
    { ALT: (): GraphItem => this.SUBRULE(this.nodeDecl) },
    { ALT: (): GraphItem => this.SUBRULE(this.callDecl) },
    { ALT: (): GraphItem => this.SUBRULE(this.limitClause) },
    { ALT: (): GraphItem => this.SUBRULE(this.approveDecl) },
    { ALT: (): GraphItem => this.SUBRULE(this.breakDecl) },
    { ALT: (): GraphItem => this.SUBRULE(this.endWhenDecl) },
    { ALT: (): GraphItem => this.SUBRULE(this.flow) },
  ];

  readonly defaultsDecl = this.RULE("defaultsDecl", (): DefaultsDecl => {
    const start = this.mark();
    this.CONSUME(token.K.defaults);
    const clauses = this.SUBRULE(this.body);
    return { kind: "defaults", clauses, span: this.spanFrom(start) };
  });

  readonly nodeDecl = this.RULE("nodeDecl", (): NodeDecl => {
    const start = this.mark();
    const word = this.OR([
      { ALT: () => this.CONSUME(token.K.agent) },
      { ALT: () => this.CONSUME(token.K.operator) },
      { ALT: () => this.CONSUME(token.K.human) },
      { ALT: () => this.CONSUME(token.K.router) },
    ]).image as NodeDecl["word"];
    const name = this.toName(this.CONSUME(token.Name));
    const params = this.OPTION(() => this.SUBRULE(this.params)) ?? [];
    const description = this.OPTION2(() => this.stringLiteral(this.CONSUME(token.StringToken)));
    const clauses = this.SUBRULE(this.body);
    const head = { word, name, params, ...defined({ description }) };
    return { kind: "node", ...head, clauses, span: this.spanFrom(start) };
  });

  readonly callDecl = this.RULE("callDecl", (): CallDecl => {
    const start = this.mark();
    const word = this.OR([
      { ALT: () => this.CONSUME(token.K.run) },
      { ALT: () => this.CONSUME(token.K.tool) },
      { ALT: () => this.CONSUME(token.K.reduce) },
      { ALT: () => this.CONSUME(token.K.graph) },
    ]).image as CallDecl["word"];
    const name = this.toName(this.CONSUME(token.Name));
    const params = this.OPTION(() => this.SUBRULE(this.params)) ?? [];
    const description = this.OPTION4(() => this.stringLiteral(this.CONSUME(token.StringToken)));
    this.CONSUME(token.Equals);
    const callee = this.SUBRULE(this.dotted);
    const args = this.SUBRULE(this.args);
    const writes = this.OPTION2({
      GATE: () => this.isFollowedBy(token.Name),
      DEF: () => this.SUBRULE(this.writesClause),
    });
    const clauses = this.OPTION3(() => this.SUBRULE(this.body)) ?? [];
    const head = { word, name, params, ...defined({ description }), callee, args };
    return { kind: "call", ...head, ...defined({ writes }), clauses, span: this.spanFrom(start) };
  });

  readonly approveDecl = this.RULE("approveDecl", (): ApproveDecl => {
    const start = this.mark();
    this.CONSUME(token.K.approve);
    const when = this.SUBRULE(this.beforeOrAfter);
    const nodes = this.SUBRULE(this.names);
    const consent = this.SUBRULE(this.consent);
    return { kind: "approve", when, nodes, consent, span: this.spanFrom(start) };
  });

  readonly breakDecl = this.RULE("breakDecl", (): BreakDecl => {
    const start = this.mark();
    this.CONSUME(token.K.break);
    const when = this.SUBRULE(this.beforeOrAfter);
    const nodes = this.SUBRULE(this.names);
    const condition = this.OPTION(() => this.SUBRULE(this.whenCondition));
    const span = this.spanFrom(start);
    return { kind: "break", when, nodes, ...defined({ condition }), span };
  });

  readonly beforeOrAfter = this.RULE("beforeOrAfter", (): "before" | "after" => {
    const word = this.OR([
      { ALT: () => this.CONSUME(token.K.before) },
      { ALT: () => this.CONSUME(token.K.after) },
    ]);
    return word.image === "before" ? "before" : "after";
  });

  readonly endWhenDecl = this.RULE("endWhenDecl", (): EndWhenDecl => {
    const start = this.mark();
    this.CONSUME(token.K.end);
    const condition = this.SUBRULE(this.whenCondition);
    return { kind: "end-when", condition, span: this.spanFrom(start) };
  });
}
