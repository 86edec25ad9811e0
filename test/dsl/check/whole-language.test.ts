import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { check, type Source } from "../../../dsl/index.ts";
import { arbitraryGraph } from "../../support/arbitrary-graph.ts";
import { codesOf, graph, report } from "../report.ts";

const base =
  "state { a: string[] = [topic] via append }\nrun x = f() writes a\nrun y = f() writes a\nrun i(w: string) = f(w) writes a";

test("a session is a strong agent's: an agent of ours has its history", () => {
  const text = graph(
    `${base}\nagent h { model m; prompt \`x\`; writes a; session new }\nstart -> h`,
  );
  expect(report(text, {})).toMatch(
    /M4004 .*`session` means nothing in an `agent` node \(it belongs in an `operator`\)/,
  );
});

test("the whole language runs: random graphs of it have no error", () => {
  fc.assert(
    fc.property(arbitraryGraph(), (text) => {
      // Their loops may well allow more rounds than they ever make.
      expect(codesOf(text, {}).filter((code) => code !== "M3222")).toEqual([]);
    }),
    { numRuns: 50 },
  );
});

const programs = [
  "1-deepsearch",
  "2-plan-code-review",
  "3-magentic",
  "4-state-routing",
  "5-eko-watch",
  "6-tests",
];

test.each(programs)("program %s has no error", (name) => {
  const { diagnostics } = check(program(`${name}.madrigal`), { programs: (from) => program(from) });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
});

function program(name: string): Source {
  const url = new URL(name, new URL("../programs/", import.meta.url));
  return { file: fileURLToPath(url), text: readFileSync(url, "utf8") };
}

test("DeepSearch runs as it is", () => {
  const text = readFileSync(new URL("../programs/1-deepsearch.madrigal", import.meta.url), "utf8");
  expect(report(text, {})).toBe("");
});

test("an operator runs behind a controller of the scope, or one that comes with Madrigal", () => {
  const text = (name: string) =>
    graph(
      `state { a: string[] = [topic] via append }\noperator h { controller ${name}; prompt \`x\`; writes a }\nstart -> h -> end`,
    );
  for (const name of ["a2a", "acp", "claude_code", "codex", "openclaw"])
    expect(codesOf(text(name), {})).toEqual([]);
  expect(codesOf(text("claude_code(folder: `x`)"), {})).toEqual(["M4116"]);
});

test("servers run, and so does a graph with a test", () => {
  expect(
    report(
      `mcp web = "npx web"
model m = "scripted"
graph G() returns a { state { a: string }
 agent x { model m; prompt \`x\`; tools web.get; writes a }
 start -> x }
test "t" of G { expect cost < $1 }`,
      {},
    ),
  ).toMatchInlineSnapshot(`""`);
});

test("a reducer or function written wrong is one fault", () => {
  expect(
    report(
      `import { ready } from "./f.ts"
graph G() returns a {
  state { a: string[] = [] via apend }
  run x = f() writes a via unoin
  start -> x when raedy(a)
}`,
      {},
    ),
  ).toMatchInlineSnapshot(`
    "M3303 3:32 no reducer is called \`apend\` (did you mean \`append\`?)
    M3303 4:28 no reducer is called \`unoin\` (did you mean \`union\`?)
    M2106 5:19 no function is called \`raedy\` (did you mean the import \`ready\`?)"
  `);
});
