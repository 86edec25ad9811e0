/** Text of others inside of HTML, XML and Markdown. */
import { visible, visibleLine } from "./visible.ts";

/** For HTML and XML, between tags and in attributes alike. */
export function escapeMarkup(text: string): string {
  return visible(text).replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** For a table cell of Markdown: on one line, and nothing in it means anything. */
export function escapeMarkdown(text: string): string {
  return visibleLine(text).replace(/[\\`*_{}[\]()<>#!|~$:@&^=]/g, (character) =>
    character === "<" || character === "&" ? `&#${character.charCodeAt(0)};` : `\\${character}`,
  );
}

/** Markdown of a model as Markdown that keeps its headings and lists, without HTML, links or formulas. */
export function tamedMarkdown(text: string): string {
  return visible(text)
    .replace(/<(?=[\w/!?])/g, "&lt;")
    .replaceAll("$", "\\$")
    .replace(/\](?=[([:])/g, "\\]")
    .replace(/(\w):(?=\/\/)/g, "$1&#58;");
}
