/** Makes the tools by which an agent opens its skills and runs their scripts. */
import { TIMER_MAX_MS } from "../../clock.ts";
import { COPIES } from "../code/bubblewrap.ts";
import type { CodeResult } from "../code/code-result.ts";
import { type CodeExecutor, codeExecutor } from "../code/code-tools.ts";
import { lookUp, type Scope } from "../scope/scope.ts";
import { type ResolvedTool, resolveTools, type ToolContext, tool } from "../scope/tools.ts";
import { withoutUnseen } from "../values/unseen-characters.ts";
import { findSkill, type SkillPlace, type SkillPlaces } from "./find-skill.ts";
import type { OfferedSkill, SkillFile, SkillOrigin } from "./offered-skill.ts";
import { decodeText, instructionsIn } from "./read-skill.ts";
import { type SkillServer, skillsClient } from "./server-skills.ts";
import { readEntryFile } from "./skill-entry.ts";
import { skillError } from "./skill-error.ts";
import { readSkillFile, sha256 } from "./skill-files.ts";

export interface OpenInput {
  readonly skill: string;
  readonly file?: string;
  readonly from?: number;
}

export interface OpenedSkill {
  readonly skill: string;
  readonly file: string;
  readonly hash: string;
  readonly text: string;
  /** The server that says this; absent for the skill of a folder. */
  readonly server?: string;
  /** Other files of the skill; told with its instructions alone. */
  readonly files?: readonly string[];
  /** The line to ask for next, where the text goes on. */
  readonly next?: number;
}

interface RunInput {
  readonly skill: string;
  readonly script: string;
  readonly args?: readonly string[];
  readonly input?: string;
  readonly files?: Readonly<Record<string, string>>;
}

/** The places that the files of skills are read from. */
interface FilesFrom {
  readonly places: SkillPlaces;
  readonly server: (name: string) => SkillServer | undefined;
}

/**
 * The tools `skills.open` and, where the skill of a folder has scripts, `skills.run`. Both take the files as the attempt was told of
 * them: one that has changed since is refused (M8743). Nothing that a server wrote is run.
 */
export function skillTools(
  skills: readonly OfferedSkill[],
  { scope, ...from }: FilesFrom & { readonly scope: Scope },
): readonly ResolvedTool[] {
  const { places } = from;
  const names = skills.map(({ name }) => name);
  const skill = { type: "string", enum: names };
  const open = tool(
    async (input: OpenInput, { signal }: ToolContext) =>
      await openSkill(skillNamed(input.skill, skills), input, { ...from, signal }),
    {
      effect: "none",
      parallel: true,
      // The connection to a server keeps the time of a call.
      ...(skills.some(isServed) ? { timeoutMs: TIMER_MAX_MS } : {}),
      description:
        "Opens a skill: its instructions and the list of its files; with `file` the text of one of these. Ask for the rest of a long text with `from`.",
      input: {
        type: "object",
        properties: {
          skill,
          file: { type: "string", maxLength: 1_000, description: "such as references/forms.md" },
          from: { type: "integer", minimum: 1, description: "the first line, from 1" },
        },
        required: ["skill"],
        additionalProperties: false,
      },
    },
  );
  const withScripts = skills.filter((one) => !isServed(one) && one.files.some(isScript));
  if (withScripts.length === 0) return resolveTools([["skills", "open"]], { skills: { open } });
  const code = codeExecutor(lookUp(["code", "run"], scope)?.value);
  const run = tool(
    (input: RunInput, context: ToolContext) =>
      runScript(skillNamed(input.skill, withScripts), { input, places, code, context }),
    {
      ...code.declared,
      description: `Runs a script of a skill and returns its exit code, stdout and stderr. ${code.place}`,
      input: {
        type: "object",
        properties: {
          skill: { type: "string", enum: withScripts.map(({ name }) => name) },
          script: { type: "string", maxLength: 1_000, description: "such as scripts/fill.py" },
          args: { type: "array", items: { type: "string", maxLength: 10_000 }, maxItems: 100 },
          input: { type: "string", description: "what it reads from stdin" },
          files: {
            type: "object",
            description: "texts of files that are there when it starts, by their names",
            additionalProperties: { type: "string" },
          },
        },
        required: ["skill", "script"],
        additionalProperties: false,
      },
    },
  );
  return resolveTools([["skills", "*"]], { skills: { open, run } });
}

/** Opens a file of a skill as the attempt was told of it; throws M8743 for another one, M8741 for one that is no text. */
export type OpenSkillFile = (input: OpenInput, signal: AbortSignal) => Promise<OpenedSkill>;

/** Opens files of these skills for who has no tool of the run, as a strong agent; what nobody sees is taken out of those of servers. */
export function skillOpener(skills: readonly OfferedSkill[], from: FilesFrom): OpenSkillFile {
  return async (input, signal) => {
    const opened = await openSkill(skillNamed(input.skill, skills), input, { ...from, signal });
    return opened.server === undefined ? opened : { ...opened, text: withoutUnseen(opened.text) };
  };
}

// ── opening ─────────────────────────────────────────────────────────────────────────────────────

const LINES_MAX = 1_000;
const CHARACTERS_MAX = 60_000;

async function openSkill(
  skill: OfferedSkill,
  { file, from = 1 }: OpenInput,
  of: FilesFrom & Pick<ToolContext, "signal">,
): Promise<OpenedSkill> {
  const [manifest] = skill.files;
  const path = plainPath(file ?? manifest?.path ?? "");
  const known = fileOf(skill, path);
  const isManifest = known === manifest;
  const text = await textOfFile(skill, known, of);
  const lines = (isManifest ? instructionsIn(text) : text).split("\n");
  const shown: string[] = [];
  let length = 0;
  for (const line of lines.slice(from - 1, from - 1 + LINES_MAX)) {
    length += line.length + 1;
    if (length > CHARACTERS_MAX && shown.length > 0) break;
    shown.push(line.slice(0, CHARACTERS_MAX));
  }
  const next = from + shown.length;
  return {
    skill: skill.name,
    ...(skill.from === undefined ? {} : { server: skill.from.server }),
    file: path,
    hash: known.hash,
    text: shown.join("\n"),
    ...(isManifest ? { files: skill.files.slice(1).map((one) => one.path) } : {}),
    ...(next <= lines.length ? { next } : {}),
  };
}

/** The file as the attempt was told of it, out of its folder or from its server. */
async function textOfFile(
  skill: OfferedSkill,
  file: SkillFile,
  { places, server, signal }: FilesFrom & Pick<ToolContext, "signal">,
): Promise<string> {
  const of = { skill: skill.name, file: file.path };
  if (!isServed(skill)) {
    const place = findSkill(skill.wanted, places);
    const bytes = readSkillFile(place, file.path);
    assertSame(place, file, bytes);
    return decodeText(bytes, of);
  }
  const { from } = skill;
  const served = server(from.server);
  if (served === undefined) throw new TypeError(`the run has no server ${from.server}`);
  const bytes = await served.request(
    async (client, options) =>
      await readEntryFile(await skillsClient(client, from.server), { skill, file, options }),
    signal,
  );
  return served.hide(decodeText(bytes, of));
}

function isServed(skill: OfferedSkill): skill is OfferedSkill & { readonly from: SkillOrigin } {
  return skill.from !== undefined;
}

function skillNamed(name: string, skills: readonly OfferedSkill[]): OfferedSkill {
  const found = skills.find((one) => one.name === name);
  if (found !== undefined) return found;
  const names = skills.map((one) => one.name).join(", ");
  throw skillError("M8743", {
    message: `there is no skill \`${name}\``,
    hint: `you have ${names}`,
  });
}

function fileOf({ name, files }: OfferedSkill, path: string): SkillFile {
  const found = files.find((one) => one.path === path);
  if (found !== undefined) return found;
  throw skillError("M8743", {
    message: `the skill \`${name}\` has no file "${path}"`,
    hint: `it has ${files.map((one) => one.path).join(", ")}`,
  });
}

function assertSame({ name }: SkillPlace, { path, hash }: SkillFile, bytes: Uint8Array): void {
  if (sha256(bytes) === hash) return;
  throw skillError("M8743", {
    message: `the file "${path}" of the skill \`${name}\` has changed since this agent was told of it`,
    hint: "the next run of the node takes it as it is now",
  });
}

function plainPath(path: string): string {
  return path.replace(/^(?:\.\/)+/, "");
}

// ── scripts ─────────────────────────────────────────────────────────────────────────────────────

const INTERPRETERS: Readonly<Record<string, "javascript" | "python" | "shell">> = {
  js: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  ts: "javascript",
  py: "python",
  sh: "shell",
  bash: "shell",
};

function isScript({ path }: SkillFile): boolean {
  return path.startsWith("scripts/") && endingOf(path) in INTERPRETERS;
}

function endingOf(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}

async function runScript(
  skill: OfferedSkill,
  {
    input: { script, args = [], input, files },
    places,
    code,
    context,
  }: {
    readonly input: RunInput;
    readonly places: SkillPlaces;
    readonly code: CodeExecutor;
    readonly context: ToolContext;
  },
): Promise<CodeResult> {
  const known = fileOf(skill, plainPath(script));
  if (!isScript(known))
    throw skillError("M8744", {
      message: `"${known.path}" of the skill \`${skill.name}\` is no script`,
      hint: `scripts lie in scripts/ and end with ${Object.keys(INTERPRETERS).join(", ")}`,
    });
  const place = findSkill(skill.wanted, places);
  const copies = skill.files.map((file) => {
    const bytes = readSkillFile(place, file.path);
    assertSame(place, file, bytes);
    return { path: `${skill.name}/${file.path}`, bytes };
  });
  const stdin = input === undefined ? "/dev/null" : `${COPIES}/stdin.txt`;
  const given =
    input === undefined ? [] : [{ path: "stdin.txt", bytes: new TextEncoder().encode(input) }];
  const interpreter = code.interpreter(INTERPRETERS[endingOf(known.path)] ?? "shell");
  const command = [...interpreter, `${COPIES}/${skill.name}/${known.path}`, ...args]
    .map(quoted)
    .join(" ");
  return code.execute(
    {
      blocks: [{ language: "shell", code: `exec ${command} < ${quoted(stdin)}` }],
      files,
      copies: [...copies, ...given],
    },
    context,
  );
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
