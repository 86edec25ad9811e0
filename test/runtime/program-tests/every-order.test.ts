/** `in any order`: a test holds for each order in which parallel attempts can end. */
import { describe, expect, test } from "vitest";
import { outcome, told } from "./testing.ts";

const vote = `graph G() returns winner {
  state { votes: string[] = [] via append  winner: string = "" }
  run a = ask() writes votes
  run b = ask() writes votes
  run c = ask() writes votes
  run count = first(votes) writes winner
  start -> [a, b, c]
  [a, b, c] need 2 -> count -> end
}`;
const votes = 'a says "A"\nb says "B"\nc says "C"\ncount says votes[0]\nin any order\n';

test("what holds in each order passes, and says how many there were", async () => {
  const { ok, orders } = await outcome(vote, `${votes}expect votes.length == 2`);
  expect([ok, orders]).toEqual([true, { tried: 6, total: 6, isComplete: true }]);
});

test("what does not fails with the smallest order that breaks it, as the debugger plays it", async () => {
  expect(await told(vote, `${votes}expect winner == "A"`)).toMatchInlineSnapshot(`
    "M5701 \`winner == "A"\` does not hold
    winner is "B"
    if they end as b, c, count
    it holds if as a, b, count
    in the debugger: order b, c, count"
  `);
  const { orders } = await outcome(vote, `${votes}expect winner == "A"`);
  expect(orders?.broken).toEqual(["b", "c", "count"]);
});

test("what fails in the usual order is told without an order", async () => {
  expect(await told(vote, `${votes}expect winner == "B"`)).toBe(
    'M5701 `winner == "B"` does not hold\nwinner is "A"',
  );
});

test("without the line one order is tried", async () => {
  const { ok, orders } = await outcome(
    vote,
    `${votes.replace("in any order\n", "")}expect winner == "A"`,
  );
  expect([ok, orders]).toEqual([true, undefined]);
});

const many = `graph G(items: string[]) returns out {
  state { out: string[] = [] via append }
  run up(item: string) = upper(item) writes out
  start -> each item of items { up(item) } -> end
}`;
const upper = (text: string) => text.toUpperCase();

test("more orders than can be tried: the test says how many of how many", async () => {
  const lines =
    'given items = ["a","b","c","d","e","f","g","h"]\nin any order\nexpect out.length == 8';
  const { ok, orders } = await outcome(many, lines, { upper });
  expect([ok, orders]).toEqual([true, { tried: 1000, total: 40_320, isComplete: false }]);
});

test("an attempt gets the same line of its script in each order", async () => {
  const lines = `given items = ["a", "b", "c"]
up says "1", "2", "3"
in any order
expect out == ["1", "2", "3"]`;
  expect(await told(many, lines)).toBe("ok up up up end");
});

test("all orders count for the coverage", async () => {
  const { arrows } = await outcome(vote, `${votes}expect votes.length == 2`);
  expect(arrows.find(({ from, to }) => from === "start" && to === "a")?.times).toBe(6);
});

describe("what happens on the way goes along with the order", () => {
  test("an attempt that fails and is tried again", async () => {
    const graph = `graph G() returns out {
  state { out: string[] = [] via append }
  run a = ask() { writes out; retry 1 }
  run b = ask() writes out
  run sorry = ask() writes out
  start -> [a, b] -> end
  b -> sorry on error
}`;
    const lines = `a fails { class: "timeout", message: "slow" }, says "A"
b fails { class: "tool", message: "no" }
sorry says "S"
in any order
expect out.length == 2 && visits(a) == 1 && visits(sorry) == 1`;
    const { ok, orders } = await outcome(graph, lines);
    expect([ok, orders?.isComplete, (orders?.tried ?? 0) > 2]).toEqual([true, true, true]);
  });

  test("nodes of called graphs, by the names that the debugger has", async () => {
    const graph = `graph Sub(n: int) returns one {
  state { one: string = "" }
  run say = ask(n) writes one
  start -> say -> end
}
graph G() returns first {
  state { all: string[] = [] via append  first: string = "" }
  graph left = Sub(1) writes all
  graph right = Sub(2) writes all
  run pick = first_of(all) writes first
  start -> [left, right]
  [left, right] need 1 -> pick -> end
}`;
    const lines = `left/say says "L"
right/say says "R"
pick says all[0]
in any order
expect first == "L"`;
    expect(await told(graph, lines)).toContain("in the debugger: order right#1 › say#1, pick");
  });
});
