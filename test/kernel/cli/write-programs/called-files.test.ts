/** Graphs of several files in one run: whoever evaluates or folds, each name means what it means in its own file. */
import { expect, test } from "vitest";
import { document, workspace } from "../calling.ts";

/** The same names in each file, which say which file's they are. */
const words = (file: string) => `
export const mark = (text: string) => \`\${text}@${file}\`;
export const isGood = (text: string) => text.includes("@${file}");
export const join = (before: string[], ...more: string[]) => [...before, ...more.map((one) => \`\${one}|${file}\`)];
export const say = (text: string) => text;
`;

const inner = (
  name: string,
  more: { imports?: string; state?: string; nodes?: string; flow?: string },
) =>
  `import { mark, isGood, join, say } from "./words.ts"
${more.imports ?? ""}
graph ${name}(topic: string) returns note {
  state { note: string = mark("begin") via replace
    all: string[] = [] via join
    ${more.state ?? ""} }
  state thread { kept: string[] = [] via join }
  run write = say(mark(topic)) writes note { ensure isGood(note) "of another file"; set all = mark("all"), kept = mark("kept") }
  run more = say(mark(note)) writes note { set all = mark("more") }
  ${more.nodes ?? ""}
  start -> write
  write -> more when isGood(note)
  ${more.flow ?? ""}
}
`;

const files = {
  "main.madrigal": inner("Main", {
    imports: 'import { Middle } from "./middle/graph.madrigal"',
    state: "deep: string",
    nodes: 'graph go = Middle(mark(note)) writes deep { ensure isGood(note) "of another file" }',
    flow: "more -> go",
  }).replace("returns note", "returns note, all, deep"),
  "words.ts": words("main"),
  "middle/graph.madrigal": inner("Middle", {
    imports: 'import { Inner } from "../inner/graph.madrigal"',
    state: "",
    nodes: "graph go = Inner(mark(note)) writes note",
    flow: "more -> go",
  })
    .replace("state thread { kept: string[] = [] via join }\n", "")
    .replace(', kept = mark("kept")', ""),
  "middle/words.ts": words("middle"),
  "inner/graph.madrigal": inner("Inner", {}).replaceAll("kept", "heard"),
  "inner/words.ts": words("inner"),
};

test("expressions of nodes, conditions, defaults and reducers each call the functions of their own graph's file", async () => {
  const home = workspace(files);
  const args = ["run", "main.madrigal", "--thread", "t", "--input", '{"topic": "Ada"}'];
  const first = await document(home, args);
  expect(first.json.error).toBeUndefined();
  expect(first.json.output).toMatchInlineSnapshot(`
    {
      "all": [
        "all@main|main",
        "more@main|main",
      ],
      "deep": "Ada@main@main@main@middle@middle@middle@inner@inner",
      "note": "Ada@main@main",
    }
  `);
  const { json } = await document(home, args);
  expect(json.state).toMatchInlineSnapshot(`
    {
      "all": [
        "all@main|main",
        "more@main|main",
      ],
      "deep": "Ada@main@main@main@middle@middle@middle@inner@inner",
      "kept": [
        "kept@main|main",
        "kept@main|main",
      ],
      "note": "Ada@main@main",
      "thread.heard": [
        "heard@inner|inner",
        "heard@inner|inner",
      ],
    }
  `);
});
