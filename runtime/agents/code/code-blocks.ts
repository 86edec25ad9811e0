/** Finds the fenced blocks of code in a text of Markdown. */

export const CODE_LANGUAGES = ["javascript", "typescript", "python", "shell"] as const;

export type CodeLanguage = (typeof CODE_LANGUAGES)[number];

/** A piece of code and the language that it is in. */
export interface CodeBlock {
  readonly language: CodeLanguage;
  readonly code: string;
}

/** The names that stand behind a fence. */
const NAMES: Readonly<Record<string, CodeLanguage>> = {
  js: "javascript",
  javascript: "javascript",
  mjs: "javascript",
  node: "javascript",
  ts: "typescript",
  typescript: "typescript",
  py: "python",
  python: "python",
  python3: "python",
  sh: "shell",
  bash: "shell",
  shell: "shell",
};

/** A fence, its language, the lines up to an equal fence. */
const FENCE = /^([ \t]*)(`{3,}|~{3,})[ \t]*([^\s`{]*)[^\n]*\n([\s\S]*?)^[ \t]*\2[`~]*[ \t]*$/gm;

/**
 * Returns the blocks in their order. Those of other languages, or of none, are no code to run, nor is one without an end: the text was
 * cut off.
 */
export function codeBlocks(text: string): readonly CodeBlock[] {
  return [...text.replaceAll("\r\n", "\n").matchAll(FENCE)].flatMap((found) => {
    const [, indent = "", , info = "", lines = ""] = found;
    const name = info.toLowerCase();
    if (!Object.hasOwn(NAMES, name)) return [];
    const code = lines.replace(new RegExp(`^${indent}`, "gm"), "");
    return [{ language: NAMES[name] as CodeLanguage, code }];
  });
}
