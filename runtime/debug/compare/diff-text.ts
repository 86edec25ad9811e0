/** Two runs beside each other, in words. */
import { textOf } from "../said.ts";
import type { AlignedStep, ComparedTotal, RunDiff } from "./run-diff.ts";
import type { ValueDifference } from "./state-differences.ts";

const STEPS_SHOWN = 40;
const PLACES_SHOWN = 20;
const VALUE_CHARACTERS = 60;

export function diffText({ a, b, divergence, steps, state, output, totals }: RunDiff): string {
  const standing = ({ status, reason }: typeof a) =>
    reason === undefined || reason === "done" ? status : `${status} (${reason})`;
  const graphs = a.graphHash === b.graphHash ? "" : ` (${b.graphHash.slice(0, 8)})`;
  const left = a.graphHash === b.graphHash ? "" : ` (${a.graphHash.slice(0, 8)})`;
  return [
    `A  run ${a.runId} of ${a.graph}${left}: ${standing(a)}`,
    `B  run ${b.runId} of ${b.graph}${graphs}: ${standing(b)}`,
    divergence === undefined
      ? "the same steps, the same state"
      : `part behind step ${divergence.step} (${divergence.cause}): ${divergence.message}`,
    ...(divergence === undefined ? [] : listed("steps", steps.map(stepText), STEPS_SHOWN)),
    ...listed("state", state.map(differenceText), PLACES_SHOWN),
    ...listed("output", output.map(differenceText), PLACES_SHOWN),
    ...listed("took", totals.filter(isTold).map(totalText), PLACES_SHOWN),
  ].join("\n");
}

function listed(title: string, lines: readonly string[], most: number): readonly string[] {
  if (lines.length === 0) return [];
  const more = lines.length - most;
  return [
    `${title}:`,
    ...lines.slice(0, most).map((line) => `  ${line}`),
    ...(more > 0 ? [`  … and ${more} more`] : []),
  ];
}

const SIGNS = {
  same: "  ",
  differs: "! ",
  moved: "~ ",
  "only in A": "- ",
  "only in B": "+ ",
} as const;

function stepText({ kind, title, differs }: AlignedStep): string {
  return `${SIGNS[kind]}${title}${differs === undefined ? "" : ` (${differs})`}`;
}

/** `draft: "a" → "b"`, with `-` where a side has nothing. */
export function differenceText({ path, a, b }: ValueDifference): string {
  return `${path}: ${brief(a)} → ${brief(b)}`;
}

function brief(value: unknown): string {
  if (value === undefined) return "-";
  const text = typeof value === "string" ? JSON.stringify(value) : textOf(value);
  if (text.length <= VALUE_CHARACTERS) return text;
  return `${text.slice(0, VALUE_CHARACTERS - 1).toWellFormed()}…`;
}

/** How long they took is always told; all else where it differs. */
export function isTold({ measure, a, b }: ComparedTotal): boolean {
  return a !== b || measure === "active_ms";
}

/** `output_tokens: 12 → 30 (+18)`, `time: 3 ms → 2 ms (-1 ms)`. */
function totalText(total: ComparedTotal): string {
  const { name, a, b, delta } = totalTexts(total);
  return `${name}: ${a} → ${b}${delta === "" ? "" : ` (${delta})`}`;
}

/** The same in pieces. */
export function totalTexts({ measure, a, b }: ComparedTotal) {
  const isTime = measure === "active_ms";
  const text = (value: number | null) =>
    value === null ? "not known" : `${value}${isTime ? " ms" : ""}`;
  const delta = a === null || b === null ? undefined : Number((b - a).toPrecision(6));
  const sign = delta !== undefined && delta >= 0 ? "+" : "";
  return {
    name: isTime ? "time" : measure,
    a: text(a),
    b: text(b),
    delta: delta === undefined ? "" : `${sign}${text(delta)}`,
  };
}
