/** Resolves names: which meaning a name has at a place of a program. */
import type { NameMeaning, TypeIr } from "../ir/ir.ts";
import { resolveType, STRING } from "../ir/types.ts";
import { lowerType } from "../lower/lower-type.ts";
import type { EachAst, HopAst } from "../syntax/tree/ast.ts";
import { BUILT_IN_GROUPS } from "../vocabulary/built-in-functions.ts";
import { nodeCounts } from "../vocabulary/node-counts.ts";
import { isConversion, pureFunctions } from "../vocabulary/pure-functions.ts";
import type { FieldSymbol, GraphSymbols, NodeSymbol } from "./symbol-tables.ts";

/** The place of an expression, which decides what its names can mean. */
export interface Scope {
  readonly symbols: GraphSymbols;
  /** Variables of `each` and parameters of lambdas, with their types where known. */
  readonly variables: ReadonlyMap<string, TypeIr | undefined>;
  /** The node in whose head or body the expression stands: its parameters and its own state are seen. */
  readonly node?: NodeSymbol | undefined;
  /** The ids of the `each`es in whose bodies the expression or its node stands: the fields of their items are seen. */
  readonly eaches?: readonly string[] | undefined;
  /** True in an approval, where `call` is the call to be approved. */
  readonly isConsent?: boolean;
  /** True on an arrow `on error` and the like, where `error` is the failure that it is taken for. */
  readonly isOnFailure?: boolean;
}

export interface Meaning {
  readonly of: NameMeaning;
  readonly type: TypeIr | undefined;
}

/** Names that mean something in every expression. */
const SPECIAL_NAMES = ["state", "result", "call", "inbox", "run", "team", "artifacts"] as const;

/** The scope of what stands between the nodes: arrows, limits, `end when`. */
export function flowScope(symbols: GraphSymbols): Scope {
  return { symbols, variables: new Map() };
}

/** The scope of a node's clauses. Variables of an `each` come in by parameters only: a body is read where it is written. */
export function nodeScope(symbols: GraphSymbols, node: NodeSymbol): Scope {
  return { symbols, variables: new Map(), node, eaches: symbols.nodePaths.get(node.name.text) };
}

/** The scope of the body of an `each`: the item's variable, with its type where known, and the fields of its items. */
export function itemScope(scope: Scope, each: EachAst, type: TypeIr | undefined): Scope {
  const eaches = scope.symbols.eachPaths.get(each);
  return { ...withVariable(scope, each.variable.text, type), eaches, isOnFailure: false };
}

/** The scope of a hop: behind `on`, and in the branches there, it sees the failure. A later hop of a chain leaves another node. */
export function hopScope(scope: Scope, { clauses }: HopAst, index: number): Scope {
  const isOnFailure =
    clauses.some(({ kind }) => kind === "on") || (index === 0 && scope.isOnFailure === true);
  return isOnFailure === (scope.isOnFailure ?? false) ? scope : { ...scope, isOnFailure };
}

/** The name of the failure on an arrow that is taken for one. */
export const ERROR_NAME = "error";

/** The type of that failure. */
export const ERROR_TYPE: TypeIr = {
  kind: "object",
  members: [
    ...["node", "class", "code", "message"].map((name) => ({
      name,
      optional: false,
      type: STRING,
    })),
    { name: "path", optional: false, type: { kind: "array", of: STRING } },
  ],
};

/** The reason why the field can't be named elsewhere; undefined where it can. */
export function whyHidden({ scope, owner }: FieldSymbol): string | undefined {
  if (owner === undefined) return undefined;
  return scope === "item"
    ? `it is a field of the items of \`each ${owner}\`; only the body of that \`each\` and its nodes can name it`
    : `it is the own state of \`${owner}\`; no other node can name it`;
}

/** The same scope with one more variable. */
export function withVariable(scope: Scope, name: string, type: TypeIr | undefined): Scope {
  return { ...scope, variables: new Map([...scope.variables, [name, type]]) };
}

/** The scope of a memory's `by`: the members of what is stored are named bare. */
export function memoryScope(type: TypeIr, scope: Scope): Scope {
  const shape = resolveType(type, scope.symbols.file.types);
  if (shape?.kind !== "object") return scope;
  return shape.members.reduce(
    (outer, member) => withVariable(outer, member.name, member.type),
    scope,
  );
}

/** Resolves `name`: a name of the place, then the state, then the file and its scope; undefined if nothing has it. */
export function meaningOf(scope: Scope, name: string): Meaning | undefined {
  return (
    localMeaning(scope, name) ??
    stateMeaning(scope, name) ??
    outerMeaning(scope.symbols, name) ??
    failureMeaning(scope, name)
  );
}

/** A name that a graph, a file or TypeScript has already keeps its meaning. */
function failureMeaning({ isOnFailure }: Scope, name: string): Meaning | undefined {
  if (isOnFailure !== true || name !== ERROR_NAME) return undefined;
  return { of: "special", type: ERROR_TYPE };
}

/** Every name that could stand here, for did-you-mean. */
export function namesInScope(scope: Scope): readonly string[] {
  const { symbols } = scope;
  const { file } = symbols;
  return [
    ...scope.variables.keys(),
    ...(scope.node?.params ?? []).map((param) => param.name.text),
    ...symbols.params.keys(),
    ...[...symbols.fields].filter(([, field]) => isVisible(scope, field)).map(([name]) => name),
    ...SPECIAL_NAMES,
    ...(scope.isOnFailure === true ? [ERROR_NAME] : []),
    ...file.config.keys(),
    ...file.models.keys(),
    ...symbols.memories.keys(),
    ...file.imports.keys(),
    ...(file.scope ?? []),
    ...pureFunctions.keys(),
    ...nodeCounts,
  ];
}

/**
 * Returns whether an expression here may name the field: state in a body is seen in that body only.
 */
export function isVisible(scope: Scope, field: FieldSymbol): boolean {
  if (field.scope === "item") return scope.eaches?.includes(field.owner ?? "") ?? false;
  return field.owner === undefined || field.owner === scope.node?.name.text;
}

function localMeaning(scope: Scope, name: string): Meaning | undefined {
  if (scope.variables.has(name)) return { of: "variable", type: scope.variables.get(name) };
  const argument = scope.node?.params.find((param) => param.name.text === name);
  return argument && { of: "argument", type: lowerType(argument.type) };
}

function stateMeaning(scope: Scope, name: string): Meaning | undefined {
  const { params, fields } = scope.symbols;
  const param = params.get(name);
  if (param !== undefined) return { of: "param", type: lowerType(param.type) };
  const field = fields.get(name);
  if (field === undefined || !isVisible(scope, field)) return undefined;
  return { of: "field", type: lowerType(field.decl.type) };
}

/**
 * Returns the meaning of `name` outside the graph: in the file, in TypeScript, in the language;
 * undefined if it has none.
 */
export function outerMeaning(symbols: GraphSymbols, name: string): Meaning | undefined {
  const { file, memories } = symbols;
  if (name === "state") return { of: "special", type: wholeView(symbols) };
  if (SPECIAL_NAMES.some((special) => special === name)) return { of: "special", type: undefined };
  if (file.config.has(name)) return { of: "config", type: undefined };
  if (file.models.has(name)) return { of: "model", type: undefined };
  const memory = memories.get(name);
  if (memory !== undefined)
    return { of: "memory", type: { kind: "array", of: lowerType(memory.type) } };
  if (file.imports.has(name) || isOffered(file.scope, name) || BUILT_IN_GROUPS.has(name))
    return { of: "scope", type: undefined };
  const isOurs = pureFunctions.has(name) || isConversion(name) || nodeCounts.has(name);
  return isOurs ? { of: "special", type: undefined } : undefined;
}

/**
 * Returns whether TypeScript offers `name`, or something below it: `docs.read` makes `docs` known.
 */
export function isOffered(scope: readonly string[] | undefined, name: string): boolean {
  return (scope ?? []).some((offered) => offered === name || offered.startsWith(`${name}.`));
}

function wholeView(symbols: GraphSymbols): TypeIr {
  const params = [...symbols.params].map(([name, param]) => ({ name, type: param.type }));
  const fields = [...symbols.fields].map(([name, field]) => ({ name, type: field.decl.type }));
  return {
    kind: "object",
    members: [...params, ...fields].map(({ name, type }) => ({
      name,
      optional: false,
      type: lowerType(type),
    })),
  };
}
