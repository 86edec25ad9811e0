/** `madrigal check` and `run` with the types of the TypeScript around a program. */
import { expect, test } from "vitest";
import type { Diagnostic } from "../../../../dsl/index.ts";
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

/** A program whose types come from TypeScript, and those below `sub/` that import it. */
const imported = {
  "words.ts": `export type Word = { letters: number };
export type Box<T> = { in: T };
export namespace Words { export type Other = { letters: number } }
export const put = (name: string) => ({ text: "hi " + name, of: { letters: name.length } });
export const box = (name: string): Box<Word> => ({ in: { letters: name.length } });
`,
  "greet.madrigal": `import { put, Word } from "./words.ts"
type Said = { text: string, of: Word }
graph Greet(name: string, before: Word) returns said {
  state { said: Said }
  run look = put(\`\${name} \${before.letters}\`) writes said
  start -> look
}
`,
  "wrap.madrigal": `import { box, Word, Box, Words } from "./words.ts"
graph Wrap(name: string, before: Words.Other) returns boxed {
  state { boxed: Box<Word> }
  run look = box(\`\${name} \${before.letters}\`) writes boxed
  start -> look
}
`,
  "gone.madrigal": `import { put } from "./words.ts"
import { Lost } from "./nowhere.ts"
import { Absent } from "./words.ts"
graph Greet(name: Lost, before: Absent) returns said {
  state { said: Json }
  run look = put(\`\${name} \${before}\`) writes said
  start -> look
}
`,
};

function errorsOf(json: Readonly<Record<string, unknown>>): readonly string[] {
  const found = json.diagnostics as readonly Diagnostic[];
  return found
    .filter(({ severity }) => severity === "error")
    .map(({ code, file, line, column }) => `${code} ${file}:${line}:${column}`);
}

const asking = (
  call: string,
  from = "greet",
) => `import { ${call.split("(", 1)} } from "../${from}.madrigal"
graph Ask(name: string) returns answer {
  state { answer: { text: string, of: { letters: int } } }
  graph said = ${call} writes answer
  start -> said
}
`;

const testing = (letters: string, member: string) => `import { Greet } from "./greet.madrigal"
test "greets" of Greet {
  given name = "Ann", before = { letters: ${letters} }
  expect said.of.${member} == 5
}
`;

test.each([
  ["a call that fits", asking("Greet(name, { letters: 3 })"), []],
  ["a wrong argument", asking('Greet(name, { letters: "3" })'), ["M3503 sub/g.madrigal:4:39"]],
  [
    "a wrong member of a generic type",
    asking("Wrap(name, { letters: 3 })", "wrap"),
    ["M3508 sub/g.madrigal:4:50"],
  ],
  [
    "a wrong argument of a type in a namespace",
    asking("Wrap(name, { letters: true })", "wrap"),
    ["M3503 sub/g.madrigal:4:38", "M3508 sub/g.madrigal:4:53"],
  ],
  ["what a program lacks, which is said where it is checked", asking("Greet(1, 2)", "gone"), []],
] as const)("types of TypeScript that an imported program names: %s", async (_, text, expected) => {
  const home = workspace({ ...imported, "sub/g.madrigal": text });
  const { json } = await document(home, ["check", "sub/g.madrigal"]);
  expect(errorsOf(json)).toEqual(expected);
});

test.each([
  ["right", testing("3", "letters"), []],
  ["wrong", testing('"3"', "leters"), ["M3508 g.madrigal:3:43", "M3502 g.madrigal:4:18"]],
  ["of a program that lacks a module", testing("3", "letters").replace("greet.", "gone."), []],
] as const)("a test of a graph of such a program: %s", async (_, text, expected) => {
  const home = workspace({ ...imported, "g.madrigal": text });
  const { json } = await document(home, ["check", "g.madrigal"]);
  expect(errorsOf(json)).toEqual(expected);
});

test("a program that imports such a program runs", async () => {
  const text = asking("Greet(name, { letters: 3 })");
  const home = workspace({ ...imported, "sub/g.madrigal": text });
  const { json } = await document(home, ["run", "sub/g.madrigal", "--input", '{"name": "Ann"}']);
  expect(json).toMatchObject({ output: { answer: { of: { letters: 5 } } } });
});

test("a run looks for no type in a module that runs, also one with arguments or in a namespace", async () => {
  const home = workspace(imported);
  const input = '{"name": "Ann", "before": {"letters": 3}}';
  const { json } = await document(home, ["run", "wrap.madrigal", "--input", input]);
  expect(json).toMatchObject({ output: { boxed: { in: { letters: 5 } } } });
});
