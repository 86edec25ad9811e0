/** Called graphs that write into one field of their caller. */
import { expect, test } from "vitest";
import { check } from "../../../dsl/index.ts";
import { newSession } from "../scoped-run.ts";

const text = (field: string) => `graph Both() returns out {
  state { out: ${field} }
  graph left = One("left") writes out
  graph right = One("right") writes out
  start -> [left, right]
  [left, right] -> end
}
graph One(word: string) returns out {
  state { out: string }
  run say = echo(word) writes out
  start -> say -> end
}`;

test("W37 two called graphs that write one field are an error, unless the field says how writes merge", () => {
  const codes = (field: string) =>
    check({ file: "both", text: text(field) })
      .diagnostics.filter(({ severity }) => severity === "error")
      .map(({ code, message }) => `${code} ${message}`);
  expect(codes("string")).toMatchInlineSnapshot(`
    [
      "M3301 \`left\` and \`right\` can replace \`out\` at the same time",
    ]
  `);
  expect(codes("string[] = [] via append")).toEqual([]);
});

test("W37 with `append` both are kept in the order of the graph, whichever ends first, and each is the run of its caller", async () => {
  for (const first of ["left", "right"]) {
    const gates = new Map(["left", "right"].map((word) => [word, Promise.withResolvers<string>()]));
    const scope = { echo: (word: string) => gates.get(word)?.promise };
    const { Both } = newSession().compile(text("string[] = [] via append"), { scope });
    const run = Both?.run({});
    gates.get(first)?.resolve(first);
    for (const [word, gate] of gates) gate.resolve(word);
    expect(await run?.output).toEqual({ out: ["left", "right"] });
    expect(run?.children.map(({ label, input }) => [label, input])).toEqual([
      ["left#1", { word: "left" }],
      ["right#1", { word: "right" }],
    ]);
  }
});
