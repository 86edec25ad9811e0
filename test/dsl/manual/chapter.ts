/**
 * A chapter of the guide, done as it says: its programs checked, its TypeScript and its commands run, in a folder of
 * its own. What was computed takes the place of what stands there, so a chapter that still tells the truth is unchanged.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { check, format, renderDiagnostic, type Source } from "../../../dsl/index.ts";
import { projectRoot } from "../../support/child.ts";
import { ebnf } from "../grammar/ebnf.ts";
import { grammarRules } from "../grammar/shape.ts";

const keeping = pathToFileURL(join(projectRoot, "kernel/startup/keep-compiled.js")).href;
export const manual = join(projectRoot, "dsl", "manual");

/** A block of code, with what stands around it. */
export interface Block {
  /** Its backticks: four, where the program has three. */
  readonly fence: string;
  /** `madrigal`, `ts`, `sh`, `text`, … */
  readonly language: string;
  /** For a program, the code of what is wrong with it; for commands, how they exit if not with 0. */
  readonly code: string | undefined;
  /** The file that it is, named at the end of the line before it. */
  readonly file: string | undefined;
  readonly text: string;
  /** The text before the block, from the end of the last one. */
  readonly before: string;
}

export interface Chapter {
  readonly name: string;
  readonly blocks: readonly Block[];
  /** The text behind the last block. */
  readonly end: string;
}

export function readChapter(name: string): Chapter {
  const whole = readFileSync(join(manual, name), "utf8");
  const blocks: Block[] = [];
  let at = 0;
  for (const found of whole.matchAll(/^(```+)(\w+)(?: (\w+))?\n([\s\S]*?)^\1\n/gm)) {
    const [block, fence = "", language = "", code, body = ""] = found;
    const before = whole.slice(at, found.index);
    const [, file] = /`([\w./-]+)`:\n\n$/.exec(before) ?? [];
    const text = textAsItShouldBe(language, body);
    blocks.push({ fence, language, code, file, text, before });
    at = found.index + block.length;
  }
  return { name, blocks, end: whole.slice(at) };
}

/** A folder with the chapter's files in it, where `import "madrigal"` is this project. */
export function chapterFolder({ name, blocks }: Chapter): string {
  const folder = mkdtempSync(join(tmpdir(), `madrigal-${name.replace(".md", "")}-`));
  symlinkSync(join(projectRoot, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  for (const { file, text } of blocks) {
    if (file === undefined) continue;
    mkdirSync(join(folder, file, ".."), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  return folder;
}

/** The chapter as it would have to stand in the guide. */
export async function rendered(chapter: Chapter): Promise<string> {
  const folder = chapterFolder(chapter);
  try {
    let text = "";
    let shown: string | undefined;
    for (const [index, block] of chapter.blocks.entries()) {
      const isOutput = block.language === "text" && shown !== undefined;
      text += `${block.before}${fenced(block, isOutput ? shown : block.text)}`;
      const isShown = chapter.blocks[index + 1]?.language === "text";
      const { output } = await done(block, { chapter, folder, isShown });
      shown = isShown ? output : undefined;
    }
    return text + chapter.end;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Done {
  /** What it prints. */
  readonly output: string;
}

/** Does what a block says. TypeScript that shows nothing is for another block to run. */
async function done(
  block: Block,
  at: { readonly chapter: Chapter; readonly folder: string; readonly isShown: boolean },
): Promise<Done> {
  if (block.language === "madrigal") return checked(block, at.chapter);
  if (block.language === "sh") return { output: await ran(block, at.folder) };
  if (block.language !== "ts" || !at.isShown) return { output: "" };
  const run = { ...block, text: `node_modules/.bin/node ${block.file}` };
  return { output: await ran(run, at.folder) };
}

/** What the lines of a block print, one after the other; throws where one does not exit as the block says. */
async function ran({ text, code: expected = "0" }: Block, folder: string): Promise<string> {
  let output = "";
  for (const line of text.trim().split("\n")) {
    const { said, code } = await shell(line, folder);
    if (`${code}` !== expected) throw new Error(`\`${line}\` exits ${code}:\n${said}`);
    output += said;
  }
  return output;
}

/** A program formatted, rules of the grammar as the parser has them. */
function textAsItShouldBe(language: string, body: string): string {
  if (language === "madrigal") return formatted(body);
  return language === "ebnf" ? rulesNamedIn(body) : body;
}

/** The rules whose names begin lines of `body`; throws where the grammar has no such rule. */
function rulesNamedIn(body: string): string {
  const rules = new Map(grammarRules().map((rule) => [rule.name, rule]));
  return [...body.matchAll(/^\w+/gm)]
    .map(([name]) => {
      const rule = rules.get(name);
      if (rule === undefined) throw new Error(`the grammar has no rule \`${name}\``);
      return `${ebnf(rule)}\n`;
    })
    .join("");
}

/** A program as `madrigal fmt` leaves it. */
function formatted(text: string): string {
  const result = format({ file: "example.madrigal", text });
  return "text" in result ? result.text : text;
}

function fenced({ fence, language, code }: Block, text: string | undefined): string {
  return `${fence}${[language, ...(code === undefined ? [] : [code])].join(" ")}\n${text}${fence}\n`;
}

/** What checking a program says; throws where that is not what its block is marked with. */
function checked({ text, code, file = "example.madrigal" }: Block, { blocks }: Chapter): Done {
  const source = { file, text };
  const programs = (from: string): Source | undefined => {
    const [, own] = /^madrigal\/library\/(.+)$/.exec(from) ?? [];
    if (own !== undefined) {
      return { file: own, text: readFileSync(join(projectRoot, "runtime/library", own), "utf8") };
    }
    const imported = blocks.find((block) => `./${block.file}` === from);
    return imported && { file: imported.file ?? from, text: imported.text };
  };
  const { diagnostics } = check(source, { programs });
  const frames = diagnostics.map((one) => `${renderDiagnostic(one, source)}\n`).join("");
  const codes = [...new Set(diagnostics.map((one) => one.code))];
  if (codes.join() !== (code ?? "")) throw new Error(`marked \`${code ?? ""}\`, but:\n${frames}`);
  return { output: code === undefined ? "" : frames };
}

const KEEP_COMPILED = `import { keepCompiled } from ${JSON.stringify(keeping)};\nkeepCompiled();`;

/** Does what npx does with a program that is installed, without a start of npm, which takes as long as the program. */
const NPX = 'npx() { local name="$1"; shift; "./node_modules/.bin/$name" "$@"; }';

/** No line of the guide takes a tenth of this, on a busy machine either. */
const LINE_LIMIT_MS = 240_000;

/** Runs a line as a person's shell does. Returns its output in the order in which it is printed; throws for one that does not end. */
async function shell(
  line: string,
  folder: string,
): Promise<{ readonly said: string; readonly code: unknown }> {
  const path = `${join(projectRoot, "node_modules/node/bin")}:${process.env.PATH}`;
  const env = {
    PATH: path,
    HOME: folder,
    MADRIGAL_HOME: join(folder, "home"),
    NO_COLOR: "1",
    // A script that imports the sources strips and compiles a thousand files: most of its time, where they are not kept.
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(KEEP_COMPILED)}`,
  };
  const script = `${NPX}\n(${line}) 2>&1`;
  const child = spawn("bash", ["-o", "pipefail", "-c", script], {
    cwd: folder,
    env,
    detached: true,
  });
  // A command that never ends would be left behind when the test's own limit ends that.
  let isEndless = false;
  const limit = setTimeout(() => {
    isEndless = true;
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  }, LINE_LIMIT_MS);
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const [code] = await once(child, "close");
  clearTimeout(limit);
  if (isEndless) throw new Error(`\`${line}\` did not end; it had printed:\n${said}`);
  const shown = said.replaceAll(folder, "FOLDER").replaceAll(/\b\d+\.\d\ds\b/g, "TIME");
  return { said: shown, code };
}
