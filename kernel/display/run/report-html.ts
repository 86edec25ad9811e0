/** A model's Markdown as HTML: its headings, lists, tables and code; no HTML of its own, no link, no picture. */
import type { MarkdownIt } from "markdown-it";
import { visible } from "../visible.ts";

let loading: Promise<MarkdownIt> | undefined;

export async function reportHtml(text: string): Promise<string> {
  loading ??= load();
  const html = (await loading).render(visible(text));
  return `<div class="madrigal-report mathjax_ignore" style="max-width:60em">${html}</div>`;
}

async function load(): Promise<MarkdownIt> {
  const { default: markdownIt } = await import("markdown-it");
  return markdownIt({ html: false, linkify: false }).disable([
    "link",
    "image",
    "autolink",
    "reference",
    "html_block",
    "html_inline",
  ]);
}
