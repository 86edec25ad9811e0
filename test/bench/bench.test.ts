/** What a benchmark makes of measurements and of its call; the measurements are made up, and nothing is timed. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { CommandError } from "../../kernel/command-error.ts";
import { Session } from "../../runtime/index.ts";
import { projectRoot, startNode, temporaryFolder } from "../support/child.ts";
import { alternate } from "./alternate.ts";
import { readBenchCall } from "./call.ts";
import { inTurn } from "./engine/side.ts";
import { workload } from "./engine/workloads.ts";
import { KernelLost } from "./kernel/bench-client.ts";
import { Figures, type MeasuredStep, takeSteps } from "./kernel/figures.ts";
import { pythonScript } from "./kernel/python-script.ts";
import { rowsOf } from "./kernel/rows.ts";
import { CELLS, CELLS_IN_ALL } from "./kernel/script.ts";
import { typescriptScript } from "./kernel/typescript-script.ts";
import { missingPeer } from "./peers.ts";
import { reportText, rowText } from "./report.ts";
import { type Row, toRow } from "./row.ts";
import { median, spread } from "./statistics.ts";
import { steady } from "./steady.ts";
import type { Measured } from "./suite.ts";
import { findSuite } from "./suites.ts";
import { Wanted } from "./wanted.ts";
import { reserveFile, writeReport } from "./write-report.ts";

const machine = { cpu: "a machine", cores: 2, node: "24.0.0", load: 0.5 };

const quick: Measured = {
  name: "start",
  unit: "ms",
  goal: 350,
  goalOn: "ours",
  ours: [300, 330, 310],
  base: { name: "peer 1.0", values: [900, 1000, 1240] },
};

test("the median is the middle, or the mean of the two in the middle", () => {
  expect([[3], [5, 1, 3], [4, 1, 2, 3]].map(median)).toEqual([3, 3, 2.5]);
  expect(() => median([])).toThrow("nothing was measured");
});

test("as many measurements lie below the median as above it", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { minLength: 1 }), (values) => {
      const middle = median(values);
      const below = values.filter((value) => value < middle).length;
      const above = values.filter((value) => value > middle).length;
      expect(Math.max(below, above)).toBeLessThanOrEqual(values.length / 2);
    }),
  );
});

test("the spread is the distance of the outermost runs as a part of the median", () => {
  expect([[2, 2, 2], [8, 10, 13], [0]].map(spread)).toEqual([0, 0.5, 0]);
});

test("contract: a row sums its runs up, with base/ours as the ratio", () => {
  expect(toRow(quick)).toEqual({
    name: "start",
    unit: "ms",
    ours: 310,
    base: 1000,
    base_name: "peer 1.0",
    ratio: 3.23,
    goal: 350,
    goal_on: "ours",
    ok: true,
    runs: 3,
    spread: 0.34,
  });
});

test("contract: a goal on ours is an upper bound, one on the ratio a lower bound", () => {
  const isMet = (goalOn: Measured["goalOn"], goal: number) => toRow({ ...quick, goalOn, goal }).ok;
  expect([isMet("ours", 310), isMet("ours", 309)]).toEqual([true, false]);
  expect([isMet("ratio", 3.22), isMet("ratio", 3.23)]).toEqual([true, false]);
});

test("a row without a base has no ratio, and no goal on one", () => {
  const { base: _, ...alone } = quick;
  const row = toRow({ ...alone, store: "disk" });
  expect(Object.keys(row).join(" ")).toBe("name store unit ours goal goal_on ok runs spread");
  expect(() => toRow({ ...alone, goalOn: "ratio" })).toThrow("no base");
});

test("people get a table, and are told which goals are missed", () => {
  const rows = [
    toRow(quick),
    toRow({ name: "chain 100", store: "memory", unit: "ms", goal: 1, goalOn: "ours", ours: [2] }),
  ];
  expect(reportText({ bench: "kernel", machine, rows })).toMatchInlineSnapshot(`
    "kernel: a machine, 2 cores, Node 24.0.0, load 0.5 when it began

    row                 unit  ours  base  of        ratio  floor  goal        ok   runs  spread
    start               ms     310  1000  peer 1.0   3.23         ours ≤ 350  yes     3    34 %
    chain 100 (memory)  ms       2                                ours ≤ 1    NO      1     0 %

    1 of 2 goals met"
  `);
});

test("contract: the file of a benchmark", () => {
  const path = join(temporaryFolder(), "new", "figures.json");
  const rows: readonly Row[] = [toRow(quick)];
  reserveFile(path);
  writeReport(path, { bench: "kernel", machine, rows });
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
    version: 1,
    bench: "kernel",
    machine,
    rows,
  });
});

test("a row is told in one line as soon as it is measured", () => {
  expect(rowText(toRow(quick))).toBe(
    "start: unit ms, ours 310, base 1000, of peer 1.0, ratio 3.23, goal ours ≤ 350, ok yes, runs 3, spread 34 %",
  );
});

test("a file that can't be written is told before anything is measured", () => {
  expect(() => reserveFile(join(projectRoot, "package.json", "figures.json"))).toThrow(
    CommandError,
  );
});

test("the sides are measured in turn, and the first round does not count", async () => {
  const log: string[] = [];
  const side = (name: string) => async () => log.push(name);
  const runs = await alternate({ ours: side("A"), base: side("B") }, { runs: 2, tell: () => {} });
  expect(log.join("")).toBe("ABABAB");
  expect(runs).toEqual({ ours: [3, 5], base: [4, 6] });
});

test.each([
  ["kernel", { name: "kernel", jsonFile: undefined, rows: [] }],
  ["kernel --json out.json", { name: "kernel", jsonFile: "out.json", rows: [] }],
  ["--json=out.json kernel", { name: "kernel", jsonFile: "out.json", rows: [] }],
  [
    "engine --row sync --row=react",
    { name: "engine", jsonFile: undefined, rows: ["sync", "react"] },
  ],
])("the call `%s`", (words, call) => {
  expect(readBenchCall(words.split(" "))).toEqual(call);
});

test.each([
  ["", "M7103 which benchmark?"],
  ["kernel engine", "M7103 `engine` is one argument too many"],
  ["kernel --runs 3", "M7102 there is no option `--runs`"],
  ["kernel --json", "M7104 `--json` needs the path of a file"],
  ["kernel --row", "M7104 `--row` needs the name of a row, or words of it"],
])("the call `%s` is wrong", (words, message) => {
  expect(refusal(() => readBenchCall(words.split(" ").filter((word) => word !== "")))).toBe(
    message,
  );
});

test.each([
  [[], "chain 100 (none); chain 1000 (none); 200 records, sync (disk)"],
  [["chain 100"], "chain 100 (none)"],
  [["SYNC", "chain 1000 (none)"], "chain 1000 (none); 200 records, sync (disk)"],
  [["cha"], "M7104 there is no row `cha`"],
])("of the rows %s are wanted", (names, found) => {
  const wanted = new Wanted(names);
  const rows = [
    ["chain 100", "none"],
    ["chain 1000", "none"],
    ["200 records, sync", "disk"],
  ] as const;
  const taken = rows.filter(([name, store]) => wanted.has(name, store));
  const text = taken.map(([name, store]) => `${name} (${store})`).join("; ");
  expect(text === "" ? refusal(() => wanted.assertFound()) : text).toBe(found);
});

test.each([
  ["engin", "M7101 there is no benchmark `engin`", "did you mean `engine`?"],
  ["toString", "M7101 there is no benchmark `toString`", "language, engine"],
])("there is no `%s` to measure", (name, message, hint) => {
  const find = () => findSuite(name);
  expect(refusal(find)).toBe(message);
  expect(find).toThrow(expect.objectContaining({ hint: expect.stringContaining(hint) }));
});

test("contract: a benchmark that is not there exits 2 and measures nothing", async () => {
  const { code, stdout, stderr } = await startNode(["test/bench/bench.ts", "agent"], {
    home: temporaryFolder(),
  }).ended;
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatchInlineSnapshot(`
    "error[M7101]: there is no benchmark \`agent\`
      hint: did you mean \`agents\`?
    "
  `);
});

const LOCK = {
  "": {},
  "node_modules/tslab": { version: "1.0.22" },
  "node_modules/a/node_modules/b": { version: "2.0.0" },
  "node_modules/fsevents": { version: "2.3.3", optional: true },
};

test.each([
  ["nothing is installed", {}, "tslab 1.0.22"],
  [
    "another version is installed",
    { ...LOCK, "node_modules/tslab": { version: "1.0.21" } },
    "tslab 1.0.22",
  ],
  ["what it needs itself is missing", { "node_modules/tslab": { version: "1.0.22" } }, "b 2.0.0"],
  ["all is there but what is optional", { ...LOCK, "node_modules/fsevents": {} }, undefined],
])("peers: %s", (_, installed, missing) => {
  expect(missingPeer(LOCK, installed)).toBe(missing);
});

test.each([
  ["TypeScript", typescriptScript],
  ["Python", pythonScript],
])(
  "no two of the measured cells in %s are the same, and each completion asks for something else",
  (_, { distinct, completions }) => {
    expect(distinct).toHaveLength(CELLS_IN_ALL);
    expect(new Set(distinct).size).toBe(CELLS_IN_ALL);
    const codes = completions.map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
    // They are asked for once the timed cells have run.
    const timed = distinct.slice(0, CELLS).join("\n");
    for (const code of codes) expect(timed).toContain(code.slice(0, code.indexOf(".")));
  },
);

test("a step that fails leaves its figure out; a kernel that is lost those behind it too", async () => {
  const taken = async (thrown: Error) => {
    const figures = new Figures();
    const steps: readonly MeasuredStep[] = [
      { name: "first cell", measure: async () => [1, 2] },
      { name: "complete", measure: () => Promise.reject(thrown) },
      { name: "10,000 lines", measure: async () => [3] },
    ];
    await takeSteps(steps, figures);
    return steps.map(({ name }) => figures.values(name) ?? figures.reason(name));
  };
  expect(await taken(new Error("no match"))).toEqual([[1, 2], "no match", [3]]);
  expect(await taken(new KernelLost("it ended"))).toEqual([[1, 2], "it ended", "it ended"]);
});

test("what a kernel could not do in one round is in none of its rows", () => {
  const figures = new Figures();
  figures.add("complete", [1]);
  figures.leave("complete", new Error("no match"));
  figures.add("complete", [2]);
  expect(figures.values("complete")).toBeUndefined();
});

test("the rows of a kernel: the goal alone, then each peer that has the figure", () => {
  const of = (startMs: number, megabytes?: number) => {
    const figures = new Figures();
    figures.add("start to kernel_info", [startMs]);
    if (megabytes !== undefined) figures.add("memory after 200 cells", [megabytes]);
    return figures;
  };
  const peers = [
    { name: "tslab 1", figures: of(900, 300) },
    { name: "Deno", figures: of(100) },
  ];
  const rows = rowsOf(of(300, 400), { peers, tslab: "tslab 1" }).map((one) => rowText(toRow(one)));
  expect(rows.join("\n")).toMatchInlineSnapshot(`
    "start to kernel_info: unit ms, ours 300, goal ours ≤ 350, ok yes, runs 1, spread 0 %
    start to kernel_info, tslab 1: unit ms, ours 300, base 900, of tslab 1, ratio 3, goal ratio ≥ 2.5, ok yes, runs 1, spread 0 %
    start to kernel_info, Deno: unit ms, ours 300, base 100, of Deno, ratio 0.333, goal ours ≤ 350, ok yes, runs 1, spread 0 %
    memory after 200 cells: unit MB, ours 400, goal ours ≤ 220, ok NO, runs 1, spread 0 %
    memory after 200 cells, tslab 1: unit MB, ours 400, base 300, of tslab 1, ratio 0.75, goal ours ≤ 220, ok NO, runs 1, spread 0 %"
  `);
});

function refusal(call: () => unknown): string {
  try {
    call();
  } catch (thrown) {
    if (thrown instanceof CommandError) return `${thrown.code} ${thrown.message}`;
    throw thrown;
  }
  return "nothing was refused";
}

test.each(["chain 3", "fan-out 5", "loop 4", "wide 25x30", "react 2"])(
  "%s comes to what both sides of the engine's benchmark must come to",
  async (name) => {
    const { ours, input, result } = workload(name);
    const session = new Session({ store: "memory", cwd: temporaryFolder() });
    const [graph] = Object.values(session.compile(ours.text, { scope: ours.scope }));
    const models = ours.model === undefined ? {} : { models: { brain: ours.model() } };
    expect(await graph?.invoke(input, models)).toEqual(result);
    await session.close();
  },
);

test("what lies too far apart is measured again, three times at most, and the closest is kept", async () => {
  const told: string[] = [];
  const measured = (rounds: readonly (readonly number[])[]) => {
    const left = [...rounds];
    const measure = async () => left.shift() ?? [];
    return steady(measure, {
      ...{ name: "chain 100 (none)", series: (figures: readonly number[]) => [figures] },
      tell: (line) => void told.push(line),
    });
  };
  expect(await measured([[10, 11, 12]])).toEqual([10, 11, 12]);
  expect(told).toEqual([]);
  expect(
    await measured([
      [10, 10, 20],
      [10, 11],
    ]),
  ).toEqual([10, 11]);
  expect(await measured([[10, 10, 20], [10, 10, 18], [10, 10, 30], [10]])).toEqual([10, 10, 18]);
  expect(told).toEqual([
    "bench: chain 100 (none) has a spread of 100 %, measured again (2 of 3)",
    "bench: chain 100 (none) has a spread of 100 %, measured again (2 of 3)",
    "bench: chain 100 (none) has a spread of 80 %, measured again (3 of 3)",
  ]);
});

test("the floor has a column of its own", () => {
  const row = toRow({ ...quick, floor: [10, 30, 20] });
  expect(row.floor).toBe(20);
  expect(reportText({ bench: "engine", machine, rows: [row] })).toMatch(/floor .*\n[\s\S]* 20 /);
});

test.each(["chain 3", "fan-out 5", "loop 4", "wide 25x30", "react 2"])(
  "the floor of %s comes to what both sides come to, round by round",
  async (name) => {
    const calls = (["floor.ts", "ours.ts"] as const).map((side) => ({
      ...{ side, workload: name, store: "none" as const },
    }));
    const [floor, ours] = await inTurn(calls, { rounds: 2, isCold: true });
    expect(floor?.result).toEqual(workload(name).result);
    expect(ours?.result).toEqual(floor?.result);
    expect([floor?.times.length, ours?.times.length]).toEqual([2, 2]);
  },
);
