import { parse } from "../../../dsl/index.ts";
import type { Inspection, Place } from "../service.ts";

/** The declaration of the name at a place of a graph cell, as it stands in the text. */
export function inspectGraph({ code, offset }: Place): Inspection | undefined {
  const before = /[\p{L}\p{N}_$]*$/u.exec(code.slice(0, offset))?.[0] ?? "";
  const after = /^[\p{L}\p{N}_$]*/u.exec(code.slice(offset))?.[0] ?? "";
  const name = `${before}${after}`;
  const found = name === "" ? undefined : declarationOf(name, code);
  if (found === undefined) return undefined;
  return { plain: found, markdown: `\`\`\`madrigal\n${found}\n\`\`\`` };
}

interface Named {
  readonly name: { readonly text: string; readonly span: { readonly start: number } };
  readonly start: number;
  readonly end: number;
}

/** A field or parameter whole, a node or graph by the line on which it begins. */
function declarationOf(name: string, text: string): string | undefined {
  const { items } = parse({ file: "cell", text }).ast;
  const graphs = items.filter((item) => item.kind === "graph");
  const declared = [
    ...items.filter((item) => item.kind === "type" || item.kind === "model" || item.kind === "mcp"),
    ...graphs.flatMap((graph) => graph.params),
    ...graphs.flatMap(({ items: inner }) => [
      ...inner.filter((item) => item.kind === "node" || item.kind === "call"),
      ...inner.flatMap((item) => ("params" in item ? item.params : [])),
    ]),
    ...graphs,
  ].map((one): Named => ({ name: one.name, start: one.span.start, end: one.span.end }));
  const fields = graphs
    .flatMap((graph) => graph.items)
    .flatMap((item) => (item.kind === "state" ? item.fields : []))
    .map(
      ({ name: own, type, value, via }): Named => ({
        name: own,
        start: own.span.start,
        end: (via ?? value ?? type).span.end,
      }),
    );
  const found = [...fields, ...declared].find((one) => one.name.text === name);
  return found && text.slice(found.start, found.end).split("\n")[0];
}
