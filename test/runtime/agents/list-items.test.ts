/** One item in place of a list: where a field grows, and nowhere else; of functions and of models. */
import { expect, test } from "vitest";
import { RunError, type Scope, Session, scripted } from "../../../runtime/index.ts";
import { temporaryFolder } from "../../support/child.ts";

async function resultOf(text: string, { scope = {}, said }: { scope?: Scope; said?: unknown }) {
  const session = new Session({ store: "memory", cwd: temporaryFolder() });
  const [graph] = Object.values(session.compile(text, { scope }));
  const models = said === undefined ? {} : { models: { m: scripted({ a: [said as string] }) } };
  try {
    return await graph?.invoke({}, models);
  } catch (error) {
    return error instanceof RunError ? error.code : error;
  }
}

const program = (fields: string, writes: string) => `graph G() returns x {
  state { ${fields} }
  run f = made() writes ${writes}
  start -> f -> end
}`;

test.each([
  ["a field that grows", "x: int[] = [] via append", "x", 5, [5]],
  ["a list for it", "x: int[] = [] via append", "x", [5, 6], [5, 6]],
  ["a field that is replaced", "x: int[]", "x", 5, undefined],
  ["one that grows here only", "x: int[] = []", "x via append", 5, [5]],
  ["several fields", "x: int[] = [] via append\n y: int", "x, y", { x: 5, y: 1 }, [5]],
  [
    "several, one replaced",
    "x: int[] = [] via append\n y: int[]",
    "x, y",
    { x: 5, y: 1 },
    undefined,
  ],
  ["a part of the output", "x: int[] = [] via append", "x = result.part", { part: 5 }, [5]],
  ["one that may be left unwritten", "x: int[] = [] via append", "x?", null, []],
  ["several, one left unwritten", "x: int[] = [] via append\n y: int", "x?, y", { y: 1 }, []],
])("a function's output for %s", async (_what, fields, writes, returned, wanted) => {
  const result = await resultOf(program(fields, writes), { scope: { made: () => returned } });
  expect(result).toEqual(wanted === undefined ? "M8304" : { x: wanted });
});

test("a model's output for several fields", async () => {
  const text = `model m = "scripted"
graph G() returns x {
  state {
    x: string[] = [] via append
    y: int = 0
  }
  agent a {
    model m
    prompt \`go\`
    writes x, y
  }
  start -> a -> end
}`;
  expect(await resultOf(text, { said: { x: "one", y: 1 } })).toEqual({ x: ["one"] });
});

test.each<[string, string, string, unknown, unknown]>([
  ["what it says", "x: string[] = [] via append", "x", "Both agree.", ["Both agree."]],
  ["a text that is JSON", "x: string[] = [] via append", "x", '["a", "b"]', ['["a", "b"]']],
  ["a set of texts", 'x: string[] = ["a"] via union', "x", ["a", "b"], ["a", "b"]],
  ["a field that grows here only", 'x: string[] = ["a"]', "x via append", "b", ["a", "b"]],
  ["an alias of the type", "x: Notes = [] via append", "x", "a", ["a"]],
  ["the whole list", "x: string[] = [] via append", "x = result.x", { x: ["a", "b"] }, ["a", "b"]],
  ["a field that is replaced", "x: string[]", "x", ["a", "b"], ["a", "b"]],
  ["a field that is replaced here", "x: string[] = [] via append", "x via replace", ["a"], ["a"]],
  ["one that may be left unwritten", "x: string[] = [] via append", "x?", null, []],
  ["a list of something else", "x: int[] = [] via append", "x", [1, 2], [1, 2]],
])("a model's answer for a list of texts: %s", async (_what, field, writes, said, wanted) => {
  const text = `model m = "scripted"
type Notes = string[]
graph G() returns x {
  state { ${field} }
  agent a { model m; prompt \`go\`; writes ${writes} }
  start -> a -> end
}`;
  expect(await resultOf(text, { said })).toEqual({ x: wanted });
});

test("a person whose answer is added to a list of texts is asked for a text", async () => {
  const session = new Session({ store: "memory", cwd: temporaryFolder() });
  const [graph] = Object.values(
    session.compile(`graph G() returns x {
  state { x: string[] = [] via append }
  human a { ask "What do you think?"; writes x }
  start -> a -> end
}`),
  );
  const run = graph?.run({});
  await run?.settled();
  const [asked] = run?.interrupts ?? [];
  expect(asked?.schema).toEqual({ type: "string" });
  await run?.answer(asked?.id ?? "", { kind: "value", value: "Fine." });
  expect(await run?.output).toEqual({ x: ["Fine."] });
});

test.each([
  ["`set` with an empty list adds nothing and clears nothing", "{ set x = [] }", [1]],
  ["a node that writes `[] via replace` clears the field", "writes x = [] via replace", []],
  ["`set` with `via replace` clears it", "{ set x = [] via replace }", []],
  ["a `set` after the output", "writes x { set x = [7] via replace, x = 8 }", [7, 8]],
  [
    "`set` beside another reducer of the node",
    "writes x via union { set x = 1 via append }",
    [1, 1],
  ],
  [
    "`set` of an arrow",
    "writes x\n run third = made() writes x\n second -> third set x = [] via replace",
    [1],
  ],
])("%s", async (_what, says, wanted) => {
  const text = `graph G() returns x {
  state { x: int[] = [] via append }
  run first = made() writes x
  run second = made() ${says}
  start -> first -> second -> end
}`;
  expect(await resultOf(text, { scope: { made: () => 1 } })).toEqual({ x: wanted });
});
