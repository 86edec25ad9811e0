/** The folder of documents behind a program's `docs` tools, and a word when there is nothing in it. */
import type { Ir } from "../../dsl/index.ts";
import { findDocuments, type Scope } from "../../runtime/index.ts";
import { tell } from "./output.ts";
import type { Program } from "./program.ts";

const folders = new WeakMap<object, string>();

/** Notes which folder a scope's `docs` read. */
export function rememberFolder(docs: object, folder: string): void {
  folders.set(docs, folder);
}

/** The folder that a scope's `docs` read; none when the program brings its own. */
export function documentsFolder({ docs }: Scope): string | undefined {
  return typeof docs === "object" && docs !== null ? folders.get(docs) : undefined;
}

/** Warns when a graph uses `docs` and its folder has no document. */
export function tellMissingDocuments({ scope }: Program, { nodes }: Ir): void {
  const folder = documentsFolder(scope);
  const used = nodes.some(({ tools, call }) =>
    [...tools, call?.callee ?? []].some(([first]) => first === "docs"),
  );
  if (folder === undefined || !used || hasDocuments(folder)) return;
  tell(`warning[M7209]: there are no documents in ${folder}
  hint: MADRIGAL_DOCS names the folder to read, one like node_modules with a README per package`);
}

function hasDocuments(folder: string): boolean {
  try {
    return findDocuments(folder).length > 0;
  } catch {
    return false; // There is no such folder.
  }
}
