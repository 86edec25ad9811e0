/** Turns a model's Markdown into HTML. */
import { visible } from "../visible.ts";
import { reportParser } from "./report-parser.ts";

export async function reportHtml(text: string): Promise<string> {
  // Active content may also be written as entities.
  const html = visible((await reportParser()).render(visible(text)));
  return `<div class="madrigal-report mathjax_ignore" style="max-width:60em">${html}</div>`;
}
