/** Makes the bundle of a timeline: the drawing of its last place, and a line for each place. */
import { type DrivenRun, shortRunId, type Timeline } from "../../../runtime/index.ts";
import type { Bundle } from "../../cell-output.ts";
import { bundleOf, HTML, MARKDOWN, PLAIN } from "../bundle.ts";
import { escapeMarkup } from "../escape.ts";
import { timeText } from "../numbers.ts";
import type { Column } from "../table/column.ts";
import { type RowsTable, tableHtml, tableMarkdown, tableOf } from "../table/table.ts";
import { counted, visible } from "../visible.ts";
import { changeTexts, shownPage, stepsText } from "./timeline-page.ts";
import { openPanel } from "./timeline-panel.ts";

/** The number of rows in the table; the panel and `timeline.at(n)` have each place. */
const PLACES_SHOWN = 100;
const CHANGES_SHOWN = 4;
const CELL_CHARACTERS = 120;

/**
 * Makes the bundle of a timeline. Where the front end has widgets, a panel that acts on the run
 * takes its place.
 */
export async function timelineBundle(timeline: Timeline<DrivenRun>): Promise<Bundle> {
  const panel = await openPanel(timeline, timelineBundle);
  const last = await shownPage(timeline, timeline.length - 1);
  const table = placesOf(timeline);
  const picture =
    last.drawing === ""
      ? ""
      : `<img alt="${escapeMarkup(last.alt)}" style="max-width:100%" src="data:image/svg+xml;base64,${Buffer.from(last.drawing).toString("base64")}">\n`;
  const html = `<div class="madrigal-timeline-static">\n${picture}${tableHtml(table)}\n</div>`;
  return bundleOf({
    [HTML]: panel === undefined ? html : panel.placed(html),
    [MARKDOWN]: tableMarkdown(table),
    [PLAIN]: visible(String(timeline)),
  });
}

const COLUMNS: readonly Column[] = [
  { name: "place", type: "BIGINT" },
  { name: "what", type: "VARCHAR", isUnbroken: true },
  { name: "changed", type: "VARCHAR" },
  { name: "said", type: "VARCHAR" },
];

function placesOf(timeline: Timeline): RowsTable {
  const { run, length } = timeline;
  const left = Math.max(0, length - PLACES_SHOWN);
  const rows = Array.from({ length: length - left }, (_, index) => rowOf(timeline, left + index));
  const shown = left === 0 ? "" : `, the last ${PLACES_SHOWN} places of ${counted(length)}`;
  const isOver = ["succeeded", "failed", "aborted"].includes(run.status);
  // The panel may move the run, and a notebook keeps the table as it is.
  const asOf = isOver ? "" : ` as of ${timeText(timeline.at(length - 1).at)} UTC`;
  const caption = `timeline of run ${shortRunId(run.id)} of ${run.graph}: ${run.status}${asOf}, ${stepsText(run.stepCount)}${shown}`;
  return { ...tableOf(COLUMNS, rows), caption };
}

function rowOf(timeline: Timeline, index: number): Readonly<Record<string, unknown>> {
  const { title, changes, transcript } = timeline.at(index);
  const texts = changes.slice(0, CHANGES_SHOWN).map((change) => {
    const { path, after, op } = changeTexts(change);
    return op === "remove" ? `${path} is gone` : `${path} = ${brief(after)}`;
  });
  const more = changes.length > CHANGES_SHOWN ? [`… ${changes.length - CHANGES_SHOWN} more`] : [];
  const last = transcript.at(-1);
  return {
    place: index,
    what: title,
    changed: [...texts, ...more].join("; "),
    said: last === undefined ? "" : brief(last.text),
  };
}

function brief(text: string): string {
  if (text.length <= CELL_CHARACTERS) return text;
  return `${text.slice(0, CELL_CHARACTERS - 1).toWellFormed()}…`;
}
