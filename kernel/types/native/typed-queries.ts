/**
 * Gives each query of a cell whose columns are known a tag of its own to be checked with. It is as long as `sql`, so that every
 * place stays; what runs is the cell's own text.
 */
import type { CellModule } from "../cells/cell-text.ts";
import type { TypedQuery } from "../service.ts";

const TAG = "sql";

export interface QueriedCell {
  readonly module: CellModule;
  readonly earlier: string;
}

export function withQueryTags(
  { module, earlier }: QueriedCell,
  queries: readonly TypedQuery[],
): QueriedCell {
  let { text } = module;
  const tags: string[] = [];
  for (const [index, { offset, row }] of queries.entries()) {
    const name = `$${index.toString(36).padStart(2, "_")}`;
    const isThere = text.slice(offset, offset + TAG.length) === TAG;
    if (!isThere || text.includes(name)) continue;
    text = `${text.slice(0, offset)}${name}${text.slice(offset + TAG.length)}`;
    tags.push(
      `declare const ${name}: (parts: TemplateStringsArray, ...params: Parameters<import("madrigal").SqlTag> extends [unknown, ...infer P] ? P : never) => Promise<import("madrigal").Rows<${row}>>;`,
    );
  }
  if (tags.length === 0) return { module, earlier };
  return { module: { ...module, text }, earlier: `${earlier}\n${tags.join("\n")}` };
}
