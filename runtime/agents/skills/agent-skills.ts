/** Lists the skills of an attempt, journalled with the hashes of their files. */
import { FailureError, RunError } from "../../failure.ts";
import type { Attempt, PerformerContext } from "../../performer.ts";
import type { SkillPlaces } from "./find-skill.ts";
import type { OfferedSkill } from "./offered-skill.ts";
import { readSkill, type Skill } from "./read-skill.ts";
import { skillError } from "./skill-error.ts";

/**
 * Asks for the skills of an attempt by one journalled effect; undefined where its node has none. Fails with M8740 to M8742 where
 * one is not there or can't be used.
 */
export async function skillsOf(
  { skills, node }: Attempt,
  context: PerformerContext,
  places: SkillPlaces,
): Promise<readonly OfferedSkill[] | undefined> {
  if (skills === undefined || skills.length === 0) return undefined;
  return await context.effect<readonly OfferedSkill[]>({
    effect: "skills",
    name: "skills",
    request: { skills },
    perform: async () => {
      try {
        return { value: offeredSkills(skills, places, node.kind === "operator") };
      } catch (thrown) {
        if (!(thrown instanceof RunError)) throw thrown;
        const { code, message, hint } = thrown;
        const failure = { class: "tool", code, message, ...(hint === undefined ? {} : { hint }) };
        throw new FailureError(failure as FailureError["failure"], { cause: thrown });
      }
    },
  });
}

/** Reads the skills that a node names, each once. Throws M8742 for two of one name. */
export function offeredSkills(
  wanted: readonly string[],
  places: SkillPlaces,
  whole = false,
): readonly OfferedSkill[] {
  const found = new Map<string, Skill & { readonly wanted: string }>();
  for (const one of new Set(wanted)) {
    const skill = readSkill(one, places);
    const other = found.get(skill.name);
    if (other !== undefined && other.path !== skill.path)
      throw skillError("M8742", {
        message: `two skills are called \`${skill.name}\`: ${other.path} and ${skill.path}`,
        hint: "a node names one of them, or the folder of the other is renamed",
      });
    if (other === undefined) found.set(skill.name, { ...skill, wanted: one });
  }
  return [...found.values()].map(
    ({ name, wanted: by, description, hash, files, instructions }): OfferedSkill => ({
      name,
      wanted: by,
      description,
      hash,
      files,
      ...(whole ? { instructions } : {}),
    }),
  );
}
