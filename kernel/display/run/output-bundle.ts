/** Shows what a run returned: reports with headings, lists of objects as tables, and who answered. */
import { conversations, type Row, redaction } from "../../../runtime/index.ts";
import type { Bundle } from "../../cell-output.ts";
import { bundleOf, HTML, MARKDOWN, PLAIN } from "../bundle.ts";
import { escapeMarkdown, escapeMarkup } from "../escape.ts";
import { plainText } from "../plain.ts";
import { Rows } from "../table/rows.ts";
import { tableHtml, tableMarkdown, tableOfPage, tablePlain } from "../table/table.ts";
import {
  conversationHtml,
  conversationMarkdown,
  conversationText,
} from "../values/conversation.ts";
import { planHtml, planIn, planMarkdown, planText } from "../values/plan.ts";
import { counted, visible } from "../visible.ts";
import { reportHtml } from "./report-html.ts";
import { reportMarkdown } from "./report-markdown.ts";
import { tallyOf } from "./run-bundle.ts";
import type { ShownRun } from "./run-lines.ts";
import { runCaption } from "./run-lines.ts";

/** A longer text is no output of a cell: the notebook would hold it three times, and nobody reads it there. */
const TEXT_MAX = 100_000;

/** The object that `await run.output` gives, and the run that it is of. */
const runsOfOutputs = new WeakMap<object, ShownRun>();

export function rememberOutput(output: object, run: ShownRun): void {
  runsOfOutputs.set(output, run);
}

/** The output of a run that is drawn nowhere, as one that was opened, shows itself as every other. */
export function rememberOutputsOf<R extends ShownRun>(run: R): R {
  run.events$.subscribe((event) => {
    if (event.kind === "run.finished" && event.output !== undefined) {
      rememberOutput(event.output, run);
    }
  });
  return run;
}

export function runOfOutput(output: object): ShownRun | undefined {
  return runsOfOutputs.get(output);
}

export async function outputBundle(output: object, run: ShownRun): Promise<Bundle> {
  const caption = runCaption(run, tallyOf(run));
  const parts = await Promise.all(
    Object.entries(redaction.shownValue(output, run)).map(([name, value]) => partOf(name, value)),
  );
  return bundleOf({
    [HTML]: [
      ...parts.map(({ html }) => html),
      `<div class="madrigal-caption" style="opacity:.7;font-size:smaller">${escapeMarkup(caption)}</div>`,
    ].join("\n"),
    [MARKDOWN]: [...parts.map(({ markdown }) => markdown), escapeMarkdown(caption)].join("\n\n"),
    [PLAIN]: [...parts.map(({ plain }) => plain), caption].join("\n\n"),
  });
}

interface OutputForms {
  readonly html: string;
  readonly markdown: string;
  readonly plain: string;
}

/** One returned field under its name. */
async function partOf(name: string, value: unknown): Promise<OutputForms> {
  const { html, markdown, plain } = await valuePart(name, value);
  return {
    html: `<h4 style="margin:.8em 0 .4em">${escapeMarkup(name)}</h4>\n${html}`,
    markdown: `#### ${escapeMarkdown(name)}\n\n${markdown}`,
    plain: `${visible(name)}:\n${plain}`,
  };
}

async function valuePart(name: string, value: unknown): Promise<OutputForms> {
  if (typeof value === "string") return await textPart(name, value);
  if (conversations.isConversation(value)) {
    return {
      html: conversationHtml(value),
      markdown: conversationMarkdown(value),
      plain: conversationText(value),
    };
  }
  const plan = planIn(value);
  if (plan !== undefined)
    return { html: planHtml(plan), markdown: planMarkdown(plan), plain: planText(plan) };
  if (isListOfObjects(value)) return tablePart(value);
  const text = plainText(value);
  return {
    html: `<pre class="mathjax_ignore" style="white-space:pre-wrap">${escapeMarkup(text)}</pre>`,
    markdown: text.split("\n").map(escapeMarkdown).join("\\\n"),
    plain: text,
  };
}

async function textPart(name: string, whole: string): Promise<OutputForms> {
  const text = whole.slice(0, TEXT_MAX).toWellFormed();
  const [html, markdown] = await Promise.all([reportHtml(text), reportMarkdown(text)]);
  const part = { html, markdown, plain: visible(text) };
  return whole.length <= TEXT_MAX ? part : withNote(part, leftOut(name, whole));
}

function leftOut(name: string, whole: string): string {
  const member = /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name)
    ? `.${name}`
    : `[${JSON.stringify(name)}]`;
  return `… the first ${counted(TEXT_MAX)} of ${counted(whole.length)} characters; (await run.output)${member} has all of them`;
}

function withNote({ html, markdown, plain }: OutputForms, note: string): OutputForms {
  return {
    html: `${html}\n<div class="madrigal-caption" style="opacity:.7;font-size:smaller">${escapeMarkup(note)}</div>`,
    markdown: `${markdown}\n\n${escapeMarkdown(note)}`,
    plain: `${plain}\n${visible(note)}`,
  };
}

function isListOfObjects(value: unknown): value is readonly Row[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item) => typeof item === "object" && item !== null && !Array.isArray(item))
  );
}

function tablePart(rows: readonly Row[]): OutputForms {
  const table = tableOfPage({ rows: new Rows(rows), number: 1 });
  return {
    html: tableHtml(table),
    markdown: tableMarkdown(table),
    plain: tablePlain(table),
  };
}
