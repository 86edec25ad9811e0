/** Finds the programs that programs import: beside the file that imports them, or in a package. */
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, isAbsolute, relative, resolve } from "node:path";
import { type CheckOptions, isServerAddress, type Source } from "../../dsl/index.ts";
import { servers, skills as skillFolders } from "../../runtime/index.ts";
import { CommandError } from "../command-error.ts";
import { libraryPath } from "./library-path.ts";
import { readSource } from "./read-source.ts";

/** A program's text and its absolute path: what it imports is looked for from there. */
export interface PlacedSource {
  readonly source: Source;
  readonly path: string;
  /** The folder that names of files are relative to, where that is not the working folder: a stored graph has such names. */
  readonly folder?: string | undefined;
}

export interface Programs {
  /** For `check`: the text behind an import, under a path as the first file's own is written. */
  readonly open: (from: string, importer: string) => Source | undefined;
  /** For `check`: the description of an API that a file names; nothing of one at an address. */
  readonly apis: NonNullable<CheckOptions["apis"]>;
  /** For `check`: whether a skill that a file names is there. */
  readonly skills: NonNullable<CheckOptions["skills"]>;
  /** The absolute path of a file that was opened. */
  readonly pathOf: (file: string) => string;
}

/** The programs around a first one. */
export function programsBeside({ source, path, folder = process.cwd() }: PlacedSource): Programs {
  const paths = new Map([[source.file, path]]);
  const pathOf = (file: string) => paths.get(file) ?? resolve(folder, file);
  const nameOf = (found: string) => {
    if (found === path) return source.file;
    return isAbsolute(source.file) ? found : relative(folder, found);
  };
  const open = (from: string, importer: string): Source | undefined => {
    const found = resolved(from, pathOf(importer));
    const text = found === undefined ? undefined : readProgramText(found);
    if (found === undefined || text === undefined) return undefined;
    const file = nameOf(found);
    paths.set(file, found);
    return { file, text };
  };
  const apis: Programs["apis"] = (description, importer) =>
    isServerAddress(description)
      ? undefined
      : servers.readApi(resolve(dirname(pathOf(importer)), description), description);
  const skills: Programs["skills"] = (skill, importer) =>
    skillFolders.findSkillFault(skill, { folder: dirname(pathOf(importer)), home: homedir() });
  return { open, apis, skills, pathOf };
}

function resolved(from: string, importer: string): string | undefined {
  const inLibrary = libraryPath(from);
  if (inLibrary !== undefined) return inLibrary;
  if (from.startsWith(".") || isAbsolute(from)) return resolve(dirname(importer), from);
  try {
    return createRequire(importer).resolve(from);
  } catch {
    return undefined; // No package has it.
  }
}

/** Reads the text of a program; undefined if the file is no text or can't be read. */
function readProgramText(path: string): string | undefined {
  try {
    return readSource(path).text;
  } catch (thrown) {
    if (thrown instanceof CommandError) return undefined;
    throw thrown;
  }
}
