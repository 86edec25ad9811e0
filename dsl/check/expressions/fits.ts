/** Decides whether a value of one type surely does not fit another. */
import type { TypeIr } from "../../ir/ir.ts";
import { resolveType, type TypeTable } from "../../ir/types.ts";

/**
 * Returns whether a value of type `from` surely can't be used as a `to`. False if a type is not
 * known well enough.
 */
export function cannotFit(from: TypeIr | undefined, to: TypeIr, types: TypeTable): boolean {
  return from !== undefined && fits(from, to, { types, depth: 0 }) === false;
}

interface FitWalk {
  readonly types: TypeTable;
  /** Recursive types are followed a few levels only. */
  readonly depth: number;
}

function fits(from: TypeIr, to: TypeIr, walk: FitWalk): boolean {
  const source = resolveType(from, walk.types);
  const target = resolveType(to, walk.types);
  if (source === undefined || target === undefined || walk.depth > 6) return true;
  const deeper = { ...walk, depth: walk.depth + 1 };
  if (source.kind === "union") return source.types.some((part) => fits(part, target, deeper));
  if (isOpen(source) || isOpen(target)) return true;
  switch (target.kind) {
    case "named":
      if (target.name === "Record") return source.kind === "object" || isRecord(source);
      return kindOf(source) === kindOf(target) && !(target.name === "int" && isFraction(source));
    case "literal":
      return source.kind === "literal"
        ? source.value === target.value
        : kindOf(source) === kindOf(target);
    case "array":
      return source.kind === "array" ? fits(source.of, target.of, deeper) : source.kind === "tuple";
    case "tuple":
      return source.kind === "array" || source.kind === "tuple";
    case "union":
      return target.types.some((part) => fits(source, part, deeper));
    case "object":
      return source.kind === "object" ? objectFits(source, target, deeper) : isRecord(source);
  }
}

function objectFits(
  source: TypeIr & { kind: "object" },
  target: TypeIr & { kind: "object" },
  walk: FitWalk,
): boolean {
  return target.members.every((wanted) => {
    const given = source.members.find((member) => member.name === wanted.name);
    return given === undefined ? wanted.optional : fits(given.type, wanted.type, walk);
  });
}

function isFraction(type: TypeIr): boolean {
  return type.kind === "literal" && typeof type.value === "number" && !Number.isInteger(type.value);
}

function isOpen(type: TypeIr): boolean {
  return (
    type.kind === "named" && ["Json", "unknown", "any", "Artifact", "Image"].includes(type.name)
  );
}

function isRecord(type: TypeIr): boolean {
  return type.kind === "named" && type.name === "Record";
}

/** `string`, `number`, `boolean`, `null`; any other shape is its own kind. */
function kindOf(type: TypeIr): string {
  if (type.kind === "literal") return type.value === null ? "null" : typeof type.value;
  if (type.kind !== "named") return type.kind;
  return type.name === "int" ? "number" : type.name;
}
