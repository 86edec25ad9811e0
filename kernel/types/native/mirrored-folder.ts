/** Makes a folder whose files find packages and other files as if they stood in the working folder. */
import { lstatSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join, parse, relative } from "node:path";
import { makeTemporaryFolder } from "../../temporary-folder.ts";

/**
 * The native compiler reads files from the disk, and the texts of cells belong in nobody's project. So they stand in a
 * temporary folder of the same path below `root`: packages are found by links, files by the compiler's `rootDirs`.
 */
export interface MirroredFolder {
  readonly root: string;
  /** Stands for the working folder. */
  readonly folder: string;
}

export function mirrorFolder(mirrored: string): MirroredFolder {
  const root = makeTemporaryFolder("types");
  const folder = inMirror(root, mirrored);
  linkPackagesAround(root, mirrored);
  return { root, folder };
}

/** Makes a file of a folder find the packages that it finds there. */
export function linkPackagesAround(root: string, folder: string): void {
  mkdirSync(inMirror(root, folder), { recursive: true });
  for (let one = folder; ; one = dirname(one)) {
    linkPackages(root, one);
    if (one === dirname(one)) return;
  }
}

/** The place that stands for a file or folder. */
export function inMirror(root: string, path: string): string {
  return join(root, relative(parse(path).root, path));
}

/** Makes the packages of a folder be found from its mirror, too: also those that are installed later. */
export function linkPackages(root: string, folder: string): void {
  const packages = join(folder, "node_modules");
  const link = inMirror(root, packages);
  if (lstatSync(link, { throwIfNoEntry: false }) === undefined)
    symlinkSync(packages, link, "junction");
}

export function removeMirror({ root }: MirroredFolder): void {
  rmSync(root, { recursive: true, force: true });
}
