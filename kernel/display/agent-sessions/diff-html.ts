/** Shows the difference of a file as coloured lines that read on light and on dark pages. */
import { escapeMarkup } from "../escape.ts";
import { counted } from "../visible.ts";

/** Transparent, so that the text keeps the colour of its page. */
const ADDED = "background:rgba(46,160,67,.20)";
const REMOVED = "background:rgba(248,81,73,.20)";
const PLACE = "opacity:.7";

/** A longer line is one of a file that nobody reads. */
const LINE_CHARACTERS = 400;

/** The numbers of lines that a difference adds and removes. */
export function diffCounts(diff: string): { readonly added: number; readonly removed: number } {
  const lines = diff.split("\n");
  const count = (sign: string) =>
    lines.filter((line) => line.startsWith(sign) && !line.startsWith(sign.repeat(3))).length;
  return { added: count("+"), removed: count("-") };
}

/** The first lines of it; what follows is counted. */
export function diffHtml(diff: string, linesMax: number): string {
  const lines = diff.replace(/\n$/, "").split("\n");
  const shown = lines.slice(0, linesMax).map((line) => {
    const text = line.length > LINE_CHARACTERS ? `${line.slice(0, LINE_CHARACTERS)}…` : line;
    const style = styleOf(line);
    const html = escapeMarkup(text) || " ";
    return `<span style="display:block;padding:0 .5em;${style}">${html}</span>`;
  });
  const left = lines.length - shown.length;
  const more = left > 0 ? `<span style="${PLACE}">… ${counted(left, "more line")}</span>` : "";
  return `<pre style="margin:.2em 0;padding:.2em 0;max-height:24em;overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.4">${shown.join("")}${more}</pre>`;
}

function styleOf(line: string): string {
  if (line.startsWith("+++") || line.startsWith("---") || line.startsWith("@@")) return PLACE;
  if (line.startsWith("+")) return ADDED;
  return line.startsWith("-") ? REMOVED : "";
}
