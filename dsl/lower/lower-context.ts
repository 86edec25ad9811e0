/** Lowers the object of a `context`, in which a type of the file may stand for its JSON Schema. */
import type { ExprIr } from "../ir/ir.ts";
import type { Scope } from "../names/scope.ts";
import type { ExprAst } from "../syntax/tree/ast.ts";
import { lowerExpression } from "./lower-expression.ts";

/** The expression of a `context`; `summarize: { schema: T }` names the type `T`. */
export function lowerContext(value: ExprAst, scope: Scope): ExprIr {
  const { types } = scope.symbols.file;
  return withEntry(lowerExpression(value, scope), "summarize", (summarize) =>
    withEntry(summarize, "schema", (schema) =>
      schema.kind === "name" && types.has(schema.name) ? { ...schema, of: "type" } : schema,
    ),
  );
}

function withEntry(object: ExprIr, key: string, change: (value: ExprIr) => ExprIr): ExprIr {
  if (object.kind !== "object") return object;
  const entries = object.entries.map((entry) =>
    entry.key === key ? { key, value: change(entry.value) } : entry,
  );
  return { ...object, entries };
}
