/** Reads a model's Markdown: its headings, lists, tables and code; no HTML of its own, no link, no picture. */
import type { MarkdownIt } from "markdown-it";

let loading: Promise<MarkdownIt> | undefined;

/** Loaded with the first report. */
export function reportParser(): Promise<MarkdownIt> {
  loading ??= load();
  return loading;
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
