/** Turns a type of the checker into a type of the language. What no JSON has becomes a named type that nobody declares. */

import type ts from "typescript-6";
import type { TypeIr } from "../../../dsl/index.ts";
import { readDocumentation } from "../compiler/documentation.ts";
import { freeName, named, opaque, type TypeReading } from "./type-names.ts";

interface TypeWalk extends TypeReading {
  /** The objects around the part that is read. */
  readonly around: Set<ts.Type>;
  /** Those of them that were met again. */
  readonly met: Set<ts.Type>;
  readonly depth: number;
  readonly read: { parts: number };
}

/** Converts a TypeScript type to the IR; adds definitions of types that contain themselves. */
export function toType(type: ts.Type, reading: TypeReading): TypeIr {
  const walk = { ...reading, around: new Set<ts.Type>(), met: new Set<ts.Type>() };
  const count = { parts: 0 };
  const read = typeOf(type, { ...walk, depth: 0, read: count });
  if (count.parts > PARTS_MAX) {
    reading.tooLarge.add(type);
    return opaque(type, reading);
  }
  const own = read.kind === "named" ? reading.definitions.get(read.name) : undefined;
  return own ?? read;
}

/** Deeper than anybody writes: a type that makes new ones of itself. */
const DEPTH_MAX = 24;

/** More than any model takes: types that name each other a few times a level are millions when spelled out. */
export const PARTS_MAX = 5000;

function typeOf(type: ts.Type, walk: TypeWalk): TypeIr {
  const { TypeFlags } = walk.compiler;
  const is = (flags: ts.TypeFlags) => (type.flags & flags) !== 0;
  walk.read.parts += 1;
  if (walk.depth > DEPTH_MAX || walk.read.parts > PARTS_MAX) return opaque(type, walk);
  if (is(TypeFlags.Any)) return named("any");
  if (is(TypeFlags.Unknown)) return named("unknown");
  if (is(TypeFlags.Null)) return { kind: "literal", value: null };
  if (type.isStringLiteral() || type.isNumberLiteral())
    return { kind: "literal", value: type.value };
  if (is(TypeFlags.BooleanLiteral))
    return { kind: "literal", value: walk.checker.typeToString(type) === "true" };
  if (is(TypeFlags.Boolean)) return named("boolean");
  if (is(TypeFlags.StringLike)) return named("string");
  if (is(TypeFlags.NumberLike) && !type.isUnion()) return named("number");
  if (type.isUnion()) return onceAround(type, walk, () => unionOf(type.types, walk));
  if (type.isIntersection()) return intersectionOf(type, walk);
  return is(TypeFlags.Object) ? objectOf(type as ts.ObjectType, walk) : opaque(type, walk);
}

function unionOf(types: readonly ts.Type[], walk: TypeWalk): TypeIr {
  const read = types.map((type) => typeOf(type, { ...walk, depth: walk.depth + 1 }));
  const isBoolean = read.filter(isTruth).length === 2;
  const isNull = (part: TypeIr) => part.kind === "literal" && part.value === null;
  // TypeScript takes `boolean` apart as `true | false`, and puts `null` first.
  const parts = [
    ...read.filter((part) => !isNull(part) && !(isBoolean && isTruth(part))),
    ...(isBoolean ? [named("boolean")] : []),
    ...read.filter(isNull),
  ];
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { kind: "union", types: parts };
}

function isTruth(part: TypeIr): boolean {
  return part.kind === "literal" && typeof part.value === "boolean";
}

/** A text with a brand is a text. */
function intersectionOf(type: ts.IntersectionType, walk: TypeWalk): TypeIr {
  const { TypeFlags } = walk.compiler;
  const primitive = type.types.find(
    ({ flags }) => flags & (TypeFlags.StringLike | TypeFlags.NumberLike | TypeFlags.BooleanLike),
  );
  return primitive === undefined ? membersOf(type, walk) : typeOf(primitive, walk);
}

// ── objects ─────────────────────────────────────────────────────────────────────────────────────

function objectOf(type: ts.ObjectType, walk: TypeWalk): TypeIr {
  const { checker } = walk;
  const deeper = { ...walk, depth: walk.depth + 1 };
  const args =
    checker.isArrayType(type) || checker.isTupleType(type) ? argumentsOf(type, walk) : [];
  const [first] = args;
  if (checker.isArrayType(type) && first !== undefined)
    return { kind: "array", of: typeOf(first, deeper) };
  if (checker.isTupleType(type)) {
    const isFixed = !(type as ts.TupleTypeReference).target.hasRestElement;
    const isWhole = (type as ts.TupleTypeReference).target.minLength === args.length;
    if (!isFixed || !isWhole) return opaque(type, walk);
    const types = () => args.map((arg) => typeOf(arg, deeper));
    return onceAround(type, walk, () => ({ kind: "tuple", types: types() }));
  }
  if (isBehaviour(type, walk)) return opaque(type, walk);
  const index = checker.getIndexInfosOfType(type);
  if (index.length === 0) return membersOf(type, walk);
  return onceAround(type, walk, () => recordOf(type, index, deeper));
}

function argumentsOf(type: ts.Type, { checker }: TypeWalk): readonly ts.Type[] {
  return checker.getTypeArguments(type as ts.TypeReference);
}

/** Functions, and what is made by the language's own classes or by one with methods: no JSON gives it back. */
function isBehaviour(type: ts.ObjectType, walk: TypeWalk): boolean {
  if (type.getCallSignatures().length > 0 || type.getConstructSignatures().length > 0) return true;
  const declarations = type.symbol?.declarations ?? [];
  const isBuiltIn = declarations.some((one) => isOfLibrary(one, walk));
  const isClass = type.isClass() || declarations.some((one) => walk.compiler.isClassLike(one));
  return (
    (isBuiltIn || isClass) &&
    walk.checker.getPropertiesOfType(type).some((one) => isMethod(one, walk))
  );
}

function isOfLibrary(declaration: ts.Declaration, { program }: TypeWalk): boolean {
  const file = declaration.getSourceFile();
  return program.isSourceFileDefaultLibrary(file) || file.fileName.includes("/@types/node/");
}

function isMethod(property: ts.Symbol, { compiler }: TypeWalk): boolean {
  return (property.flags & compiler.SymbolFlags.Method) !== 0;
}

function recordOf(type: ts.Type, index: readonly ts.IndexInfo[], walk: TypeWalk): TypeIr {
  const [only] = index;
  const isOfTexts = (only?.keyType.flags ?? 0) & walk.compiler.TypeFlags.String;
  const isPlain = index.length === 1 && walk.checker.getPropertiesOfType(type).length === 0;
  if (only === undefined || !isOfTexts || !isPlain) return opaque(type, walk);
  return { kind: "named", name: "Record", args: [named("string"), typeOf(only.type, walk)] };
}

function membersOf(type: ts.Type, walk: TypeWalk): TypeIr {
  const deeper = { ...walk, depth: walk.depth + 1 };
  return around(type, walk, () => ({
    kind: "object",
    ...described(type.aliasSymbol ?? type.symbol, walk),
    members: walk.checker
      .getPropertiesOfType(type)
      .filter((property) => isJsonMember(property, walk))
      .map((property) => memberOf(property, deeper)),
  }));
}

/**
 * Reads a type that may contain itself: such a type becomes a definition, and its name stands for
 * it.
 */
function around(type: ts.Type, walk: TypeWalk, read: () => TypeIr): TypeIr {
  const { names, met, definitions } = walk;
  if (walk.around.has(type)) {
    met.add(type);
    const name = names.get(type) ?? freeName(type, walk);
    names.set(type, name);
    return named(name);
  }
  walk.around.add(type);
  const found = read();
  walk.around.delete(type);
  const name = met.has(type) ? names.get(type) : undefined;
  if (name === undefined) return found;
  definitions.set(name, found);
  return named(name);
}

/** The same for what is no object with members: one without a name of its own is spelled out inside of what has one. */
function onceAround(type: ts.Type, walk: TypeWalk, read: () => TypeIr): TypeIr {
  const { Interface, Class } = walk.compiler.SymbolFlags;
  const isAlias = type.aliasSymbol !== undefined && type.aliasTypeArguments === undefined;
  const isDeclared = ((type.symbol?.flags ?? 0) & (Interface | Class)) !== 0;
  return isAlias || isDeclared ? around(type, walk, read) : read();
}

/** Members that JSON can hold: none that are never there, hidden in a class, or called by a symbol. */
function isJsonMember(property: ts.Symbol, { compiler, checker }: TypeWalk): boolean {
  const { Never, Undefined } = compiler.TypeFlags;
  const { Private, Protected } = compiler.ModifierFlags;
  const type = checker.getTypeOfSymbol(property);
  if (type.flags & (Never | Undefined) || /^__[@#]/.test(`${property.escapedName}`)) return false;
  return (property.declarations ?? []).every(
    (one) => (compiler.getCombinedModifierFlags(one) & (Private | Protected)) === 0,
  );
}

function memberOf(property: ts.Symbol, walk: TypeWalk) {
  const { compiler, checker } = walk;
  const type = checker.getTypeOfSymbol(property);
  const parts = type.isUnion() ? type.types : [type];
  const there = parts.filter(({ flags }) => !(flags & compiler.TypeFlags.Undefined));
  const isMarked = (property.flags & compiler.SymbolFlags.Optional) !== 0;
  return {
    name: property.name,
    optional: isMarked || there.length < parts.length,
    type: there.length === parts.length ? typeOf(type, walk) : unionOf(there, walk),
    ...described(property, walk),
  };
}

function described(symbol: ts.Symbol | undefined, walk: TypeWalk) {
  const { compiler, checker } = walk;
  // `Partial` and its like say what they do, and nothing of the value.
  if (symbol?.declarations?.every((one) => isOfLibrary(one, walk)) === true) return {};
  readDocumentation(compiler, checker, symbol);
  const parts = symbol?.getDocumentationComment(checker) ?? [];
  const description = compiler.displayPartsToString(parts).trim();
  return description === "" ? {} : { description };
}
