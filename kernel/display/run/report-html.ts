/** Turns a model's Markdown into HTML. */
import { visible } from "../visible.ts";
import { reportParser } from "./report-parser.ts";

export async function reportHtml(text: string): Promise<string> {
  // What acts may also have stood there as an entity.
  const html = visible((await reportParser()).render(visible(text)));
  return `<div class="madrigal-report mathjax_ignore" style="max-width:60em">${html}</div>`;
}
