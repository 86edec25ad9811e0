/** Lists the names in a folder, none where the folder does not exist. */
import { readdirSync } from "node:fs";

/** The names in a folder; none where there is no folder yet. */
export function listFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
