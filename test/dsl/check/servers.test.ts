/** Declarations of servers of tools: the forms that mean the same, and what is wrong with others. */
import { expect, test } from "vitest";
import { type CheckOptions, check } from "../../../dsl/index.ts";
import { report } from "../report.ts";

const program = (server: string) => `model m = "openai/gpt-4o"
mcp s = ${server}
graph G() returns a { state { a: string }
  agent x { model m; tools s; prompt \`Do.\`; writes a }
  start -> x }`;

const hashOf = (server: string) => check({ file: "t", text: program(server) }).graphs[0]?.hash;

test.each([
  ['"npx server"', 'stdio("npx server")'],
  ['"http://127.0.0.1/mcp"', 'http("http://127.0.0.1/mcp")'],
  ['"https://a.b/mcp" { auth: "TOKEN" }', 'http("https://a.b/mcp", "TOKEN")'],
  [
    '"https://a.b/mcp" { auth: "oauth", callWithin: 5s } optional',
    'http("https://a.b/mcp", "oauth") { callWithin: 5s } optional',
  ],
])("%s is %s", (one, other) => {
  expect(report(program(other), {})).toBe("");
  expect(hashOf(other)).toBe(hashOf(one));
});

test.each([
  ['"npx server" { envs: ["A"] }', "2:24 a server has no setting `envs` (did you mean `env`?)"],
  [
    '"npx server" { env: { A: "secret" } }',
    '2:24 `env` is not a list of names of environment variables, such as ["GITHUB_TOKEN"]',
  ],
  ['"npx server" { auth: "oauth" }', "2:24 a server that is started as a process has no `auth`"],
  ['"https://a.b" { auth: "sk-1 2" }', "2:25 `auth` is not"],
  ['"https://a.b" { targets: { send: "to" } }', "2:25 `targets` is not an object with a list"],
  [
    '"https://a.b" { directories: { find: { by: "name" } } }',
    "2:25 `directories` is not an object",
  ],
  ['"https://a.b" { callWithin: 0s }', "2:25 `callWithin` is not a duration"],
  ['""', "2:9 the server has neither a command nor an address"],
  ['"npx \'a"', "2:9 a quote in the command is not closed"],
  ['stdio("https://a.b")', "2:9 `stdio` takes a command, and this is an address"],
  ['stdio("npx a", "b")', "2:9 `stdio` takes its command alone"],
  ['http("npx a")', "2:9 `npx a` is not an address"],
  ['http("https://a.b", "A", "B")', "2:9 `http` takes an address and `auth`"],
  ['http("https://a.b", "A") { auth: "B" }', "2:9 the server has `auth` twice"],
])("%s is wrong", (server, finding) => {
  expect(report(program(server), {})).toContain(`M2124 ${finding}`);
});

// ── APIs by their descriptions ──────────────────────────────────────────────────────────────────

const apiProgram = (api: string, tool = "s.*", clause = "") => `model m = "openai/gpt-4o"
openapi s = ${api}
graph G() returns a { state { a: string }
  agent x { model m; tools ${tool}; prompt \`Do.\`; writes a${clause} }
  start -> x }`;

const apis: CheckOptions["apis"] = (description, importer) => {
  if (description === "bad.yaml")
    return {
      fault: "`bad.yaml` can't be read: no `paths`",
      hint: "see there",
      at: { file: "bad.yaml", line: 3, column: 2, message: importer },
    };
  return description === "api.yaml" || description === "./sub/api.yaml"
    ? { operations: { get_day: "none", make_day: "external" } }
    : undefined;
};

test.each([
  [
    '""',
    '2:13 the API has no description (write `openapi weather = "weather.yaml"`, with a file of OpenAPI 3 or its address)',
  ],
  ['"api.yaml" { env: ["A"] }', "2:26 an API has no `env`"],
  ['"api.yaml" { auth: "oauth" }', "2:26 an API has no `oauth` here"],
  ['"api.yaml" { url: "api.example" }', "2:26 `url` is not the address of the API"],
  ['"api.yaml" { header: {} }', "2:26 a server has no setting `header` (did you mean `headers`?)"],
])("openapi %s is wrong", (api, finding) => {
  expect(report(apiProgram(api), {})).toContain(`M2124 ${finding}`);
});

test("a description that can't be read is told with its place, an operation that it has not with a near name", () => {
  const { diagnostics } = check({ file: "t", text: apiProgram('"bad.yaml"') }, { apis });
  expect(diagnostics).toMatchObject([
    { code: "M2125", line: 2, related: [{ file: "bad.yaml", line: 3, column: 2, message: "t" }] },
  ]);
  expect(report(apiProgram('"api.yaml"', "s.get_day, s.make_day"), { apis })).toBe("");
  expect(report(apiProgram('"api.yaml"', "s.get_dya"), { apis })).toBe(
    "M2107 4:28 `s` has no operation `get_dya` (did you mean `get_day`?)",
  );
  expect(report(apiProgram('"api.yaml"', "s.zebra"), { apis })).toContain(
    "(it has get_day, make_day)",
  );
  expect(report(apiProgram('"https://a.b/api.yaml"', "s.zebra"), { apis })).toBe("");
});

test("an operation that changes something exceeds `effects none`", () => {
  const of = (tool: string) => report(apiProgram('"api.yaml"', tool, "; effects none"), { apis });
  expect(of("s.get_day")).toBe("");
  expect(of("s.make_day")).toContain("M4105");
  expect(of("s")).toContain("M4105");
});

test("the description of an imported API is beside the program that declares it", () => {
  const programs = (from: string) =>
    from === "./sub/lib.madrigal"
      ? { file: "sub/lib.madrigal", text: 'openapi s = "api.yaml"' }
      : undefined;
  const text = apiProgram('"x"', "s.get_dya").replace(
    'openapi s = "x"',
    'import { s } from "./sub/lib.madrigal"',
  );
  expect(report(text, { apis, programs })).toContain("did you mean `get_day`?");
});
