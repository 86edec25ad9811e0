/** Describes the skills of a node as the log keeps them, and as a model is told of them. */

/** A file of a skill; its path is relative to the skill, with `/`. */
export interface SkillFile {
  readonly path: string;
  readonly bytes: number;
  /** The sha256 of its bytes. */
  readonly hash: string;
}

/** The server that a skill is of, and what that says of the skill. */
export interface SkillOrigin {
  readonly server: string;
  /** The address of its `SKILL.md`. */
  readonly uri: string;
  readonly frontMatter: { readonly name: string; readonly description: string };
}

/** A skill as a node is told of it; the log keeps it. */
export interface OfferedSkill {
  readonly name: string;
  /** The words by which the program names it. */
  readonly wanted: string;
  readonly description: string;
  /** The sha256 of all its files. */
  readonly hash: string;
  readonly files: readonly SkillFile[];
  /** The text of its `SKILL.md`; only for strong agents, which have no tool to open it. */
  readonly instructions?: string;
  /** Absent for the skill of a folder. */
  readonly from?: SkillOrigin;
}

/** The part of a system's text that lists skills. */
export function skillsText(skills: readonly OfferedSkill[]): string {
  return [
    "You have skills: instructions for certain tasks. Before you do what one of them is about, open it with `skills_open` and follow it.",
    ...skills.map(({ name, description, from }) => `- ${name}${originText(from)}: ${description}`),
  ].join("\n");
}

function originText(from: SkillOrigin | undefined): string {
  return from === undefined ? "" : ` (from the server \`${from.server}\`)`;
}
