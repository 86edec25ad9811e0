/** Converts scores into evaluation events of the GenAI conventions and back. */
import type { RowOf, scores } from "../schema/tables.ts";
import { double, type KeyValue, text } from "./any-value.ts";
import { runOf } from "./import/imported-span-files.ts";
import {
  type ImportedEvent,
  type ImportedSpan,
  type OtlpEvent,
  SCOPE,
  toMs,
  toNanos,
} from "./span.ts";

export type ScoreRow = RowOf<typeof scores.columns>;

export const EVALUATION = "gen_ai.evaluation.result";

/** The event of a score; what was written about it is left out without `content`. */
export function scoreEvent(score: ScoreRow, content: boolean, elseMs: number): OtlpEvent {
  const { name, value, label, comment, node_run_id, source, ts } = score;
  return {
    timeUnixNano: toNanos(ts ?? elseMs),
    name: EVALUATION,
    attributes: [
      ...texts("gen_ai.evaluation.name", name),
      ...(value === null ? [] : [double("gen_ai.evaluation.score.value", value)]),
      ...texts("gen_ai.evaluation.score.label", label),
      ...texts("gen_ai.evaluation.explanation", content ? comment : null),
      ...texts("madrigal.score.node_run_id", node_run_id),
      ...texts("madrigal.score.source", source),
      ...(ts === null ? [] : [double("madrigal.score.ts", ts)]),
    ],
  };
}

function texts(key: string, value: string | null): KeyValue[] {
  return value === null ? [] : [text(key, value)];
}

/** The scores that stand in spans, ours and those of other tools. */
export function scoresIn(spans: readonly ImportedSpan[]): ScoreRow[] {
  return spans.flatMap((span) =>
    span.events
      .filter(({ name }) => name === EVALUATION)
      .map((event) => (span.scope === SCOPE ? ownScore(event, span) : foreignScore(event, span))),
  );
}

function ownScore(event: ImportedEvent, span: ImportedSpan): ScoreRow {
  const { attributes } = event;
  const ts = attributes["madrigal.score.ts"];
  return {
    ...readScore(event, span),
    node_run_id: attributeTextOrNull(attributes["madrigal.score.node_run_id"]),
    source: attributeTextOrNull(attributes["madrigal.score.source"]),
    ts: typeof ts === "number" ? ts : null,
  };
}

/** Of the whole run: which of our node runs a span of another tool becomes is not known before its last span is here. */
function foreignScore(event: ImportedEvent, span: ImportedSpan): ScoreRow {
  const service = attributeTextOrNull(span.resource["service.name"]) ?? "unknown";
  return {
    ...readScore(event, span),
    node_run_id: null,
    source: `otlp:${service}`,
    ts: toMs(event.time),
  };
}

function readScore({ attributes }: ImportedEvent, span: ImportedSpan) {
  const value = attributes["gen_ai.evaluation.score.value"];
  return {
    run_id: runOf(span),
    name: attributeTextOrNull(attributes["gen_ai.evaluation.name"]),
    value: typeof value === "number" ? value : null,
    label: attributeTextOrNull(attributes["gen_ai.evaluation.score.label"]),
    comment: attributeTextOrNull(attributes["gen_ai.evaluation.explanation"]),
  };
}

function attributeTextOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

export const RUN_SCORES = `
SELECT * REPLACE (epoch_us(ts) / 1000 AS ts)
FROM scores
WHERE run_id = $run
ORDER BY ALL`;

/** Writes those that are not there yet: what is imported twice is there once. */
export const ADD_SCORES = `
INSERT INTO scores (run_id, node_run_id, name, value, label, comment, source, ts)
SELECT one.run_id, one.node_run_id, one.name, one.value::DOUBLE, one.label, one.comment, one.source, make_timestamp(one.us)
FROM (
  SELECT unnest(from_json(
    $rows,
    '[{"run_id":"VARCHAR","node_run_id":"VARCHAR","name":"VARCHAR","value":"VARCHAR","label":"VARCHAR","comment":"VARCHAR","source":"VARCHAR","us":"BIGINT"}]'
  )) AS one
)
EXCEPT
SELECT run_id, node_run_id, name, value, label, comment, source, ts
FROM scores`;

/** Returns the SQL of the added rows. */
export function addedRows(rows: readonly ScoreRow[]): string {
  return JSON.stringify(
    rows.map(({ ts, value, ...row }) => ({
      ...row,
      // As a text, there is also one that is no number or infinite.
      value: value === null ? null : String(value),
      us: ts === null ? null : Math.round(ts * 1_000),
    })),
  );
}
