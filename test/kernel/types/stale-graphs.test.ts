import { afterAll, expect, test } from "vitest";
import { startTypes } from "../../../kernel/types/client.ts";
import { Notebook } from "./notebook.ts";

const types = startTypes();
afterAll(() => types.close());

const GRAPH = `graph Release(patch: string) returns passed {
  state { passed: boolean }
  run check = runTests(patch) writes passed
  start -> check
}`;

/** What a cell of TypeScript warns of, and where: in the cell, and in the graph. */
async function warnings(notebook: Notebook, code: string): Promise<string> {
  const { warnings: found, diagnostics } = await notebook.convert(code);
  expect(diagnostics).toEqual([]);
  return found
    .map(({ line, column, endColumn, message, related = [] }) => {
      const marked = code.split("\n")[line - 1]?.slice(column - 1, endColumn - 1);
      const places = related.map((one) => ` [${one.file}:${one.line}:${one.column}]`);
      return `«${marked}» ${message}${places.join("")}`;
    })
    .join("\n");
}

test("a function declared anew is held against the graphs that call it", async () => {
  const notebook = new Notebook(types);
  expect(
    await notebook.run("function runTests(patch: string) { return patch !== '' }"),
  ).toBeUndefined();
  expect(await notebook.graph(GRAPH)).toBe("");
  expect(await warnings(notebook, "const unrelated = (patch: string) => patch")).toBe("");
  expect(await warnings(notebook, "function runTests(patch: string) { return patch === '' }")).toBe(
    "",
  );
  expect(
    await warnings(notebook, "// Anew.\nfunction runTests(patch: number) { return `${patch}` }"),
  ).toMatchInlineSnapshot(`
    "«runTests» \`runTests\` no longer fits the graph \`Release\`: \`string\` does not fit \`number\` [cell:3:24]
    «runTests» \`runTests\` no longer fits the graph \`Release\`: \`string\` does not fit \`boolean\` [cell:3:38]"
  `);
});

test("a warning is about the whole name, where the cell declares it and not inside of something", async () => {
  const notebook = new Notebook(types);
  await notebook.run("const get = () => true; const getAll = () => true");
  const graph = GRAPH.replace("runTests(patch)", "getAll()").replace("passed {", "passed, one {");
  const one = "state {\n    one: boolean\n    passed: boolean\n  }\n  run first = get() writes one";
  const text = graph
    .replace("state { passed: boolean }", one)
    .replace("check\n}", "first -> check\n}");
  expect(await notebook.graph(text)).toBe("");
  const code =
    "const other = { getAll: 1, get: 2 }; const { a: getAll, get } = { a: () => 1, get: () => true }";
  expect(await warnings(notebook, code)).toBe(
    "«getAll» `getAll` no longer fits the graph `Release`: `number` does not fit `boolean` [cell:7:31]",
  );
  const { warnings: found } = await notebook.convert(code);
  expect(found.map(({ column }) => column)).toEqual([code.indexOf("getAll, get }") + 1]);
});

test("a cell that declares the graph's name takes its place", async () => {
  const notebook = new Notebook(types);
  await notebook.run("function runTests(patch: string) { return patch !== '' }");
  await notebook.graph(GRAPH);
  expect(await warnings(notebook, "const Release = 1")).toBe("");
  expect(await warnings(notebook, "const runTests = 1")).toBe("");
});

test("a type declared anew is held against the graphs that name it", async () => {
  const notebook = new Notebook(types);
  await notebook.run("interface Task { query: string; why: string }");
  const graph = [
    'model m = "openai/gpt-4o"',
    "graph Search(task: Task) returns answer {",
    "  state { answer: string }",
    "  agent search { model m; prompt `Find ${task.query}`; writes answer }",
    "  start -> search",
    "}",
  ].join("\n");
  expect(await notebook.graph(graph)).toBe("");
  expect(await warnings(notebook, "interface Task { question: string }")).toBe(
    "«Task» `Task` no longer fits the graph `Search`: there is no `query` in `Task` [cell:4:47]",
  );
});

test("what a graph uses is known to a new worker too", async () => {
  const workers: { terminate(): Promise<number> }[] = [];
  const dying = startTypes({ started: (worker) => void workers.push(worker) });
  const notebook = new Notebook(dying);
  await notebook.run("function runTests(patch: string) { return patch !== '' }");
  await notebook.graph(GRAPH);
  await workers[0]?.terminate();
  expect(await warnings(notebook, "const runTests = (patch: number) => patch > 0")).toContain(
    "`string` does not fit `number`",
  );
  await dying.close();
});
