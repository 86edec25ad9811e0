/** The tests of the six programs of the language, declared by what the package offers to Vitest. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { graphTests } from "../../../../kernel/index.ts";
import { temporaryFolder } from "../../../support/child.ts";
import { put } from "../calling.ts";

const programs = new URL("../../../dsl/programs/", import.meta.url);
const files = readdirSync(new URL("tests/", programs)).map((name) => `tests/${name}`);

for (const file of [...files.sort(), "6-tests.madrigal"]) {
  const declared: [string, () => Promise<void>][] = [];
  await graphTests(new URL(file, programs), (name, body) => declared.push([name, body]));
  describe(file, () => {
    for (const [name, body] of declared) test(name, body);
    test("has tests", () => expect(declared.length).toBeGreaterThan(1));
  });
}

/** The systems that the language comes from, each with four graphs of its kind in miniature, and what one of them is called. */
const SYSTEMS = [
  ["aworld", "1-deepsearch"],
  ["collaboration", "2-plan-code-review"],
  ["magentic", "3-magentic"],
  ["routing", "4-state-routing"],
  ["eko", "5-eko-watch"],
] as const;

describe.each(SYSTEMS)("%s in miniature", (system) => {
  const file = new URL(`systems/${system}.madrigal`, programs);

  test("every test of its graphs passes, and every graph has one", async () => {
    const ran: string[] = [];
    const ended: Promise<void>[] = [];
    await graphTests(file, (name, body) => ended.push(body().then(() => void ran.push(name))));
    await Promise.all(ended);
    const text = readFileSync(file, "utf8");
    const graphs = [...text.matchAll(/^graph (\w+)/gm)].map(([, name]) => name);
    expect(graphs.length).toBe(4);
    for (const name of graphs) expect(text).toContain(` of ${name} {`);
    expect(ran.length).toBeGreaterThanOrEqual(graphs.length);
  });
});

test("each system's whole program has tests, too", () => {
  const tested = [...files, "6-tests.madrigal"].map((file) =>
    readFileSync(new URL(file, programs), "utf8"),
  );
  for (const [, program] of SYSTEMS)
    expect(tested.some((text) => text.includes(`/${program}.madrigal"`))).toBe(true);
});

async function declaredBy(
  text: string,
  beside: Readonly<Record<string, string>> = {},
): Promise<string> {
  const home = temporaryFolder();
  for (const [name, content] of Object.entries(beside)) put(home, name, content);
  put(home, "g.madrigal", text);
  const declared: string[] = [];
  const ended: Promise<void>[] = [];
  await graphTests(`${home}/g.madrigal`, (name, body) => {
    ended.push(
      body().then(
        () => void declared.push(`passed ${name}`),
        (error: Error) => void declared.push(`failed ${name}: ${error.message}`),
      ),
    );
  });
  await Promise.all(ended);
  return declared.join("\n").replaceAll(home, "HOME");
}

const graph = `model m = "openai/gpt-4o"
graph G() returns a {
  state { a: string }
  agent x { model m; prompt \`?\`; writes a }
  start -> x
}
`;

test("functions that the program imports are called", async () => {
  const text = `import { echo } from "./lib.ts"
graph G(x: string) returns y {
  state { y: string = "" }
  run e = echo(x) writes y
  start -> e
}
test "t" of G { given x = "a"  expect y == "a!" }`;
  expect(await declaredBy(text, { "lib.ts": "export const echo = (x: string) => `${x}!`;" })).toBe(
    "passed t",
  );
});

test("a test that fails throws what is wrong with it", async () => {
  expect(
    await declaredBy(`${graph}test "t" of G { x says "b" expect a == "c" }`),
  ).toMatchInlineSnapshot(`
    "failed t: error[M5701]: \`a == "c"\` does not hold
      ┌─ HOME/g.madrigal:7:35
    7 │ test "t" of G { x says "b" expect a == "c" }
      │                                   ^^^^^^^^
      a is "b""
  `);
});

test("a text with errors is a test that fails", async () => {
  expect(await declaredBy(`${graph}test "t" of G { y says "b" expect a == "b" }`)).toContain(
    "failed HOME/g.madrigal has no errors",
  );
  expect(await declaredBy(graph)).toContain("there is no test in");
});
