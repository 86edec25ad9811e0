/** Completes the names of cells that SQL can ask as tables, and the keys of their objects as columns. */
import type { TypeScriptNames } from "../graphs/editor/complete-graph.ts";
import type { CompletionItem } from "../service.ts";

/** The names of cells whose type is that of an array. */
export function valueTables({ complete, names }: TypeScriptNames): readonly CompletionItem[] {
  const { items } = complete({ text: "", offset: 0, only: names });
  return items
    .filter(({ signature = "" }) => ARRAY.test(signature))
    .map((item) => ({ ...item, type: "table" }));
}

const ARRAY = /: (?:readonly )?(?:.*\[\]|(?:Readonly)?Array<.*>|Rows<.*>|Rows)$/s;

/** The keys of the objects of an array; nothing of a name that no cell has declared. */
export function valueColumns(
  table: string,
  { complete, names }: TypeScriptNames,
): readonly CompletionItem[] {
  const name = [...names].find((one) => one.toLowerCase() === table.toLowerCase());
  if (name === undefined) return [];
  const text = `${name}[0]!.`;
  const { items } = complete({ text, offset: text.length });
  return items
    .filter(({ signature }) => signature !== undefined && !/\(method\)/.test(signature))
    .map((item) => ({ ...item, type: "column" }));
}
