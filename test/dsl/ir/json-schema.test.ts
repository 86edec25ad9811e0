import { expect, test } from "vitest";
import { toJsonSchema } from "../../../dsl/index.ts";
import { compiled } from "../report.ts";

/** The schema of a type, written as people write it, beside the types that it uses. */
function schema(type: string, types = ""): unknown {
  const ir = compiled(
    `${types}\ngraph G() returns a { state { a: ${type} }\n run x = f() writes a\n start -> x }`,
  );
  const field = ir.fields[0];
  if (field === undefined) throw new Error("a field is declared");
  return toJsonSchema(field.type, new Map(ir.types.map((each) => [each.name, each.type]))).schema;
}

test.each([
  ["string", { type: "string" }],
  ["number", { type: "number" }],
  ["int", { type: "integer" }],
  ["boolean", { type: "boolean" }],
  ["null", { type: "null" }],
  ["Json", {}],
  ['"x"', { const: "x" }],
  ['"x" | "y" | null', { enum: ["x", "y", null] }],
  ["string | null", { anyOf: [{ type: "string" }, { type: "null" }] }],
  ["string[]", { type: "array", items: { type: "string" } }],
  ["Array<int>", { type: "array", items: { type: "integer" } }],
  ["Private<int>", { type: "integer" }],
  ["Record<string, int>", { type: "object", additionalProperties: { type: "integer" } }],
  [
    "[int, string]",
    {
      type: "array",
      prefixItems: [{ type: "integer" }, { type: "string" }],
      items: false,
      minItems: 2,
    },
  ],
  [
    "{ x: int, y?: string }",
    {
      type: "object",
      properties: { x: { type: "integer" }, y: { type: "string" } },
      required: ["x"],
      additionalProperties: false,
    },
  ],
])("%s", (type, expected) => {
  expect(schema(type)).toEqual(expected);
});

test("a declared type is written out where it is used", () => {
  expect(schema("T[]", "type T = { u: U }\ntype U = int")).toEqual({
    type: "array",
    items: {
      type: "object",
      properties: { u: { type: "integer" } },
      required: ["u"],
      additionalProperties: false,
    },
  });
});

test("a type that names itself stands under $defs", () => {
  expect(schema("Tree", "type Tree = { value: int, children: Tree[] }")).toMatchInlineSnapshot(`
    {
      "$defs": {
        "Tree": {
          "additionalProperties": false,
          "properties": {
            "children": {
              "items": {
                "$ref": "#/$defs/Tree",
              },
              "type": "array",
            },
            "value": {
              "type": "integer",
            },
          },
          "required": [
            "value",
            "children",
          ],
          "type": "object",
        },
      },
      "$ref": "#/$defs/Tree",
    }
  `);
});

test("types that name each other stand under $defs", () => {
  expect(schema("A[]", "type A = { b?: B }\ntype B = { a?: A }")).toMatchInlineSnapshot(`
    {
      "$defs": {
        "A": {
          "additionalProperties": false,
          "properties": {
            "b": {
              "additionalProperties": false,
              "properties": {
                "a": {
                  "$ref": "#/$defs/A",
                },
              },
              "required": [],
              "type": "object",
            },
          },
          "required": [],
          "type": "object",
        },
      },
      "items": {
        "$ref": "#/$defs/A",
      },
      "type": "array",
    }
  `);
});

test("a built-in type is there, unless the file declares one of its name", () => {
  expect(schema("Step", "type Step = int")).toEqual({ type: "integer" });
  expect(schema("Plan")).toMatchInlineSnapshot(`
    {
      "additionalProperties": false,
      "properties": {
        "name": {
          "type": "string",
        },
        "steps": {
          "items": {
            "additionalProperties": false,
            "properties": {
              "agent": {
                "type": "string",
              },
              "depends": {
                "items": {
                  "type": "string",
                },
                "type": "array",
              },
              "details": {
                "type": "string",
              },
              "id": {
                "type": "string",
              },
              "notes": {
                "items": {},
                "type": "array",
              },
              "repeat": {
                "type": "string",
              },
              "title": {
                "type": "string",
              },
              "tool": {
                "type": "string",
              },
              "when": {
                "type": "string",
              },
            },
            "required": [
              "id",
              "title",
              "details",
            ],
            "type": "object",
          },
          "type": "array",
        },
        "summary": {
          "type": "string",
        },
        "task": {
          "type": "string",
        },
        "thought": {
          "type": "string",
        },
        "version": {
          "type": "integer",
        },
      },
      "required": [
        "steps",
      ],
      "type": "object",
    }
  `);
});

test("what has no schema is named", () => {
  const image = { kind: "named", name: "Image", args: [] } as const;
  expect(toJsonSchema({ kind: "array", of: image }, new Map()).unsupported).toEqual(["Image"]);
});
