/** Escapes texts of others for HTML, XML and Markdown. */
import { visible, visibleLine } from "./visible.ts";

/** Escapes a text for HTML and XML, between tags and in attributes. */
export function escapeMarkup(text: string): string {
  return visible(text).replace(/[&<>"'`]/g, entity);
}

/** Escapes a text for one line of Markdown or a cell of a table in it. */
export function escapeMarkdown(text: string): string {
  return visibleLine(text)
    .split(FORMULA_WORD)
    .map((part, index) => (index % 2 === 1 ? `\`${part}\`` : escapedWords(part, index === 0)))
    .join("");
}

// JupyterLab looks for formulas in the rendered text, after every escape is gone, but not in code: `\$x\$` would be one.
// Words stay apart at `|` and at backticks, which would end a cell of a table or the code.
const FORMULA_WORD = /([^\s|`]*[$\\](?:[^\s|`]*[^\s|`,.;:!?])?)/;

const LIST_OR_TITLE = /^(\s*)([=>#]|[-+](?=[\s-]|$))|^(\s*\d+)([.)])(?=\s|$)/;

function escapedWords(text: string, isFirst: boolean): string {
  const escaped = text
    // As entities: `\[` and `\(` begin formulas in some dialects, and every backtick left is the end of our own code.
    .replace(/[&<`[]/g, entity)
    .replace(/[*_{}|~@]/g, "\\$&")
    // Without these, front ends turn plain addresses into links.
    .replace(/:(?=\S)/g, "\\:")
    .replace(/(?<=\S)\.(?=\p{L})/gu, "\\.")
    .replace(/\/(?=\/)/g, "/\\");
  return isFirst ? escaped.replace(LIST_OR_TITLE, "$1$3\\$2$4") : escaped;
}

function entity(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}
