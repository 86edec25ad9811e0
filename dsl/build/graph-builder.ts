/** Graphs written in TypeScript: each call says what a line of the language says. */
import type { CheckOptions } from "../compile.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { format } from "../format/format.ts";
import { type BuiltProgram, buildProgram } from "./build.ts";
import type {
  ArrowSource,
  BuilderMemory,
  BuilderTestOptions,
  BuilderValue,
  BuilderWords,
  CallOptions,
  Clauses,
  Fields,
  Hop,
  JsonObject,
  NodeOptions,
  Text,
} from "./options.ts";
import { type BuilderDraft, type BuilderPart, withPart } from "./part.ts";
import {
  callPart,
  configPart,
  defaultsPart,
  descriptionPart,
  edgePart,
  flowPart,
  type ImportNames,
  importPart,
  memoryPart,
  nodePart,
  paramPart,
  returnsPart,
  servicePart,
  statementPart,
  statePart,
  typePart,
} from "./write-parts.ts";
import { writeProgram } from "./write-program.ts";
import { testPart } from "./write-test.ts";

/**
 * A function that turns a finished builder into its product; `runtime` gives one that makes a graph
 * that can run.
 */
export type Finish<Made, Options> = (
  program: (options: CheckOptions) => BuiltProgram,
  options: Options | undefined,
) => Made;

/**
 * A graph that is being written. Every call gives a new builder and leaves the old one as it was; the order of the
 * calls is the order of the text. Nothing is checked before `check` or `build`.
 */
export class GraphBuilder<Nodes extends string = never, Made = unknown, Options = unknown> {
  readonly #draft: BuilderDraft;
  readonly #finish: Finish<Made, Options>;

  constructor(draft: BuilderDraft, finish: Finish<Made, Options>) {
    this.#draft = draft;
    this.#finish = finish;
  }

  // ── what stands before the graph ──────────────────────────────────────────────────────────────

  /** `import { a, b as c } from "…"`: `import("./tests.ts", ["a", { b: "c" }])`. */
  import(from: string, names: ImportNames): this {
    return this.#with(importPart(from, names));
  }

  /** `model fast = "openai/gpt-4o-mini" { … }`. */
  model(name: string, id: BuilderWords, settings?: Text | JsonObject): this {
    return this.#with(servicePart("model", name, { value: id, settings }));
  }

  /** `mcp browser = "npx …" { … } optional`. */
  mcp(
    name: string,
    server: BuilderWords,
    options: { readonly settings?: Text | JsonObject; readonly optional?: boolean } = {},
  ): this {
    return this.#with(servicePart("mcp", name, { value: server, ...options }));
  }

  /** `openapi weather = "weather.yaml" { … } optional`. */
  openapi(
    name: string,
    description: BuilderWords,
    options: { readonly settings?: Text | JsonObject; readonly optional?: boolean } = {},
  ): this {
    return this.#with(servicePart("openapi", name, { value: description, ...options }));
  }

  /** `type Task = { query: string }`. */
  type(name: string, type: Text): this {
    return this.#with(typePart(name, type));
  }

  /** `config { … }`. */
  config(settings: Text | JsonObject): this {
    return this.#with(configPart(settings));
  }

  /** Graphs that `graph` nodes call. */
  uses(...graphs: readonly GraphBuilder<string, unknown, never>[]): this {
    const uses = [...this.#draft.uses, ...graphs.map((graph) => graph.#draft)];
    return this.#next({ ...this.#draft, uses });
  }

  // ── its first line ────────────────────────────────────────────────────────────────────────────

  /** `width: int = 4`; a name that ends in `?` may be left out. */
  param(name: string, type: Text, value?: BuilderValue): this {
    const param = value === undefined ? { type } : { type, default: value };
    return this.#with(paramPart(name, param));
  }

  /** `returns report, sources`. */
  returns(...fields: readonly [string, ...string[]]): this {
    return this.#with(returnsPart(fields));
  }

  /** The string behind the name, which routers and agent cards say. */
  describe(text: string): this {
    return this.#with(descriptionPart(text));
  }

  // ── its fields and nodes ──────────────────────────────────────────────────────────────────────

  /** `state { … }`, of the run or of a longer life. */
  state(fields: Fields): this;
  state(scope: "thread" | "user", fields: Fields): this;
  state(first: "thread" | "user" | Fields, fields: Fields = {}): this {
    const part = typeof first === "string" ? statePart(first, fields) : statePart("run", first);
    return this.#with(part);
  }

  /** `memory plans user: Plan by task`; a text in the place of options is the key. */
  memory(name: string, type: Text, options: Text | BuilderMemory = {}): this {
    const given = typeof options === "string" ? { by: options } : options;
    return this.#with(memoryPart(name, type, given));
  }

  /** Clauses for every node that lacks them. */
  defaults(clauses: Clauses): this {
    return this.#with(defaultsPart(clauses));
  }

  /** A node driven by calls of a model. */
  agent<Name extends string>(
    name: Name,
    options: NodeOptions,
  ): GraphBuilder<Nodes | Name, Made, Options> {
    return this.#withNode(nodePart("agent", name, options));
  }

  /** A strong agent behind a controller. */
  operator<Name extends string>(
    name: Name,
    options: NodeOptions,
  ): GraphBuilder<Nodes | Name, Made, Options> {
    return this.#withNode(nodePart("operator", name, options));
  }

  /** A person. */
  human<Name extends string>(
    name: Name,
    options: NodeOptions,
  ): GraphBuilder<Nodes | Name, Made, Options> {
    return this.#withNode(nodePart("human", name, options));
  }

  /** Picks one of the targets behind its arrow. */
  router<Name extends string>(
    name: Name,
    options: NodeOptions,
  ): GraphBuilder<Nodes | Name, Made, Options> {
    return this.#withNode(nodePart("router", name, options));
  }

  /** `run check = runTests(patch) writes passed`: a function of TypeScript. */
  run<Name extends string>(
    name: Name,
    call: Text,
    options: CallOptions = {},
  ): GraphBuilder<Nodes | Name, Made, Options> {
    return this.#withNode(callPart("run", name, { call, ...options }));
  }

  /** A tool, called without a model. */
  tool<Name extends string>(
    name: Name,
    call: Text,
    options: CallOptions = {},
  ): GraphBuilder<Nodes | Name, Made, Options> {
    return this.#withNode(callPart("tool", name, { call, ...options }));
  }

  /** A function that brings many results together. */
  reduce<Name extends string>(
    name: Name,
    call: Text,
    options: CallOptions = {},
  ): GraphBuilder<Nodes | Name, Made, Options> {
    return this.#withNode(callPart("reduce", name, { call, ...options }));
  }

  /** Another graph; see `uses`. */
  graph<Name extends string>(
    name: Name,
    call: Text,
    options: CallOptions = {},
  ): GraphBuilder<Nodes | Name, Made, Options> {
    return this.#withNode(callPart("graph", name, { call, ...options }));
  }

  // ── its arrows and policies ───────────────────────────────────────────────────────────────────

  /** `from -> hop -> …`. */
  edge(from: ArrowSource<Nodes>, ...hops: readonly [Hop<Nodes>, ...Hop<Nodes>[]]): this {
    return this.#with(edgePart(from, hops));
  }

  /** A line of arrows as text. */
  flow(arrows: Text): this {
    return this.#with(flowPart(arrows));
  }

  /** `limit 60 steps, $3` of the whole run. */
  limit(quantities: Text): this {
    return this.#with(statementPart("limit", { word: "limit", text: quantities }));
  }

  /** ``approve before write `Sure?` ``. */
  approve(consent: Text): this {
    return this.#with(statementPart("approve", { word: "approve", text: consent }));
  }

  /** `break before write when …`. */
  break(where: Text): this {
    return this.#with(statementPart("break", { word: "break", text: where }));
  }

  /** `end when total > 3`. */
  endWhen(condition: Text): this {
    const statement = { word: "end when", text: condition, kind: "end-when" };
    return this.#with(statementPart("endWhen", statement));
  }

  /** `test "…" of this graph { … }`. */
  test(title: string, test: BuilderTestOptions): this {
    return this.#with(testPart(title, this.#draft.name, test));
  }

  // ── what comes of it ──────────────────────────────────────────────────────────────────────────

  /** The same program in the language, formatted. */
  text(): string {
    const { text } = writeProgram(this.#draft);
    const formatted = format({ file: this.#draft.name, text });
    // `check` reports the faults of a text that can't be formatted.
    return "text" in formatted ? formatted.text : text;
  }

  /**
   * Returns the diagnostics of the program, each at the builder's call that caused it; never
   * throws.
   */
  check(options: CheckOptions = {}): readonly Diagnostic[] {
    return buildProgram(this.#draft, options).diagnostics;
  }

  /** The graph, checked: throws M5002 with the first error's frame when something is wrong. */
  build(options?: Options): Made {
    return this.#finish((checks) => buildProgram(this.#draft, checks), options);
  }

  #with(part: BuilderPart): this {
    return this.#next(withPart(this.#draft, part));
  }

  #withNode<All extends string>(part: BuilderPart): GraphBuilder<All, Made, Options> {
    return new GraphBuilder(withPart(this.#draft, part), this.#finish);
  }

  #next(draft: BuilderDraft): this {
    // Nothing extends this class, so a new builder of the same nodes is `this`.
    return new GraphBuilder(draft, this.#finish) as this;
  }
}
