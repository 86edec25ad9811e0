/** A returned field is written on each way to an end, or the check names one on which it is not. */
import { expect, test } from "vitest";
import { reportGraph } from "../report.ts";

const each = "each w of words { item(w) }";

const NODES = {
  p: "run p = f(topic) writes a",
  q: "run q = f(topic)",
  r: "run r = f(topic)",
  item: "run item(w: string) = f(w)",
};

/** The way that the check names for the field `a`; empty where it is written on all of them. */
function wayIn(flow: string, field = "a: string"): string {
  const nodes = Object.entries(NODES).filter(([name]) => new RegExp(`\\b${name}\\b`).test(flow));
  const lines = nodes.map(([, line]) => line).join("\n");
  const found = reportGraph(
    `state { ${field} }\n${lines}\n${flow}`,
    "topic: string, words: string[] = []",
  );
  expect(found).not.toMatch(/^M\d/m);
  return /M3243.*nothing writes it on `(.*?)`/.exec(found)?.[1] ?? "";
}

test.each([
  ["one after the other", "start -> q -> p -> end", ""],
  ["a branch that ends", 'start -> q -> { topic == "" -> end, else -> p }', "start -> q -> end"],
  ["one condition, and no other", 'start -> q -> { topic == "" -> p }', "start -> q -> end"],
  ["a condition behind an arrow", 'start -> q -> p when topic == ""', "start -> q -> end"],
  ["two conditions", 'start -> { topic == "" -> p, topic == "a" -> q -> p }', ""],
  ["a case that ends", 'start -> match topic { "a" -> p, else -> q }', "start -> q -> end"],
  ["a branch beside another one", "start -> [p, q]", ""],
  ["two arrows out of a node", "start -> q -> p\nq -> r", ""],
  ["a join", "start -> [q, r]\n[q, r] -> p", ""],
  ["a set on the arrow to the end", 'start -> { topic == "" -> end set a = "b", else -> p }', ""],
  ["a failure", "start -> q -> p\nq -> end on error", "start -> q -> end"],
  ["the failure of who writes it", "start -> p\np -> r on error", "start -> p -> r -> end"],
  ["a failure that somebody mends", "start -> q -> p\nq -> p on error", ""],
  ["an each, and what is behind it", `start -> ${each} -> p`, ""],
  ["an each whose items fail", `start -> ${each} -> q on error -> p`, ""],
  [
    "an each, and a choice behind it",
    `start -> ${each} -> { topic == "" -> p, else -> q }`,
    "start -> each w -> q -> end",
  ],
  ["a loop", 'start -> q -> { topic == "" -> q max 3, else -> p }', ""],
  [
    "a loop that may end",
    'start -> q -> { topic == "" -> q max 3, else -> r }\nr -> { topic == "a" -> p, else -> end }',
    "start -> q -> r -> end",
  ],
  ["what goes on by itself", "start -> q -> p detached", ""],
])("%s", (_, flow, way) => {
  expect(wayIn(flow)).toBe(way);
});

test.each(["a?: string", 'a: string = ""', "a: string | null"])(
  "%s need not be written",
  (field) => {
    expect(wayIn('start -> q -> { topic == "" -> end, else -> p }', field)).toBe("");
  },
);

test("a field that nothing writes has its own warning", () => {
  const found = reportGraph("state { a: string }\nrun q = f(topic)\nstart -> q");
  expect(found).toContain("M3206");
  expect(found).not.toContain("M3243");
});
