/** Finds the test files that share one process a worker: those that load the same modules, or call the command, again and again. */
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

/** A file that puts others in the place of modules has a process of its own: they would stay loaded. */
const MOCKS = /\bvi\.(?:do)?mock\(/i;

/** They look at their process itself: the ids that it has made, what it has loaded or drawn, which processes it has started. */
const ALONE = [
  "test/runtime/run/run-id.test.ts",
  "test/kernel/display/first-drawing.test.ts",
  "test/kernel/display/graphviz-breaks.test.ts",
  "test/kernel/types/native/ended.test.ts",
];

/** Returns the paths of the files below `test`, as vitest takes them. */
export function filesTogether(): string[] {
  return FOLDERS.flatMap((folder) => globSync(`test/${folder}/**/*.test.ts`, { cwd: root }))
    .filter((file) => !ALONE.includes(file) && !MOCKS.test(readFileSync(join(root, file), "utf8")))
    .map((file) => file.replaceAll("\\", "/").replace(/^test\//, ""));
}
