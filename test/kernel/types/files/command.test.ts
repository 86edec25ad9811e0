/** `madrigal check` and `run` with the types of the TypeScript around a program. */
import { expect, test } from "vitest";
import { document, hello, said, workspace } from "../../cli/calling.ts";

const program = `import { hello } from "./hello.ts"
graph Greet(name: string, times: int = 1) returns greeting {
  state { greeting: string }
  run greet = hello(times) writes greeting
  start -> greet
}
`;

const tested = `${program}test "greets" of Greet {
  given name = "Ann"
  greet says "hello Ann"
  expect greeting == "hello Ann"
}
`;

const typed = `import { greetingFor, Greeting } from "./greetings.ts"
graph Greet(name: string) returns greeting {
  state { greeting: Greeting }
  run greet = greetingFor(name) writes greeting
  start -> greet
}
`;

const greetings = `export interface Greeting {
  /** Said to whom. */
  to: string;
  words: string[];
}
export const greetingFor = (to: string): Greeting => ({ to, words: ["hello"] });
`;

const files = {
  "hello.ts": hello,
  "greetings.ts": greetings,
  "greet.madrigal": program,
  "tested.madrigal": tested,
  "typed.madrigal": typed,
  "wrong.madrigal": typed.replace("greetingFor(name)", "greetingFor(state)"),
};

test("check finds an argument of the wrong type, unless it is told to leave types alone", async () => {
  const home = workspace(files);
  expect(await said(home, ["check", "greet.madrigal"])).toMatchInlineSnapshot(`
    "exit 1
    1 file: 1 error, 1 warning
    ! warning[M2301]: nothing uses the parameter \`name\`
    !   ┌─ greet.madrigal:2:13
    ! 2 │ graph Greet(name: string, times: int = 1) returns greeting {
    !   │             ^^^^
    !   hint: use it, or remove it
    ! error[M3503]: \`number\` does not fit \`string\`
    !   ┌─ greet.madrigal:4:21
    ! 4 │   run greet = hello(times) writes greeting
    !   │                     ^^^^^"
  `);
  expect(await said(home, ["check", "--no-types", "greet.madrigal"])).toMatchInlineSnapshot(`
    "exit 0
    1 file: 0 errors, 1 warning
    ! warning[M2301]: nothing uses the parameter \`name\`
    !   ┌─ greet.madrigal:2:13
    ! 2 │ graph Greet(name: string, times: int = 1) returns greeting {
    !   │             ^^^^
    !   hint: use it, or remove it"
  `);
});

test("a graph's JSON holds the types that it has from TypeScript", async () => {
  const home = workspace(files);
  const { exit, json } = await document(home, ["graph", "typed.madrigal"]);
  expect(exit).toBe(0);
  const [graph] = json.graphs as { readonly types: unknown; readonly imports: unknown }[];
  expect(graph?.types).toMatchInlineSnapshot(`
    [
      {
        "name": "Greeting",
        "type": {
          "kind": "object",
          "members": [
            {
              "description": "Said to whom.",
              "name": "to",
              "optional": false,
              "type": {
                "args": [],
                "kind": "named",
                "name": "string",
              },
            },
            {
              "name": "words",
              "optional": false,
              "type": {
                "kind": "array",
                "of": {
                  "args": [],
                  "kind": "named",
                  "name": "string",
                },
              },
            },
          ],
        },
      },
    ]
  `);
});

test("run takes such types as check does, and refuses what does not fit them", async () => {
  const home = workspace(files);
  const run = (name: string) => ["run", name, "--input", '{"name": "Ada"}'];
  const { exit, json } = await document(home, run("typed.madrigal"));
  expect({ exit, output: json.output }).toEqual({
    exit: 0,
    output: { greeting: { to: "Ada", words: ["hello"] } },
  });
  expect(await said(home, run("wrong.madrigal"))).toMatchInlineSnapshot(`
    "exit 1
    ! error[M3503]: \`State\` does not fit \`string\`
    !   ┌─ wrong.madrigal:4:27
    ! 4 │   run greet = greetingFor(state) writes greeting
    !   │                           ^^^^^"
  `);
});

test.each([
  ["run", ["greet.madrigal", "--input", '{"name": "Ann"}']],
  ["debug", ["greet.madrigal", "--input", '{"name": "Ann"}']],
  ["test", ["tested.madrigal"]],
])("%s refuses what check refuses, unless it is told to leave types alone", async (word, call) => {
  const home = workspace(files);
  expect(await said(home, [word, ...call])).toMatch(
    /^exit 1\n[\s\S]*error\[M3503\]: `number` does not fit `string`/,
  );
  expect(await said(home, [word, ...call, "--no-types"])).toMatch(/^exit 0\n/);
});
