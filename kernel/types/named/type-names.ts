/** Names types of the checker in the language. */
import type ts from "typescript-6";
import { KNOWN_TYPES, type TypeIr } from "../../../dsl/index.ts";

/** The state of reading the types of one program. */
export interface TypeReading {
  readonly compiler: typeof ts;
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  /** The name of each type that contains itself, or that has a name in the program. */
  readonly names: Map<ts.Type, string>;
  /** Definitions of types that contain themselves, by those names. */
  readonly definitions: Map<string, TypeIr>;
  /** Names that mean something else in the program. */
  readonly taken: ReadonlySet<string>;
  /** Types that have too many parts to be spelled out. */
  readonly tooLarge: Set<ts.Type>;
}

/** A name for a type that contains itself: its own, if that means nothing else in the program. */
export function freeName(type: ts.Type, { names, taken }: TypeReading): string {
  const own = (type.aliasSymbol ?? type.symbol)?.name ?? "";
  const name = isWord(own) && !own.startsWith("__") ? own : "Type";
  const others = new Set([...names.values(), ...taken, ...KNOWN_TYPES]);
  let free = name;
  for (let count = 2; others.has(free); count += 1) free = `${name}${count}`;
  return free;
}

/**
 * Returns the IR of a type without a JSON Schema, which is reported by its name. The name must mean
 * nothing in the program, so an alias is resolved, and a class that the program imports becomes
 * `class Task`.
 */
export function opaque(type: ts.Type, { compiler, checker, names, taken }: TypeReading): TypeIr {
  const { InTypeAlias, UseAliasDefinedOutsideCurrentScope } = compiler.TypeFormatFlags;
  const flags = InTypeAlias | UseAliasDefinedOutsideCurrentScope;
  const text = checker.typeToString(type, undefined, flags);
  if (!isWord(text)) return named(text);
  const isKnown = [...names.values(), ...taken, ...KNOWN_TYPES].includes(text);
  return named(isKnown ? `${type.isClass() ? "class" : "interface"} ${text}` : text);
}

/** A type by its name. */
export function named(name: string): TypeIr {
  return { kind: "named", name, args: [] };
}

function isWord(text: string): boolean {
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(text);
}
