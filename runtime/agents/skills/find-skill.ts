/** Finds the folders of skills: by walking up from the program, in the user's folder, and in packages. */
import { readdirSync, type Stats, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { nearest } from "../../../dsl/index.ts";
import { skillError } from "./skill-error.ts";

/** The folders from which skills are looked for. */
export interface SkillPlaces {
  /** The folder of the program. */
  readonly folder: string;
  /** The home of the user; nothing is looked for there if it is not given. */
  readonly home?: string | undefined;
}

/** A skill that is there: a folder with a `SKILL.md`, or one Markdown file. */
export interface SkillPlace {
  readonly name: string;
  readonly path: string;
  readonly isFolder: boolean;
}

/** The file of a skill's instructions. */
export const MANIFEST = "SKILL.md";

const NAME = /^[A-Za-z0-9][\w-]{0,63}$/;

/**
 * Finds the skill that a program names: a name (`skills/NAME` or `.agents/skills/NAME` in the folder of the program or one above it,
 * or in the user's home), `PACKAGE/NAME` (`skills/NAME` of an installed package), or a path that begins with `.` or `/`.
 * Throws M8740 where there is none.
 */
export function findSkill(wanted: string, places: SkillPlaces): SkillPlace {
  const found = /^\.{0,2}\//.test(wanted)
    ? skillAt(resolve(places.folder, wanted))
    : folderCandidates(wanted, places).map(skillAt).find(isDefined);
  if (found !== undefined) return found;
  const names = findSkills(places).map(({ name }) => name);
  const meant = nearest(wanted, names);
  throw skillError("M8740", {
    message: `there is no skill \`${wanted}\``,
    hint:
      meant === undefined
        ? `${names.length === 0 ? "none is found" : `there are ${names.join(", ")}`} from ${places.folder} upwards`
        : `did you mean \`${meant}\`?`,
  });
}

/** Lists the skills that a program in the folder can name, the nearest first; one that a nearer one of its name hides is left out. */
export function findSkills(places: SkillPlaces): readonly SkillPlace[] {
  const found = new Map<string, SkillPlace>();
  for (const folder of skillFolders(places))
    for (const name of namesIn(folder)) {
      const place = skillAt(join(folder, name));
      if (place !== undefined && !found.has(place.name)) found.set(place.name, place);
    }
  return [...found.values()];
}

function folderCandidates(wanted: string, places: SkillPlaces): readonly string[] {
  const parts = wanted.split("/");
  const name = parts.at(-1) ?? "";
  const isOfPackage = parts.length === (wanted.startsWith("@") ? 3 : 2);
  if (!NAME.test(name) || parts.includes("..") || parts.includes("")) return [];
  if (parts.length === 1) return skillFolders(places).map((folder) => join(folder, name));
  if (!isOfPackage) return [];
  const owner = parts.slice(0, -1);
  return foldersUp(places.folder).map((folder) =>
    join(folder, "node_modules", ...owner, "skills", name),
  );
}

function skillFolders({ folder, home }: SkillPlaces): readonly string[] {
  const up = foldersUp(folder).flatMap((one) => [
    join(one, "skills"),
    join(one, ".agents", "skills"),
  ]);
  return [...new Set(home === undefined ? up : [...up, join(home, ".agents", "skills")])];
}

function foldersUp(folder: string): readonly string[] {
  const up = [resolve(folder)];
  for (let at = dirname(up[0] ?? ""); at !== up.at(-1); at = dirname(at)) up.push(at);
  return up;
}

function skillAt(path: string): SkillPlace | undefined {
  const stats = statsOf(path);
  const name = nameOf(path);
  if (stats?.isDirectory() === true)
    return statsOf(join(path, MANIFEST))?.isFile() === true
      ? { name, path, isFolder: true }
      : undefined;
  return stats?.isFile() === true && path.endsWith(".md")
    ? { name: name.slice(0, -".md".length), path, isFolder: false }
    : undefined;
}

function nameOf(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => NAME.test(name))
      .sort();
  } catch {
    return [];
  }
}

function statsOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

function isDefined<T>(value: T | undefined): value is T {
  return value !== undefined;
}
