/** Makes the file system through which the compiler reads. */
import type ts from "typescript-6";
import { packageFolder } from "./compiler-options.ts";
import { ownDeclarations } from "./own-declarations.ts";
import { withoutRare } from "./rare-node-types.ts";

/** The compiler's view of the disk. It holds no watcher: the files of the user are looked at before each request. */
export interface PolledSystem {
  readonly system: ts.System;
  /** Tells the compiler which of the user's files have changed since the last call; how many changes there were so far. */
  poll(): number;
}

interface Watched {
  readonly callback: ts.FileWatcherCallback;
  modified: number | undefined;
}

/** A watcher a file would be 850 handles before the first import, and any change in `node_modules` stops tslab for good. */
export function polledSystem(compiler: typeof ts): PolledSystem {
  const base = compiler.sys;
  const watched = new Map<string, Watched>();
  const modifiedAt = (path: string) => base.getModifiedTime?.(path)?.getTime();
  const overridden: Partial<ts.System> = {
    watchDirectory: () => ({ close: () => undefined }),
    watchFile: (path, callback) => {
      if (isSettled(path)) return { close: () => undefined };
      watched.set(path, { callback, modified: modifiedAt(path) });
      return { close: () => watched.delete(path) };
    },
    readFile: (path, encoding) =>
      isOwnSource(path)
        ? ownDeclarations(compiler, path)
        : withoutRare(path, base.readFile(path, encoding)),
  };
  const system: ts.System = Object.assign(Object.create(base), overridden);
  let changes = 0;
  const poll = () => {
    for (const [path, file] of [...watched]) {
      const modified = modifiedAt(path);
      if (modified === file.modified) continue;
      file.callback(path, eventOf(compiler, file.modified, modified));
      file.modified = modified;
      changes += 1;
    }
    return changes;
  };
  return { system, poll };
}

/** Installed packages and our own files do not change under a running kernel. */
export function isSettled(path: string): boolean {
  return path.includes("/node_modules/") || isOwn(path);
}

/** TypeScript of ours, which is not there where we are built. */
function isOwnSource(path: string): boolean {
  return path.endsWith(".ts") && !path.endsWith(".d.ts") && isOwn(path);
}

function isOwn(path: string): boolean {
  return OWN_FOLDERS.some((folder) => path.startsWith(folder));
}

const OWN_FOLDERS = ["dsl", "runtime", "kernel"].map((name) => `${packageFolder}/${name}/`);

function eventOf(
  compiler: typeof ts,
  before: number | undefined,
  after: number | undefined,
): ts.FileWatcherEventKind {
  if (before === undefined) return compiler.FileWatcherEventKind.Created;
  if (after === undefined) return compiler.FileWatcherEventKind.Deleted;
  return compiler.FileWatcherEventKind.Changed;
}
