/** Turns one output of a cell into HTML, in the best form that a page without scripts can show. */

import type { MimeData, NotebookError, Output } from "../notebook.ts";
import { ansiToHtml } from "./ansi.ts";
import { markdownToHtml } from "./markdown.ts";
import { PICTURES, pictureHtml } from "./picture.ts";
import { sanitiseHtml, sanitiseSvg } from "./sanitise.ts";

/** `prefix` keeps the ids of its drawing apart from those of others. */
export function outputHtml(output: Output, prefix: string): string {
  switch (output.output_type) {
    case "stream":
      return textBlock(output.text, output.name === "stderr" ? "nb-stderr" : "nb-text");
    case "error":
      return textBlock(errorText(output), "nb-error");
    case "display_data":
    case "execute_result":
      return dataHtml(output.data, prefix);
  }
}

function errorText({ ename, evalue, traceback }: NotebookError): string {
  return traceback.length > 0 ? traceback.join("\n") : `${ename}: ${evalue}`;
}

function textBlock(text: string, kind: "nb-text" | "nb-stderr" | "nb-error"): string {
  return `<pre class="${kind}">${ansiToHtml(text.replace(/\n$/, ""))}</pre>`;
}

function dataHtml(data: MimeData, prefix: string): string {
  for (const form of forms) {
    const html = form(data, prefix);
    if (html !== undefined) return html;
  }
  return textBlock(`(shown only in a notebook: ${Object.keys(data).join(", ")})`, "nb-text");
}

type Form = (data: MimeData, prefix: string) => string | undefined;

/** The first that applies is shown. */
const forms: readonly Form[] = [
  (data, prefix) => {
    const svg = mimeText(data, "image/svg+xml");
    const clean = svg === undefined ? undefined : sanitiseSvg(svg, prefix);
    return clean === undefined ? undefined : `<figure class="nb-drawing">${clean}</figure>`;
  },
  (data) => {
    const html = sanitiseHtml(mimeText(data, "text/html") ?? "");
    return html.trim() === "" ? undefined : `<div class="nb-html">${html}</div>`;
  },
  (data) => {
    const text = mimeText(data, "text/markdown");
    return text === undefined
      ? undefined
      : `<div class="nb-markdown">${markdownToHtml(text)}</div>`;
  },
  (data) => {
    const alt = mimeText(data, "text/plain") ?? "";
    return PICTURES.map((mime) => pictureHtml(mime, mimeText(data, mime) ?? "", alt)).find(
      (html) => html !== undefined,
    );
  },
  (data) => {
    const text = mimeText(data, "text/plain") ?? mimeText(data, "text/latex");
    return text === undefined ? undefined : textBlock(text, "nb-text");
  },
  (data) => {
    const json = data["application/json"];
    return json === undefined ? undefined : textBlock(JSON.stringify(json, null, 2), "nb-text");
  },
];

function mimeText(data: MimeData, mime: string): string | undefined {
  const value = data[mime];
  return typeof value === "string" ? value : undefined;
}
