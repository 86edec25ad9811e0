/** Checks that the types named in a declaration exist and have the right arguments. */
import type { Finding } from "../../diagnostics/diagnostic.ts";
import { KNOWN_TYPES } from "../../ir/types.ts";
import { dottedText } from "../../lower/lower-type.ts";
import { isOffered } from "../../names/scope.ts";
import type { FileSymbols } from "../../names/symbol-tables.ts";
import { typeNames } from "../../names/symbols.ts";
import type { TypeAst } from "../../syntax/tree/ast.ts";
import { type Report, reportUnknown } from "../report.ts";

const GENERIC_ARITY: Readonly<Record<string, number>> = {
  Array: 1,
  ReadonlyArray: 1,
  Record: 2,
  Private: 1,
};

/** Words for types in other languages, and what they are called here. */
const FOREIGN: Readonly<Record<string, string>> = {
  str: "string",
  text: "string",
  String: "string",
  bool: "boolean",
  Boolean: "boolean",
  integer: "int",
  float: "number",
  double: "number",
  Number: "number",
  list: "Array",
  dict: "Record",
  json: "Json",
  object: "Json",
};

/** Checks that every type named in `type` exists. */
export function checkType(type: TypeAst, file: FileSymbols, report: Report): void {
  for (const part of typeParts(type)) {
    const name = dottedText(part.name);
    const isKnown =
      file.types.has(name) ||
      KNOWN_TYPES.includes(name) ||
      file.imports.has(part.name.parts[0]?.text ?? "") ||
      isOffered(file.scope, name);
    if (isKnown) reportArity(name, part, file, report);
    else
      reportUnknown(report, {
        code: "M2104",
        what: "type",
        word: name,
        span: part.name.span,
        candidates: FOREIGN[name] === undefined ? [...typeNames(file), ...KNOWN_TYPES] : [],
        otherwise: FOREIGN[name] === undefined ? undefined : `write \`${FOREIGN[name]}\``,
      });
  }
}

type TypeMention = TypeAst & { readonly kind: "named" };

function reportArity(name: string, part: TypeMention, file: FileSymbols, report: Report): void {
  const arity = file.types.has(name) ? 0 : GENERIC_ARITY[name];
  if (arity === undefined || arity === part.args.length) return;
  const finding: Finding = {
    code: "M3401",
    message:
      arity === 0
        ? `\`${name}\` takes no types in angle brackets`
        : `\`${name}\` takes ${arity === 1 ? "one type" : `${arity} types`} in angle brackets`,
    span: part.span,
    hint:
      arity === 2
        ? `write \`${name}<string, …>\``
        : arity === 1
          ? `write \`${name}<…>\``
          : `write \`${name}\` alone`,
  };
  report(finding);
}

function typeParts(type: TypeAst): readonly TypeMention[] {
  switch (type.kind) {
    case "named":
      return [type, ...type.args.flatMap(typeParts)];
    case "literal-type":
      return [];
    case "object-type":
      return type.members.flatMap((member) => typeParts(member.type));
    case "array-type":
      return typeParts(type.of);
    case "tuple-type":
    case "union-type":
      return type.types.flatMap(typeParts);
  }
}
