/** Types of TypeScript in a graph: what a model is asked for, and what can't be asked. */
import { afterAll, expect, test } from "vitest";
import { check, print } from "../../../dsl/index.ts";
import { startTypes } from "../../../kernel/types/client.ts";
import { readNames } from "../../../kernel/types/named/program-names.ts";
import { Notebook } from "./notebook.ts";
import { errorsIn, graphsIn } from "./said.ts";

const types = startTypes();
afterAll(() => types.close());

/** A graph whose agent is asked for this. */
function asking(type: string, imports = `import { ${type} } from "./functions.ts"\n`): string {
  return `${imports}model m = "openai/gpt-4o"
graph G(q: string) returns r {
  state { r: ${type} }
  agent a { model m; prompt \`Answer \${q}\`; writes r }
  start -> a
}
`;
}

test("an imported type is what the model is asked for, with its JSDoc", async () => {
  const [ir] = await graphsIn(asking("Task"));
  expect(ir?.nodes[0]?.output).toMatchInlineSnapshot(`
    {
      "additionalProperties": false,
      "description": "One thing to look for.",
      "properties": {
        "priority": {
          "enum": [
            "low",
            "high",
          ],
        },
        "query": {
          "description": "What to type into the search box.",
          "type": "string",
        },
        "scores": {
          "additionalProperties": {
            "type": "number",
          },
          "type": "object",
        },
        "tags": {
          "items": {
            "type": "string",
          },
          "type": "array",
        },
        "why": {
          "description": "Why it matters.",
          "type": "string",
        },
      },
      "required": [
        "query",
        "priority",
        "tags",
        "scores",
      ],
      "type": "object",
    }
  `);
  expect(ir?.imports).toEqual([]);
});

test("a type that contains itself, a tuple, a null, a choice of words", async () => {
  const [ir] = await graphsIn(asking("Page"));
  expect(ir?.nodes[0]?.output).toMatchInlineSnapshot(`
    {
      "$defs": {
        "Page": {
          "additionalProperties": false,
          "properties": {
            "isLast": {
              "type": "boolean",
            },
            "next": {
              "anyOf": [
                {
                  "$ref": "#/$defs/Page",
                },
                {
                  "type": "null",
                },
              ],
            },
            "pair": {
              "items": false,
              "minItems": 2,
              "prefixItems": [
                {
                  "type": "string",
                },
                {
                  "type": "number",
                },
              ],
              "type": "array",
            },
            "status": {
              "enum": [
                "in progress",
                "completed",
                "failed",
              ],
            },
            "trees": {
              "items": {
                "$ref": "#/$defs/Tree",
              },
              "type": "array",
            },
          },
          "required": [
            "status",
            "next",
            "trees",
            "pair",
            "isLast",
          ],
          "type": "object",
        },
        "Tree": {
          "additionalProperties": false,
          "properties": {
            "children": {
              "items": {
                "$ref": "#/$defs/Tree",
              },
              "type": "array",
            },
            "name": {
              "type": "string",
            },
          },
          "required": [
            "name",
            "children",
          ],
          "type": "object",
        },
      },
      "$ref": "#/$defs/Page",
    }
  `);
});

test.each([
  ["Timed", "M3402 «Timed» `a` can't be asked for `Date`: its shape is not known here"],
  ["Odd", "M3402 «Odd» `a` can't be asked for `() => void`: its shape is not known here"],
])("what no JSON has is told at the field: %s", async (type, errors) => {
  expect(await errorsIn(asking(type))).toBe(errors);
});

test("a type that the file does not export is told at the import", async () => {
  expect(await errorsIn(asking("Tsk"))).toMatch(/^M3511 «Tsk» /);
});

test("the same graph in a notebook, where an earlier cell declares the type", async () => {
  const [imported] = await graphsIn(asking("Status"));
  const notebook = new Notebook(types);
  await notebook.run('export type Status = "in progress" | "completed" | "failed"');
  const source = { file: "cell", text: asking("Status", "") };
  const known = await types.typesOf(readNames(source));
  const [ofCell] = check(source, { types: known }).graphs;
  expect(ofCell?.hash).toBe(imported?.hash);
  expect(await notebook.graph(source.text)).toBe("");
  expect(await notebook.run("const status: G.Output['r'] = 'done'")).toContain("TS2322");
});

test("a printed graph holds its types, and means the same", async () => {
  const [ir] = await graphsIn(asking("Page"));
  if (ir === undefined) throw new Error("the program has a graph");
  const text = print(ir);
  expect(text).not.toContain("import");
  expect(check({ file: "printed", text }).graphs[0]?.hash).toBe(ir.hash);
});

test("a program without types of TypeScript has the hash that it has without TypeScript", async () => {
  const text = asking("string", "");
  const [ir] = await graphsIn(text);
  expect(ir?.hash).toBe(check({ file: "x", text }).graphs[0]?.hash);
});
