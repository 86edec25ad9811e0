/** Pain 7: joins that a skipped parent drops in silence, and that branches of unequal length run twice. */
import { expect, test } from "vitest";
import { type ofKind, runText } from "../../support/run-graph.ts";

const nodes = (names: string) =>
  names
    .split(" ")
    .map((name) => `  run ${name} = f() writes log`)
    .join("\n");

const graph = (names: string, arrows: string) => `graph Joins(n: int = 1) returns log {
  state { log: string[] = [] via append }
${nodes(names)}
  ${arrows.trim()}
}`;

const says = Object.fromEntries("abcdj".split("").map((name) => [name, [name]]));

/** Where the log says that a join went on, and without whom. */
function fired(records: Parameters<typeof ofKind>[0]) {
  const flow = records.flatMap((record) => ("flow" in record ? (record.flow ?? []) : []));
  return flow.flatMap((op) => (op.op === "fire" ? [op.missing ?? []] : []));
}

test("pain 7 a parent that is skipped does not drop the join: it goes on without it, and the log says without whom", () => {
  const text = graph("a b c j", "start -> a -> { n > 5 -> b, else -> c }\n  [b, c] -> j");
  const ran = runText(text, { says });
  expect([ran.status, ran.state.log]).toEqual(["succeeded", ["a", "c", "j"]]);
  expect(fired(ran.records)).toEqual([["b"]]);
});

test("pain 7 branches of unequal length run what joins them once, whoever is first", () => {
  const text = graph("a b c d j", "start -> [a, b]\n  b -> c -> d\n  [a, d] -> j");
  for (let seed = 1; seed <= 50; seed += 1) {
    const ran = runText(text, { says, seed });
    expect(ran.state.log).toEqual(["a", "b", "c", "d", "j"]);
    expect(fired(ran.records)).toEqual([[]]);
  }
});

test("pain 7 a join in a loop is armed anew, and runs once a round", () => {
  const text = graph(
    "a b c j",
    "start -> a -> [b, c] -> j -> { log.length < 9 -> a max 5, else -> end }",
  );
  const ran = runText(text, { says });
  expect(ran.state.log).toEqual(["a", "b", "c", "j", "a", "b", "c", "j", "a", "b", "c", "j"]);
  expect(fired(ran.records)).toEqual([[], [], []]);
});
