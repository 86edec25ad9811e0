/** Makes the pages of an app: a visitor's, the owner's list of visitors, and the debugger's view of a run. */
import { shortRunId } from "../../runtime/index.ts";
import { allDarkRules } from "../display/chart/theme.ts";
import { closedPage } from "../display/closed-page.ts";
import { escapeMarkup } from "../display/escape.ts";
import {
  isCode,
  type NotebookCell,
  type NotebookFile,
  tagsOf,
  titleOf,
} from "../notebook/notebook.ts";
import { colouredCode } from "../notebook/page/colour-code.ts";
import { markdownToHtml } from "../notebook/page/markdown.ts";
import { PAGE_STYLE } from "../notebook/page/page-style.ts";

/** Scripts of this server alone; nothing is fetched from elsewhere, and no other page shows this one in a frame. */
export const APP_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The name of a cell by its place in the notebook; ids of cells may have any characters. */
export function cellKey(at: number): string {
  return `c${at}`;
}

/** The cell in whose place the timeline of a run stands, on the owner's page. */
export const DEBUG_CELL = "debug";

export interface AppLook {
  readonly notebook: NotebookFile;
  /** The title of a notebook that gives itself none. */
  readonly name: string;
  readonly showsCode: boolean;
}

export function visitorPage({ notebook, name, showsCode }: AppLook): string {
  const title = titleOf(notebook);
  const cells = notebook.cells.map((cell, at) => cellHtml(cell, cellKey(at), showsCode));
  const heading = title === undefined ? `<h1>${escapeMarkup(name)}</h1>\n` : "";
  return page(title ?? name, "app.js", {
    events: "/events",
    say: "/say",
    body: `${BAR}<button type="button" id="again" title="ends this kernel and runs the notebook anew">Start again</button></div>
${heading}${cells.join("\n")}${QUESTION}`,
  });
}

function cellHtml(cell: NotebookCell, key: string, showsCode: boolean): string {
  const hidden = tagsOf(cell);
  if (hidden.includes("remove-cell")) return "";
  if (cell.cell_type === "markdown")
    return `<section class="nb-markdown">${markdownToHtml(cell.source, cell.attachments)}</section>`;
  if (!isCode(cell)) return "";
  const code = showsCode
    ? `<pre class="nb-code" tabindex="0"><code>${colouredCode(cell.source)}</code></pre>`
    : "";
  const isHidden = hidden.includes("remove-output") ? " hidden" : "";
  return `<section class="nb-cell app-cell">${code}<div data-cell="${key}"${isHidden}></div></section>`;
}

export function ownerPage(name: string): string {
  return page(`Visitors of ${name}`, "owner.js", {
    events: "/owner/visitors",
    say: "",
    body: `<h1>Visitors of ${escapeMarkup(name)}</h1>\n<p role="status" id="places"></p>\n<div id="visitors"></div>`,
  });
}

export function debugPage(visitor: number, run: string): string {
  const query = `?visitor=${visitor}&run=${encodeURIComponent(run)}`;
  const short = shortRunId(run);
  return page(`Run ${short} of visitor ${visitor}`, "app.js", {
    events: `/owner/events${query}`,
    say: `/owner/say${query}`,
    body: `${BAR}<a href="/owner">All visitors</a></div>
<h1>Run <code title="${escapeMarkup(run)}">${escapeMarkup(short)}</code> of visitor ${visitor}</h1>
<section class="nb-cell app-cell"><div data-cell="${DEBUG_CELL}"></div></section>
<form id="console" data-command="/owner/command${escapeMarkup(query)}"><label for="command">Debugger</label>
<input id="command" autocomplete="off" spellcheck="false" placeholder="where, state, step, back, continue, help"><button>Send</button></form>
<pre class="nb-text" id="said" role="log" tabindex="0" aria-label="what the debugger says"></pre>`,
  });
}

const BAR = `<div class="app-bar"><span id="status" role="status">starting</span>`;

const QUESTION = `
<form id="question" hidden><label for="answer"></label><input id="answer" autocomplete="off"><button>Answer</button></form>`;

interface PageParts {
  readonly events: string;
  readonly say: string;
  readonly body: string;
}

function page(title: string, script: string, { events, say, body }: PageParts): string {
  const data = `data-events="${escapeMarkup(events)}" data-say="${escapeMarkup(say)}"`;
  return closedPage({
    title,
    style: [PAGE_STYLE, APP_STYLE, allDarkRules(".nb-drawing")].join("\n"),
    body: `<div id="app" ${data}>${body}</div>\n<script type="module" src="/assets/${script}"></script>`,
    policy: APP_POLICY.replace(/; frame-ancestors [^;]*/, ""),
  });
}

/** The names that the views of the widgets use, as JupyterLab gives them. */
const APP_STYLE = `:root {
  --jp-layout-color0: var(--paper); --jp-layout-color1: var(--paper); --jp-layout-color2: var(--code); --jp-layout-color3: var(--line);
  --jp-ui-font-color1: var(--ink); --jp-border-color1: var(--quiet); --jp-border-color2: var(--line);
  --jp-error-color1: var(--red); --jp-brand-color1: #1a56a8; --jp-ui-inverse-font-color1: #fff;
}
.app-bar { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: .5rem; min-height: 2rem; color: var(--quiet); font-size: .84rem; }
.app-bar [data-kind="failed"], .app-bar [data-kind="ended"] { color: var(--red); }
.app-cell { margin: .6rem 0; }
.app-cell .nb-output:empty { display: none; }
#app button, #app input, #app select, #app textarea { font-size: .9rem; max-width: 100%; }
#again, #question button, #console button { font: inherit; font-size: .84rem; color: inherit; background: var(--code); border: 1px solid var(--quiet); border-radius: 3px; padding: .25em .8em; cursor: pointer; }
#question, #console { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin: 1rem 0; padding: .6rem .9rem; border: 1px solid var(--line); border-radius: 6px; background: var(--code); }
#question[hidden] { display: none; }
#question { position: sticky; bottom: .5rem; }
#answer, #command { flex: 1; min-width: 12em; color: inherit; background: var(--paper); border: 1px solid var(--quiet); border-radius: 3px; padding: .25em .5em; }
#visitors table { border-collapse: collapse; width: 100%; font-size: .9rem; }
#visitors th, #visitors td { text-align: left; vertical-align: top; padding: .3em .8em .3em 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
a { color: var(--blue); }`;
