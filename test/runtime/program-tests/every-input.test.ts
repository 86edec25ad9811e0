/** `for any`: a test holds for generated inputs, and for what unscripted nodes could say. */
import { describe, expect, test } from "vitest";
import { check } from "../../../dsl/index.ts";
import { runTest } from "../../../runtime/index.ts";
import { MODEL, outcome, told } from "./testing.ts";

const writer = `type Note = { text: string, tags: ("x" | "y")[] }
graph G(topic: string, size: int = 1, dry?: boolean) returns note {
  state { note: Note = { text: "", tags: [] }  ok: boolean = false }
  agent write { model m; prompt \`\${topic} \${size} \${dry}\`; writes note }
  agent judge { model m; prompt \`\${note}\`; writes ok }
  start -> write -> judge -> { ok -> end, else -> write max 2 }
}`;

async function seeded(graph: string, lines: string, seed: number) {
  const text = `${MODEL}${graph}\ntest "t" of G {\n${lines}\n}`;
  const { tests } = check({ file: "t.madrigal", text });
  const [first] = tests;
  if (first === undefined) throw new Error("no test can run");
  return await runTest(first, { seed });
}

test("what holds for all of them passes: parameters by their types, agents by what they write", async () => {
  const { ok, inputs } = await outcome(
    writer,
    "for any input\nexpect visits(write) >= 1 && visits(judge) <= 3",
  );
  expect([ok, inputs?.tried, inputs?.skipped]).toEqual([true, 100, 0]);
});

test("what does not fails with the smallest input, as lines of a test", async () => {
  const { ok, faults, inputs } = await seeded(
    writer,
    'for any topic\nexpect note.tags.length < 2 || topic == ""',
    7,
  );
  expect([ok, faults[0]?.detail]).toMatchInlineSnapshot(`
    [
      false,
      "note.tags.length is 2
    topic is "a"
    the smallest input found that breaks it
      given topic = "a"
      write says { text: "", tags: ["x", "x"] }
      judge says true
    input 4 of 100; --seed 7 generates the same ones",
    ]
  `);
  expect(inputs?.broken).toMatchInlineSnapshot(`
    [
      "given topic = "a"",
      "write says { text: "", tags: ["x", "x"] }",
      "judge says true",
    ]
  `);
});

test("the lines are a test that fails in the same way", async () => {
  const expected = 'expect note.tags.length < 2 || topic == ""';
  const { inputs } = await seeded(writer, `for any topic\n${expected}`, 7);
  expect(await told(writer, [...(inputs?.broken ?? []), expected].join("\n"))).toContain(
    "M5701 `note.tags.length < 2",
  );
});

test("a seed generates the same inputs, and so the same end", async () => {
  const lines = "for any input\nexpect topic.length < 3 || size < 5";
  const [first, again] = [await seeded(writer, lines, 42), await seeded(writer, lines, 42)];
  expect(first.faults).toEqual(again.faults);
  expect(first.inputs).toEqual(again.inputs);
});

test("`when` leaves inputs out; where it leaves out nearly all the test says so", async () => {
  const some = await outcome(
    writer,
    'for any size when size > 3\ngiven topic = "x"\nexpect size > 3',
  );
  expect([some.ok, some.inputs?.tried, (some.inputs?.skipped ?? 0) > 0]).toEqual([true, 100, true]);
  expect(
    await told(writer, 'for any topic when topic == "a very long text"\nexpect ok || !ok'),
  ).toBe("M8700 of 1000 generated inputs 0 meet the condition behind `when`");
});

test("fields begin with generated values too, beside what is given", async () => {
  const graph = `graph G(n: int) returns total {
  state { total: int = 0 via sum }
  run add = plus(n) writes total
  start -> add -> end
}`;
  expect(
    await told(graph, "for any total\ngiven n = 1\nadd says total\nexpect total % 2 == 0"),
  ).toBe("ok add end");
});

describe("what nodes without a script say", () => {
  test("routers and agents that choose, people, and called graphs", async () => {
    const graph = `graph Sub() returns one {
  state { one: int = 0 }
  run say = ask() writes one
  start -> say -> end
}
graph G() returns note {
  state { note: string = ""  count: int = 0 }
  router front { model m; prompt "?" }
  agent help { model m; prompt "?"; writes note }
  human boss { ask "?"; writes note }
  graph sub = Sub() writes count
  start -> front -> help | boss
  help -> sub | end
  boss -> end
}`;
    const lines = "for any note\nexpect visits(help) + visits(boss) == 1";
    const { ok, inputs, arrows } = await outcome(graph, lines);
    expect([ok, inputs?.tried]).toEqual([true, 100]);
    expect(arrows.filter(({ times }) => times === 0)).toEqual([]);
  });

  test("a function is called as ever, and one that is not there fails the run", async () => {
    const graph = `graph G(n: int) returns k {
  state { k: int = 0 }
  run twice = double(n) writes k
  start -> twice -> end
}`;
    const double = (n: number) => n * 2;
    expect(await told(graph, "for any n\nexpect k == n * 2", { double })).toBe("ok twice end");
    expect(await told(graph, "for any n\nexpect k == n * 2")).toContain("M8303");
  });
});

test("each input may be run in any order", async () => {
  const graph = `graph G(items: string[]) returns out {
  state { out: string[] = [] via append }
  agent say(item: string) { model m; prompt \`\${item}\`; writes out }
  start -> each item of items { say(item) } -> end
}`;
  const lines =
    "for any items when items.length < 4\nin any order\nexpect visits(say) == items.length";
  const { ok, inputs, orders } = await outcome(graph, lines);
  expect([ok, inputs?.tried, orders?.tried !== undefined]).toEqual([true, 100, true]);
});
