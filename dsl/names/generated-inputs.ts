/** Resolves the names behind `for any` in a test. */
import type { Name, TestDecl, TestItem } from "../syntax/tree/ast.ts";
import type { GraphSymbols } from "./symbol-tables.ts";

/** A name whose value is generated, at the place where the test says so. */
export type GeneratedName = Pick<Name, "text" | "span">;

/** The names of one `for any`; `input` stands for all parameters that are not given, unless the graph calls something so. */
export function generatedNames(
  { names }: TestItem & { readonly kind: "any-input" },
  { items }: TestDecl,
  { params, fields }: GraphSymbols,
): readonly GeneratedName[] {
  const given = new Set(
    items.flatMap((item) =>
      item.kind === "given" ? item.assigns.map(({ field }) => field.text) : [],
    ),
  );
  return names.flatMap((name) =>
    name.text !== "input" || params.has("input") || fields.has("input")
      ? [name]
      : [...params.keys()]
          .filter((param) => !given.has(param))
          .map((text) => ({ text, span: name.span })),
  );
}
