/** Resolves the types that a text names to types of the language. */
import type ts from "typescript-6";
import type { TypeIr } from "../../../dsl/index.ts";
import type { ResolvedType } from "../service.ts";
import type { AskedType } from "./asked-types.ts";
import { toType } from "./to-type.ts";
import { faultOf, NAMESPACE_AS_TYPE, tooLargeFault, VALUE_AS_TYPE } from "./type-faults.ts";

const ANYTHING: TypeIr = { kind: "named", name: "any", args: [] };

const PREFIX = "$asked_";

/** A text with an alias of each type that is asked for. */
export function queryText(asked: readonly AskedType[]): string {
  return asked.map(({ name, text }) => `type ${PREFIX}${name} = ${text};\n`).join("");
}

/** The program and the file with the text of `queryText`. */
export interface Query {
  readonly program: ts.Program;
  readonly file: ts.SourceFile;
  /** Names that mean something in the program of graphs: no definition is called so. */
  readonly taken: ReadonlySet<string>;
}

/**
 * Resolves the types of `queryText`; one that is not found counts as any type, since the check
 * reports it at its import.
 */
export function resolveTypes(
  asked: readonly AskedType[],
  compiler: typeof ts,
  { program, file, taken }: Query,
): readonly ResolvedType[] {
  const checker = program.getTypeChecker();
  const aliases = aliasesOf(asked, compiler, { program, file });
  const found = aliases.flatMap(({ name, text, alias, errors }) =>
    alias === undefined || errors.length > 0
      ? []
      : [{ name, text, type: checker.getTypeFromTypeNode(alias.type) }],
  );
  const names = new Map(found.map(({ name, type }) => [type, name]));
  const definitions = new Map<string, TypeIr>();
  const tooLarge = new Set<ts.Type>();
  const reading = { compiler, program, checker, names, definitions, taken, tooLarge };
  const read = found.map(({ name, text, type }) => {
    const own = { name, text, type: toType(type, reading) };
    return tooLarge.has(type) ? { ...own, fault: tooLargeFault(name) } : own;
  });
  const inside = [...definitions].filter(([name]) => read.every((one) => one.name !== name));
  const missing = aliases.filter(({ name }) => read.every((one) => one.name !== name));
  return [
    ...read,
    ...inside.map(([name, type]) => ({ name, text: name, type })),
    ...missing.map(({ name, errors }) => anything(name, errors)),
  ];
}

/** One that is no type is `any` to the check as well, which would not stop speaking of it otherwise. */
function anything(name: string, errors: readonly number[]): ResolvedType {
  const fault = errors.map((code) => faultOf(code, name)).find((one) => one !== undefined);
  return fault === undefined
    ? { name, text: name, type: ANYTHING }
    : { name, text: "any", type: ANYTHING, fault };
}

/** Each type that is asked for with its alias, and what is wrong there. */
function aliasesOf(
  asked: readonly AskedType[],
  compiler: typeof ts,
  { program, file }: Omit<Query, "taken">,
) {
  const all = program.getSemanticDiagnostics(file);
  const aliases = file.statements.filter((one) => compiler.isTypeAliasDeclaration(one));
  return asked.map(({ name, text }) => {
    const alias = aliases.find((one) => one.name.text === `${PREFIX}${name}`);
    const errors = all
      .filter(({ start = -1 }) => alias !== undefined && isIn(alias, start))
      .map(({ code }) => (code === NO_TYPE_IN_MODULE && alias ? meantBy(alias) : code));
    return { name, text, alias, errors };
  });

  /**
   * Returns the compiler's number for the fault of an import that is no type: the module lacks the
   * name, or has a value or a namespace.
   */
  function meantBy({ type }: ts.TypeAliasDeclaration): number {
    if (!compiler.isImportTypeNode(type) || !compiler.isLiteralTypeNode(type.argument)) return 0;
    const checker = program.getTypeChecker();
    const module = checker.getSymbolAtLocation(type.argument.literal);
    const exported = module && checker.getExportsOfModule(module);
    const found = exported?.find((one) => one.name === type.qualifier?.getText(file));
    if (found === undefined) return NO_TYPE_IN_MODULE;
    const { Alias, Value } = compiler.SymbolFlags;
    const { flags } = found.flags & Alias ? checker.getAliasedSymbol(found) : found;
    return flags & Value ? VALUE_AS_TYPE : NAMESPACE_AS_TYPE;
  }
}

const NO_TYPE_IN_MODULE = 2694;

function isIn(node: ts.Node, position: number): boolean {
  return node.pos <= position && position < node.end;
}
