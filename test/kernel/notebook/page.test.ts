/** The page of a notebook. */
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import type { Output } from "../../../kernel/notebook/notebook.ts";
import { ansiToHtml } from "../../../kernel/notebook/page/ansi.ts";
import { markdownToHtml } from "../../../kernel/notebook/page/markdown.ts";
import { notebookPage } from "../../../kernel/notebook/page/page.ts";
import { outputHtml } from "../../../kernel/notebook/page/page-output.ts";
import { saveExecuted } from "../../../kernel/notebook/save-executed.ts";
import { temporaryFolder } from "../../support/child.ts";
import { cell, notebook } from "./cells.ts";

function html(data: Record<string, unknown>): string {
  return outputHtml({ output_type: "display_data", data, metadata: {} }, "p-");
}

test("contract: a page has its drawings inline and no src or href to http", () => {
  const outputs: readonly Output[] = [
    {
      output_type: "display_data",
      data: {
        "image/svg+xml":
          '<svg xmlns="http://www.w3.org/2000/svg"><a href="https://e.x"><text>x</text></a></svg>',
        "text/plain": "x",
      },
      metadata: {},
    },
    {
      output_type: "execute_result",
      data: { "text/html": "<a href=https://e.x>y</a>" },
      metadata: {},
      execution_count: 1,
    },
  ];
  const page = notebookPage(
    notebook(
      cell("# A <b>title</b>\n\n[link](https://e.x) ![p](https://e.x/p.png)", { markdown: true }),
      { ...cell('fetch("https://e.x")'), outputs } as ReturnType<typeof cell>,
    ),
    "name",
  );
  expect(page).toContain("<svg xmlns=");
  expect(page).not.toMatch(/\s(?:src|href)\s*=\s*["']?\s*(?:https?:)?\/\//i);
  expect(page).not.toMatch(/<script|<link|<b>/i);
  expect(page).toContain(
    `content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"`,
  );
  expect(page).toContain("<title>A &#60;b&#62;title&#60;/b&#62;</title>");
});

test("without a heading the page is called as the file", () => {
  expect(notebookPage(notebook("1"), "deep & dark")).toContain("<h1>deep &#38; dark</h1>");
});

test("the best form that shows without scripts is shown", () => {
  const all = {
    "application/vnd.vegalite.v5+json": {},
    "image/svg+xml": "<svg><rect/></svg>",
    "text/html": "<p>h</p>",
    "text/markdown": "*m*",
    "image/png": "AAAA",
    "text/plain": "t",
  };
  const { "image/svg+xml": _svg, ...noSvg } = all;
  const { "text/html": _html, ...noHtml } = noSvg;
  const { "text/markdown": _markdown, ...noMarkdown } = noHtml;
  expect(
    [all, noSvg, noHtml, noMarkdown, { "text/plain": "t" }, { "x/y": 1 }].map(html),
  ).toMatchInlineSnapshot(`
      [
        "<figure class="nb-drawing"><svg><rect></rect></svg></figure>",
        "<div class="nb-html"><p>h</p></div>",
        "<div class="nb-markdown"><p><em>m</em></p>
      </div>",
        "<img alt="t" src="data:image/png;base64,AAAA">",
        "<pre class="nb-text">t</pre>",
        "<pre class="nb-text">(shown only in a notebook: x/y)</pre>",
      ]
    `);
});

test("HTML of which nothing is left gives way to text", () => {
  expect(html({ "text/html": "<script>x()</script>", "text/plain": "t" })).toContain(">t<");
  expect(html({ "image/png": "<b>", "text/plain": "t" })).toContain(">t<");
});

test("colours become spans, other sequences are gone, controls are shown", () => {
  expect(
    ansiToHtml("\u001b[31;1merror\u001b[0m <b>\u001b[2J\u001b]0;title\u0007 \u0007\u001b["),
  ).toBe('<span class="nb-red nb-bold">error</span> &#60;b&#62; ␇␛[');
  expect(ansiToHtml("\u001b[38;5;9ma\u001b[39mb\u001b[2mc\u001b[22md")).toBe(
    'ab<span class="nb-quiet">c</span>d',
  );
});

test("a page that can't be made is no fault of the disk, and nothing is written", () => {
  const outDir = temporaryFolder();
  const count = {
    toString() {
      throw new RangeError("no page");
    },
  };
  const wrong = { ...cell("1"), execution_count: count } as unknown as ReturnType<typeof cell>;
  const save = () => saveExecuted(notebook(wrong), { file: "n.ipynb", outDir, isPage: true });
  expect(save).toThrow(new RangeError("no page"));
  expect(readdirSync(outDir)).toEqual([]);
});

test("Markdown has no HTML, its links are text, attached pictures are shown", () => {
  expect(markdownToHtml("<i>x</i> [a](https://e.x) <https://e.y> [j](javascript:x)")).toBe(
    '<p>&lt;i&gt;x&lt;/i&gt; <span class="nb-link">a</span> <span class="nb-address">(https://e.x)</span> <span class="nb-link">https://e.y</span> [j](javascript:x)</p>\n',
  );
  const attachments = { "p.png": { "image/png": "AAAA" } };
  expect(markdownToHtml("![alt](attachment:p.png)", attachments)).toContain(
    '<img alt="alt" src="data:image/png;base64,AAAA">',
  );
  expect(markdownToHtml("![alt](attachment:%FF) ![](attachment:q.png)", attachments)).toBe(
    '<p><span class="nb-link">alt</span> <span class="nb-address">(attachment:%FF)</span> <span class="nb-link">picture</span> <span class="nb-address">(attachment:q.png)</span></p>\n',
  );
});
