/** Reads the program that a command names: a file, or one that comes with Madrigal. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { LIBRARY, LIBRARY_GRAPHS } from "../../dsl/index.ts";
import { CommandError } from "../command-error.ts";
import { libraryPath } from "./library-path.ts";
import type { PlacedSource } from "./programs-beside.ts";
import { readSource } from "./read-source.ts";

/** Reads a program by its file, or by its name in the library: `madrigal/library/eko`. Throws M7201 where there is none. */
export function readProgram(file: string): PlacedSource {
  const inLibrary = existsSync(file) ? undefined : libraryPath(file);
  if (inLibrary === undefined) return { source: readSource(file), path: resolve(file) };
  if (!existsSync(inLibrary)) throw noSuchProgram(file);
  return { source: { file, text: readSource(inLibrary).text }, path: inLibrary };
}

function noSuchProgram(file: string): CommandError {
  const names = Object.values(LIBRARY_GRAPHS).join(", ");
  return new CommandError("M7201", `there is no program \`${file}\``, {
    hint: `\`${LIBRARY}/\` has ${names}`,
    place: { file },
  });
}
