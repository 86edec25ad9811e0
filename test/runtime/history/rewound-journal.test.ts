/** What attempts are served behind a rewind: the same whether it is looked up where it is asked for, or the whole log is read. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Journal } from "../../../runtime/history/journal.ts";
import { extendPath, isRewind, pathOf } from "../../../runtime/history/log-path.ts";
import { pathAtHand, rewoundCut } from "../../../runtime/history/rewound-cut.ts";
import { innermost, type LogRecord } from "../../../runtime/records/records.ts";
import { arbitraryGraph } from "../../support/arbitrary-graph.ts";
import { sampleOf } from "../../support/run-graph.ts";
import { type Does, drive } from "../driven-run.ts";

const CALLED = `
graph Around(n: int) returns log {
  state { log: string[] = [] via append }
  graph go = Inner(n) writes log
  run last = f(n) writes log
  start -> [go, last]
}
graph Inner(n: int) returns log {
  state { log: string[] = [] via append }
  run one = f(n) writes log
  run two = f(n) writes log
  start -> [one, two]
}`;

/** Each attempt makes two calls, the second of which is a model's in every other one. */
const does: Does = async ({ node, prompt, label }, context) => {
  const of = (name: string, effect: "tool" | "model") =>
    context.effect({ effect, name, request: label, perform: async () => ({ value: name }) });
  await of("first", "tool");
  await of("second", label.length % 2 === 0 ? "model" : "tool");
  return sampleOf(node, prompt ?? "");
};

test.each([0, 1, 7, 512])("a journal that is read %i records at a time", async (near) => {
  const programs = near === 7 ? arbitraryGraph() : fc.constant(CALLED);
  const moves = fc.array(fc.constantFrom<"step" | number>("step", "step", "step", 0, 1, 4), {
    maxLength: 25,
  });
  const property = fc.asyncProperty(programs, moves, async (text, made) => {
    const { run } = drive(text, { does, input: { n: 2 } });
    await run.rewind(0);
    for (const move of made) {
      if (run.status !== "paused") break;
      if (move === "step") await run.continue("step");
      else await run.rewind(Math.max(0, run.steps.length - move));
      expectSame(run.position.records, near);
    }
    expect(ways(run.position.records)).toEqual(pathOf(run.position.records));
    if (run.isHeld) await run.abort();
  });
  await fc.assert(property, { numRuns: near === 7 ? 30 : 15 });
});

/** Of every node run and every call, behind the last rewind and what followed it. */
function expectSame(records: readonly LogRecord[], near: number): void {
  const at = records.findLastIndex(isRewind);
  if (at === -1) return;
  const ids = new Set(records.flatMap((record) => idOf(record)));
  const rewind = records[at];
  const path = pathOf(records.slice(0, at + 1));
  const renumbered =
    rewind?.kind === "control" && rewind.verb === "rewind" ? rewind.renumbered : [];
  const nextRun = Math.max(-1, ...ids, ...renumbered.map(({ id }) => id)) + 1;
  const begun = firstNew(records, at) ?? nextRun;
  const whole = Journal.of(records);
  for (const id of [...ids, ...renumbered.map((one) => one.id)]) {
    // One for each: to look for one that is far back reads all.
    const lazy = Journal.behind(rewoundCut(pathAtHand(path), begun, near));
    for (const record of records.slice(at + 1)) lazy.note(record);
    const [ours, theirs] = [lazy, whole].map((journal) => servedBy(journal, id));
    expect(ours).toEqual(theirs);
  }
}

function servedBy(journal: Journal, id: number): unknown {
  const calls = [1, 2, 3].flatMap((attempt) => [0, 1, 2].map((call) => [attempt, call] as const));
  return [
    journal.session(id, 0, 9),
    ...calls.map(([attempt, call]) => [
      journal.begun(id, attempt, call),
      journal.outcome(id, attempt, call),
      journal.asked(id, attempt, call)?.answer,
    ]),
  ];
}

/** The first node run that begins behind a record. */
function firstNew(records: readonly LogRecord[], at: number): number | undefined {
  const activated = records.slice(at + 1).flatMap((record) => {
    const inner = innermost(record);
    const flow = "flow" in inner ? (inner.flow ?? []) : [];
    return flow.flatMap((op) => (op.op === "activate" ? [op.id] : []));
  });
  return activated.length === 0 ? undefined : Math.min(...activated);
}

function idOf(record: LogRecord): readonly number[] {
  const inner = innermost(record);
  return "id" in inner && inner.id !== undefined ? [inner.id] : [];
}

function ways(records: readonly LogRecord[]): readonly LogRecord[] {
  const path: LogRecord[] = [];
  for (const record of records) extendPath(path, record);
  return path;
}
