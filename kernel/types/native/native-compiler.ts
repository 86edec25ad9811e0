/** Runs TypeScript 7, whose compiler is a program of its own: a cell and the declarations before it, by its API. */
import { closeSync, ftruncateSync, openSync, statSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { SourceFile } from "typescript/unstable/ast";
import { API, type Checker, type Emitter, type Snapshot } from "typescript/unstable/sync";
import type { Compiler } from "../compiler/compiler-internals.ts";
import { nativeOptions } from "../compiler/compiler-options.ts";
import type { TextDiagnostic } from "../compiler/errors-of.ts";
import { isSettled } from "../compiler/system.ts";
import { processOf, type StartedNative } from "./end-native.ts";
import { mirrorOwnFiles } from "./mirror-own-files.ts";
import { inMirror, type MirroredFolder, mirrorFolder, removeMirror } from "./mirrored-folder.ts";
import { errorsIn } from "./native-errors.ts";

/** A cell that the compiler has read; it can be asked until the next one is read. */
export interface OpenCell {
  readonly checker: Checker;
  readonly emitter: Emitter;
  readonly name: string;
  /** The whole file, for types that are written as they read there. */
  readonly file: () => SourceFile | undefined;
}

export interface ReadCell extends OpenCell {
  readonly errors: readonly TextDiagnostic[];
}

export type TellStarted = (started: StartedNative) => void;

/** The name under which a cell imports the declarations of those before it. */
export const EARLIER = "./__prev__";

/** Everything waits for the answer of the other process, as everything in worker 2 does. */
export class NativeCompiler {
  readonly mirror: MirroredFolder = mirrorFolder(process.cwd());
  readonly #api: API;
  readonly #compiler: () => Compiler;
  readonly #cell: WrittenFile;
  readonly #earlier: WrittenFile;
  readonly #watched = new Map<string, number | undefined>();
  readonly #changed = new Set<string>();
  #snapshot: Snapshot | undefined;
  #changes = 0;
  #hasOwnFiles = false;

  /** `program` is the path of TypeScript 7; `compiler` makes the declarations of our own files. */
  constructor(program: string, compiler: () => Compiler) {
    this.#compiler = compiler;
    const { root, folder } = this.mirror;
    this.#cell = new WrittenFile(join(folder, "__tslab__.ts"));
    this.#earlier = new WrittenFile(join(folder, `${EARLIER}.d.ts`));
    const compilerOptions = nativeOptions(root, (path) => inMirror(root, path));
    const settings = { compilerOptions, files: [this.#cell.path] };
    writeFileSync(join(folder, SETTINGS), JSON.stringify(settings));
    this.#api = new API({ cwd: folder, tsserverPath: program });
  }

  get started(): StartedNative {
    return { pid: processOf(this.#api), folder: this.mirror.root };
  }

  read(text: string, earlier: string): ReadCell {
    const { program, cell } = this.#open(text, earlier);
    const errors = errorsIn(program.getSemanticDiagnostics(cell.name));
    if (NAMES_FILES.test(text)) this.#watch(program.getSourceFileNames());
    return { ...cell, errors };
  }

  /** Reads a cell without a look at what is wrong with it. */
  open(text: string, earlier: string): OpenCell {
    return this.#open(text, earlier).cell;
  }

  /** Our own types take time and memory: only a cell that names them reads them. */
  #open(text: string, earlier: string) {
    if (!this.#hasOwnFiles && NAMES_US.test(`${text}${earlier}`)) {
      mirrorOwnFiles(this.#compiler(), this.mirror.root);
      this.#hasOwnFiles = true;
    }
    this.poll();
    for (const [file, written] of [
      [this.#cell, text],
      [this.#earlier, earlier],
    ] as const)
      if (file.write(written)) this.#changed.add(file.path);
    const { checker, emitter, program } = this.#update();
    const { path } = this.#cell;
    const file = () => program.getSourceFile(path);
    return { program, cell: { checker, emitter, name: path, file } satisfies OpenCell };
  }

  /** Looks which of the user's files have changed; returns how many changes there were so far. */
  poll(): number {
    for (const [path, before] of this.#watched) {
      const now = modifiedAt(path);
      if (now === before) continue;
      this.#watched.set(path, now);
      this.#changed.add(path);
      this.#changes += 1;
    }
    return this.#changes;
  }

  close(): void {
    this.#api.close();
    this.#cell.close();
    this.#earlier.close();
    removeMirror(this.mirror);
  }

  #update() {
    const settings = join(this.mirror.folder, SETTINGS);
    if (this.#snapshot === undefined) this.#take({ openProjects: [settings] });
    // A program in which one file changes is changed; else the compiler makes a new one and looks for all files again.
    for (const one of this.#changed) this.#take({ fileChanges: { changed: [one] } });
    this.#changed.clear();
    const [project] = this.#snapshot?.getProjects() ?? [];
    if (project === undefined) throw new Error("TypeScript 7 has not opened the notebook");
    return project;
  }

  #take(changes: Parameters<API["updateSnapshot"]>[0]): void {
    const next = this.#api.updateSnapshot(changes);
    this.#snapshot?.dispose();
    this.#snapshot = next;
  }

  #watch(paths: readonly string[]): void {
    for (const path of paths) {
      if (this.#watched.has(path) || isSettled(path) || path.startsWith(this.mirror.root)) continue;
      this.#watched.set(path, modifiedAt(path));
    }
  }
}

/** A file that is written again and again. It stays open: a file that is emptied and closed would wait for the disk. */
class WrittenFile {
  readonly path: string;
  readonly #open: number;
  #text = "";

  constructor(path: string) {
    this.path = path;
    this.#open = openSync(path, "w");
  }

  /** Returns whether the text is another one. */
  write(text: string): boolean {
    if (text === this.#text) return false;
    this.#text = text;
    ftruncateSync(this.#open, writeSync(this.#open, text, 0));
    return true;
  }

  close(): void {
    closeSync(this.#open);
  }
}

const SETTINGS = "__tslab__.json";

const NAMES_US = /["'`](?:madrigal(?:\/library)?|tslab)["'`]/;

/** Other cells bring no file into the program. */
const NAMES_FILES = /\bimport\s*["'(]|\brequire\b|\breference\b|\bfrom\b(?! "\.\/__prev__")/;

function modifiedAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}
