/** Reads the skills that a server of graphs offers beside them. */
import type { SkillCatalog } from "@modelcontextprotocol/server/ext/skills";
import { skills } from "../../runtime/index.ts";
import { CommandError } from "../command-error.ts";
import { EXIT } from "../exit-codes.ts";

/**
 * Reads skills by the words with which a program would name them, as they are now; undefined for none. Throws M8740 for one that is not
 * there, M8741 for one that can't be used or does not say of itself what the protocol wants to know.
 */
export async function readOfferedSkills(
  names: readonly string[],
  places: skills.SkillPlaces,
): Promise<SkillCatalog | undefined> {
  if (names.length === 0) return undefined;
  const sdk = await import("@modelcontextprotocol/server/ext/skills");
  const read = names.map((name) => skills.readSkill(name, places));
  // A skill of one file of Markdown is offered as its `SKILL.md`.
  const files = read.flatMap((skill) =>
    skill.files.map(({ path }, at) => [
      `${skill.name}/${at === 0 ? "SKILL.md" : path}`,
      skills.readSkillFile(skill, path),
    ]),
  );
  try {
    const stored = sdk.memorySkillFiles(Object.fromEntries(files));
    return await sdk.SkillsExtension.load(stored, { strict: true });
  } catch (thrown) {
    throw sdk.SkillCatalogError.isInstance(thrown) ? notOffered(thrown) : thrown;
  }
}

function notOffered(cause: Error): CommandError {
  return new CommandError("M8741", `a skill can't be offered: ${cause.message}`, {
    exitCode: EXIT.wrong,
    hint: "the front matter of a skill that is offered has a `name`, which is that of its folder, and a `description`",
    cause,
  });
}
