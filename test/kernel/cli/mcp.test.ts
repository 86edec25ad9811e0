/** `madrigal mcp login|logout`: the server that is meant, and what is said of others. The way in itself is tested by the conformance suite. */
import { expect, test } from "vitest";
import { document, said, workspace } from "./calling.ts";

const program = (servers: string) => `model m = "rules"
${servers}
graph G() returns a { state { a: string }
  agent x { model m; tools one, two; prompt \`Do.\`; writes a }
  start -> x }`;

test("the server is named, or the only one, and wants a person to log in", async () => {
  const home = workspace({
    "wrong.madrigal": "graph G() returns a { state { a: string } start -> nowhere }",
    "two.madrigal": program(
      'mcp one = http("http://127.0.0.1:9/mcp", "oauth")\nmcp two = "npx two"',
    ),
  });
  expect(await said(home, ["mcp", "logout", "two.madrigal", "one"])).toBe(
    "exit 0\none: nothing is kept",
  );
  expect(await document(home, ["mcp", "logout", "two.madrigal", "one"])).toEqual({
    exit: 0,
    json: { server: "one", removed: false, version: 1 },
  });
  expect(await said(home, ["mcp", "login", "two.madrigal", "tow"])).toContain(
    "did you mean `two`?",
  );
  expect(await said(home, ["mcp", "login", "two.madrigal"])).toContain("they use one, two");
  expect(await said(home, ["mcp", "login", "two.madrigal", "two"])).toContain("M8416");
  expect(await said(home, ["mcp", "login", "two.madrigal", "one"])).toContain("M8416");
  expect(await said(home, ["mcp", "login"])).toContain("M7103");
  expect(await said(home, ["mcp", "enter"])).toContain("M7201");
  expect(await said(home, ["mcp", "wrong.madrigal"])).toMatch(/^exit 1\n(?:.|\n)*M2101/);
});
