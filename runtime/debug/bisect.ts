/** Since when something is so: the first run for which a condition of SQL holds, and what changed before it. */

import { alignedByKey } from "../compare/align.ts";
import { shortRunId } from "../run-names.ts";
import type { RunMeta } from "../store/run-store.ts";
import { type AskedAbout, type AskedRun, askRuns, graphsOfRuns } from "../trace/sql/bisect-runs.ts";
import type { TraceStore } from "../trace/trace-store.ts";
import { assertGraphOfRuns } from "./assert-graph-of-runs.ts";

export interface BisectOptions extends AskedAbout {}

export interface BisectedRun {
  readonly runId: string;
  readonly graph: string;
  readonly graphHash: string | null;
  readonly status: string;
  readonly ts: string | null;
}

/** One thing in which two runs were made otherwise. */
export interface BisectChange {
  readonly what: string;
  readonly before: unknown;
  readonly after: unknown;
}

export class Bisected {
  readonly where: string;
  /** The number of runs asked. */
  readonly asked: number;
  readonly bad: number;
  /** `found`: it holds for one and not for the one before. */
  readonly verdict: "found" | "all good" | "all bad" | "no runs";
  readonly firstBad: BisectedRun | undefined;
  /** The one right before that. */
  readonly lastGood: BisectedRun | undefined;
  /** Runs behind the first bad one for which it does not hold: where there are some, it is not this change alone. */
  readonly goodAfter: number;
  /** The changes between the last good run and the first bad one. */
  readonly changes: readonly BisectChange[];
  /** The lines of the graph that went and came, where its text changed. */
  readonly diff: readonly string[];

  constructor(of: Omit<Bisected, "isClean" | "toJSON" | "toString">) {
    this.where = of.where;
    this.asked = of.asked;
    this.bad = of.bad;
    this.verdict = of.verdict;
    this.firstBad = of.firstBad;
    this.lastGood = of.lastGood;
    this.goodAfter = of.goodAfter;
    this.changes = of.changes;
    this.diff = of.diff;
  }

  /** True if the condition holds for every run from the first bad one on. */
  get isClean(): boolean {
    return this.goodAfter === 0;
  }

  toJSON(): Readonly<Record<string, unknown>> {
    return {
      where: this.where,
      verdict: this.verdict,
      asked: this.asked,
      bad: this.bad,
      good_after: this.goodAfter,
      first_bad: this.firstBad?.runId ?? null,
      last_good: this.lastGood?.runId ?? null,
      changes: this.changes,
      diff: this.diff,
    };
  }

  toString(): string {
    return bisectText(this);
  }
}

/** The parts of a session that a bisection needs. */
export interface BisectIn {
  traces(): Promise<TraceStore>;
  /** Returns the meta data of a run; undefined for a run without a log here. */
  metaOf(runId: string): RunMeta | undefined;
}

/** M5459 for a graph of which there is no run. */
export async function bisect(session: BisectIn, options: BisectOptions): Promise<Bisected> {
  const traces = await session.traces();
  const runs = await askRuns(traces, options);
  if (runs.length === 0 && options.graph !== undefined)
    assertGraphOfRuns(options.graph, await graphsOfRuns(traces));
  const at = runs.findIndex(({ holds }) => holds);
  const bad = runs.filter(({ holds }) => holds).length;
  const first = runs[at];
  const last = runs[at - 1];
  const verdict =
    runs.length === 0
      ? "no runs"
      : first === undefined
        ? "all good"
        : last === undefined && bad === runs.length
          ? "all bad"
          : "found";
  const pair = first !== undefined && last !== undefined ? ([last, first] as const) : undefined;
  return new Bisected({
    where: options.where,
    asked: runs.length,
    bad,
    verdict,
    firstBad: first && bisectedRun(first),
    lastGood: last && bisectedRun(last),
    goodAfter: at === -1 ? 0 : runs.slice(at).length - bad,
    changes: pair === undefined ? [] : changesBetween(session, ...pair),
    diff: pair === undefined ? [] : linesBetween(...pair),
  });
}

function bisectedRun({ run_id, graph, graph_hash, status, ts }: AskedRun): BisectedRun {
  return { runId: run_id, graph, graphHash: graph_hash, status, ts };
}

function changesBetween(
  { metaOf }: BisectIn,
  before: AskedRun,
  after: AskedRun,
): readonly BisectChange[] {
  const [was, is] = [metaOf(before.run_id), metaOf(after.run_id)];
  return [
    ...changed("graph", { graph: before.graph_hash }, { graph: after.graph_hash }),
    ...changed("function", was?.code, is?.code),
    ...changed("model", before.models, after.models),
    ...changed("input", before.input, after.input),
    ...changed("setting", was?.config, is?.config),
  ];
}

/** Member by member: `input topic`. */
function changed(kind: string, was: unknown, is: unknown): readonly BisectChange[] {
  const [before, after] = [membersOf(was), membersOf(is)];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) =>
    JSON.stringify(before[name]) === JSON.stringify(after[name])
      ? []
      : [
          {
            what: kind === name ? kind : `${kind} ${name}`,
            before: before[name] ?? null,
            after: after[name] ?? null,
          },
        ],
  );
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** `- ` what went, `+ ` what came, in the order of the text. */
function linesBetween({ text: was }: AskedRun, { text: is }: AskedRun): readonly string[] {
  if (was === null || is === null || was === is) return [];
  const [before, after] = [was.split("\n"), is.split("\n")];
  const pairs = alignedByKey(before, after, { keyOf: (line) => line, comparisonsMax: 4_000_000 });
  return (pairs ?? []).flatMap(([removed, added]) => {
    if (removed === undefined) return [`+ ${added}`];
    return added === undefined ? [`- ${removed}`] : [];
  });
}

function bisectText(of: Bisected): string {
  const { asked, bad, firstBad, lastGood, goodAfter, changes, diff, verdict } = of;
  const runs = asked === 1 ? "1 run" : `${asked} runs`;
  if (verdict === "no runs") return "no run that has ended was asked";
  if (verdict === "all good") return `it holds for none of ${runs}`;
  if (verdict === "all bad") return `it holds for all of ${runs}: nothing older was asked`;
  return [
    `asked ${runs}: it holds for ${bad}`,
    `first bad: ${firstBad === undefined ? "none" : runText(firstBad)}`,
    `last good: ${lastGood === undefined ? "none before it" : runText(lastGood)}`,
    ...changes.map(changeText),
    ...(firstBad !== undefined && lastGood !== undefined && changes.length === 0
      ? ["nothing that a run is made with changed between them"]
      : []),
    ...diff.map((line) => `  ${line}`),
    ...(goodAfter === 0
      ? []
      : [`not clean: ${goodAfter} of the runs behind it are good, so it is not this change alone`]),
  ].join("\n");
}

function runText({ runId, graph, status, ts }: BisectedRun): string {
  return `${shortRunId(runId)} of ${graph}, ${status}${ts === null ? "" : `, ${ts}`}`;
}

function changeText({ what, before, after }: BisectChange): string {
  if (what.startsWith("function ")) return `changed: ${what}: its code`;
  return `changed: ${what}: ${shortText(before)} → ${shortText(after)}`;
}

const LENGTH_MAX = 60;

function shortText(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > LENGTH_MAX ? `${text.slice(0, LENGTH_MAX)}…` : text;
}
