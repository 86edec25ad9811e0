/** Finds the files of the programs that come with Madrigal, wherever Madrigal itself is installed. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { libraryFile } from "../../dsl/index.ts";

const FOLDER = fileURLToPath(new URL("../../runtime/library/", import.meta.url));

/** The absolute path of the library's file that an import or a command means; undefined where it means another file. */
export function libraryPath(named: string): string | undefined {
  const file = libraryFile(named);
  return file === undefined ? undefined : join(FOLDER, file);
}
