/** Declarations of servers of tools: the forms that mean the same, and what is wrong with others. */
import { expect, test } from "vitest";
import { check } from "../../../dsl/index.ts";
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
