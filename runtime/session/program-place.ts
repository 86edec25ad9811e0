/** Records where the program of a stored run is: its file, its scope file, and the folder both paths start from. */
import { statSync } from "node:fs";
import { resolve } from "node:path";

/** All paths are absolute. */
export interface ProgramPlace {
  readonly file?: string;
  readonly scopeFile?: string;
  readonly folder: string;
}

/** A name that is no file's, as that of a cell, is left out: such a program was given as text. */
export function resolvePlace(
  folder: string,
  { file, scopeFile }: { readonly file?: string; readonly scopeFile?: string },
): ProgramPlace {
  const path = file === undefined ? undefined : resolve(folder, file);
  return {
    ...(path !== undefined && isFile(path) ? { file: path } : {}),
    ...(scopeFile === undefined ? {} : { scopeFile: resolve(folder, scopeFile) }),
    folder,
  };
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
