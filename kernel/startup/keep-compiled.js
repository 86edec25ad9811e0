/**
 * Keeps our compiled files between processes, so that they start in a third of the time. It is plain JavaScript: to strip
 * the types of its first file Node would load a compiler, which takes longer than all of this.
 */
import { existsSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { keepSources } from "./keep-sources.js";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * To be called in each thread before anything else of ours is loaded. The caches lie in the `node_modules` that Madrigal
 * uses, as caches do; where that can't be written there are none.
 */
export function keepCompiled() {
  const folder = cacheFolder();
  if (folder === undefined) return;
  enableCompileCache(folder);
  // What a build made has no types to strip.
  if (!existsSync(join(root, "kernel", "index.ts"))) return;
  const folders = ["dsl", "runtime", "kernel"].map((name) => `${pathToFileURL(join(root, name))}/`);
  keepSources({ file: join(folder, `sources-${process.version}`), folders });
}

/**
 * Returns the folder in which this package caches what it can make again: MADRIGAL_CACHE, else one in `node_modules`;
 * undefined where there is neither.
 */
export function cacheFolder() {
  if (process.env.MADRIGAL_CACHE) return process.env.MADRIGAL_CACHE;
  const modules = [join(root, "node_modules"), dirname(root)].find((folder) => existsSync(folder));
  return modules && join(modules, ".cache", "madrigal");
}
