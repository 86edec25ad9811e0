/** Runs `%help`: explains what cells can be, or one topic. */
import { isAbsolute, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type CodePage, codes, languageWords, nearest, wordPage } from "../../../dsl/index.ts";
import type { Bundle } from "../../cell-output.ts";
import { type ExportGroup, exportGroups } from "./exports-help.ts";
import { type Magic, magicHelp, magicOf, magics } from "./magic-table.ts";
import type { MagicWord } from "./magic-words.ts";
import { type MagicCall, wrongAt } from "./read-magic.ts";

export function runHelp(call: MagicCall): unknown {
  const [topic] = call.words;
  return topic === undefined ? new HelpText(overview()) : new HelpText(topicText(topic, call));
}

/** Markdown, which reads well as it stands too. */
class HelpText {
  readonly #markdown: string;

  constructor(markdown: string) {
    this.#markdown = markdown;
  }

  toMimeBundle(): Bundle["data"] {
    return { "text/markdown": this.#markdown, "text/plain": this.#markdown };
  }
}

function overview(): string {
  return [
    "A cell is **TypeScript**, type-checked and with `await`; or a **graph**, if it begins with `graph NAME(…)`, `model`, `config`, `mcp`, `openapi`, `memory` or `test`; or **SQL** over the traces, below `%%sql`; or **commands** of a shell, below `%%bash` or behind `!`. Names of one cell are seen by all later ones.",
    magics.map(({ usage, says }) => `- \`${usage}\` ${says}`).join("\n"),
    '`import … from "madrigal"` has:',
    ...exportGroups.map(groupText),
    "Tab completes, Shift+Tab explains the name at the cursor. The stop button cancels a cell and pauses its runs.",
    `The guide is \`${manualPath("README.md")}\`, a page of all words \`${manualPath("cheat-sheet.md")}\`.`,
    "`%help TOPIC` explains a magic (`%help %%sql`), a word of the language (`%help each`) or a code (`%help M3520`).",
  ].join("\n\n");
}

function groupText({ title, names }: ExportGroup): string {
  const lines = Object.entries(names).map(([name, says]) => `- \`${name}\` ${says}`);
  return `**${title}**\n\n${lines.join("\n")}`;
}

/** Returns the path of a page of the guide, relative to the working folder if it is below that. */
function manualPath(name: string): string {
  const path = fileURLToPath(new URL(`../../../dsl/manual/${name}`, import.meta.url));
  const below = relative(process.cwd(), path);
  return below.startsWith("..") || isAbsolute(below) ? path : below;
}

function topicText(topic: MagicWord, call: MagicCall): string {
  const found = magicText(topic.text) ?? codeText(topic.text) ?? wordText(topic.text);
  if (found !== undefined) return found;
  const known = [...magics.map(({ name }) => name), ...Object.keys(codes), ...languageWords];
  const meant = nearest(topic.text, known);
  throw wrongAt(call.source, topic, {
    code: "M7514",
    message: `there is no help on \`${topic.text}\``,
    hint:
      meant === undefined
        ? "help is on magics, words of the language and codes; Shift+Tab explains names of cells"
        : `did you mean \`${meant}\`?`,
  });
}

/**
 * Returns the help on a magic, also one named without its percent signs, unless a word of the
 * language has that name; undefined for others.
 */
function magicText(topic: string): string | undefined {
  const named = magicOf(topic) ?? (wordPage(topic) === undefined ? bare(topic) : undefined);
  return named && magicHelp(named);
}

function bare(topic: string): Magic | undefined {
  return magics.find(({ name }) => name.replace(/^%+/, "") === topic);
}

function codeText(topic: string): string | undefined {
  const code = topic.toUpperCase();
  if (!isCode(code)) return undefined;
  const { title, why, bad, good }: CodePage = codes[code];
  const parts = [
    `**${code}: ${title}**`,
    why,
    ...(bad === undefined ? [] : [`Wrong:\n\n\`\`\`\n${bad.trimEnd()}\n\`\`\``]),
    ...(good === undefined ? [] : [`Right:\n\n\`\`\`\n${good.trimEnd()}\n\`\`\``]),
  ];
  return parts.join("\n\n");
}

function isCode(text: string): text is keyof typeof codes {
  return Object.hasOwn(codes, text);
}

function wordText(topic: string): string | undefined {
  const page = wordPage(topic);
  return page && `**${topic}**: ${page.says}\n\n\`\`\`\n${page.usage}\n\`\`\``;
}
