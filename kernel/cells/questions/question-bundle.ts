/** Shows a question of a run: which run asks what, who answered it and when, or how to answer. */
import { printExpression } from "../../../dsl/index.ts";
import {
  answerCall,
  type DrivenRun,
  type Interrupt,
  type RunEvent,
  redaction,
  shortRunId,
} from "../../../runtime/index.ts";
import type { Bundle } from "../../cell-output.ts";
import { answerText } from "../../display/answer-text.ts";
import { bundleOf, HTML, PLAIN } from "../../display/bundle.ts";
import { escapeMarkup } from "../../display/escape.ts";
import { expiryText } from "../../display/expiry-text.ts";
import { timeText } from "../../display/numbers.ts";
import { plainText } from "../../display/plain.ts";
import { planHtml, planIn, planText } from "../../display/values/plan.ts";
import { cut, visible, visibleLine } from "../../display/visible.ts";
import { isRecord } from "../../is-record.ts";

/** A value to approve, review or edit, by the names of its parts; undefined for one without. */
function namedParts(
  { shown, node }: Interrupt,
  run: DrivenRun,
): readonly (readonly [string, unknown])[] | undefined {
  if (isRecord(shown)) return Object.entries(shown);
  if (!Array.isArray(shown)) return undefined;
  const args = run.ir.nodes.find(({ name }) => name === node)?.call?.args;
  // The arguments of a function have the names that the program gives them.
  if (args === undefined || args.length !== shown.length) return undefined;
  return args.map(({ label, value }, index) => [label ?? printExpression(value), shown[index]]);
}

/** Returns the text of the value to approve, review or edit; empty where the question shows none. */
function shownText(interrupt: Interrupt, run: DrivenRun): string {
  const { shown } = interrupt;
  if (shown === undefined) return "";
  const plan = planIn(shown);
  if (plan !== undefined) return cut(planText(plan), SHOWN_CHARACTERS);
  const parts = namedParts(interrupt, run);
  if (parts === undefined) return cut(visible(plainText(shown)), SHOWN_CHARACTERS);
  // In quotes: a line of a text must not look like another argument.
  return parts
    .map(([name, value]) => `${visibleLine(name)}: ${cutPart(plainText(value), parts)}`)
    .join("\n");
}

/** A long argument must not hide those behind it. */
function cutPart(text: string, { length }: { readonly length: number }): string {
  const each = Math.max(PART_CHARACTERS_MIN, Math.floor(SHOWN_CHARACTERS / length));
  return cut(visible(text), each);
}

const PART_CHARACTERS_MIN = 100;

const SHOWN_CHARACTERS = 4_000;

function shownHtml(interrupt: Interrupt, run: DrivenRun): string {
  const plan = planIn(interrupt.shown);
  if (plan !== undefined)
    return `<div style="max-height:30em;overflow:auto">${planHtml(plan)}</div>`;
  const parts = namedParts(interrupt, run);
  if (parts === undefined) {
    const text = shownText(interrupt, run);
    return text === "" ? "" : `<pre style="margin:.4em 0;${SCROLLED}">${escapeMarkup(text)}</pre>`;
  }
  const rows = parts.map(
    ([name, value]) =>
      `<tr><th style="text-align:left;vertical-align:top">${escapeMarkup(visibleLine(name))}</th><td style="text-align:left"><pre style="margin:0;${SCROLLED}">${escapeMarkup(cutPart(typeof value === "string" ? value : plainText(value), parts))}</pre></td></tr>`,
  );
  return parts.length === 0 ? "" : `<table style="margin:.4em 0">${rows.join("")}</table>`;
}

const SCROLLED = "max-height:20em;overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere";

/** `send` asks: …, what is approved, and when nobody's answer is one, as text. */
export function aboutText(interrupt: Interrupt, run: DrivenRun): string {
  const expiry = expiryText(interrupt, run);
  return `${askedText(interrupt, run)}${expiry === undefined ? "" : `(${expiry})\n`}`;
}

function askedText(interrupt: Interrupt, run: DrivenRun): string {
  const shown = shownText(interrupt, run);
  return `${headText(interrupt)}${shown === "" ? "" : `\n${shown}`}\n`;
}

function headText({ node, question }: Interrupt): string {
  const who = node === "" ? "the run" : `\`${visibleLine(node)}\``;
  return `${who} asks: ${visible(question)}`;
}

export interface AskedQuestion {
  readonly run: DrivenRun;
  readonly interrupt: Interrupt;
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
}

/** `ending` says how it ended; without it, it is open. `placed` puts what stands there instead of a form into its place. */
export function questionBundle(
  { run, interrupt, askedAt }: AskedQuestion,
  { ending, placed }: { readonly ending?: string; placed?(html: string): string },
): Bundle {
  const whose = visibleLine(
    `run ${shortRunId(run.id)} of ${run.graph}, asked at ${timeText(askedAt)} UTC`,
  );
  const expiry = ending === undefined ? expiryText(interrupt, run) : undefined;
  const last = ending ?? `not answered when this was shown: await run.${answerCall(interrupt)}`;
  const lastHtml = `<div style="opacity:.7">${codeHtml(last)}</div>`;
  const html = [
    `<div style="font-weight:600;white-space:pre-wrap">${codeHtml(headText(interrupt))}</div>`,
    `<div class="madrigal-caption" style="opacity:.7;font-size:smaller">${escapeMarkup(whose)}</div>`,
    // Behind the caption: in the form too, which stands in the place of the last line.
    expiry === undefined
      ? ""
      : `<div class="madrigal-caption" style="opacity:.7;font-size:smaller">${codeHtml(expiry)}</div>`,
    shownHtml(interrupt, run),
    placed === undefined ? lastHtml : placed(lastHtml),
  ];
  return bundleOf({
    [HTML]: `<div class="madrigal-asked mathjax_ignore">${html.filter((part) => part !== "").join("\n")}</div>`,
    [PLAIN]: `${askedText(interrupt, run)}${whose}\n${expiry === undefined ? "" : `${expiry}\n`}(${visible(last)})`,
  });
}

/** A text with its words between backticks as code. */
function codeHtml(text: string): string {
  return text
    .split(/(`[^`\n]+`)/)
    .map((part, index) =>
      index % 2 === 1 ? `<code>${escapeMarkup(part.slice(1, -1))}</code>` : escapeMarkup(part),
    )
    .join("");
}

type Answered = RunEvent & { readonly kind: "interrupt.answered" };

/** `answered "approve" by form at …`: what a notebook keeps of it. `where` is what a person of this kernel answered in. */
export function answeredText(answered: Answered, run: DrivenRun, where: string): string {
  const shower = redaction.eventShower(run.ir);
  shower.learn(answered);
  const { answer, at } = shower.show(answered);
  const answerLine = visibleLine(cut(answerText(answer), ANSWER_CHARACTERS));
  return `answered \`${answerLine.replaceAll("`", "'")}\` by ${whoText(answered, where)} at ${timeText(at)} UTC`;
}

const ANSWER_CHARACTERS = 500;

function whoText({ from, by }: Answered, where: string): string {
  switch (from) {
    case "person":
      if (by === undefined) return where;
      return by.startsWith("cli-") ? `terminal (${by})` : by;
    case "policy":
      return by === undefined ? "policy" : `\`${by}\``;
    case "script":
      return "the run's `answers`";
    case "expiry":
      return "its time limit";
  }
}
