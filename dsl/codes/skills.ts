/** Explanations of the error codes M874x: skills. */
import type { CodePage } from "./page.ts";

export const skills = {
  M8740: {
    title: "no such skill",
    why: 'A node names a skill that is not there. `skills "NAME"` means the folder `skills/NAME` or `.agents/skills/NAME`, with a `SKILL.md` in it, beside the program, in a folder above it, or in the home of the user; `PACKAGE/NAME` means `skills/NAME` of an installed package; a text that begins with `.` or `/` is the path of such a folder or of a Markdown file. `SERVER:NAME` means a skill that the MCP server lists, `SERVER:ADDRESS` one that it need not list, `SERVER:*` all that it lists. `madrigal skills` lists what is found.',
  },
  M8741: {
    title: "a skill can't be used",
    why: "Its `SKILL.md` has no description, a file of it is a link, can't be read or is no text, or it is larger than 32 MiB or has more than 512 files. `SKILL.md` begins with `---`, the lines `name: …` and `description: …`, and `---`; what stands behind are the instructions. That of a server can't be used either if its files have no hashes, are not all below it, or if its `SKILL.md` says something else than the server does.",
  },
  M8742: {
    title: "two skills of one name",
    why: "A node names two skills whose folders have the same name, so that an agent could not say which one it opens; or a server has several skills of the name, of which the node then names one by its address. A folder and a server never meet: the skill of a server is called `SERVER:NAME`.",
  },
  M8743: {
    title: "a file of a skill is not there, or not as it was",
    why: "An agent asked for a skill or a file that it does not have; or the file has changed since the node run began, and what stands in it now is not what the log of the run has the hash of. The agent is told so and goes on. The next run of the node takes the file as it is.",
  },
  M8744: {
    title: "this is no script of a skill",
    why: "`skills.run` runs files in the folder `scripts` of a skill that end with .js, .mjs, .cjs, .ts, .py, .sh or .bash, in the sandbox of `code.run`. It runs nothing of a server's skill.",
  },
  M8745: {
    title: "a server gives no skills",
    why: "`skills` names a skill of a server that does not offer the extension `io.modelcontextprotocol/skills` (SEP-2640), answers `skills/list` or `skills/get` with an error, or is an API (`openapi`). A server that is not reached is M8411.",
  },
} as const satisfies Record<`M${number}`, CodePage>;
