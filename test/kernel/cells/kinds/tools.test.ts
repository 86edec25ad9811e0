/** What a model is told of tools that cells declare. */
import { expect, test } from "vitest";
import { openTestNotebook, useTypes } from "../notebook.ts";

useTypes();

const graph = (tools: string) => `model m = "rules"
graph Look(topic: string) returns answer {
  state { answer: string }
  agent look { model m; tools ${tools}; prompt \`Look up \${topic}.\`; writes answer }
  start -> look -> end
}`;

/** A model that calls its first tool with this, says what came of it, and shows what it was told of its tools. */
const asking = (input: string) => `const told: unknown[] = [];
const model = rules(({ tools, messages }) => {
  told.push(tools);
  const last = messages.at(-1);
  if (last?.role === "tool") return JSON.stringify(last.content);
  return { calls: [{ tool: tools[0].name, input: ${input} }] };
});`;

test("the types and doc comments of a cell are what a model is told", async () => {
  const { run } = openTestNotebook();
  await run(`import { tool, rules } from "madrigal";
interface Query {
  /** One word. */
  readonly word: string;
  readonly exact?: boolean;
}
const dictionary = {
  /** Looks a word up. */
  find: tool(async ({ word }: Query) => ({ meaning: word.toUpperCase() }), { effect: "none" }),
};
/**
 * Repeats a word.
 * @param word what is repeated
 */
function again(word: string, times = 2) { return word.repeat(times); }`);
  expect(await run(graph("dictionary.find, again"))).not.toContain("M4109");
  await run(asking('{ word: "a" }'));
  const shown = await run(
    "const said = await Look.invoke({ topic: 'a' }, { models: { m: model } });\nJSON.stringify([told[0], said])",
  );
  expect(shown).toMatchInlineSnapshot(
    `"result '[[{"type":"function","name":"dictionary_find","description":"Looks a word up.","inputSchema":{"type":"object","properties":{"word":{"type":"string","description":"One word."},"exact":{"type":"boolean"}},"required":["word"],"additionalProperties":false}},{"type":"function","name":"again","description":"Repeats a word.","inputSchema":{"type":"object","properties":{"word":{"type":"string","description":"what is repeated"},"times":{"type":"number"}},"required":["word"],"additionalProperties":false}}],{"answer":"[{\\\\"type\\\\":\\\\"tool-result\\\\",\\\\"toolCallId\\\\":\\\\"rules-1\\\\",\\\\"toolName\\\\":\\\\"dictionary_find\\\\",\\\\"output\\\\":{\\\\"type\\\\":\\\\"json\\\\",\\\\"value\\\\":{\\\\"meaning\\\\":\\\\"A\\\\"}}}]"}]'"`,
  );
});

test("a tool that a later cell declares anew is told as that cell has it", async () => {
  const { run } = openTestNotebook();
  await run(
    'import { rules, tool } from "madrigal";\nlet find = tool((word: string) => word, { effect: "none" });',
  );
  await run(graph("find"));
  await run(asking("{ letter: 'b' }"));
  const again = await run(`const find = tool((letter: "a" | "b") => letter, { effect: "none" });
JSON.stringify([await Look.invoke({ topic: "a" }, { models: { m: model } }), told[0]])`);
  expect(again).toMatchInlineSnapshot(
    `"result '[{"answer":"[{\\\\"type\\\\":\\\\"tool-result\\\\",\\\\"toolCallId\\\\":\\\\"rules-1\\\\",\\\\"toolName\\\\":\\\\"find\\\\",\\\\"output\\\\":{\\\\"type\\\\":\\\\"text\\\\",\\\\"value\\\\":\\\\"b\\\\"}}]"},[{"type":"function","name":"find","inputSchema":{"type":"object","properties":{"letter":{"enum":["a","b"]}},"required":["letter"],"additionalProperties":false},"strict":true}]]'"`,
  );
});

test("a tool of a type that JSON does not have is an error at its place", async () => {
  const { run } = openTestNotebook();
  await run("const at = (when: Date) => when.getTime();");
  expect(await run(graph("at"))).toMatchInlineSnapshot(`
    "error M4109: no model can be told what \`at\` takes: its parameter \`when\` is a \`Date\`, which JSON does not have
    error[M4109]: no model can be told what \`at\` takes: its parameter \`when\` is a \`Date\`, which JSON does not have
      ┌─ Cell[2]:4:31
    4 │   agent look { model m; tools at; prompt \`Look up \${topic}.\`; writes answer }
      │                               ^^
      hint: give it an \`input\`, JSON Schema or a schema of zod: \`tool(fn, { effect: "none", input: { type: "object", properties: { word: { type: "string" } }, required: ["word"] } })\`"
  `);
});

test("values that a cell gives to compile have no types: the tool needs an input", async () => {
  const { run } = openTestNotebook();
  await run('import { compile, tool } from "madrigal";');
  const text = JSON.stringify(graph("find"));
  const scope = "{ find: tool((word: string) => word, { effect: 'none' }) }";
  expect(await run(`compile(${text}, { scope: ${scope} });`)).toMatchInlineSnapshot(`
    "error M5002: M4109 cell:4:31 no model can be told what \`find\` takes: its declaration has no \`input\`, and the types of its parameters are not known here
    error[M5002]: M4109 cell:4:31 no model can be told what \`find\` takes: its declaration has no \`input\`, and the types of its parameters are not known here
      ┌─ Cell[2]:1:8
    1 │ compile("model m = \\"rules\\"\\ngraph Look(topic: string) returns answer {\\n  state { answer: string }\\n  agent …
      │        ^
      hint: error[M4109]: no model can be told what \`find\` takes: its declaration has no \`input\`, and the types of its parameters are not known here
      ┌─ cell:4:31
    4 │   agent look { model m; tools find; prompt \`Look up \${topic}.\`; writes answer }
      │                               ^^^^
      hint: give it an \`input\`, JSON Schema or a schema of zod: \`tool(fn, { effect: "none", input: { type: "object", properties: { word: { type: "string" } }, required: ["word"] } })\`"
  `);
});
