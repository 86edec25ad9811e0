/** Lists the declarations of a file outside its graphs. */
import {
  lowerConfigEntry,
  lowerImport,
  lowerMcp,
  lowerMemory,
  lowerModel,
} from "../lower/lower-declarations.ts";
import { flowScope } from "../names/scope.ts";
import type { FileSymbols } from "../names/symbol-tables.ts";
import { graphSymbols, NO_GRAPH } from "../names/symbols.ts";
import type { Declaration } from "./declaration.ts";

const known = new WeakMap<FileSymbols, readonly Declaration[]>();

/**
 * Returns the declarations of a file outside its graphs, in the order of its text. `file` is its
 * path, which tells them from others of the same names.
 */
export function ownDeclarations(symbols: FileSymbols, file: string): readonly Declaration[] {
  const before = known.get(symbols);
  if (before !== undefined) return before;
  const declarations = lowered(symbols, file);
  known.set(symbols, declarations);
  return declarations;
}

function lowered(symbols: FileSymbols, file: string): readonly Declaration[] {
  const { own } = symbols;
  const scope = flowScope(graphSymbols(symbols, NO_GRAPH));
  const from = (name: string) => ({ name, origin: `${file}#${name}` });
  return [
    ...own.imports.map((imported): Declaration => {
      const item = lowerImport(imported);
      return { kind: "import", ...from(item.as), item, written: { file, from: item.from } };
    }),
    ...own.models.map(
      (decl): Declaration => ({
        kind: "model",
        ...from(decl.name.text),
        item: lowerModel(decl, scope),
      }),
    ),
    ...own.mcps.map(
      (decl): Declaration => ({
        kind: "mcp",
        ...from(decl.name.text),
        item: lowerMcp(decl, scope),
      }),
    ),
    ...own.types.map(
      ({ name, type }): Declaration => ({
        kind: "type",
        ...from(name),
        item: { name, type },
      }),
    ),
    ...own.config.map(
      (entry): Declaration => ({
        kind: "config",
        ...from(entry.key.text),
        item: lowerConfigEntry(entry, scope),
      }),
    ),
    ...own.memories.map(
      (decl): Declaration => ({
        kind: "memory",
        ...from(decl.name.text),
        item: lowerMemory(decl, scope),
      }),
    ),
  ];
}
