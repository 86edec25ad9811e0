/** Reports types that are defined as themselves. */
import { dottedText } from "../../lower/lower-type.ts";
import type { FileAst, TypeAst, TypeDecl } from "../../syntax/tree/ast.ts";
import type { FileCheck } from "../context.ts";

/** A type may contain itself, in an object or a list; it can't be itself. */
export function checkCircularTypes({ ast, report }: FileCheck): void {
  const types = declaredTypes(ast);
  for (const { name } of types.values()) {
    const way = wayBack(name.text, types);
    if (way === undefined) continue;
    report({
      code: "M3403",
      message: `\`${name.text}\` is only another name for itself: \`${way.join(" = ")}\``,
      span: name.span,
      hint: "give it a type of its own: a text, a number, an object with members",
    });
    return;
  }
}

function declaredTypes({ items }: FileAst): ReadonlyMap<string, TypeDecl> {
  return new Map(
    items.flatMap((item) => (item.kind === "type" ? [[item.name.text, item] as const] : [])),
  );
}

/** The names from a type back to itself, with nothing but names and unions between them. */
function wayBack(
  name: string,
  types: ReadonlyMap<string, TypeDecl>,
): readonly string[] | undefined {
  const ways: (readonly string[])[] = [[name]];
  const seen = new Set<string>();
  for (let way = ways.shift(); way !== undefined; way = ways.shift()) {
    const decl = types.get(way.at(-1) ?? "");
    for (const next of decl === undefined ? [] : sameAs(decl.type)) {
      if (next === name) return [...way, name];
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return undefined;
}

/** The names that a type is, or may be, itself. */
function sameAs(type: TypeAst): readonly string[] {
  if (type.kind === "named") return [dottedText(type.name)];
  return type.kind === "union-type" ? type.types.flatMap(sameAs) : [];
}
