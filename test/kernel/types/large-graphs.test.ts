/** Nodes of a large graph that read the same are checked once, and what is wrong is told of each. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { Notebook } from "./notebook.ts";

const notebook = new Notebook();
afterAll(() => notebook.types.close());

beforeAll(async () => {
  await notebook.run(`function plusOne(n: number): number { return n + 1 }
function leap(): { kind: "command", goto: "step3", update: { n: number } } { return null! }`);
});

const COUNT = 250;

/** A chain of steps, some of them replaced. */
function chain(steps: Readonly<Record<number, string>>): string {
  const all = Array.from(
    { length: COUNT },
    (_, at) => `  run step${at} = ${steps[at] ?? "plusOne(n)"} writes n`,
  );
  const line = all.map((_, at) => `step${at}`).join(" -> ");
  return `graph Long(start_at: number) returns n {\n  state { n: number = 0 }\n${all.join("\n")}\n  start -> ${line} -> end\n}`;
}

test("a graph whose nodes are right is right", async () => {
  expect(await notebook.graph(chain({}), ["plusOne"])).toBe("");
});

test("each node that is wrong is told, also where others are wrong in the same words", async () => {
  const wrong = { 7: 'plusOne("x")', 90: 'plusOne("x")', 200: "plusOne(n, n)" };
  const told = await notebook.graph(chain(wrong), ["plusOne"]);
  expect(told.split("\n").map((line) => line.slice(0, 13))).toEqual([
    'M3503 «"x"» `',
    'M3503 «"x"» `',
    expect.stringMatching(/^M350\d «/),
  ]);
});

test("a node that leads where only others of its kind may is told", async () => {
  expect(await notebook.graph(chain({ 2: "leap()" }), ["plusOne", "leap"])).toBe("");
  const told = await notebook.graph(chain({ 2: "leap()", 50: "leap()" }), ["plusOne", "leap"]);
  expect(told).toContain("step3");
  expect(told.split("\n")).toHaveLength(1);
});
