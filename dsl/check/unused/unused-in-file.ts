/** Warns of declarations of a file that no graph uses. */
import type { Ir } from "../../ir/ir.ts";
import { lowerType } from "../../lower/lower-type.ts";
import { referencesOf } from "../../lower/references.ts";
import type { FileAst, Name, TopItem } from "../../syntax/tree/ast.ts";
import type { SoundFile } from "../context.ts";
import { reportUnused } from "./unused.ts";

/** Warns of what a file declares and no graph uses. A file without a graph declares for others, so nothing is unused. */
export function checkUnusedInFile({ ast, graphs, report }: SoundFile): void {
  if (graphs.length === 0) return;
  const used = namesUsed(ast, graphs);
  for (const item of ast.items) {
    for (const { name, what } of valuesOf(item))
      if (!used.has(name.text)) reportUnused(name, what, report);
    if (item.kind !== "type" || used.has(item.name.text)) continue;
    // A type that only an unused type uses is not reported by itself.
    if (!isInType(item.name, ast)) reportUnused(item.name, "type", report);
  }
}

function namesUsed(ast: FileAst, graphs: readonly Ir[]): ReadonlySet<string> {
  const tested = ast.items.flatMap((item) => (item.kind === "test" ? [item.of.text] : []));
  const used = graphs.flatMap(({ models, mcps, memories, config, imports, calls = [], types }) => [
    ...[...models, ...mcps, ...memories, ...calls, ...types].map((each) => each.name),
    ...config.map((entry) => entry.key),
    ...imports.map((each) => each.as),
  ]);
  return new Set([...tested, ...used]);
}

interface FileDeclaration {
  readonly name: Name;
  readonly what: string;
}

function valuesOf(item: TopItem): readonly FileDeclaration[] {
  switch (item.kind) {
    case "mcp":
      return [{ name: item.name, what: item.protocol ?? item.kind }];
    case "model":
    case "memory":
      return [{ name: item.name, what: item.kind }];
    case "import":
      return item.names.map(({ name, as }) => ({ name: as ?? name, what: "import" }));
    case "config":
      return item.value.entries.map(({ key }) => ({ name: key, what: "setting" }));
    default:
      return [];
  }
}

function isInType(name: Name, ast: FileAst): boolean {
  return ast.items.some(
    (item) =>
      item.kind === "type" &&
      item.name !== name &&
      referencesOf(lowerType(item.type)).types.has(name.text),
  );
}
