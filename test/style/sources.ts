/** Reads the files of the project as the tests of the house look at them. */
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const projectRoot = join(import.meta.dirname, "..", "..");

export interface SourceFile {
  /** Path from the project's root. */
  readonly path: string;
  readonly text: string;
}

/** The files at `pattern` with their text, in the order of their paths; nothing of an installed package. */
export function readFiles(pattern: string): readonly SourceFile[] {
  return globSync(pattern, { cwd: projectRoot, exclude: (path) => path.includes("node_modules") })
    .filter((path) => statSync(join(projectRoot, path)).isFile())
    .sort()
    .map((path) => ({ path, text: readFileSync(join(projectRoot, path), "utf8") }));
}

/** The TypeScript and JavaScript of the product: what users get, without tests. */
export const productFiles = readFiles("{dsl,runtime,kernel}/**/*.{ts,js}");

/** The product's sources and the tests'. */
export const sourceFiles = [...productFiles, ...readFiles("test/**/*.{ts,js,py}")];

/** Every README and manual page. */
export const documents = readFiles("{*.md,{dsl,runtime,kernel,test,notebooks}/**/*.md}");
