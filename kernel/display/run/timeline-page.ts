/** Makes the texts of one place of a timeline: the marked drawing, what was said, what changed. */
import type { debugging, Timeline } from "../../../runtime/index.ts";
import { drawGraph, type NodeState } from "../graph/draw.ts";
import { layoutGraph } from "../graph/layout.ts";
import { jsonText } from "../table/cell-text.ts";
import { counted, cut, visible, visibleLine } from "../visible.ts";
import { commonStatus } from "./tally.ts";

/** Texts with everything in them visible; nobody may take them for markup. */
export interface ShownPage {
  readonly index: number;
  /** The number of the run's own steps up to here. */
  readonly step: number;
  readonly title: string;
  /** SVG; empty where the graph can't be laid out. */
  readonly drawing: string;
  /** The drawing in words. */
  readonly alt: string;
  readonly transcript: readonly ShownTranscriptEntry[];
  readonly changes: readonly TimelinePageChange[];
  /** `2 changes`, `the first 100 of 2,000 changes`. */
  readonly caption: string;
}

export interface ShownTranscriptEntry {
  readonly by: string;
  readonly text: string;
}

export interface TimelinePageChange {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly op: string;
}

const SAID_SHOWN = 50;
const SAID_CHARACTERS = 2_000;
/** A table of many changes is cut: the state itself is at hand. */
const CHANGES_SHOWN = 100;
const VALUE_CHARACTERS = 400;

export async function shownPage(timeline: Timeline, index: number): Promise<ShownPage> {
  const page = timeline.at(index);
  const drawing = await drawingOf(page);
  return { index, step: page.step, drawing, alt: altOf(page), ...shownTexts(page) };
}

/** The texts beside the drawing. */
export function shownTexts({
  title,
  changes,
  transcript,
}: debugging.TimelinePage): Omit<ShownPage, "index" | "step" | "drawing" | "alt"> {
  return {
    title: visibleLine(title),
    transcript: shownTranscript(transcript),
    changes: changes.slice(0, CHANGES_SHOWN).map(changeTexts),
    caption: captionOf(changes.length),
  };
}

async function drawingOf({
  graph,
  marked,
  nodeRuns,
  title,
}: debugging.TimelinePage): Promise<string> {
  try {
    const layout = await layoutGraph(graph);
    const lines = [`${graph.name} · ${title}`];
    const marks = marked === undefined ? {} : { marked };
    return drawGraph(layout, { nodes: statesOf(nodeRuns), lines, ...marks });
  } catch {
    return ""; // What can't be laid out is told in words.
  }
}

function statesOf(
  nodeRuns: debugging.TimelinePage["nodeRuns"],
): Readonly<Record<string, NodeState>> {
  const byNode = Map.groupBy(nodeRuns, ({ node }) => node);
  return Object.fromEntries(
    [...byNode].map(([node, all]) => {
      const status = commonStatus(new Set(all.map((one) => one.status)));
      const done = all.filter((one) => one.status === "succeeded").length;
      return [node, { status, done, total: all.length }];
    }),
  );
}

function altOf({ graph, nodeRuns, title }: debugging.TimelinePage): string {
  const nodes = Object.entries(statesOf(nodeRuns)).map(
    ([node, { status, done, total }]) => `${node} ${status}${total > 1 ? ` ${done}/${total}` : ""}`,
  );
  return cut(
    visibleLine(`graph ${graph.name} at ${title}: ${nodes.join(", ") || "nothing has run"}`),
    1_000,
  );
}

function shownTranscript(
  transcript: readonly debugging.TranscriptEntry[],
): readonly ShownTranscriptEntry[] {
  return transcript.slice(0, SAID_SHOWN).map(({ kind, by, text }) => ({
    by: visibleLine(by === "" ? kind : `${kind} · ${by}`),
    text: visible(cut(text, SAID_CHARACTERS)),
  }));
}

export function changeTexts({
  path,
  op,
  before,
  after,
}: debugging.TimelineChange): TimelinePageChange {
  return {
    path: visibleLine(path),
    before: before === undefined ? "" : visibleLine(cut(jsonText(before), VALUE_CHARACTERS)),
    after: after === undefined ? "" : visibleLine(cut(jsonText(after), VALUE_CHARACTERS)),
    op,
  };
}

export function captionOf(changes: number): string {
  if (changes === 0) return "the state did not change";
  const shown = changes > CHANGES_SHOWN ? `the first ${CHANGES_SHOWN} of ` : "";
  return `${shown}${counted(changes, "change")}`;
}

export function stepsText(steps: number): string {
  return counted(steps, "step");
}
