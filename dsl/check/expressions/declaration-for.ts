/** Suggests the declaration of a field that is written and not declared. */
import type { TypeIr } from "../../ir/ir.ts";
import { BOOLEAN, NUMBER, printType, STRING } from "../../ir/types.ts";
import type { Scope } from "../../names/scope.ts";
import type { ViaAst } from "../../syntax/tree/ast.ts";
import { reducerFacts } from "../../vocabulary/reducers.ts";

/** A write to a field that is not declared. */
export interface UndeclaredWrite {
  readonly field: string;
  /** The type of the written value, where it is known. */
  readonly given?: TypeIr | undefined;
  readonly via?: ViaAst | undefined;
}

/** The declaration that a written field lacks, as exact as the write tells: `notes: string[] = [] via append`. */
export function declarationFor({ field, given, via }: UndeclaredWrite, scope: Scope): string {
  const typeText = given === undefined ? typeOfAnswer(scope) : printType(widened(given));
  const reducer = via?.name.text;
  const { on = "any" } = reducerFacts(reducer) ?? {};
  switch (on) {
    case "list":
      return `${field}: ${listOf(given, typeText)} = [] via ${reducer}`;
    case "object":
      return `${field}: Record<string, Json> = {} via ${reducer}`;
    case "number":
      return `${field}: number = 0 via ${reducer}`;
    case "messages":
      return `${field}: Messages`;
    case "any":
      return `${field}: ${typeText}`;
  }
}

/** A model or a person that is asked for no type in particular gives a text; what a function gives TypeScript knows. */
function typeOfAnswer({ node }: Scope): string {
  return node?.kind === "node" ? "string" : "…";
}

function listOf(given: TypeIr | undefined, typeText: string): string {
  if (given?.kind === "array") return printType(widened(given));
  return /^[\w…]+$/.test(typeText) ? `${typeText}[]` : `(${typeText})[]`;
}

/** A field that begins with `"a"` may well hold `"b"` later. */
function widened(type: TypeIr): TypeIr {
  switch (type.kind) {
    case "literal":
      if (typeof type.value === "string") return STRING;
      if (typeof type.value === "number") return NUMBER;
      return type.value === null ? type : BOOLEAN;
    case "array":
      return { kind: "array", of: widened(type.of) };
    case "object":
      return {
        kind: "object",
        members: type.members.map((member) => ({ ...member, type: widened(member.type) })),
      };
    default:
      return type;
  }
}
