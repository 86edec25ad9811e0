/** Explanations of the error codes M874x: skills. */
import type { CodePage } from "./page.ts";

export const skills = {
  M8740: {
    title: "no such skill",
    why: 'A node names a skill that is not there. `skills "NAME"` means the folder `skills/NAME` or `.agents/skills/NAME`, with a `SKILL.md` in it, beside the program, in a folder above it, or in the home of the user; `PACKAGE/NAME` means `skills/NAME` of an installed package; a text that begins with `.` or `/` is the path of such a folder or of a Markdown file. `madrigal skills` lists what is found.',
  },
  M8741: {
    title: "a skill can't be used",
    why: "Its `SKILL.md` has no description, a file of it is a link, can't be read or is no text, or it is larger than 32 MiB or has more than 500 files. `SKILL.md` begins with `---`, the lines `name: …` and `description: …`, and `---`; what stands behind are the instructions.",
  },
  M8742: {
    title: "two skills of one name",
    why: "A node names two skills whose folders have the same name, so that an agent could not say which one it opens.",
  },
  M8743: {
    title: "a file of a skill is not there, or not as it was",
    why: "An agent asked for a skill or a file that it does not have; or the file has changed since the node run began, and what stands in it now is not what the log of the run has the hash of. The agent is told so and goes on. The next run of the node takes the file as it is.",
  },
  M8744: {
    title: "this is no script of a skill",
    why: "`skills.run` runs files in the folder `scripts` of a skill that end with .js, .mjs, .cjs, .ts, .py, .sh or .bash, in the sandbox of `code.run`.",
  },
} as const satisfies Record<`M${number}`, CodePage>;
