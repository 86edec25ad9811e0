/** Renews what import statements of cells gave: numbers, texts and namespaces, which nothing tells from others by their value. */
import type { Notebook } from "../notebook.ts";
import { cellModules } from "./modules.ts";

interface CellImport {
  readonly local: string;
  /** `*` for the namespace. */
  readonly exported: string;
  readonly specifier: string;
}

/** Names that stand for something else now, each with the file of its module. */
export function renewImports(
  { names, dependents }: Notebook,
  files: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const changed = new Map<string, string>();
  const { require } = cellModules().scope;
  for (const { cell } of dependents.cells()) {
    for (const { local, exported, specifier } of importsIn(cell.request.code)) {
      const file = resolvedFile(require, specifier);
      if (file === undefined || !files.has(file) || dependents.ownerOf(local) !== cell) continue;
      const module = require(specifier) as Readonly<Record<string, unknown>>;
      const value = exported === "*" ? module : module[exported];
      if (value === undefined || Object.is(names[local], value)) continue;
      names[local] = value;
      changed.set(local, file);
    }
  }
  return changed;
}

function resolvedFile(require: NodeJS.Require, specifier: string): string | undefined {
  try {
    return require.resolve(specifier);
  } catch {
    return undefined;
  }
}

const IMPORT = /^[ \t]*import\s+(?!type\b)([^"';]+?)\s+from\s*(["'])([./][^"'\n]*)\2/gm;

/** Finds the names that static imports of local files give; a text that only looks like one gives names that its cell does not declare. */
function importsIn(code: string): readonly CellImport[] {
  return [...code.matchAll(IMPORT)].flatMap(([, clause = "", , specifier = ""]) => {
    const [, listed = ""] = /\{([^}]*)\}/.exec(clause) ?? [];
    const [, namespace] = /\*\s*as\s+([\p{L}_$][\p{L}\p{N}_$]*)/u.exec(clause) ?? [];
    const [, byDefault] = /^\s*([\p{L}_$][\p{L}\p{N}_$]*)/u.exec(clause) ?? [];
    const named = listed.split(",").flatMap((one) => {
      const [exported, local = exported] = one.trim().split(/\s+as\s+/);
      return exported === undefined || exported === "" || local === undefined
        ? []
        : [{ local, exported, specifier }];
    });
    return [
      ...named,
      ...(namespace === undefined ? [] : [{ local: namespace, exported: "*", specifier }]),
      ...(byDefault === undefined ? [] : [{ local: byDefault, exported: "default", specifier }]),
    ];
  });
}
