/** Types that a program imports by their own name, and what is told of those that it can't have. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkSource } from "../../../kernel/programs/check-source.ts";
import { errorsIn, graphsIn } from "./said.ts";

/** A graph whose agent is asked for a type of `shapes.ts`; `before` stands at the top. */
function asking(type: string, before = ""): string {
  return `import { ${type} } from "./shapes.ts"
${before}model m = "openai/gpt-4o"
graph G(q: string) returns r {
  state { r: ${type} }
  agent a { model m; prompt \`Answer \${q}\`; writes r }
  start -> a
}
`;
}

test.each([
  ["Dict", "{ [position: number]: string; }"],
  ["Act", "(what: string) => number"],
  ["Robot", "class Robot"],
  ["Some", "[string, ...number[]]"],
  ["Maybe", "[string, (number | undefined)?]"],
  ["Bag", "interface Bag"],
  ["Moment", "Date"],
  ["Huge", "{ a: Level2; b: Level2; c: Level2; d: Level2; }"],
])("nobody can be asked for an imported type without a schema: %s", async (type, shown) => {
  expect(await errorsIn(asking(type))).toBe(
    `M3402 «${type}» \`a\` can't be asked for \`${shown}\`: its shape is not known here`,
  );
});

test.each([
  [
    "Rooted",
    {
      $defs: { Node: object({ next: { anyOf: [{ $ref: "#/$defs/Node" }, { type: "null" }] } }) },
      ...object({ root: { $ref: "#/$defs/Node" } }),
    },
  ],
  [
    "Value",
    {
      $defs: {
        Value: {
          anyOf: [{ type: "string" }, { type: "array", items: { $ref: "#/$defs/Value" } }],
        },
      },
      $ref: "#/$defs/Value",
    },
  ],
  [
    "Menu",
    {
      $defs: { Menu: { type: "object", additionalProperties: { $ref: "#/$defs/Menu" } } },
      $ref: "#/$defs/Menu",
    },
  ],
  ["Side", object({ kind: { const: "one" } })],
  ["Account", object({ owner: { type: "string" } })],
])("what a model is asked for: %s", async (type, schema) => {
  const [graph] = await graphsIn(asking(type));
  expect(graph?.nodes[0]?.output).toEqual(schema);
});

function object(properties: Readonly<Record<string, unknown>>) {
  const required = Object.keys(properties);
  return { type: "object", properties, required, additionalProperties: false };
}

test.each([
  ["a type", "type Node = { label: string }\n"],
  [
    "a graph",
    'graph Node(q: string) returns x { state { x: string = "" } run y = amount() writes x start -> y }\n',
  ],
])("a type inside of an imported one is not taken for %s of the program", async (_, before) => {
  const graphs = await graphsIn(asking("Rooted", before));
  const next = { anyOf: [{ $ref: "#/$defs/Node2" }, { type: "null" }] };
  expect(graphs.find(({ name }) => name === "G")?.nodes[0]?.output).toEqual({
    $defs: { Node2: object({ next }) },
    ...object({ root: { $ref: "#/$defs/Node2" } }),
  });
});

test("a type inside of an imported one is no name of the program", async () => {
  const text = asking("Rooted").replace("state {", "state {\n  other: Node | null = null\n ");
  expect(await errorsIn(text)).toMatch(/^M2104 «Node» /);
});

test.each([
  ["Listed", "M3402 «Listed» `Listed` is generic: it has no shape before its own types are given"],
  ["Space", "M3511 «Space» `Space` is a namespace, and no type"],
  ["amount", "M3511 «amount» `amount` is a value, and no type"],
])("what is no type is told once, where it is named: %s", async (type, error) => {
  expect(await errorsIn(asking(type))).toBe(error);
  expect(await errorsIn(asking(type, `type Own = { one: ${type} }\n`))).toBe(error);
});

test.each(["Rooted", "Dict", "Listed"])("without a compiler, %s may be anything", async (type) => {
  const path = join(import.meta.dirname, "scope", "program.madrigal");
  const source = { file: "program.madrigal", text: asking(type) };
  const { diagnostics, graphs } = await checkSource({ source, path, types: "never" });
  expect(diagnostics).toEqual([]);
  expect(graphs).toHaveLength(1);
});
