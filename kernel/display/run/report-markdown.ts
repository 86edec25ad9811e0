/** Writes a model's Markdown anew, so that other front ends find no link, picture or formula in it. */
import type { Token } from "markdown-it";
import { escapeMarkdown } from "../escape.ts";
import { visible } from "../visible.ts";
import { reportParser } from "./report-parser.ts";

export async function reportMarkdown(text: string): Promise<string> {
  const tokens = (await reportParser()).parse(visible(text), {});
  const page: Page = { containers: [], lines: [] };
  for (const [index, token] of tokens.entries()) {
    if (token.nesting < 0) leave(page, token);
    else if (token.nesting > 0) enter(page, token);
    else addBlock(page, token, tokens[index - 1]);
  }
  return page.lines.join("\n").trim();
}

interface Page {
  /** The lists, items and quotes around, outermost first. */
  readonly containers: Container[];
  readonly lines: string[];
}

/** The text before the first line of a block's content, and before every other line. */
interface Container {
  marker: string;
  readonly indent: string;
}

function enter({ containers, lines }: Page, token: Token): void {
  switch (token.type) {
    case "list_item_open": {
      const marker = token.info === "" ? "- " : `${token.info}${token.markup} `;
      containers.push({ marker, indent: " ".repeat(marker.length) });
      break;
    }
    case "table_open":
      if (lines.at(-1) !== "") lines.push("");
      break;
    case "blockquote_open":
      containers.push({ marker: "> ", indent: "> " });
      break;
    case "tr_open":
      lines.push(`${prefix(containers)}|`);
  }
}

function leave({ containers, lines }: Page, { type }: Token): void {
  if (type === "list_item_close" || type === "blockquote_close") containers.pop();
  if (type === "thead_close") lines.push(`${prefix(containers)}${ruleBelow(lines.at(-1))}`);
  // Blank lines are blank, also in a quote: formulas that begin in the code of one block must not reach the next.
  if (ENDS_BLOCK.has(type) && lines.at(-1) !== "") lines.push("");
}

const ENDS_BLOCK = new Set([
  "blockquote_close",
  "bullet_list_close",
  "ordered_list_close",
  "table_close",
]);

/** `| --- | --- |`, as many as there are cells above. */
function ruleBelow(head = ""): string {
  return `|${" --- |".repeat((head.match(/(?<!\\)\|/g)?.length ?? 1) - 1)}`;
}

function addBlock(page: Page, token: Token, before: Token | undefined): void {
  if (token.type === "hr") addLines(page, ["***"]);
  else if (token.type === "fence" || token.type === "code_block") addLines(page, fenced(token));
  else if (before?.type === "th_open" || before?.type === "td_open") addCell(page, token);
  else if (before?.type === "heading_open") {
    const title = inlineText(token, { inTable: false }).replaceAll(/ *\n/g, " ");
    addLines(page, [`${"#".repeat(Number(before.tag.slice(1)))} ${title}`]);
  } else {
    const lines = inlineText(token, { inTable: false }).split("\n");
    addLines(page, lines, { isTight: before?.hidden === true });
  }
}

function addLines(
  { containers, lines }: Page,
  block: readonly string[],
  { isTight = false }: { readonly isTight?: boolean } = {},
): void {
  if (!isTight && lines.at(-1) !== "") lines.push("");
  for (const line of block) {
    const before = prefix(containers);
    lines.push(line === "" ? before.trimEnd() : `${before}${line}`);
  }
  if (!isTight) lines.push("");
}

function addCell({ lines }: Page, token: Token): void {
  lines.push(`${lines.pop() ?? "|"} ${inlineText(token, { inTable: true })} |`);
}

function prefix(containers: readonly Container[]): string {
  return containers
    .map((container) => {
      const { marker } = container;
      container.marker = container.indent;
      return marker;
    })
    .join("");
}

/** With a fence longer than any in the code, so that all of it stays code. */
function fenced({ content, info }: Token): readonly string[] {
  const longest = Math.max(2, ...(content.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  const [language = ""] = info.trim().split(/\s+/);
  const code = content.replace(/\n$/, "").split("\n");
  return [`${fence}${LANGUAGES.has(language) ? language : ""}`, ...code, fence];
}

// Others may be drawn, with links in the drawing: `mermaid`, `math`, `geojson`.
const LANGUAGES = new Set(
  "bash c cpp cs css csv diff go html ini java javascript js json jsonl jsx kotlin madrigal php py python rb ruby rs rust sh sql swift toml ts tsx typescript xml yaml yml".split(
    " ",
  ),
);

function inlineText({ children }: Token, { inTable }: { readonly inTable: boolean }): string {
  return (children ?? []).map((token) => inlinePart(token, inTable)).join("");
}

function inlinePart({ type, content, markup }: Token, inTable: boolean): string {
  switch (type) {
    case "softbreak":
      return "\n";
    case "hardbreak":
      // Not a backslash: with nothing after it, it would be shown.
      return "  \n";
    case "em_open":
    case "em_close":
    case "strong_open":
    case "strong_close":
      return markup.replaceAll("_", "*");
    case "s_open":
    case "s_close":
      // Twice at the beginning of a line it would open a block of code, and ours would then end it.
      return "\\~\\~";
    case "code_inline": {
      // Longer backticks around backticks would not be read alike everywhere.
      const isPlain = !content.includes("`") && !(inTable && content.includes("|"));
      return isPlain ? `\`${content}\`` : escapeMarkdown(content);
    }
    default:
      return escapeMarkdown(content);
  }
}
