/**
 * Questions of published traces of 10⁶ to 10⁸ generated events, of all days and of one: how their processor time grows with
 * the events, and that a question of one day does not.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../../runtime/trace/database/database.ts";
import { publishRuns } from "../../../runtime/trace/published/publish-runs.ts";
import { publishedCatalog } from "../../../runtime/trace/published/published-catalog.ts";
import { openTraces } from "../../../runtime/trace/trace-store.ts";
import { fillTraces } from "../../support/traces/fill-traces.ts";
import type { Keep, Tell } from "../suite.ts";
import { processorMs } from "../traces/processor-time.ts";
import { QUESTIONS } from "../traces/questions.ts";
import type { Wanted } from "../wanted.ts";

const DAY_EVENTS = 1e6;
const DAY_MS = 86_400_000;
const FIRST_DAY = Date.parse("2026-03-01");
const SEED = 1;
const ROUNDS = 3;

/** The numbers of days, each of a million events. The longest takes a quarter of an hour to write, and 8 GB. */
const DAYS = [1, 10, 100] as const;

const SCOPES = ["all days", "one day"] as const;

const nameOf = (question: string, days: number, scope: string) =>
  `${question}, published, ${days}M events, ${scope}`;

export async function publishedRows(tell: Tell, keep: Keep, wanted: Wanted): Promise<void> {
  const names = DAYS.flatMap((days) =>
    SCOPES.flatMap((scope) => QUESTIONS.map(({ name }) => nameOf(name, days, scope))),
  );
  const asked = names.filter((name) => wanted.has(name));
  const longest = DAYS.findLast((days) => asked.some((name) => name.includes(` ${days}M events,`)));
  if (longest === undefined) return;
  const folder = mkdtempSync(join(tmpdir(), "madrigal-bench-published-"));
  try {
    let written = 0;
    for (const days of DAYS.filter((count) => count <= longest)) {
      tell(`bench: ${days} million published events`);
      await writeDays(folder, { from: written, to: days });
      written = days;
      for (const scope of SCOPES) await ask(folder, { days, scope, asked, keep });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Asked {
  readonly days: number;
  readonly scope: (typeof SCOPES)[number];
  readonly asked: readonly string[];
  readonly keep: Keep;
}

/** Opens the traces as a new process does, and asks each question, the first time not counted. */
async function ask(folder: string, { days, scope, asked, keep }: Asked): Promise<void> {
  const questions = QUESTIONS.filter(({ name }) => asked.includes(nameOf(name, days, scope)));
  if (questions.length === 0) return;
  const own = mkdtempSync(join(tmpdir(), "madrigal-bench-asking-"));
  const traces = await openTraces(own, "asking");
  try {
    const day = dayOf(0);
    await traces.readPublished([
      scope === "one day" ? { folder, since: day, until: day } : { folder },
    ]);
    for (const { name, duckdb } of questions) {
      const ours: number[] = [];
      for (let round = 0; round <= ROUNDS; round += 1)
        ours.push(await processorMs(() => traces.query(duckdb)));
      const goal = 400 * (scope === "one day" ? 1 : days);
      keep({
        name: nameOf(name, days, scope),
        unit: "ms",
        goal,
        goalOn: "ours",
        ours: ours.slice(1),
      });
    }
  } finally {
    await traces.close();
    rmSync(own, { recursive: true, force: true });
  }
}

const dayOf = (day: number) => new Date(FIRST_DAY + day * DAY_MS).toISOString().slice(0, 10);

/** Publishes days of a million events each: the same runs under other names, moved by whole days. */
async function writeDays(
  folder: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  const source = await openDatabase(join(folder, "source.duckdb"));
  if ("kind" in source) throw new Error(source.message);
  if (from === 0) await fillTraces({ database: source, seed: SEED, events: DAY_EVENTS });
  const catalog = publishedCatalog({ folder }, []);
  for (let day = from; day < to; day += 1) {
    for (const view of movedViews(day)) await source.writer.run(view);
    await publishRuns(source.writer, catalog);
  }
  source.close();
}

/** Views of the tables' names whose runs are other ones, on another day. */
function movedViews(day: number): readonly string[] {
  const moved = (table: string, times: readonly string[]) =>
    `CREATE OR REPLACE TEMP VIEW ${table} AS SELECT * REPLACE (${[
      `run_id || '-${day}' AS run_id`,
      ...times.map((time) => `${time} + INTERVAL ${day} DAY AS ${time}`),
    ].join(", ")}) FROM source.main.${table}`;
  return [
    moved("run_log", ["started_at", "ended_at"]),
    moved("event_log", ["ts"]),
    moved("blob_log", []),
  ];
}
