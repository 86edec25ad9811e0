/** Sorts the test files: those that put others in the place of modules, and those that share one process a worker. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..", "..");

/** The folders whose tests look at values, and leave nothing in their process. */
const FOLDERS = [
  "dsl/!(manual)",
  "runtime/{agents,asks,attempt,breakpoints,called,debug,docs,edited-program,engine,event-stream}",
  "runtime/{guard,history,intercept,messages,operators,pains,plans,program-tests,replay,rerun}",
  "runtime/{rules,run,scheduler,state,threads}",
  "runtime/trace/{charts,ingest,views}",
  "kernel/{cli,display,types}",
];

/** A file that puts others in the place of modules has a process of its own, since they would stay loaded. */
const MOCKS = /\bvi\.(?:do)?mock\(/i;

/** They look at their process itself: the ids that it has made, what it has loaded, drawn or told once, which processes it has started. */
const ALONE = [
  "test/runtime/run/run-id.test.ts",
  "test/kernel/display/first-drawing.test.ts",
  "test/kernel/display/graphviz-breaks.test.ts",
  "test/kernel/types/native/ended.test.ts",
  "test/runtime/threads/embedded-memories.test.ts",
  "test/runtime/threads/memories.test.ts",
];

/** The paths of test files below `test`, as vitest takes them. */
export interface SortedFiles {
  /** Files that mock modules, which only vitest's own loader can. */
  readonly mocking: readonly string[];
  /** Files that load the same modules, or call the command, again and again. */
  readonly together: readonly string[];
}

export function sortFiles(): SortedFiles {
  const isMocking = (file: string) => MOCKS.test(readFileSync(join(root, file), "utf8"));
  const mocking = filesOf("**").filter(isMocking);
  const apart = new Set([...mocking, ...ALONE]);
  const together = FOLDERS.flatMap((folder) => filesOf(`${folder}/**`));
  return {
    mocking: mocking.map(belowTest),
    together: together.filter((file) => !apart.has(file)).map(belowTest),
  };
}

function filesOf(folder: string): string[] {
  const files = globSync(`test/${folder}/*.test.ts`, { cwd: root });
  return files
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => !file.includes("/node_modules/"));
}

function belowTest(file: string): string {
  return file.slice("test/".length);
}
