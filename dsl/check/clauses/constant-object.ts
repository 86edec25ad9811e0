/** Reads an object of the text whose members are known before a run, and finds the places of its members. */
import type { Span } from "../../diagnostics/source.ts";
import type { ExprAst, ObjectAst } from "../../syntax/tree/ast.ts";
import { NOT_KNOWN } from "../../vocabulary/members.ts";

/** The short form `{ a }` names itself. */
export function writtenValue({ key, value }: ObjectAst["entries"][number]): ExprAst {
  return value ?? { kind: "name", ...key };
}

/** The value of an expression, with a mark for what is only known when the node runs. */
export function constantOf(expr: ExprAst): unknown {
  switch (expr.kind) {
    case "string":
    case "number":
    case "boolean":
      return expr.value;
    case "duration":
    case "money":
    case "null":
    case "lambda":
      return null;
    case "list":
      return expr.items.map(constantOf);
    case "object":
      return Object.fromEntries(
        expr.entries.map((entry) => [entry.key.text, constantOf(writtenValue(entry))]),
      );
    case "unary":
      return expr.op === "-" && expr.operand.kind === "number" ? -expr.operand.value : NOT_KNOWN;
    default:
      return NOT_KNOWN;
  }
}

/** Returns the place of a member, or of its key; of the object itself where `path` is empty. */
export function placeIn(value: ExprAst, path: readonly string[], isKey: true | undefined): Span {
  const [first, ...rest] = path;
  const entry =
    value.kind === "object" ? value.entries.find(({ key }) => key.text === first) : undefined;
  if (entry === undefined) return value.span;
  return rest.length === 0 && isKey === true
    ? entry.key.span
    : placeIn(writtenValue(entry), rest, isKey);
}
