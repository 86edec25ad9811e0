/** `npm run bench -- language`: what a cell costs, and whether a text a thousand times as long costs a thousand times that. */

import { format } from "../../../dsl/format/format.ts";
import { check, isGraph, parse, planGraph } from "../../../dsl/index.ts";
import { startTypes, type TypeClient } from "../../../kernel/types/client.ts";
import { readNames } from "../../../kernel/types/named/program-names.ts";
// It gives the language Node's sha256, which every process that checks or runs a program has.
import "../../../runtime/index.ts";
import { readFile } from "../../dsl/oracle/oracle.ts";
import { cells, chainOf, joinOf, planOf, TEAM, textOf } from "../language/texts.ts";
import { meanMs, repeat } from "../language/timing.ts";
import type { Measured, Suite, Tell } from "../suite.ts";

const RUNS = 9;
const MEGABYTE = 1_000_000;

/** Of what is measured together, one that is wanted brings the others. */
const CELL_ROWS = ["parse and check a cell", "format a cell"] as const;
const TYPED_ROW = "check with types";
const TEXT_ROWS = [
  "parse 0.5 MB",
  "parse 0.5 MB by hand",
  "parse 0.5 MB, ratio",
  "parse 5 MB",
] as const;

const NODE_ROWS = [
  ["check 10,000 nodes in a chain", chainOf],
  ["check 10,000 nodes with a join", joinOf],
] as const;

const PLAN_ROW = "expand a plan of 1,000 steps";

export const languageSuite: Suite = {
  measure: async (tell, keep, wanted) => {
    const isWanted = (names: readonly string[]) => names.filter((name) => wanted.has(name)).length;
    if (isWanted(CELL_ROWS)) cellRows(tell).forEach(keep);
    if (isWanted([TYPED_ROW])) keep(await typedRow(tell));
    for (const [name, write] of NODE_ROWS) if (wanted.has(name)) keep(nodesRow(name, write, tell));
    if (wanted.has(PLAN_ROW)) keep(planRow(tell));
    if (isWanted(TEXT_ROWS)) textRows(tell).forEach(keep);
  },
};

// One call takes all cells, so that no branch is compiled for one of them alone.
function cellRows(tell: Tell): readonly Measured[] {
  tell("bench: cells of forty lines");
  const each = (work: (text: string) => unknown) => () => cells.map((text) => work(text));
  const perCell = (work: (text: string) => unknown) =>
    repeat(RUNS, () => meanMs(200, each(work)) / cells.length);
  const checked = perCell((text) => check({ file: "cell", text }, { allowUnreadPrograms: true }));
  const formatted = perCell((text) => format({ file: "cell", text }));
  return [
    { name: CELL_ROWS[0], unit: "ms", goal: 0.6, goalOn: "ours", ours: checked },
    { name: CELL_ROWS[1], unit: "ms", goal: 2, goalOn: "ours", ours: formatted },
  ];
}

async function typedRow(tell: Tell): Promise<Measured> {
  tell("bench: types");
  const types = startTypes();
  try {
    const code = "const web = { search: (q: string) => [q], read: (url: string) => url };";
    await types.convert({ name: "Cell[1]", code });
    const ours: number[] = [];
    for (let run = 0; run <= RUNS; run += 1) ours.push(await typedMs(types, run));
    return { name: TYPED_ROW, unit: "ms", goal: 60, goalOn: "ours", ours: ours.slice(1) };
  } finally {
    await types.close();
  }
}

/** A cell that was changed and runs again: all that the kernel does before the first node starts. */
async function typedMs(types: TypeClient, run: number): Promise<number> {
  const text = `${cells[0] ?? ""}\n// ${run}\n`.replace("width: int = 4", `width: int = ${run}`);
  const source = { file: "Cell[2]", text };
  const start = performance.now();
  const names = readNames(source);
  const named = await types.typesOf(names);
  const { graphs, tests } = check(source, { scope: ["web.search", "web.read"], types: named });
  const found = await types.declareGraphs({ source, names, graphs, tests, types: named });
  const ms = performance.now() - start;
  if (found.length > 0 || graphs.length === 0) throw new Error("the cell has errors");
  return ms;
}

/** What a node costs in a graph of 10,000, and in one of 1,000. */
function nodesRow(name: string, write: (nodes: number) => string, tell: Tell): Measured {
  tell(`bench: ${name}`);
  const perNode = (nodes: number, calls: number) => {
    const text = write(nodes);
    return repeat(RUNS, () => meanMs(calls, () => check({ file: "nodes", text })) / nodes);
  };
  const base = { name: "1,000 nodes", values: perNode(1000, 3) };
  return { name, unit: "ms/node", goal: 0.6, goalOn: "ratio", ours: perNode(10_000, 1), base };
}

/** Each time another plan, since the engine keeps the graphs of the last ones. */
function planRow(tell: Tell): Measured {
  tell("bench: a plan");
  const [team] = check({ file: "team", text: TEAM }).graphs;
  if (team === undefined) throw new Error("the team has errors");
  let round = 0;
  const expand = () => {
    round += 1;
    const made = planGraph(team, planOf(1000, `round ${round}`));
    if (!isGraph(made)) throw new Error(made[0]?.message);
  };
  return {
    name: PLAN_ROW,
    unit: "ms",
    goal: 20,
    goalOn: "ours",
    ours: repeat(RUNS, () => meanMs(3, expand)),
  };
}

function textRows(tell: Tell): readonly Measured[] {
  const [short, half, long] = [textOf(5000), textOf(MEGABYTE / 2), textOf(5 * MEGABYTE)];
  tell("bench: 5 kB");
  const ofShort = msPerMegabyte(short, 100);
  tell("bench: 0.5 MB, beside the parser by hand");
  const { ours, base } = beside(half);
  tell("bench: 5 MB");
  const ofLong = msPerMegabyte(long, 1);
  const byHand = { name: "by hand", values: base };
  const unit = "ms/MB";
  return [
    { name: TEXT_ROWS[0], unit, goal: 200, goalOn: "ours", ours },
    { name: TEXT_ROWS[1], unit, goal: 28.5, goalOn: "ours", ours: base },
    { name: TEXT_ROWS[2], unit, goal: 0.12, goalOn: "ratio", ours, base: byHand },
    {
      // A parser that is not linear would be hundreds of times slower here; a part of it is the collector's.
      name: TEXT_ROWS[3],
      unit,
      goal: 0.33,
      goalOn: "ratio",
      ours: ofLong,
      base: { name: "5 kB", values: ofShort },
    },
  ];
}

function msPerMegabyte(text: string, calls: number): readonly number[] {
  const measure = () => meanMs(calls, () => parse({ file: "text", text }));
  return repeat(RUNS, measure).map((ms) => (ms * MEGABYTE) / text.length);
}

/** Ours and the one by hand in turn, so that whatever else the machine does falls on both. */
function beside(text: string): {
  readonly ours: readonly number[];
  readonly base: readonly number[];
} {
  const [ours, base]: [number[], number[]] = [[], []];
  const perMegabyte = (ms: number) => (ms * MEGABYTE) / text.length;
  for (let round = 0; round <= RUNS; round += 1) {
    ours.push(perMegabyte(meanMs(1, () => parse({ file: "text", text }))));
    base.push(perMegabyte(meanMs(4, () => readFile(text))));
  }
  return { ours: ours.slice(1), base: base.slice(1) };
}
