/** The grammar as a page of text. */
import { ebnf } from "./ebnf.ts";
import { grammarSections } from "./sections.ts";
import { tokenRows, wordLists } from "./token-table.ts";

/** What `dsl/manual/grammar.md` holds. */
export function grammarPage(): string {
  const { reserved, soft } = wordLists();
  return [
    "# The grammar",
    "",
    "Made from the parser's own rules by `npm run grammar`; a test fails when the two differ. The same rules as diagrams:",
    "[grammar.html](grammar.html).",
    "",
    "`[ ]` may be left out, `{ }` stands any number of times, `|` parts ways. What is in quotes is written so; a capital",
    "letter begins a token, which the table at the end describes, a small one a rule.",
    "",
    ...grammarSections().flatMap(({ title, rules }) => [
      `## ${title}`,
      "",
      "```ebnf",
      ...rules.map(ebnf),
      "```",
      "",
    ]),
    "## Tokens",
    "",
    "| token | form |",
    "| --- | --- |",
    ...tokenRows().map(({ name, form }) => `| \`${name}\` | ${code(form)} |`),
    "",
    `Reserved words, which are never names: ${list(reserved)}.`,
    "",
    `Words of the language, which are names too wherever a name is expected: ${list(soft)}.`,
    "",
    "## What the rules do not say",
    "",
    ...beyondRules,
    "",
  ].join("\n");
}

/** A form may hold backticks, so three of them stand around it. */
function code(form: string): string {
  return `\`\`\` ${form.replaceAll("|", "\\|")} \`\`\``;
}

function list(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(" ");
}

// What the parser asks in code (a GATE), as it can't be seen in the rules.
const beyondRules = [
  "- White space and line breaks are free, but for these: `(`, `[` and a label behind a name, the name of `session reuse`,",
  "  the unit of an amount and the type behind `:` stand on the line of what they belong to. So no `;` is needed.",
  "- A word of the language is a name where it can't be the word: `limit -> end` is an edge, `by: string` a field.",
  "- `*` is the last part of a dotted name. `history none` stands alone. `ensure … by` takes a condition in quotes and",
  "  nothing else.",
  "- Each option of `each` stands once. `??` mixes with `||` and `&&` only in parentheses.",
  "- Brackets nest at most 200 deep.",
];
