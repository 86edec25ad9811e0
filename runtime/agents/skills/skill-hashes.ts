/** Hashes the skills that nodes name: what an agent did by a skill does not hold for another. */
import { type Ir, plainSkillNames } from "../../../dsl/index.ts";
import { RunError } from "../../failure.ts";
import { findSkill, type SkillPlaces } from "./find-skill.ts";
import { listSkillFiles } from "./skill-files.ts";

/** The hashes of the skills that nodes name by a plain text, by `skill NAME`. One that can't be read has none. */
export function skillHashes(
  { nodes }: Pick<Ir, "nodes">,
  places: SkillPlaces,
): Readonly<Record<string, string>> {
  const names = new Set(nodes.flatMap(({ skills }) => skills.flatMap(plainSkillNames)));
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const hash = skillHash(name, places);
      return hash === undefined ? [] : [[skillKey(name), hash] as const];
    }),
  );
}

/** The key of a skill among the hashes of code. */
export function skillKey(name: string): string {
  return `skill ${name}`;
}

/** The name of the skill that such a key is of; undefined for the key of a function. */
export function skillIn(key: string): string | undefined {
  return /^(?:.*:)?skill (.+)$/.exec(key)?.[1];
}

/** The hash of all files of a skill; undefined for one that can't be read. */
export function skillHash(name: string, places: SkillPlaces): string | undefined {
  try {
    return listSkillFiles(findSkill(name, places)).hash;
  } catch (thrown) {
    if (thrown instanceof RunError) return undefined;
    throw thrown;
  }
}
