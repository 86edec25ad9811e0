/** One run that nobody has made: a search by several agents, as a real one would be traced. */
import type { EventRow, RunRow } from "../../../runtime/trace/schema/tables.ts";
import { keepReport, readFrom, route, tell } from "./asides.ts";
import { MODELS } from "./calls.ts";
import { done, finish, type Run } from "./node-runs.ts";
import { type NodeRun, RunRows } from "./run-rows.ts";
import { type Process, Simulation } from "./simulation.ts";
import type { Words } from "./words.ts";

export interface ToGenerate {
  readonly runId: string;
  readonly threadId: string;
  readonly graph: string;
  readonly graphHash: string;
  readonly startedAt: number;
  /** Of one that is still under way: after how long it is looked at. */
  readonly openAfterMs?: number;
  readonly random: () => number;
  readonly words: Words;
}

export interface GeneratedRun {
  readonly events: readonly EventRow[];
  readonly run: RunRow;
}

/** Splits a question, searches four at a time, reviews, asks a person now and then, and writes. */
export function generatedRun(to: ToGenerate): GeneratedRun {
  const { random, words, startedAt, openAfterMs = Number.POSITIVE_INFINITY } = to;
  const clock = new Simulation(startedAt);
  const models = JSON.stringify({ large: MODELS.large.name, small: MODELS.small.name });
  const rows = new RunRows({ ...to, models });
  const run: Run = { rows, clock, random, words, findings: 0, ended: undefined };
  const input = `{"question":"${words.text(60)}"}`;
  clock.start(begun(run, input));
  const stopsAt = startedAt + openAfterMs;
  clock.run((next) => run.ended !== undefined || next > stopsAt);
  return { events: rows.events, run: rows.row({ input, ...run.ended }, startedAt) };
}

const SEARCHES_AT_ONCE = 4;
const PAUSE_MS = 3;

function* begun(run: Run, input: string): Process {
  const { rows, clock } = run;
  const span_id = rows.record(clock.now);
  rows.add("run.started", {
    span_id,
    step: 0,
    name: rows.is.graph,
    status: "running",
    payload: `{"input":${input},"graphHash":"${rows.is.graphHash}"}`,
    patches: START,
  });
  const plan = rows.nodeRun("plan", "0", {});
  route(run, undefined, [plan]);
  yield* planned(run, plan);
}

const START = JSON.stringify(
  Object.entries({ tasks: [], findings: [], verdict: "", report: "" }).map(([field, value]) => ({
    op: "add",
    path: [field],
    value,
  })),
);

function* planned(run: Run, plan: NodeRun): Process {
  const { rows, random, words } = run;
  const count = 2 + Math.floor(random() ** 2 * 11);
  const tasks = Array.from(
    { length: count },
    () => `{"query":"${words.text(36)}","why":"${words.word()}"}`,
  );
  const output = `[${tasks.join(",")}]`;
  const isDone = yield* done(run, plan, {
    alias: "large",
    turns: 1,
    outcome: () => ({ output, patches: replaced("tasks", output) }),
  });
  if (!isDone) return;
  rows.add("each.started", {
    name: "task",
    parent_id: 1,
    step: rows.step,
    payload: `{"expansion":0,"items":${count},"parallel":${SEARCHES_AT_ONCE}}`,
  });
  const searches = tasks.map((_, item) =>
    rows.nodeRun("search", `1.${item}`, { item, cause: plan.number }),
  );
  route(run, plan, searches);
  searchAll(run, searches);
}

/** A few work at the same time, each at one search after the other; whoever is last goes on. */
function searchAll(run: Run, searches: readonly NodeRun[]): void {
  const began = run.clock.now;
  const left = [...searches];
  let working = Math.min(SEARCHES_AT_ONCE, left.length);
  const work = function* (): Process {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      if (!(yield* searched(run, next))) return;
      if (left.length > 0) continue;
      working -= 1;
      if (working === 0) yield* reviewed(run, { began, searches, last: next });
      return;
    }
    working -= 1;
  };
  for (let worker = working; worker > 0; worker -= 1) run.clock.start(work());
}

function* searched(run: Run, nodeRun: NodeRun): Generator<number, boolean> {
  const { random, words } = run;
  const claims = Array.from(
    { length: 1 + Math.floor(random() * 3) },
    () => `{"source":"${words.word()}/README.md","claim":"${words.text(90)}"}`,
  );
  const outcome = () => {
    const first = run.findings;
    run.findings += claims.length;
    const patches = claims.map(
      (claim, index) => `{"op":"add","path":["findings",${first + index}],"value":${claim}}`,
    );
    return { output: `[${claims.join(",")}]`, patches: `[${patches.join(",")}]` };
  };
  const turns = 2 + Math.floor(random() ** 2 * 3);
  const isDone = yield* done(run, nodeRun, { alias: "small", turns, outcome });
  if (isDone) tell(run, nodeRun, { to: "review", kind: "observation" });
  return isDone;
}

function* reviewed(
  run: Run,
  of: { readonly began: number; readonly searches: readonly NodeRun[]; readonly last: NodeRun },
): Process {
  const { rows, clock, random, words } = run;
  rows.add("each.finished", {
    name: "task",
    parent_id: 1,
    step: rows.step,
    dur_us: Math.round((clock.now - of.began) * 1_000),
    payload: `{"expansion":0,"items":${of.searches.length}}`,
  });
  const review = rows.nodeRun("review", "2", { cause: of.last.number });
  route(run, of.last, [review]);
  const output = `"${words.text(40)}"`;
  const isDone = yield* done(run, review, {
    alias: random() < 0.1 ? "unpriced" : "large",
    turns: 1 + Math.floor(random() * 2),
    outcome: () => ({ output, patches: replaced("verdict", output) }),
  });
  if (!isDone) return;
  readFrom(run, review, of.searches);
  tell(run, review, { to: "write", kind: "review" });
  const write = rows.nodeRun("write", "3", { cause: review.number });
  route(run, review, [write]);
  yield* written(run, write, review);
}

function* written(run: Run, write: NodeRun, review: NodeRun): Process {
  const report = run.words.text(900);
  const output = `"${report}"`;
  const isDone = yield* done(run, write, {
    alias: "large",
    turns: 2,
    asks: 0.06,
    outcome: () => ({ output, patches: replaced("report", output) }),
  });
  if (!isDone) return;
  readFrom(run, write, [review]);
  keepReport(run, write, report);
  route(run, write, []);
  yield PAUSE_MS;
  finish(run, { status: "succeeded", reason: "done", output: `{"report":${output}}` });
}

function replaced(field: string, value: string): string {
  return `[{"op":"replace","path":["${field}"],"value":${value}}]`;
}
