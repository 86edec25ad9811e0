/** Reports a spread of what can't be spread. */
import type { TypeIr } from "../../ir/ir.ts";
import { printType, resolveType } from "../../ir/types.ts";
import type { Scope } from "../../names/scope.ts";
import type { ExprAst } from "../../syntax/tree/ast.ts";
import type { Report } from "../report.ts";

interface SpreadValue {
  readonly type: TypeIr | undefined;
  readonly wanted: "a list" | "an object";
}

/** Reports `[...e]` of no list and `{ ...e }` of no object, where the type says so for sure. */
export function reportSpread(
  { span }: ExprAst,
  { type, wanted }: SpreadValue,
  { symbols }: Scope,
  report: Report,
): void {
  if (type === undefined) return;
  const shape = resolveType(type, symbols.file.types);
  const isList = shape?.kind === "array" || shape?.kind === "tuple";
  const isObject = shape?.kind === "object" || (shape?.kind === "named" && shape.name === "Record");
  const isValue =
    shape?.kind === "named" && ["string", "number", "int", "boolean"].includes(shape.name);
  if (!isValue && !(wanted === "a list" ? isObject : isList)) return;
  report({
    code: "M2150",
    message: `\`...\` needs ${wanted} here, and this is \`${printType(type)}\``,
    span,
    hint:
      wanted === "a list"
        ? "`[...list, item]` takes the items of a list; one value stands there without `...`"
        : "`{ ...object, a: 1 }` takes the members of an object; a list is `[...list]`",
  });
}
