/** Makes the note that a cell shows when something is amiss though nothing failed. */
import type { Bundle } from "../../cell-output.ts";
import { escapeMarkup } from "../../display/escape.ts";

/** Half-transparent, so that it stands out on light and dark pages alike. */
const STYLE = "border-left:4px solid rgba(214,140,0,.9);padding:.2em .6em;opacity:.85";
/** The arrows of a frame stand below what they show. */
const LINES =
  "white-space:pre-wrap;font-family:var(--jp-code-font-family,monospace);font-size:var(--jp-code-font-size,90%)";

/** Grey: it tells something, and nothing is amiss. */
const QUIET = "border-left:4px solid rgba(128,128,128,.6);padding:.2em .6em;opacity:.85";

export function noteHtml(text: string, name: string): string {
  return `<div class="${name} mathjax_ignore" style="${QUIET}">${escapeMarkup(text)}</div>`;
}

export function noteBundle(text: string, name = "madrigal-warning"): Bundle {
  const style = text.includes("\n") ? `${STYLE};${LINES}` : STYLE;
  const html = `<div class="${name} mathjax_ignore" style="${style}">⚠ ${escapeMarkup(text)}</div>`;
  return { data: { "text/html": html, "text/plain": `⚠ ${text}` }, metadata: {} };
}
