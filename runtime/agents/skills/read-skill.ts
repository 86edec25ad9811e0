/** Reads a skill: the front matter and the instructions of its `SKILL.md`, and the list of its files. */
import { createRequire } from "node:module";
import { isRecord } from "../../../dsl/index.ts";
import { findSkill, type SkillPlace, type SkillPlaces } from "./find-skill.ts";
import { skillError } from "./skill-error.ts";
import { listSkillFiles, readSkillFile, type SkillContent } from "./skill-files.ts";

/** A skill as it lies in its folder. */
export interface Skill extends SkillPlace, SkillContent {
  readonly description: string;
  /** The text behind the front matter. */
  readonly instructions: string;
  /** Faults that do not keep anybody from using it. */
  readonly notes: readonly string[];
}

const DESCRIPTION_MAX = 1024;

/** Reads the skill that a program names. Throws M8740 where there is none, M8741 where it can't be used. */
export function readSkill(wanted: string, places: SkillPlaces): Skill {
  return readSkillAt(findSkill(wanted, places));
}

/** Reads a skill that was found. Throws M8741 where it can't be used. */
export function readSkillAt(place: SkillPlace): Skill {
  const content = listSkillFiles(place);
  const [manifest] = content.files;
  const file = manifest?.path ?? "";
  const text = decodeText(readSkillFile(place, file), { skill: place.name, file });
  const { head, body } = splitManifest(text);
  const facts = head === undefined ? {} : readHead(head);
  const description = describe(facts.description, place, body);
  const notes = [
    ...(description.length > DESCRIPTION_MAX
      ? [`its description has more than ${DESCRIPTION_MAX} characters`]
      : []),
    ...(typeof facts.name === "string" && facts.name !== place.name
      ? [`it calls itself \`${facts.name}\`, and is named by its folder, \`${place.name}\``]
      : []),
    ...content.refused.map((path) => `"${path}" is a link or a file of secrets, and is not read`),
  ];
  return {
    ...place,
    ...content,
    description: description.slice(0, DESCRIPTION_MAX),
    instructions: body,
    notes,
  };
}

/** The instructions of a `SKILL.md`: what stands behind its front matter. */
export function instructionsIn(manifest: string): string {
  return splitManifest(manifest).body;
}

/** Reads the bytes of a file of a skill as a text. Throws M8741 for one that is no text in UTF-8. */
export function decodeText(
  bytes: Uint8Array,
  { skill, file }: { readonly skill: string; readonly file: string },
): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw skillError("M8741", {
      message: `the file "${file}" of the skill \`${skill}\` is no text in UTF-8`,
      cause,
    });
  }
}

function splitManifest(text: string): {
  readonly head: string | undefined;
  readonly body: string;
} {
  const [all, head] = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text) ?? [];
  return { head, body: (all === undefined ? text : text.slice(all.length)).trim() };
}

/** Reads front matter as YAML; where it is none, as with a colon in a description, line by line as `key: value`. */
function readHead(head: string): Readonly<Record<string, unknown>> {
  try {
    const { parse } = createRequire(import.meta.url)("yaml") as typeof import("yaml");
    const facts: unknown = parse(head, { maxAliasCount: 0, logLevel: "error" });
    if (isRecord(facts)) return facts;
  } catch {
    // Published skills often have a colon in their description, which is no YAML.
  }
  const lines = head.split(/\r?\n/).flatMap((line) => {
    const [, key, value] = /^(\w[\w-]*):\s*(.*)$/.exec(line) ?? [];
    return key === undefined ? [] : [[key, (value ?? "").replace(/^(["'])(.*)\1$/, "$2")]];
  });
  return Object.fromEntries(lines);
}

function describe(description: unknown, { name, isFolder }: SkillPlace, body: string): string {
  if (typeof description === "string" && description.trim() !== "") return oneLine(description);
  const first = body.split("\n").find((line) => line.trim() !== "");
  if (!isFolder && first !== undefined) return oneLine(first.replace(/^#+\s*/, ""));
  throw skillError("M8741", {
    message: `the skill \`${name}\` does not say what it is for`,
    hint: "its SKILL.md begins with `---`, lines `name: …` and `description: …`, and `---`",
  });
}

function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, " ");
}
