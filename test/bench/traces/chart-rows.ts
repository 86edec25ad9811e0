/** Nine charts over a million events, question and picture; and the drawing of a graph of a hundred nodes. */
import { check, type Ir } from "../../../dsl/index.ts";
import {
  CHARTS,
  type Chart,
  drawGraph,
  layoutGraph,
  type NodeState,
} from "../../../kernel/display/index.ts";
import { useSession } from "../../../kernel/session.ts";
import type { Session } from "../../../runtime/index.ts";
import {
  IN_MEMORY,
  openDatabase,
  type TraceDatabase,
} from "../../../runtime/trace/database/database.ts";
import { toRows } from "../../../runtime/trace/sql/plain-values.ts";
import type { QueryParams } from "../../../runtime/trace/trace-store.ts";
import { fillTraces } from "../../support/traces/fill-traces.ts";
import type { Keep, Tell } from "../suite.ts";
import { clockMs } from "./processor-time.ts";

const RUNS = 7;

/** Those of one run, and those of all. */
const OF_ONE = ["waterfall", "lanes", "parallelism", "state-size"] as const;
const OF_ALL = ["cost", "latencies", "latency-boxes", "messages", "tools"] as const;

export async function chartRows(tell: Tell, keep: Keep): Promise<void> {
  await drawingRows(keep);
  tell("bench: charts of a million events");
  const database = await openDatabase(IN_MEMORY);
  if ("kind" in database) throw new Error(database.message);
  try {
    await fillTraces({ database, seed: 1, events: 1e6 });
    useSession(sessionOf(database));
    const run = await someRun(database);
    for (const name of OF_ONE) await chartRow(name, () => chartOf(name, run), keep);
    for (const name of OF_ALL) await chartRow(name, () => chartOf(name, run), keep);
  } finally {
    database.close();
  }
}

async function chartRow(name: string, make: () => Chart, keep: Keep): Promise<void> {
  // The first one loads Vega.
  await make().toMimeBundle();
  const ours: number[] = [];
  for (let time = 0; time < RUNS; time += 1) {
    ours.push(await clockMs(() => make().toMimeBundle()));
  }
  keep({ name: `chart ${name}, of a million events`, unit: "ms", goal: 60, goalOn: "ours", ours });
}

function chartOf(name: string, run: string): Chart {
  const named = CHARTS[name];
  if (named?.of === "run") return named.make(run);
  if (named?.of === "runs") return named.make(undefined);
  if (named?.of === "timed runs") return named.make(undefined, { by: "node" });
  throw new Error(`no chart ${name} of one run or of all`);
}

/** Asks the file alone: what other processes have traced is not measured here. */
function sessionOf({ duckdb, reader }: TraceDatabase): Session {
  const query = async (sql: string, params?: QueryParams) => {
    const values = params === undefined || Array.isArray(params) ? undefined : params;
    return toRows(duckdb, await reader.runAndReadAll(sql, values as Record<string, string>));
  };
  return {
    findRunId: async (word: string) => word,
    traces: async () => ({ query }),
  } as unknown as Session;
}

const SOME_RUN = `
SELECT run_id
FROM run_log
WHERE status = 'succeeded'
ORDER BY started_at
LIMIT 1
OFFSET 3000`;

async function someRun({ reader }: TraceDatabase): Promise<string> {
  return String((await reader.runAndReadAll(SOME_RUN)).getRowsJS()[0]?.[0]);
}

// ── drawings ────────────────────────────────────────────────────────────────────────────────────

const NODES = 100;
const REDRAWN = 200;

async function drawingRows(keep: Keep): Promise<void> {
  await layoutGraph(graphOf(0));
  const layouts: number[] = [];
  for (let time = 1; time <= RUNS; time += 1) {
    const ir = graphOf(time);
    layouts.push(await clockMs(() => layoutGraph(ir)));
  }
  const layout = await layoutGraph(graphOf(1));
  const nodes = Object.fromEntries(
    graphOf(1).nodes.map(({ name }, index) => [name, stateOf(index)] as const),
  );
  drawGraph(layout, { nodes });
  const redraws: number[] = [];
  for (let time = 0; time < RUNS; time += 1) {
    const all = await clockMs(() => {
      for (let again = 0; again < REDRAWN; again += 1) drawGraph(layout, { nodes });
    });
    redraws.push(all / REDRAWN);
  }
  const shared = { unit: "ms", goalOn: "ours" } as const;
  keep({ ...shared, name: "layout of a graph of 100 nodes", goal: 40, ours: layouts });
  keep({ ...shared, name: "redraw of a graph of 100 nodes", goal: 0.5, ours: redraws });
}

function stateOf(index: number): NodeState {
  const status = index % 3 === 0 ? "running" : "succeeded";
  return { status, done: 1, total: 2, durationMs: 1_000 + index, tokens: 100 * index };
}

/** Layers of five, each node to one or two of the next layer, some back to try again; another one for each number. */
function graphOf(number: number): Ir {
  const names = Array.from({ length: NODES }, (_, index) => `step${number}_${index}`);
  const nodes = names.map((name) => `  agent ${name} { prompt \`Go on \${text}\` writes text }`);
  const arrows = names.flatMap((name, index) => {
    const next = names[index + 5];
    if (next === undefined) return [`  ${name} -> end`];
    const beside = names[5 * Math.floor(index / 5 + 1) + ((index + 2) % 5)];
    if (index % 7 === 3)
      return [`  ${name} -> { text == "again" -> ${name} max 3, else -> ${next} }`];
    return index % 3 === 0 && beside !== next
      ? [`  ${name} -> { text == "x" -> ${beside}, else -> ${next} }`]
      : [`  ${name} -> ${next}`];
  });
  const first = names
    .slice(0, 5)
    .map((name, index) => (index === 4 ? `else -> ${name}` : `text == "${index}" -> ${name}`));
  const text = `model m = "scripted"
graph Large${number}(text0: string) returns text {
  state { text: string = "" }
  defaults { model m }
${nodes.join("\n")}
  start -> { ${first.join(", ")} }
${arrows.join("\n")}
}`;
  const { graphs, diagnostics } = check({ file: "large.madrigal", text });
  const [ir] = graphs;
  if (ir === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return ir;
}
