import { expect, test } from "vitest";
import { compiled, graph, reportGraph } from "../report.ts";

const found = (context: string) =>
  reportGraph(
    `state { a: string = topic }\nagent x { model m; prompt \`x ${"${size}"}\`; writes a; tools docs.read\ncontext ${context} }\nstart -> x`,
    "topic: string, size: int = 3",
  );

test.each([
  ["{ ofload: 2k }", "M4112 3:11 `context` has no member `ofload` (did you mean `offload`?)"],
  [
    "{ size: 2k }",
    "M4112 3:11 `context` has no member `size` (there are `keep`, `media`, `repeated`, `offload`, `summarize`, `limit`, `explain`)",
  ],
  [
    "{ limit: 1.5 }",
    "M4112 3:18 `limit` takes a whole number of tokens, or a share above 0 and up to 1 of what the model can read (write it like `limit: 110k`)",
  ],
  [
    "{ limit: -0.5 }",
    "M4112 3:18 `limit` takes a whole number of tokens, or a share above 0 and up to 1 of what the model can read (write it like `limit: 110k`)",
  ],
  ['{ keep: "ten" }', "M4112 3:17 `keep` takes a number of turns (write it like `keep: 10`)"],
  ["{ keep: 10s }", "M4112 3:17 `keep` takes a number of turns (write it like `keep: 10`)"],
  [
    "{ offload: { at: 2k } }",
    "M4112 3:22 `context.offload` has no member `at` (there are `over`, `preview`, `except`)",
  ],
  [
    "{ offload: { preview: 20 } }",
    "M4112 3:20 `offload` lacks `over` (write it like `offload: 2k`)",
  ],
  [
    "{ summarize: { by: m } }",
    "M4112 3:22 `summarize` lacks `at` or `every` (write it like `summarize: 40k`)",
  ],
  [
    "{ summarize: { at: 4k, evry: 5 } }",
    "M4112 3:32 `context.summarize` has no member `evry` (did you mean `every`?)",
  ],
  [
    "{ summarize: { at: 4k, by: smal } }",
    'M2105 3:36 no model is called `smal` (declare it: `model smal = "provider/model"`)',
  ],
  [
    "{ summarize: { at: 4k, schema: Snap } }",
    "M2104 3:40 no type is called `Snap` (declare it: `type Snap = { … }`)",
  ],
  [
    '{ offload: { over: 2k, except: ["docs.raed"] } }',
    "warning M4112 3:41 no tool of this node is called `docs.raed` (did you mean `docs.read`?)",
  ],
  ["{ keep: nothing }", "M2103 3:17 no field or parameter is called `nothing`"],
])("context %s", (context, report) => {
  expect(found(context)).toBe(report);
});

test.each([
  "{ offload: 2k, keep: 10 }",
  "{ limit: 0.5, summarize: 40k, media: 1, repeated: 200 }",
  "{ limit: 1 }",
  "{ limit: size, keep: size + 1 }",
  '{ offload: { over: 2k, preview: 200, except: ["docs.read", "docs.*"] } }',
  "{ summarize: { every: 5, by: m } }",
  '{ summarize: { every: 5, by: "openai/gpt-4o-mini" } }',
  '{ summarize: { at: 4k, schema: { type: "object" } } }',
])("context %s is right", (context) => {
  expect(found(context)).toBe("");
});

test("a type of a summary stands in the graph, and the model that makes it", () => {
  const text = graph(
    "state { a: string = topic }\nagent x { model m; prompt `x`; writes a; context { summarize: { at: 4k, by: small, schema: Snap } } }\nstart -> x",
  ).replace(
    "graph G",
    'model small = "openai/gpt-4o-mini"\ntype Snap = { done: string[] }\ngraph G',
  );
  const ir = compiled(text);
  expect(ir.models.map(({ name }) => name)).toEqual(["m", "small"]);
  expect(ir.types).toEqual([{ name: "Snap", type: expect.objectContaining({ kind: "object" }) }]);
});
