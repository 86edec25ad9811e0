import { existsSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Keeps what Node makes of our files (types stripped, compiled) between processes: a command then starts in half the
 * time. It lies in the `node_modules` that Madrigal uses, as caches do; where that can't be written there is none.
 */
export function keepCompiled(): void {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const modules = [join(root, "node_modules"), dirname(root)].find((folder) => existsSync(folder));
  if (modules !== undefined) enableCompileCache(join(modules, ".cache", "madrigal"));
}
