/** Wrong programs and what is said of them: in words of the language, at the place, without TypeScript that nobody wrote. */
import { expect, test } from "vitest";
import { checkSource } from "../../../kernel/programs/check-source.ts";

interface Wrong {
  /** The `set` of the node `x`, or the line instead of its arrow. */
  readonly line: string;
  readonly said: string;
}

const SETS: readonly Wrong[] = [
  { line: "c = a * 2", said: "M3519 `a`: arithmetic needs a number here" },
  { line: 'c = c - "1"', said: 'M3519 `"1"`: arithmetic needs a number here' },
  { line: 'd = c > "1"', said: 'M3519 `c > "1"`: `>` takes no `number` with a `string`' },
  { line: "b = [...c]", said: "M2150 `...c`: `...` needs a list here, and this is `int`" },
  {
    line: "a = { ...b }",
    said: "M2150 `...b`: `...` needs an object here, and this is `string[]`",
  },
  {
    line: "c = b.reduce((s, t) => s + t, 0)",
    said: "M3503 `reduce`: these arguments fit no way to call it",
  },
  {
    line: 'item = { name: "x", n: 1, more: 2 }',
    said: "M3508 `2`: there is no `more` in `{ name: string; n: number; }`",
  },
  { line: "a = run.foo", said: "M3502 `foo`: there is no `foo` in `run`" },
  { line: "c = parseInt(a)", said: "M2106 `parseInt`: expressions have no `parseInt`" },
  { line: "b = b.map(String)", said: "M2114 `String`: `String` is a function, and is not called" },
  { line: "a = undefined", said: "M2103 `undefined`: no field or parameter is called `undefined`" },
  { line: "a = a as string", said: "M1101 `as`: expressions have no operator `as`" },
  { line: "a = Number(a)", said: "M3104 `Number(a)`: `number` does not fit `a: string`" },
  { line: "c = String(c)", said: "M3104 `String(c)`: `string` does not fit `c: int`" },
  {
    line: "c = JSON.stringify(item)",
    said: "M3104 `JSON.stringify(item)`: `string` does not fit `c: int`",
  },
  { line: "a = JSON.parse(a)", said: "M2111 `parse`: expressions have no `JSON.parse`" },
];

const program = (
  sets: string,
  flow = "start -> x -> end",
  below = "",
) => `type Item = { name: string, n: int }
graph G(q: string) returns a, b, c, d, item {
  state {
    a: string = ""
    b: string[] = []
    c: int = 0
    d: boolean = false
    item: Item = { name: "", n: 0 }
  }
  human x { ask \`\${q}\`; writes a; set ${sets} }
  ${flow}
}
${below}`;

async function said(text: string): Promise<readonly string[]> {
  const source = { file: "wrong.madrigal", text };
  const { diagnostics } = await checkSource({ source, path: "/wrong.madrigal", types: "checked" });
  const lines = text.split("\n");
  return diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ code, line, column, endColumn, message }) => {
      const at = lines[line - 1]?.slice(column - 1, endColumn - 1);
      return `${code} \`${at}\`: ${message}`;
    });
}

test.each(SETS)("$line", async ({ line, said: expected }) => {
  expect(await said(program(line))).toContain(expected);
});

test("what converts is right, and has a type", async () => {
  const right = "c = Number(a), a = String(c), b = [JSON.stringify(item), ...b]";
  expect(await said(program(right))).toEqual([]);
});

test("`typeof` at the beginning of a branch is an operator of TypeScript", async () => {
  const flow = 'start -> x -> { typeof a == "string" -> end, else -> end }';
  expect(await said(program("c = 1", flow))).toEqual([
    "M1101 `typeof`: expressions have no operator `typeof`",
  ]);
});

test("between two values that a test gives a comma is missing, whatever they are called", async () => {
  const below = 'test "t" of G {\n  given q = "1" c = 2\n  x says "a"\n  expect a == "a"\n}\n';
  expect(await said(program("c = 1", "start -> x -> end", below))).toEqual([
    'M1103 `c`: a comma is missing between `"1"` and `c`',
  ]);
});

test("a value that a node can't say is shown as it can be", async () => {
  const graph = program("c = 1").replace("writes a;", "writes item;");
  const source = {
    file: "wrong.madrigal",
    text: `${graph}\ntest "t" of G {\n  given q = "1"\n  x says 2\n  expect c == 1\n}\n`,
  };
  const { diagnostics } = await checkSource({ source, path: "/wrong.madrigal", types: "checked" });
  expect(diagnostics.find(({ code }) => code === "M3603")?.hint).toContain(
    '`x says { name: "…", n: 1 }`',
  );
});

test("a message of a kind that is a type has its payload of that type", async () => {
  const reading = (member: string) => `type Attack = { target: string, strength: int }
graph G() returns names {
  state { move: Attack = { target: "", strength: 0 }
    names: string[] = [] }
  human ann { ask \`Whom?\`; writes move; tell * as Attack }
  human bob { ask \`Well?\`; set names = inbox.filter(one => one.kind == "Attack").map(one => one.payload.${member}) }
  start -> ann -> bob -> end
}
`;
  expect(await said(reading("target"))).toEqual([]);
  expect(await said(reading("targets"))).toEqual([
    "M3502 `targets`: there is no `targets` in `Attack`",
  ]);
  const [wrong] = await said(reading("target").replace('"Attack")', '"Atack")'));
  expect(wrong).toMatch(/^M3514 `"Atack"`/);
});

test("an object that is told is of the type that is its kind", async () => {
  const telling = (object: string) => `type Attack = { target: string, strength: int }
graph G() returns name {
  state { name: string = "" }
  human ann { ask \`Whom?\`; writes name; tell bob as Attack ${object} }
  human bob { ask \`Well? \${inbox}\` }
  start -> ann -> bob -> end
}
`;
  expect(await said(telling("{ target: result, strength: name.length }"))).toEqual([]);
  expect(await said(telling("{ target: name, strength: name }"))).toMatchInlineSnapshot(`
    [
      "M3508 \`name\`: \`string\` does not fit \`number\`",
    ]
  `);
  expect(await said(telling("{ target: name }"))).toMatchInlineSnapshot(`
    [
      "M3508 \`{ target: name }\`: \`{ target: string; }\` does not fit \`Attack\`",
    ]
  `);
  expect(await said(telling("{ target: name, strength: 1, speed: 2 }"))).toMatchInlineSnapshot(`
    [
      "M3508 \`2\`: there is no \`speed\` in \`{ target: string; strength: number; }\`",
    ]
  `);
});
