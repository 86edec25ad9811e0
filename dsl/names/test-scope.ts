/** Defines the names that a test may use: fields, parameters, and facts of the run. */
import type { TypeIr } from "../ir/ir.ts";
import { NUMBER, STRING } from "../ir/types.ts";
import type { ExprAst, Name } from "../syntax/tree/ast.ts";
import { flowScope, type Scope, withVariable } from "./scope.ts";
import type { GraphSymbols } from "./symbol-tables.ts";

/**
 * The scope of what a test gives, lets nodes say, and expects. Where a graph calls a field or parameter `cost`, that is
 * meant; `run.` in front says the run's.
 */
export function testScope(symbols: GraphSymbols): Scope {
  const types = typesOfWords(symbols);
  return Object.entries(types)
    .filter(([word]) => !symbols.fields.has(word) && !symbols.params.has(word))
    .reduce((scope, [word, type]) => withVariable(scope, word, type), flowScope(symbols));
}

function typesOfWords({ nodes }: GraphSymbols): Readonly<Record<string, TypeIr>> {
  const failure = objectOf({ code: STRING, message: STRING, class: STRING });
  const text = { kind: "union", types: [STRING, { kind: "literal", value: null }] } as const;
  const call = objectOf({
    node: STRING,
    tool: STRING,
    input: JSON_TYPE,
    result: JSON_TYPE,
    fails: text,
  });
  return {
    cost: NUMBER,
    steps: NUMBER,
    path: { kind: "array", of: STRING },
    toolCalls: { kind: "array", of: call },
    status: oneOf(["succeeded", "failed"]),
    error: { kind: "union", types: [failure, { kind: "literal", value: null }] },
    visits: objectOf(Object.fromEntries([...nodes.keys()].map((name) => [name, NUMBER]))),
  };
}

const JSON_TYPE: TypeIr = { kind: "named", name: "Json", args: [] };

function objectOf(types: Readonly<Record<string, TypeIr>>): TypeIr {
  const members = Object.entries(types).map(([name, type]) => ({ name, optional: false, type }));
  return { kind: "object", members };
}

function oneOf(values: readonly string[]): TypeIr {
  return { kind: "union", types: values.map((value) => ({ kind: "literal", value })) };
}

/** A call of `visits` in an expectation, and the node it names if it names one. */
export interface Visits {
  readonly call: ExprAst & { readonly kind: "call" };
  readonly node: Name | undefined;
}

/** Every call of `visits` in an expression. */
export function visitsIn(part: unknown): readonly Visits[] {
  if (typeof part !== "object" || part === null) return [];
  const own = isVisits(part) ? [{ call: part, node: nodeOf(part) }] : [];
  return [...own, ...Object.values(part).flatMap(visitsIn)];
}

/** The same expression with `visits(n)` written as `visits.n`: a node's name is no value. */
export function withVisits<T>(part: T): T {
  if (Array.isArray(part)) return part.map(withVisits) as T;
  if (typeof part !== "object" || part === null) return part;
  const node = isVisits(part) ? nodeOf(part) : undefined;
  if (isVisits(part) && node !== undefined) {
    const { callee: object, span } = part;
    return { kind: "member", object, name: node, optional: false, span } as T;
  }
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [key, withVisits(value)]),
  ) as T;
}

function isVisits(part: object): part is ExprAst & { readonly kind: "call" } {
  if (!("kind" in part) || part.kind !== "call" || !("callee" in part)) return false;
  const callee = part.callee as ExprAst;
  return callee.kind === "name" && callee.text === "visits";
}

function nodeOf({ args }: ExprAst & { readonly kind: "call" }): Name | undefined {
  const [only] = args;
  if (args.length !== 1 || only === undefined || only.label !== undefined) return undefined;
  return only.value.kind === "name" ? only.value : undefined;
}
