/** Makes the bundle of one step: what its node said, and what that changed in the state. */
import { pathText, redaction, type Step } from "../../../runtime/index.ts";
import type { Bundle } from "../../cell-output.ts";
import { bundleOf, HTML, MARKDOWN, PLAIN } from "../bundle.ts";
import { escapeMarkdown, escapeMarkup } from "../escape.ts";
import { jsonText } from "../table/cell-text.ts";
import type { Column } from "../table/column.ts";
import { type RowsTable, tableHtml, tableMarkdown, tableOf, tablePlain } from "../table/table.ts";
import { counted, cut, visible } from "../visible.ts";
import { type StepContext, type StepOutcome, stepContext } from "./state-before.ts";

export function stepBundle(step: Step): Bundle {
  const head = headText(step);
  const context = stepContext(step);
  const outcome = context?.outcome ?? storedOutcome(step);
  const outputText =
    outcome.output === undefined ? "" : cut(plainOrJson(outcome.output), OUTPUT_CHARACTERS);
  const table = changesOf(outcome, context);
  const output =
    outputText === ""
      ? ""
      : `<pre class="mathjax_ignore" style="white-space:pre-wrap">${escapeMarkup(outputText)}</pre>`;
  return bundleOf({
    [HTML]: `<div style="font-weight:600">${escapeMarkup(head)}</div>${output}\n${tableHtml(table)}`,
    [MARKDOWN]: [`**${escapeMarkdown(head)}**`, escapeMarkdown(outputText), tableMarkdown(table)]
      .filter((part) => part !== "")
      .join("\n\n"),
    [PLAIN]: visible(
      [head, outputText, tablePlain(table)].filter((part) => part !== "").join("\n"),
    ),
  });
}

/**
 * Returns the outcome of a step of a run that was not followed, with what looks like a secret
 * hidden.
 */
function storedOutcome({ output, patches }: Step): StepOutcome {
  return redaction.redactForTrace({ output, patches }) as StepOutcome;
}

const OUTPUT_CHARACTERS = 400;

function headText({ step, node, attempt, path }: Step): string {
  const again = attempt > 1 ? `, attempt ${attempt}` : "";
  const where = path === undefined ? "" : ` in ${path.join(" › ")}`;
  return `step ${step}${where}: ${node}${again}`;
}

function plainOrJson(value: unknown): string {
  return typeof value === "string" ? value : jsonText(value);
}

const COLUMNS: readonly Column[] = [
  { name: "path", type: "", isUnbroken: true },
  { name: "before", type: "" },
  { name: "after", type: "" },
  { name: "change", type: "" },
];

/** A table of many changes is cut: the state itself is at hand. */
const CHANGES_SHOWN = 100;

function changesOf({ patches }: StepOutcome, context: StepContext | undefined): RowsTable {
  const rows = patches.slice(0, CHANGES_SHOWN).map((patch) => ({
    path: pathText(patch.path),
    before: beforeText(context?.before, patch),
    after: patch.op === "remove" ? "" : jsonText(patch.value),
    change: changeText(context, patch),
  }));
  const shown = patches.length > CHANGES_SHOWN ? `the first ${CHANGES_SHOWN} of ` : "";
  const changes = counted(patches.length, "change");
  const caption = patches.length === 0 ? "the state did not change" : `${shown}${changes}`;
  return { ...tableOf(rows.length === 0 ? [] : COLUMNS, rows), caption };
}

type ShownPatch = Step["patches"][number];

/** Empty where there was nothing; a new item of a list only moves those behind it. */
function beforeText(before: object | undefined, { op, path }: ShownPatch): string {
  if (before === undefined) return op === "add" ? "" : "not known";
  if (op === "add") return "";
  const value = path.reduce<unknown>(memberOf, before);
  return value === undefined ? "" : jsonText(value);
}

/** `add (append)`. */
function changeText(context: StepContext | undefined, { op, path }: ShownPatch): string {
  const reducer = context?.reducerOf(String(path[0]));
  return reducer === undefined || reducer === "replace" ? op : `${op} (${reducer})`;
}

function memberOf(value: unknown, key: string | number): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string | number, unknown>>)[key];
}
