/** Turns a notebook into one page of HTML that runs no script and loads nothing. */
import { darkRules } from "../../display/chart/theme.ts";
import { closedPage } from "../../display/closed-page.ts";
import { escapeMarkup } from "../../display/escape.ts";
import { type CodeCell, type NotebookCell, type NotebookFile, titleOf } from "../notebook.ts";
import { colouredCode } from "./colour-code.ts";
import { markdownToHtml } from "./markdown.ts";
import { outputHtml } from "./page-output.ts";
import { PAGE_STYLE } from "./page-style.ts";

/** `name` is the title of a notebook that gives itself none. */
export function notebookPage(notebook: NotebookFile, name: string): string {
  const title = titleOf(notebook);
  const cells = notebook.cells.map(cellHtml).filter((html) => html !== "");
  // A heading of its own stands in the page as it is.
  const heading = title === undefined ? `<h1>${escapeMarkup(name)}</h1>\n` : "";
  return closedPage({
    title: title ?? name,
    style: `${PAGE_STYLE}\n${darkRules(cells.join(""), ".nb-drawing")}`,
    body: `${heading}${cells.join("\n")}`,
  });
}

function cellHtml(cell: NotebookCell, index: number): string {
  switch (cell.cell_type) {
    case "code":
      return codeHtml(cell, index);
    case "markdown":
      return `<section class="nb-markdown">${markdownToHtml(cell.source, cell.attachments)}</section>`;
    case "raw":
      return ""; // Meant for other programs.
  }
}

function codeHtml(cell: CodeCell, index: number): string {
  const outputs = cell.outputs.map((output, at) => outputHtml(output, `c${index}o${at}-`));
  if (cell.source.trim() === "" && outputs.length === 0) return "";
  const count = cell.execution_count ?? " ";
  return `<section class="nb-cell" id="cell-${index + 1}">
<div class="nb-count" aria-label="cell ${count}">[${count}]</div>
<pre class="nb-code" tabindex="0"><code>${colouredCode(cell.source)}</code></pre>
${outputs.map((html) => `<div class="nb-output">${html}</div>`).join("\n")}
</section>`;
}
