/** Says of a skill, before a run, why it can't be used. */
import { RunError } from "../../failure.ts";
import type { SkillPlaces } from "./find-skill.ts";
import { readSkill } from "./read-skill.ts";

/** Returns the reason why the skill that a program names can't be used; undefined if it can. */
export function findSkillFault(
  wanted: string,
  places: SkillPlaces,
): { readonly message: string; readonly hint?: string | undefined } | undefined {
  try {
    readSkill(wanted, places);
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof RunError)) throw thrown;
    return { message: thrown.message, hint: thrown.hint };
  }
}
