/** Loads edited modules again before a cell runs, and gives the notebook their new exports. */
import { relative } from "node:path";
import { messageOf, type Scope, scopes } from "../../../runtime/index.ts";
import type { AtWork } from "../notebook.ts";
import { renewImports } from "./imported-names.ts";
import { type ChangedExport, reloadModules } from "./local-modules.ts";
import { markReloaded } from "./mark-stale.ts";

/** Gives names what the files have now, and marks what the old ones made. Returns the files that were read again. */
export async function refreshModules(at: AtWork): Promise<readonly string[]> {
  const changed = await changedGraphs(at);
  const files = await refreshScripts(changed, at);
  if (changed.size > 0) await markReloaded(changed, at);
  return [...new Set([...files, ...changed.values()])];
}

/** Compiles again the programs that cells of TypeScript import. Returns the graphs that changed, with their files. */
async function changedGraphs(at: AtWork): Promise<Map<string, string>> {
  if (at.notebook.programs.size === 0) return new Map();
  const { refreshPrograms } = await import("../kinds/imported-graphs.ts");
  return await refreshPrograms(at);
}

/** Loads modules of TypeScript again, and adds to `changed` the names that have a new value, with its file. */
async function refreshScripts(
  changed: Map<string, string>,
  { cell, notebook }: AtWork,
): Promise<readonly string[]> {
  const reloaded = await cell.orCancelled(reloadModules());
  if (reloaded === undefined) return [];
  const { exports, files, faults } = reloaded;
  for (const { file, thrown } of faults) {
    const text = `\`${relativePath(file)}\` has changed and can't be loaded: ${messageOf(thrown)}; its earlier version stays in use`;
    cell.warn(text);
  }
  for (const [name, file] of renew(notebook.names, exports)) changed.set(name, file);
  for (const [name, file] of renewImports(notebook, files)) changed.set(name, relativePath(file));
  for (const { scope, graphs } of notebook.imported) {
    const imported = scope.deref();
    const [file] = imported === undefined ? [] : renewAll(imported, exports);
    if (file !== undefined) for (const graph of graphs) changed.set(graph, file);
  }
  return [...files].map(relativePath);
}

/** The files of what has changed in it, or in what the files of called graphs import. */
function renewAll(scope: Scope, exports: ReadonlyMap<unknown, ChangedExport>): readonly string[] {
  return [scope, ...scopes.fileScopesOf(scope)].flatMap((one) => [...renew(one, exports).values()]);
}

/** Names that stand for something else now, with its file. */
function renew(names: Scope, exports: ReadonlyMap<unknown, ChangedExport>): Map<string, string> {
  const changed = new Map<string, string>();
  for (const name of Object.keys(names)) {
    const found = exports.get(names[name]);
    if (found === undefined || !Reflect.set(names, name, found.now)) continue;
    changed.set(name, relativePath(found.file));
  }
  return changed;
}

function relativePath(file: string): string {
  return relative(process.cwd(), file);
}
