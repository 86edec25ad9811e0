/** Loads edited modules again before a cell runs, and gives the notebook their new exports. */
import { relative } from "node:path";
import { messageOf, type Scope, scopes } from "../../../runtime/index.ts";
import type { AtWork } from "../notebook.ts";
import { renewImports } from "./imported-names.ts";
import { type ChangedExport, reloadModules } from "./local-modules.ts";
import { markReloaded } from "./mark-stale.ts";

/** Gives names what the files have now, and marks what the old ones made. Returns the files that were read again. */
export async function refreshModules(at: AtWork): Promise<readonly string[]> {
  const { cell, notebook } = at;
  const reloaded = await cell.orCancelled(reloadModules());
  if (reloaded === undefined) return [];
  const { exports, files, faults } = reloaded;
  for (const { file, thrown } of faults) {
    const text = `\`${relativePath(file)}\` has changed and can't be loaded: ${messageOf(thrown)}; its earlier version stays in use`;
    cell.warn(text);
  }
  const changed = renew(notebook.names, exports);
  for (const [name, file] of renewImports(notebook, files)) changed.set(name, relativePath(file));
  for (const { scope, graphs } of notebook.imported) {
    const imported = scope.deref();
    const [file] = imported === undefined ? [] : renewAll(imported, exports);
    if (file !== undefined) for (const graph of graphs) changed.set(graph, file);
  }
  if (changed.size > 0) await markReloaded(changed, at);
  return [...files].map(relativePath);
}

/** Makes the imports of graphs follow changes of their files. */
export function keepFresh(scope: Scope, graphs: readonly string[], { notebook }: AtWork): void {
  const { imported } = notebook;
  for (const known of imported) if (known.scope.deref() === undefined) imported.delete(known);
  imported.add({ scope: new WeakRef(scope), graphs });
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
