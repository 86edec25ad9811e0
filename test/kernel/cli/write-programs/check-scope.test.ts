/** `madrigal check --scope FILE`, and what is said of names that only a scope file could bring. */
import { expect, test } from "vitest";
import { document, said, workspace } from "../calling.ts";

/** It may only be looked at: loaded, it throws. */
const scope = `import { tool } from "madrigal";
export const shout = (text: string): string => text.toUpperCase();
export const helpers = { double: (n: number) => n * 2 };
export const LIMITS = { most: 3 };
export const larger = (a: number, b: number) => Math.max(a, b);
export const find = tool((word: Date) => String(word), { effect: "none" });
export type Word = string;
throw new Error("it runs");
`;

const program = `graph Say(name: string, n: int) returns out, count {
  state {
    out:   string
    count: int = LIMITS.most via larger
  }
  run loud = shout(name) writes out
  run more = helpers.double(n) writes count
  start -> loud -> more -> end
}
`;

const sound = scope.replace(/throw.*/, "");

async function checked(text: string, words: readonly string[]) {
  const home = workspace({ "say.madrigal": text, "scope.ts": scope });
  const { exit, json } = await document(home, ["check", "say.madrigal", ...words]);
  const diagnostics = json.diagnostics as Readonly<Record<string, string>>[];
  const told = diagnostics.map(
    ({ severity, code, line, column, message, hint = "" }) =>
      `${severity} ${code} ${line}:${column} ${message} (${hint})`,
  );
  return { exit, told };
}

test("the program may name what the scope file exports, of which nothing runs", async () => {
  expect(await checked(program, ["--scope", "scope.ts"])).toEqual({ exit: 0, told: [] });
  expect(await checked(program, ["--scope", "scope.ts", "--no-types"])).toEqual({
    exit: 0,
    told: [],
  });
});

test.each([
  [
    "a function that it does not export",
    program.replace("shout(name)", "shuot(name)"),
    ["error M2106 6:14 no function is called `shuot` (did you mean `shout`?)"],
  ],
  [
    "one of a group",
    program.replace("double(n)", "duoble(n)"),
    ["error M2106 7:14 no function is called `helpers.duoble` (did you mean `helpers.double`?)"],
  ],
  [
    "a value",
    program.replace("LIMITS.most", "LIMTS.most"),
    ["error M2103 4:18 no field or parameter is called `LIMTS` ()"],
  ],
  [
    "arguments of another type, as those of imports",
    program.replace("shout(name)", "shout(n)").replace("double(n)", "double(name)"),
    [
      "error M3503 6:20 `number` does not fit `string` ()",
      "error M3503 7:29 `string` does not fit `number` ()",
    ],
  ],
  [
    "a reducer of another type",
    program.replace("count: int = LIMITS.most", 'count: string = "0"'),
    expect.arrayContaining([expect.stringMatching(/^error M3509 4:/)]),
  ],
  [
    "a tool that no model can be told of",
    `model m = "rules"
graph Ask() returns out {
  state { out: string }
  agent ask { model m; tools find; prompt \`Ask.\`; writes out }
  start -> ask -> end
}
`,
    [expect.stringMatching(/^error M4109 4:30 .*`word` is a `Date`/)],
  ],
])("%s is an error", async (_, text, told) => {
  expect(await checked(text, ["--scope", "scope.ts"])).toEqual({ exit: 1, told });
});

test("S03 a tool that says nowhere what it is for is a warning", async () => {
  const tools = (names: string) => `model m = "rules"
graph Ask() returns out {
  state { out: string }
  agent ask { model m; tools ${names}; prompt \`Ask.\`; writes out }
  start -> ask -> end
}
`;
  const file = `import { tool } from "madrigal";
export const bare = (word: string) => word;
/** Repeats a word. */
export const documented = (word: string) => word;
export const declared = tool((word: string) => word, { effect: "none", description: "Repeats a word." });
export const group = { silent: tool((word: string) => word, { effect: "none" }) };
`;
  const home = workspace({
    "tools.ts": file,
    "ask.madrigal": `import { bare, documented, declared, group } from "./tools.ts"\n${tools("bare, documented, declared, group.*")}`,
  });
  const { exit, json } = await document(home, ["check", "ask.madrigal"]);
  expect(exit).toBe(0);
  const diagnostics = json.diagnostics as Readonly<Record<string, string>>[];
  expect(
    diagnostics.map(({ severity, code, message }) => `${severity} ${code} ${message}`),
  ).toEqual([
    "warning M4113 no model is told what `bare` is for",
    "warning M4113 no model is told what `group.silent` is for",
  ]);
});

test("a scope file that is not there is told as `run` tells it", async () => {
  const home = workspace({ "say.madrigal": program });
  const check = await said(home, ["check", "say.madrigal", "--scope", "gone.ts"]);
  const run = await said(home, ["run", "say.madrigal", "--scope", "gone.ts"]);
  expect(check.slice(check.indexOf("!"))).toBe(run.slice(run.indexOf("!")));
  expect(check).toMatchInlineSnapshot(`
    "exit 2
    1 file: 1 error, 0 warnings
    ! error[M7204]: \`gone.ts\` can't be loaded: Cannot find module \`HOME/gone.ts\`
    !   hint: check the path, and that the file runs by itself"
  `);
});

const shouting = `import { double } from "./numbers.ts"
graph Say(name: string, n: int) returns out, count {
  state {
    out:   string
    count: int
  }
  run loud = shout(name) writes out { every daily("09:00") max 2 }
  run more = double(n) writes count
  start -> loud -> more -> end
}
`;

test("without a scope file, what nobody offers is a warning, and an error of a run before it starts", async () => {
  const home = workspace({
    "say.madrigal": shouting,
    "scope.ts": sound,
    "numbers.ts": "export const double = (n: number) => n * 2;\n",
  });
  const say = await said(home, ["check", "say.madrigal"]);
  expect(say).toMatchInlineSnapshot(`
    "exit 0
    1 file: 0 errors, 1 warning
    ! warning[M2106]: no function is called \`shout\`
    !   ┌─ say.madrigal:7:14
    ! 7 │   run loud = shout(name) writes out { every daily("09:00") max 2 }
    !   │              ^^^^^
    !   hint: import it, or name the file that exports it: \`--scope FILE.ts\`"
  `);
  const run = await said(home, ["run", "say.madrigal", "--input", '{"name": "Ada", "n": 1}']);
  const frame = (text: string) => text.slice(text.indexOf("[M2106]"));
  expect(frame(run)).toBe(frame(say));
  expect(run).toMatch(/^exit 1\n! error\[M2106\]/);
  const checked = ["check", "say.madrigal", "--scope", "scope.ts"];
  expect(await said(home, checked)).toBe("exit 0\n1 file: 0 errors, 0 warnings");
});

test("a run checks its arguments against the scope file, and takes values from it", async () => {
  const home = workspace({
    "say.madrigal": program,
    "wrong.madrigal": program.replace("shout(name)", "shout(n)"),
    "scope.ts": sound,
  });
  const words = (file: string) => [
    ...["run", file, "--scope", "scope.ts"],
    ...["--input", '{"name": "Ada", "n": 5}'],
  ];
  const { exit, json } = await document(home, words("say.madrigal"));
  expect({ exit, output: json.output }).toEqual({ exit: 0, output: { out: "ADA", count: 10 } });
  expect(await said(home, words("wrong.madrigal"))).toMatch(
    /^exit 1\n[\s\S]*! error\[M3503\]: `number` does not fit `string`/,
  );
});
