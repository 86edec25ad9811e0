/** A text of the language as calls of the builder: what a person would write who carries a program over. */
import type {
  ArrowOptions,
  ArrowSource,
  Branch,
  BuilderParam,
  BuilderTestOptions,
  BuilderWords,
  Clauses,
  EachHop,
  Field,
  Fields,
  Hop,
  InnerArrow,
} from "../../../dsl/build/options.ts";
import {
  type BuiltProgram,
  type CheckOptions,
  type GraphBuilder,
  parse,
} from "../../../dsl/index.ts";
import { printType } from "../../../dsl/ir/types.ts";
import { lowerExpression } from "../../../dsl/lower/lower-expression.ts";
import { lowerType } from "../../../dsl/lower/lower-type.ts";
import { flowScope, type Scope } from "../../../dsl/names/scope.ts";
import { fileSymbols, graphSymbols } from "../../../dsl/names/symbols.ts";
import { printArgs, printExpression } from "../../../dsl/print/print-expression.ts";
import type {
  ArgAst,
  AssignAst,
  CallDecl,
  Clause,
  ConsentAst,
  CountAst,
  EachAst,
  ExprAst,
  FieldDecl,
  FlowDecl,
  GraphDecl,
  GraphItem,
  HopAst,
  HopClause,
  LiteralAst,
  MemoryDecl,
  ModelDecl,
  Name,
  NodeDecl,
  Param as ParamAst,
  RefAst,
  SourceAst,
  TestDecl,
  TestItem,
  TopItem,
  TypeAst,
  ViaAst,
  WaitAst,
  WriteAst,
} from "../../../dsl/syntax/tree/ast.ts";
import { graph } from "./built.ts";

type Builder = GraphBuilder<string, BuiltProgram, CheckOptions>;

/** The first graph of a text, and all that stands beside it, as a builder. */
export function rebuilt(text: string): Builder {
  const { ast, findings } = parse({ file: "test.madrigal", text });
  const decl = ast.items.find((item) => item.kind === "graph");
  if (decl === undefined || findings.length > 0) throw new Error(`no graph in ${text}`);
  const scope = flowScope(graphSymbols(fileSymbols(ast, undefined), decl));
  return new Rebuild(text, scope).all(ast.items, decl);
}

/** Plain text as the builder takes it: a `${` that is no hole has a backslash. */
export function asWords(parts: readonly (string | { readonly hole: string })[]): string {
  return parts
    .map((part, index) => {
      if (typeof part !== "string") return `\${${part.hole}}`;
      const kept = part.replace(/(\\*)\$\{/g, (_all, before: string) => `${before}${before}\\\${`);
      const isBeforeHole = index < parts.length - 1;
      return isBeforeHole ? kept.replace(/\\+$/, (before) => `${before}${before}`) : kept;
    })
    .join("");
}

class Rebuild {
  readonly #text: string;
  readonly #scope: Scope;

  constructor(text: string, scope: Scope) {
    this.#text = text;
    this.#scope = scope;
  }

  all(items: readonly TopItem[], decl: GraphDecl): Builder {
    const head = decl.params.reduce(
      (builder, param) => {
        const { name, value } = this.#named(param);
        return builder.param(name, this.#type(param.type), value);
      },
      items.reduce((builder, item) => this.#top(builder, item), graph<string>(decl.name.text)),
    );
    const [first, ...others] = decl.returns.map(textOf);
    const returning = first === undefined ? head : head.returns(first, ...others);
    const described =
      decl.description === undefined ? returning : returning.describe(decl.description.value);
    return decl.items.reduce((builder, item) => this.#item(builder, item), described);
  }

  #top(builder: Builder, item: TopItem): Builder {
    switch (item.kind) {
      case "import":
        return builder.import(
          item.from.value,
          item.names.map(({ name, as }) => ({ [name.text]: (as ?? name).text })),
        );
      case "model":
        return builder.model(item.name.text, this.#idOf(item.value), this.#settings(item));
      case "mcp": {
        const settings = this.#maybe(item.options);
        return builder[item.protocol ?? "mcp"](item.name.text, this.#idOf(item.value), {
          optional: item.optional,
          ...(settings === undefined ? {} : { settings }),
        });
      }
      case "type":
        return builder.type(item.name.text, this.#type(item.type));
      case "memory":
        return this.#memory(builder, item);
      case "config":
        return builder.config(this.#expr(item.value));
      case "test":
        return builder.test(item.title.value, this.#test(item));
      case "graph":
        return builder;
    }
  }

  #memory(builder: Builder, { name, scope, type, by, options }: MemoryDecl): Builder {
    const key = this.#maybe(by);
    const settings = this.#maybe(options);
    return builder.memory(name.text, this.#type(type), {
      ...(scope === undefined ? {} : { scope }),
      ...(key === undefined ? {} : { by: key }),
      ...(settings === undefined ? {} : { settings }),
    });
  }

  #item(builder: Builder, item: GraphItem): Builder {
    switch (item.kind) {
      case "state":
        return item.scope === "run"
          ? builder.state(this.#fields(item.fields))
          : builder.state(item.scope, this.#fields(item.fields));
      case "memory":
        return this.#memory(builder, item);
      case "defaults":
        return builder.defaults(this.#clauses(item.clauses));
      case "node":
        return this.#node(builder, item);
      case "call":
        return this.#call(builder, item);
      case "limit":
        return builder.limit(this.#behind("limit", item));
      case "approve":
        return builder.approve(
          `${item.when} ${item.nodes.map(textOf).join(", ")}${this.#consent(item.consent)}`,
        );
      case "break":
        return builder.break(this.#behind("break", item));
      case "end-when":
        return builder.endWhen(this.#expr(item.condition));
      case "flow":
        return builder.edge(...this.#flow(item));
    }
  }

  // ── nodes ───────────────────────────────────────────────────────────────────────────────────

  #node(builder: Builder, node: NodeDecl): Builder {
    return builder[node.word](node.name.text, {
      ...(node.description === undefined ? {} : { description: node.description.value }),
      params: this.#params(node.params),
      ...this.#clauses(node.clauses),
    });
  }

  #call(builder: Builder, node: CallDecl): Builder {
    const callee = this.#slice(node.callee);
    return builder[node.word](node.name.text, `${callee}${this.#args(node.args)}`, {
      ...(node.description === undefined ? {} : { description: node.description.value }),
      params: this.#params(node.params),
      ...this.#clauses([...(node.writes === undefined ? [] : [node.writes]), ...node.clauses]),
    });
  }

  /** Where a word stands twice, its clauses are a list; of `set` the assignments are one. */
  #clauses(clauses: readonly Clause[]): Clauses {
    const options: Record<string, unknown> = {};
    for (const clause of clauses) {
      const { kind } = clause;
      const before = options[kind];
      const value = this.#clause(clause);
      const isMany = MANY.includes(kind) && before !== undefined;
      if (kind === "set" && before !== undefined)
        options.set = { ...(before as object), ...(value as object) };
      else options[kind] = isMany ? [...toList(before), value] : value;
    }
    return options as Clauses;
  }

  #clause(clause: Clause): Clauses[keyof Clauses] {
    switch (clause.kind) {
      case "system":
      case "prompt":
        return this.#words(clause.value);
      case "ask":
        return (clause.from ?? clause.withinMs) === undefined
          ? this.#words(clause.value)
          : {
              question: this.#words(clause.value),
              ...(clause.from === undefined ? {} : { from: this.#expr(clause.from) }),
              ...(clause.need === undefined ? {} : { need: this.#count(clause.need) }),
              ...(clause.withinMs === undefined ? {} : { within: waitText(clause) }),
              ...(clause.then === undefined
                ? {}
                : {
                    then: clause.then.map(({ to, need, ...wait }) => ({
                      ask: this.#expr(to),
                      ...(need === undefined ? {} : { need: this.#count(need) }),
                      ...(wait.withinMs === undefined ? {} : { within: waitText(wait) }),
                    })),
                  }),
              ...(clause.otherwise === undefined ? {} : { else: this.#expr(clause.otherwise) }),
            };
      case "model":
      case "context":
        return this.#expr(clause.value);
      case "reads":
        return clause.fields.map((field) =>
          clause.earlier?.includes(field) ? `earlier ${field.text}` : field.text,
        );
      case "edits":
        return clause.fields.map(textOf);
      case "writes":
        return clause.writes.map((write) => this.#write(write));
      case "skills":
        return clause.skills.map((skill) => this.#expr(skill));
      case "tools":
        return clause.tools.map((tool) => this.#slice(tool));
      case "state":
        return this.#fields(clause.fields);
      case "set":
        return this.#assigns(clause.assigns);
      case "cache":
        return this.#behind("cache", clause) || true;
      default:
        return this.#behind(clause.kind, clause);
    }
  }

  #write({ field, optional, value, via }: WriteAst): string {
    const from = value === undefined ? "" : ` = ${this.#expr(value)}`;
    const merge = via === undefined ? "" : ` via ${this.#via(via)}`;
    return `${field.text}${optional ? "?" : ""}${from}${merge}`;
  }

  #consent({ text, when, by, from, need, then = [], ...wait }: ConsentAst): string {
    return [
      text === undefined ? "" : ` ${this.#expr(text)}`,
      when === undefined ? "" : ` when ${this.#expr(when)}`,
      by === undefined ? "" : ` by ${by.text}`,
      from === undefined ? "" : ` from ${this.#expr(from)}`,
      this.#need(need),
      wait.withinMs === undefined ? "" : ` within ${waitText(wait)}`,
      ...then.map(({ to, ...next }) =>
        [
          ` then ask ${this.#expr(to)}${this.#need(next.need)}`,
          next.withinMs === undefined ? "" : ` within ${waitText(next)}`,
        ].join(""),
      ),
    ].join("");
  }

  #need(need: CountAst | undefined): string {
    return need === undefined ? "" : ` need ${this.#count(need)}`;
  }

  // ── arrows ──────────────────────────────────────────────────────────────────────────────────

  #source(source: SourceAst): ArrowSource<string> {
    const nodes = source.nodes.map(textOf);
    if (source.kind === "any") return nodes.length === 1 ? nodes.join("") : { any: nodes };
    return source.need === undefined ? nodes : { join: nodes, need: this.#count(source.need) };
  }

  #hop(hop: HopAst): Hop<string> {
    const arrow = this.#arrow(hop.clauses);
    switch (hop.kind) {
      case "one-of": {
        const refs = hop.refs.map((ref) => this.#ref(ref));
        return refs.length > 1 ? { oneOf: refs, ...arrow } : { to: refs.join(""), ...arrow };
      }
      case "all-of":
        return { to: hop.refs.map((ref) => this.#ref(ref)), ...arrow };
      case "choice":
        return {
          choice: hop.branches.map(({ condition, hops }) =>
            this.#branch(condition === undefined ? "else" : this.#expr(condition), hops),
          ),
          ...arrow,
        };
      case "match":
        return {
          match: this.#expr(hop.subject),
          cases: hop.cases.map(({ values, hops }) => this.#branch(this.#values(values), hops)),
          ...arrow,
        };
      case "each":
        return this.#each(hop, arrow);
    }
  }

  #each(hop: EachAst, arrow: ArrowOptions): EachHop<string> {
    const [first, ...others] = hop.body.map((one) => this.#hop(one));
    if (first === undefined) throw new Error("an empty each");
    return {
      each: hop.variable.text,
      of: this.#expr(hop.items),
      ...(hop.parallel === undefined ? {} : { parallel: this.#count(hop.parallel) }),
      ...(hop.need === undefined ? {} : { need: this.#count(hop.need) }),
      ...(hop.when === undefined ? {} : { when: this.#expr(hop.when) }),
      ...(hop.onErrorSkip ? { onError: "skip" as const } : {}),
      ...(hop.states.length === 0
        ? {}
        : { state: this.#fields(hop.states.flatMap(({ fields }) => fields)) }),
      body: [first, ...others],
      ...(hop.flows.length === 0 ? {} : { arrows: hop.flows.map((flow) => this.#flow(flow)) }),
      arrow,
    };
  }

  #flow(flow: FlowDecl): InnerArrow<string> {
    const [hop, ...hops] = flow.hops.map((one) => this.#hop(one));
    if (hop === undefined) throw new Error("an arrow to nowhere");
    return [this.#source(flow.source), hop, ...hops];
  }

  #branch(condition: string, hops: readonly HopAst[]): Branch<string> {
    const [first, ...others] = hops.map((one) => this.#hop(one));
    if (first === undefined) throw new Error("an empty branch");
    return [condition, first, ...others];
  }

  #values(values: readonly LiteralAst[] | undefined): string {
    return values?.map((value) => this.#expr(value)).join(" | ") ?? "else";
  }

  #arrow(clauses: readonly HopClause[]): ArrowOptions {
    const options: Record<string, unknown> = {};
    for (const clause of clauses) {
      if (clause.kind === "when") options.when = this.#expr(clause.condition);
      if (clause.kind === "max") options.max = this.#count(clause.count);
      if (clause.kind === "after") options.after = `${clause.ms}ms`;
      if (clause.kind === "on") options.on = clause.what.text;
      if (clause.kind === "detached") options.detached = true;
      if (clause.kind === "set") options.set = this.#assigns(clause.assigns);
    }
    return options;
  }

  #ref({ node, args, label }: RefAst): string {
    const given = args.length === 0 ? "" : this.#args(args);
    return `${node.text}${given}${label === undefined ? "" : ` ${JSON.stringify(label.value)}`}`;
  }

  // ── small parts ─────────────────────────────────────────────────────────────────────────────

  #fields(fields: readonly FieldDecl[]): Fields {
    return Object.fromEntries(
      fields.map((field): [string, Field] => {
        const { name, value } = this.#named(field);
        return [
          name,
          {
            type: this.#type(field.type),
            ...(value === undefined ? {} : { default: value }),
            ...(field.via === undefined ? {} : { via: this.#via(field.via) }),
          },
        ];
      }),
    );
  }

  #params(params: readonly ParamAst[]): Readonly<Record<string, BuilderParam>> {
    return Object.fromEntries(
      params.map((param): [string, BuilderParam] => {
        const { name, value } = this.#named(param);
        return [
          name,
          { type: this.#type(param.type), ...(value === undefined ? {} : { default: value }) },
        ];
      }),
    );
  }

  #named(decl: ParamAst | FieldDecl): {
    readonly name: string;
    readonly value: string | undefined;
  } {
    return { name: `${decl.name.text}${decl.optional ? "?" : ""}`, value: this.#maybe(decl.value) };
  }

  #via({ name, args }: ViaAst): string {
    return `${name.text}${args.length === 0 ? "" : this.#args(args)}`;
  }

  #test({ items }: TestDecl): BuilderTestOptions {
    const ofKind = <Kind extends TestItem["kind"]>(kind: Kind) =>
      items.filter((item): item is TestItem & { readonly kind: Kind } => item.kind === kind);
    const givens = ofKind("given").flatMap(({ assigns }) => assigns);
    const [path] = ofKind("expect-path");
    const [any] = ofKind("any-input");
    const when = any?.when === undefined ? "" : ` when ${this.#expr(any.when)}`;
    return {
      given: this.#assigns(givens),
      ...(any === undefined ? {} : { forAny: `${any.names.map(textOf).join(", ")}${when}` }),
      ...(ofKind("any-order").length === 0 ? {} : { inAnyOrder: true }),
      says: Object.fromEntries(
        ofKind("script").map(({ node, lines }) => [
          node.text,
          lines.map(({ how, value }) =>
            how === "says" ? this.#expr(value) : { [how]: how === "expires" || this.#expr(value) },
          ),
        ]),
      ),
      ...(path === undefined ? {} : { path: path.path.map(textOf) }),
      expect: ofKind("expect").map(({ condition }) => this.#expr(condition)),
    };
  }

  #assigns(assigns: readonly AssignAst[]): Readonly<Record<string, string>> {
    const written = assigns.map(({ field, value, via }) => {
      const merge = via === undefined ? "" : ` via ${this.#via(via)}`;
      return [field.text, `${this.#expr(value)}${merge}`];
    });
    return Object.fromEntries(written);
  }

  #args(args: readonly ArgAst[]): string {
    return printArgs(
      args.map(({ label, value }) => ({
        ...(label === undefined ? {} : { label: label.text }),
        value: lowerExpression(value, this.#scope),
      })),
    );
  }

  #words(value: ExprAst): BuilderWords {
    if (value.kind !== "template") return { expression: this.#expr(value) };
    return asWords(
      value.parts.map((part) => (typeof part === "string" ? part : { hole: this.#expr(part) })),
    );
  }

  #idOf(value: ExprAst): BuilderWords {
    return value.kind === "string" ? value.value : { expression: this.#expr(value) };
  }

  /** A price has no form in JSON: such settings are text. */
  #settings({ options, price, value, span }: ModelDecl): string | undefined {
    if (price === undefined) return this.#maybe(options);
    return this.#slice({ span: { start: value.span.end, end: span.end } }).trim();
  }

  #count(count: CountAst): number | string {
    return count.kind === "number" ? count.value : count.name.text;
  }

  #maybe(value: ExprAst | undefined): string | undefined {
    return value === undefined ? undefined : this.#expr(value);
  }

  #expr(value: ExprAst): string {
    return printExpression(lowerExpression(value, this.#scope));
  }

  #type(type: TypeAst): string {
    return printType(lowerType(type));
  }

  #behind(
    word: string,
    item: { readonly span: { readonly start: number; readonly end: number } },
  ): string {
    return this.#slice(item).slice(word.length).trim();
  }

  #slice({ span }: { readonly span: { readonly start: number; readonly end: number } }): string {
    return this.#text.slice(span.start, span.end);
  }
}

function waitText({ withinMs = 0, remind }: WaitAst): string {
  return remind === undefined ? `${withinMs}ms` : `${remind.ms}ms..${withinMs}ms`;
}

const MANY: readonly string[] = ["ensure", "recall", "store", "approve"];

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function textOf({ text }: Name): string {
  return text;
}
