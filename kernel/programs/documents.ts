/** Finds the folder of documents for a program's `docs` tools. */
import type { Ir } from "../../dsl/index.ts";
import { type Scope, scopes } from "../../runtime/index.ts";

const folders = new WeakMap<object, string>();

/** Notes which folder a scope's `docs` read. */
export function rememberFolder(docs: object, folder: string): void {
  folders.set(docs, folder);
}

/** The folder that a graph's `docs` read, when there is no document in it. */
export function folderWithoutDocuments({ docs }: Scope, { nodes }: Ir): string | undefined {
  // A program may bring its own.
  const folder = typeof docs === "object" && docs !== null ? folders.get(docs) : undefined;
  const isUsed = nodes.some(({ tools, call }) =>
    [...tools, call?.callee ?? []].some(([first]) => first === "docs"),
  );
  return folder === undefined || !isUsed || hasDocuments(folder) ? undefined : folder;
}

function hasDocuments(folder: string): boolean {
  try {
    return scopes.findDocuments(folder).length > 0;
  } catch {
    return false; // There is no such folder.
  }
}
