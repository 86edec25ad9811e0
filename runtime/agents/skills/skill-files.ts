/** Lists the files of a skill with their hashes, and reads them. No link is followed. */
import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { canonicalJson } from "../../../dsl/index.ts";
import { isSecretPath } from "../files/secret-paths.ts";
import { MANIFEST, type SkillPlace } from "./find-skill.ts";
import type { SkillFile } from "./offered-skill.ts";
import { skillError } from "./skill-error.ts";

/** The files of a skill, and what was left out of them. */
export interface SkillContent {
  /** The sha256 of the paths and hashes of all its files. */
  readonly hash: string;
  /** The instructions first, then the others by their paths. */
  readonly files: readonly SkillFile[];
  /** The paths of links and of files of secrets, which are not read. */
  readonly refused: readonly string[];
}

export const FILES_MAX = 512;
export const MIB = 1024 * 1024;
export const BYTES_MAX = 32 * MIB;
const DEPTH_MAX = 10;
const PASSED = new Set(["node_modules", "__pycache__"]);

/** Reads all files of a skill. Throws M8741 for one that is too large or can't be read. */
export function listSkillFiles(place: SkillPlace): SkillContent {
  const { files, refused } = pathsOf(place);
  let left = BYTES_MAX;
  const listed = files.map((path): SkillFile => {
    const bytes = readSkillFile(place, path, left);
    left -= bytes.byteLength;
    return { path, bytes: bytes.byteLength, hash: sha256(bytes) };
  });
  return { hash: hashOfFiles(listed), files: listed, refused };
}

/** The sha256 of the paths and hashes of the files of a skill. */
export function hashOfFiles(files: readonly SkillFile[]): string {
  return sha256(canonicalJson(files.map(({ path, hash }) => [path, hash])));
}

/** Reads one file. Throws M8741 where it can't be read, is a link or longer than `bytesMax`. */
export function readSkillFile(
  { name, path, isFolder }: SkillPlace,
  file: string,
  bytesMax = BYTES_MAX,
): Uint8Array {
  const place = isFolder ? join(path, file) : join(dirname(path), file);
  try {
    const descriptor = openSync(place, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      return readAll(descriptor, bytesMax);
    } finally {
      closeSync(descriptor);
    }
  } catch (cause) {
    throw skillError("M8741", {
      message: `the file "${file}" of the skill \`${name}\` can't be read: ${(cause as Error).message}`,
      cause,
    });
  }
}

export function sha256(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function readAll(descriptor: number, bytesMax: number): Uint8Array {
  const stats = fstatSync(descriptor);
  if (!stats.isFile()) throw new Error("it is no file");
  if (stats.size > bytesMax) throw new Error(`a skill has at most ${BYTES_MAX / MIB} MiB in all`);
  const bytes = Buffer.alloc(stats.size);
  let at = 0;
  for (let count = -1; count !== 0 && at < bytes.length; at += count)
    count = readSync(descriptor, bytes, at, bytes.length - at, at);
  return bytes.subarray(0, at);
}

function pathsOf({ name, path, isFolder }: SkillPlace): {
  readonly files: readonly string[];
  readonly refused: readonly string[];
} {
  if (!isFolder) return { files: [basename(path)], refused: [] };
  const files: string[] = [];
  const refused: string[] = [];
  const visit = (at: string, depth: number): void => {
    const entries = readdirSync(join(path, at), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const below = at === "" ? entry.name : `${at}/${entry.name}`;
      if (entry.name.startsWith(".") || PASSED.has(entry.name)) continue;
      if (entry.isSymbolicLink() || isSecretPath(below)) refused.push(below);
      else if (entry.isDirectory() && depth < DEPTH_MAX) visit(below, depth + 1);
      else if (entry.isFile()) files.push(below);
      if (files.length > FILES_MAX)
        throw skillError("M8741", {
          message: `the skill \`${name}\` has more than ${FILES_MAX} files`,
        });
    }
  };
  visit("", 0);
  return { files: [MANIFEST, ...files.filter((one) => one !== MANIFEST)], refused };
}
