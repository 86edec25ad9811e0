import fc from "fast-check";
import type { ExprIr } from "../../dsl/index.ts";

const word = fc.constantFrom("a", "b1", "title", "max", "each", "of", "null_", "_x");

/** Random expressions over one name, `n`, in the form that lowering gives them. */
export function arbitraryExpression(): fc.Arbitrary<ExprIr> {
  return fc.letrec<{ expr: ExprIr }>((tie) => {
    const expr = tie("expr");
    const args = fc.array(
      expr.map((value) => ({ value })),
      { maxLength: 2 },
    );
    const record = <T>(shape: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(shape);
    const spread = record({ kind: fc.constant("spread" as const), value: expr });
    const range = record({ kind: fc.constant("range" as const), from: expr, to: expr });
    const item = fc.oneof(expr, expr, spread, range);
    const object = fc
      .uniqueArray(fc.tuple(fc.oneof(word, fc.string({ maxLength: 4 })), expr), {
        selector: ([key]) => key,
        maxLength: 3,
      })
      .map((entries) => ({
        kind: "object" as const,
        entries: entries.map(([key, value]) => ({ key, value })),
      }));
    const inner: fc.Arbitrary<ExprIr>[] = [
      record({
        kind: fc.constant("member" as const),
        object: expr,
        name: word,
        optional: fc.boolean(),
      }),
      record({ kind: fc.constant("index" as const), object: expr, index: expr }),
      record({ kind: fc.constant("call" as const), callee: expr, args }),
      record({
        kind: fc.constant("unary" as const),
        op: fc.constantFrom("!" as const, "-" as const),
        operand: expr,
      }).map(normal),
      record({ kind: fc.constant("binary" as const), op: operator, left: expr, right: expr }),
      fc
        .tuple(expr, expr, expr)
        .map(([test, then, other]) => ({ kind: "conditional" as const, test, then, else: other })),
      fc
        .uniqueArray(fc.constantFrom("p", "q"), { minLength: 1, maxLength: 2 })
        .chain((params) => expr.map((body) => ({ kind: "lambda" as const, params, body }))),
      fc.array(item, { maxLength: 3 }).map((items) => ({ kind: "list" as const, items })),
      fc
        .array(fc.oneof(spread, object), { minLength: 1, maxLength: 3 })
        .map((parts) => ({ kind: "merge" as const, parts: mergeOf(parts) })),
      object,
      fc
        .array(fc.oneof(fc.string({ unit: "grapheme" }), expr), { maxLength: 4 })
        .map((parts) => ({ kind: "template" as const, parts: merged(parts) })),
    ];
    return { expr: fc.oneof({ maxDepth: 4, withCrossShrink: true }, leaf, ...inner) };
  }).expr;
}

const leaf: fc.Arbitrary<ExprIr> = fc.oneof(
  fc
    .oneof(
      fc.string({ unit: "binary" }),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
      fc.boolean(),
      fc.constant(null),
    )
    .map((value) => ({ kind: "literal" as const, value })),
  fc.nat().map((ms) => ({ kind: "duration" as const, ms })),
  fc.nat().map((cents) => ({ kind: "money" as const, usd: cents / 100 })),
  fc.constant({ kind: "name" as const, name: "n", of: "param" as const }),
);

const operator = fc.constantFrom(
  ...(["==", "!=", "<", "<=", ">", ">=", "in", "&&", "||", "??", "+", "-", "*", "/", "%"] as const),
);

/** A minus before a number is part of the number. */
function normal(expr: ExprIr & { kind: "unary" }): ExprIr {
  const { op, operand } = expr;
  const isNumber = operand.kind === "literal" && typeof operand.value === "number";
  return op === "-" && isNumber ? operand : expr;
}

type MergePart = ExprIr & { readonly kind: "spread" | "object" };

/** A merge has a spread, and no empty object; objects side by side are one. */
function mergeOf(parts: readonly MergePart[]): readonly ExprIr[] {
  const spread: MergePart = { kind: "spread", value: { kind: "name", name: "n", of: "param" } };
  const filled = parts.filter((part) => part.kind === "spread" || part.entries.length > 0);
  const whole = filled.some(({ kind }) => kind === "spread") ? filled : [...filled, spread];
  const merged: MergePart[] = [];
  for (const part of whole) {
    const last = merged.at(-1);
    if (last?.kind !== "object" || part.kind !== "object") {
      merged.push(part);
      continue;
    }
    const keys = new Set(last.entries.map(({ key }) => key));
    const fresh = part.entries.filter(({ key }) => !keys.has(key));
    merged[merged.length - 1] = { kind: "object", entries: [...last.entries, ...fresh] };
  }
  return merged;
}

/** Neighbouring texts are one, and an empty one is none. */
function merged(parts: readonly (string | ExprIr)[]): readonly (string | ExprIr)[] {
  const result: (string | ExprIr)[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (typeof part === "string" && typeof last === "string")
      result[result.length - 1] = last + part;
    else if (part !== "") result.push(part);
  }
  return result;
}
