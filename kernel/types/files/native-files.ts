/** Checks the TypeScript that is made of program files by TypeScript 7: a process without the compiler that emits. */
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname } from "node:path";
import type { API, Snapshot } from "typescript/unstable/sync";
import { modulesOfFiles, nativeOptions } from "../compiler/compiler-options.ts";
import type { TextDiagnostic } from "../compiler/errors-of.ts";
import { processOf, StartedNatives } from "../native/end-native.ts";
import { findNativeProgram } from "../native/find-native-program.ts";
import {
  inMirror,
  linkPackagesAround,
  type MirroredFolder,
  mirrorFolder,
} from "../native/mirrored-folder.ts";
import { errorsIn } from "../native/native-errors.ts";
import type { FileProgram } from "./file-program.ts";
import { type TextBeside, virtualName } from "./text-beside.ts";

export interface FileErrors {
  readonly errors: readonly TextDiagnostic[];
  /** Without the compiler's own libraries. */
  readonly filesRead: readonly string[];
}

/** Loaded where an answer is not kept: it takes as long as the rest of a check. */
function loadApi(): typeof import("typescript/unstable/sync") {
  return createRequire(import.meta.url)("typescript/unstable/sync");
}

/** Returns what checks texts: TypeScript 7, or `files` of TypeScript 6 where that is more, or may be executed alone. */
export function openFileErrors(files: () => FileProgram): (of: TextBeside) => FileErrors {
  let native: NativeFiles | "none" | undefined;
  return (of) => {
    try {
      native ??= new NativeFiles();
      const found = native === "none" ? undefined : native.analyze(of);
      if (found !== undefined) return found;
    } catch {
      native = "none";
    }
    const errors = files().analyze(of);
    return { errors, filesRead: files().filesRead };
  };
}

/** The process ends with ours. */
class NativeFiles {
  readonly #mirror: MirroredFolder;
  readonly #libraries: string;
  readonly #api: API;
  #snapshot: Snapshot | undefined;
  #project: string | undefined;

  constructor() {
    const program = findNativeProgram();
    this.#libraries = dirname(program);
    this.#mirror = mirrorFolder(process.cwd());
    this.#api = new (loadApi().API)({ cwd: this.#mirror.folder, tsserverPath: program });
    new StartedNatives().add({ pid: processOf(this.#api), folder: this.#mirror.root });
  }

  /** Undefined where anything is wrong, which TypeScript 6 tells. */
  analyze({ path, text, withNode }: TextBeside): FileErrors | undefined {
    const { root } = this.#mirror;
    const file = inMirror(root, virtualName(path));
    const settings = `${file}.${withNode ? "node" : "plain"}.json`;
    const isSame = settings === this.#project;
    if (!isSame) {
      linkPackagesAround(root, dirname(path));
      const compilerOptions = {
        ...nativeOptions(root, (one) => one),
        types: withNode ? ["node"] : [],
        paths: modulesOfFiles(),
      };
      writeFileSync(settings, JSON.stringify({ compilerOptions, files: [file] }));
    }
    // A text is a module, which may await, also where it imports and declares nothing.
    writeFileSync(file, `${text}\nexport {};\n`);
    const next = this.#api.updateSnapshot({
      // Whatever the user's files are now.
      ...(this.#snapshot === undefined ? {} : { fileChanges: { invalidateAll: true } }),
      ...(isSame ? {} : { openProjects: [settings] }),
      ...(isSame || this.#project === undefined ? {} : { closeProjects: [this.#project] }),
    });
    this.#snapshot?.dispose();
    this.#snapshot = next;
    this.#project = settings;
    const project = next.getProject(settings);
    if (project === undefined) throw new Error(`TypeScript 7 has not opened ${basename(path)}`);
    // It orders the parts of a type otherwise, and tells less of some errors: of these TypeScript 6 tells.
    if (errorsIn(project.program.getSemanticDiagnostics(file)).length > 0) return undefined;
    const filesRead = project.program
      .getSourceFileNames()
      .filter((name) => !name.startsWith(root) && dirname(name) !== this.#libraries);
    return { errors: [], filesRead };
  }
}
