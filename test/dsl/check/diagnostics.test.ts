import { expect, test } from "vitest";
import { check } from "../../../dsl/index.ts";

test("contract: diagnostics are sorted by line and column, from 1, with an end and what else belongs to them", () => {
  const text = `graph G(topic: string) returns a {
  state { a: string = topic }
  run x = f() writes a
  run x = f() writes a
  start -> y
}
nonsense
`;
  const { diagnostics } = check({ file: "some.madrigal", text });
  expect(diagnostics).toMatchInlineSnapshot(`
    [
      {
        "code": "M2001",
        "column": 7,
        "endColumn": 8,
        "endLine": 4,
        "file": "some.madrigal",
        "hint": "rename one of the two, or remove it",
        "line": 4,
        "message": "there is already a node called \`x\`",
        "related": [
          {
            "column": 7,
            "file": "some.madrigal",
            "line": 3,
            "message": "the first one",
          },
        ],
        "severity": "error",
      },
      {
        "code": "M2101",
        "column": 12,
        "endColumn": 13,
        "endLine": 5,
        "file": "some.madrigal",
        "hint": "there are \`x\`, \`start\`, \`end\`, \`return\`",
        "line": 5,
        "message": "no node is called \`y\`",
        "severity": "error",
      },
      {
        "code": "M1102",
        "column": 1,
        "endColumn": 9,
        "endLine": 7,
        "file": "some.madrigal",
        "line": 7,
        "message": "\`nonsense\` does not begin a declaration",
        "severity": "error",
      },
    ]
  `);
  const places = diagnostics.map(({ line, column }) => line * 1000 + column);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});

test("contract: what is unused, never read, never written or racing a read is a warning, and the graph runs", () => {
  const text = `type Unused = int
graph G(topic: string) returns a {
  state {
    a: string[] = [] via append
    unread: int = 0
    unwritten: string
  }
  run x = f(unwritten) writes a
  run y = f(a)
  run z = f(topic)
  start -> [x, y]
}
`;
  const { diagnostics, graphs } = check({ file: "some.madrigal", text });
  expect(diagnostics.map(({ severity, code }) => `${severity} ${code}`)).toEqual([
    "warning M2301",
    "warning M3208",
    "warning M3206",
    "warning M3216",
    "warning M3202",
  ]);
  expect(graphs).toHaveLength(1);
});
