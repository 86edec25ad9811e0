/**
 * Leaves out types of large, rarely used modules of Node until a cell names the module. They are read once something
 * names them.
 */
import { join } from "node:path";
import type ts from "typescript-6";
import { nodeTypesRoot } from "./compiler-options.ts";

/** Their files in `@types/node`, by the name of the module; a test holds that nothing else there needs them. */
export const RARE_NODE_TYPES: Readonly<Record<string, readonly string[]>> = {
  cluster: ["cluster.d.ts"],
  http2: ["http2.d.ts"],
  inspector: ["inspector.d.ts", "inspector.generated.d.ts"],
  repl: ["repl.d.ts"],
  sqlite: ["sqlite.d.ts"],
  test: ["test.d.ts"],
};

const FOLDER = join(nodeTypesRoot(), "node");
const INDEX = join(FOLDER, "index.d.ts");

/** Without the others, every text with these words in it would name them. */
const NAMED =
  /["'`](?:(?:node:)?(cluster|http2|inspector|repl)|node:(sqlite|test))(?:\/\w+)?["'`]/g;

/** The name of a module that is being written: any of them may be meant. */
const BEING_NAMED = /(?:\bfrom|\bimport|\(|\bmodule)\s*["'`][\w:/]*$/;

/**
 * Returns the index file of `@types/node` without the references to rare files; `text` of any other
 * file.
 */
export function withoutRare(path: string, text: string | undefined): string | undefined {
  if (path !== INDEX) return text;
  const rare = new Set(Object.values(RARE_NODE_TYPES).flat());
  return text?.replace(/^\/\/\/ <reference path="([^"]+)" \/>\s*$/gm, (line, file: string) =>
    rare.has(file) ? "" : line,
  );
}

/** The rare parts of Node's types that one program has named so far. */
export class NamedNodeTypes {
  readonly #named = new Set<string>();
  readonly #read = new WeakSet<ts.SourceFile>();

  /** The imports that add the named parts to the program, as a text to put before its own. */
  get imports(): string {
    const files = [...this.#named].flatMap((name) => RARE_NODE_TYPES[name] ?? []);
    return files
      .map((file) => `import type {} from ${JSON.stringify(join(FOLDER, file))};\n`)
      .join("");
  }

  /** Looks for them in the text of a cell. */
  readText(text: string): void {
    for (const [, either, other] of text.matchAll(NAMED)) this.#named.add(either ?? other ?? "");
  }

  /** Looks at what stands before the place where something is to be completed. */
  readBefore(text: string): void {
    if (BEING_NAMED.test(text))
      for (const name of Object.keys(RARE_NODE_TYPES)) this.#named.add(name);
  }

  /** Looks for them in the files that a program has read; whether there are new ones. */
  readFiles(program: ts.Program): boolean {
    const before = this.#named.size;
    for (const file of program.getSourceFiles()) {
      if (this.#read.has(file)) continue;
      this.#read.add(file);
      if (!program.isSourceFileDefaultLibrary(file) && !file.fileName.startsWith(FOLDER))
        this.readText(file.text);
    }
    return this.#named.size > before;
  }
}
