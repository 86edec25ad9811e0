/** Finds the test files that share one process a worker: those that load the same modules, or call the command, again and again. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..", "..");

/** Their tests look at values, and leave nothing in their process. */
const FOLDERS = [
  "dsl/!(manual)",
  "runtime/{engine,operators,replay,scheduler,state}",
  "kernel/cli",
];

/** A file that puts others in the place of modules has a process of its own: they would stay loaded. */
const MOCKS = /\bvi\.(?:do)?mock\(/i;

/** Returns the paths of the files below `test`, as vitest takes them. */
export function filesTogether(): string[] {
  return FOLDERS.flatMap((folder) => globSync(`test/${folder}/**/*.test.ts`, { cwd: root }))
    .filter((file) => !MOCKS.test(readFileSync(join(root, file), "utf8")))
    .map((file) => file.replaceAll("\\", "/").replace(/^test\//, ""));
}
