/** Writes the declarations of our own files into a mirror: the native compiler reads a third of the text, and half of the files. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type ts from "typescript-6";
import { packageFolder, typesOf } from "../compiler/compiler-options.ts";
import { ownDeclarations } from "../compiler/own-declarations.ts";
import { inMirror, linkPackages } from "./mirrored-folder.ts";

/** Writes what a cell can import as "madrigal", "madrigal/client", "madrigal/library" or "tslab". Built, all of it are declarations that stand where they are. */
export function mirrorOwnFiles(compiler: typeof ts, root: string): void {
  const waiting = OWN_ENTRIES.map(typesOf).filter((path) => !path.endsWith(".d.ts"));
  if (waiting.length === 0) return;
  const written = new Set<string>();
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (written.has(path) || !existsSync(path)) continue;
    written.add(path);
    const text = ownDeclarations(compiler, path);
    const mirrored = inMirror(root, path);
    mkdirSync(dirname(mirrored), { recursive: true });
    writeFileSync(mirrored, text);
    for (const [, name = ""] of text.matchAll(RELATIVE))
      waiting.push(declaring(join(dirname(path), name)));
  }
  linkPackages(root, packageFolder);
}

/** The files that cells import by names of packages. */
const OWN_ENTRIES = [
  "kernel/index",
  "kernel/http-client/connect",
  "kernel/library/programs",
  "kernel/cells/modules/tslab-module",
];

const RELATIVE = /(?:\bfrom|\bimport\(|\bimport)\s*"(\.[^"]+)"/g;

/** JavaScript of ours has its declarations beside it. */
function declaring(path: string): string {
  return path.replace(/\.js$/, ".d.ts");
}
