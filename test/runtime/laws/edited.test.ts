/** A run whose program is edited while it is dead: what has run is left alone, and it ends as the edited one in one piece. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Ir } from "../../../dsl/index.ts";
import { fitted } from "../../../runtime/edited-program/fitting.ts";
import { seeded } from "../../../runtime/explore/seeded.ts";
import { callersOf, innermost, type LogRecord } from "../../../runtime/records/records.ts";
import { replayLog } from "../../../runtime/replay/replay.ts";
import { foldLog } from "../../../runtime/scheduler/fold.ts";
import { shownState } from "../../../runtime/scheduler/lookup.ts";
import { link } from "../../../runtime/scheduler/program/link.ts";
import { isJsonEqual } from "../../../runtime/state/json.ts";
import { arbitraryProgram } from "../../support/arbitrary-program.ts";
import { graphOf, type Ran, runIr } from "../../support/run-graph.ts";
import { type Edited, edited, editedAnywhere } from "./edits.ts";
import { isOrderSensitive } from "./laws.ts";
import { scriptedWorld } from "./scripted-world.ts";

const PROGRAMS = Number(
  process.env.MADRIGAL_EDITED_PROGRAMS ?? (process.env.CI === undefined ? 100 : 400),
);
const SCHEDULES = 4;

interface Report {
  edits: number;
  /** Whose nodes run at other places than those of the edited program in one piece. */
  elsewhere: number;
  refused: number;
  drops: number;
  readonly broken: string[];
}

type Case = (of: {
  readonly ir: Ir;
  readonly seed: number;
  readonly report: Report;
}) => string | undefined;

function simulated(one: Case): Report {
  const report: Report = { edits: 0, elsewhere: 0, refused: 0, drops: 0, broken: [] };
  const texts = fc.sample(fc.noBias(arbitraryProgram()), { seed: 77, numRuns: PROGRAMS });
  const only = process.env.MADRIGAL_SEED;
  for (const [number, text] of texts.entries()) {
    const ir = graphOf(text);
    for (let at = 1; at <= SCHEDULES; at += 1) {
      const seed = number * SCHEDULES + at;
      if (only !== undefined && only !== `${seed}`) continue;
      const told = one({ ir, seed, report });
      if (told !== undefined) report.broken.push(`seed ${seed}: ${told}`);
    }
  }
  return report;
}

const scriptOf = (seed: number) => ({
  input: { n: 1 + (seed % 4) },
  calls: 1,
  eventsMax: 60_000,
  ...scriptedWorld,
});

const untouched: Case = ({ ir, seed, report }) => {
  if (isOrderSensitive(ir)) return undefined;
  const random = seeded(seed);
  let change: Edited | undefined;
  const ran = runIr(ir, {
    ...scriptOf(seed),
    seed,
    crashes: 0.08,
    edited: (records) => {
      const made = records.length < 2 ? undefined : edited(ir, records, random);
      if (made === undefined) return undefined;
      const { ir: now, blocks } = fitted(records, { before: ir, after: made.ir, ...PLAIN });
      report.refused += blocks.length;
      if (blocks.length > 0) return undefined;
      change = made;
      return now;
    },
  });
  if (change === undefined) return undefined;
  report.edits += 1;
  const whole = runIr(change.ir, { ...scriptOf(seed), seed });
  // A branch that a join might leave running keeps its line: what was joined by then goes on without. The scripted world
  // says something else at another place.
  if (!isAtSamePlaces(whole, ran)) {
    report.elsewhere += 1;
    return folding(ir, ran);
  }
  return differing(change, whole, ran) ?? folding(ir, ran);
};

const PLAIN = { renamed: {}, dropped: [], isForced: false };

const anywhere: Case = ({ ir, seed, report }) => {
  const random = seeded(seed);
  let what: string | undefined;
  const act = () =>
    runIr(ir, {
      ...scriptOf(seed),
      seed,
      crashes: 0.08,
      edited: (records) => {
        const made = records.length < 2 ? undefined : editedAnywhere(ir, random);
        if (made === undefined) return undefined;
        const there = new Set(made.ir.nodes.map(({ name }) => name));
        const gone = ir.nodes.flatMap(({ name }) => (there.has(name) ? [] : [name]));
        const isForced = random() < 0.3;
        const dropped = random() < 0.5 ? gone : [];
        const change = { before: ir, after: made.ir, renamed: {}, dropped, isForced };
        const { ir: now, blocks } = fitted(records, change);
        report.refused += blocks.length > 0 ? 1 : 0;
        if (blocks.length > 0) return undefined;
        what = made.what;
        return now;
      },
    });
  try {
    const ran = act();
    if (what === undefined) return undefined;
    report.edits += 1;
    const isDropped = ({ kind, ...record }: LogRecord) =>
      kind === "attempt" && JSON.stringify(record).includes("M5315");
    if (ran.records.some(isDropped)) report.drops += 1;
    const last = ran.records.at(-1)?.kind;
    const told = last === "end" ? folding(ir, ran) : `the log ends in ${last}`;
    return told === undefined ? undefined : `${what}: ${told}`;
  } catch (error) {
    return `${what}: ${error instanceof Error ? error.stack?.slice(0, 600) : error}`;
  }
};

function differing({ what, ir }: Edited, whole: Ran, ran: Ran): string | undefined {
  if (isOrderSensitive(ir) || ran.doubts > 0) return undefined;
  // Limits count what was paid for, and a call in flight at a crash is paid for twice.
  if (whole.reason.startsWith("limit:") || ran.reason.startsWith("limit:")) return undefined;
  if (ran.status !== whole.status)
    return `${what}: ${ran.status} (${ran.reason}) instead of ${whole.status} (${whole.reason})`;
  if (whole.status !== "succeeded") return undefined;
  const [now, then] = [ran.state, whole.state].map((state) => JSON.stringify(sorted(state)));
  return now === then ? undefined : `${what}: ${now} instead of ${then}`;
}

/** Whether each node run that both have began at the same place in the order of the graph. */
function isAtSamePlaces(whole: Ran, ran: Ran): boolean {
  const [there, here] = [placesOf(whole), placesOf(ran)];
  return [...here].every(([run, place]) => (there.get(run) ?? place) === place);
}

function placesOf({ records }: Ran): ReadonlyMap<string, string> {
  const places = new Map<string, string>();
  for (const record of records) {
    const started = innermost(record);
    if (started.kind === "start")
      places.set(`${callersOf(record).length} ${started.node} ${started.ordinal}`, started.key);
  }
  return places;
}

function sorted(state: Readonly<Record<string, unknown>>): unknown {
  return Object.entries(state).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** The log alone leads to the same, with the program that it has last, and is decided so again. */
function folding(ir: Ir, { records, state, program }: Ran): string | undefined {
  const folded = shownState(program, foldLog(link(program.ir), records));
  if (!isJsonEqual(folded, state)) return "the log folds to another state";
  const { divergence } = replayLog(records, { recorded: ir });
  return divergence === undefined
    ? undefined
    : `replay: ${JSON.stringify(divergence).slice(0, 600)}`;
}

test("an edit that leaves alone what has run: it ends as the edited program in one piece", () => {
  const { edits, elsewhere, refused, broken } = simulated(untouched);
  expect(broken.slice(0, 5)).toEqual([]);
  expect(refused).toBe(0);
  expect(elsewhere).toBeLessThan(edits / 10);
  expect(edits).toBeGreaterThan(PROGRAMS);
});

test("an edit wherever it may be is refused, or comes to an end that its log tells", () => {
  const { edits, refused, drops, broken } = simulated(anywhere);
  expect(broken.slice(0, 5)).toEqual([]);
  expect(edits).toBeGreaterThan(PROGRAMS);
  expect(refused).toBeGreaterThan(PROGRAMS / 10);
  expect(drops).toBeGreaterThan(PROGRAMS / 20);
});
