/** A timeline in words: a line a place, and below it what changed there. */
import { textOf } from "./said.ts";
import type { Timeline, TimelineChange } from "./timeline.ts";

/** More is not read: `timeline.at(n)` has each of them. */
const PLACES_SHOWN = 40;
const CHANGES_SHOWN = 5;
const VALUE_CHARACTERS = 60;

export function timelineText(timeline: Timeline): string {
  const { run, length } = timeline;
  const left = Math.max(0, length - PLACES_SHOWN);
  const shown = Array.from({ length: length - left }, (_, index) =>
    placeText(timeline, left + index),
  );
  return [
    `timeline of run ${run.id} of ${run.graph}: ${run.status}, ${counted(run.stepCount)}`,
    ...(left === 0 ? [] : [`  … ${left} places before these; timeline.at(n) has each`]),
    ...shown.flat(),
  ].join("\n");
}

function counted(steps: number): string {
  return steps === 1 ? "1 step" : `${steps} steps`;
}

function placeText(timeline: Timeline, index: number): readonly string[] {
  const { title, changes } = timeline.at(index);
  const more = changes.length - CHANGES_SHOWN;
  return [
    `  ${index}  ${title}`,
    ...changes.slice(0, CHANGES_SHOWN).map((change) => `       ${changeText(change)}`),
    ...(more > 0 ? [`       … and ${more} more`] : []),
  ];
}

/** `notes[0] = "seen"`, `tasks = ["a"] (was [])`, `draft is gone`. */
export function changeText({ path, op, before, after }: TimelineChange): string {
  if (op === "remove") return `${path} is gone`;
  const was = before === undefined ? "" : ` (was ${brief(before)})`;
  return `${path} = ${brief(after)}${was}`;
}

function brief(value: unknown): string {
  const text = typeof value === "string" ? JSON.stringify(value) : textOf(value);
  if (text.length <= VALUE_CHARACTERS) return text;
  return `${text.slice(0, VALUE_CHARACTERS - 1).toWellFormed()}…`;
}
