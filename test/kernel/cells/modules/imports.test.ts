/** Graph cells that import programs; paths are meant from the working folder. */
import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../support/child.ts";
import { openTestNotebook, useTypes } from "../notebook.ts";

useTypes();

/** The path of a program as a cell imports it. */
function program(text: string): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "notes.madrigal"), text);
  writeFileSync(
    join(folder, "words.ts"),
    "export const loud = (text: string) => ({ text: text.toUpperCase() });\n",
  );
  return `./${relative(process.cwd(), join(folder, "notes.madrigal"))}`;
}

const NOTES = `import { loud } from "./words.ts"
type Note = { text: string }
config { tries: 1 }
graph Loud(topic: string) returns note {
  state { note: Note }
  run write = loud(topic) writes note
  start -> write
}
`;

test("a cell takes types, settings and graphs of a program", async () => {
  const notebook = openTestNotebook();
  const from = program(NOTES);
  await notebook.run("const quiet = (topic: string) => ({ text: topic.toLowerCase() })");
  const cell = `import { Note, tries } from "${from}"
graph Quiet(topic: string) returns note {
  state { note: Note }
  run write = quiet(topic) writes note { retry tries }
  start -> write
}`;
  expect(await notebook.run(cell)).toMatchInlineSnapshot(`
    "result [image/svg+xml] graph Quiet(topic) returns note
      run write
      start -> write"
  `);
  const call = 'const run = Quiet.run({ topic: "ADA" }); await run.output';
  expect(await notebook.run(call)).toMatchInlineSnapshot(`"result { note: { text: 'ada' } }"`);
});

test("what is wrong with the program is said at the import", async () => {
  const notebook = openTestNotebook();
  const from = program(NOTES.replace("writes note", "writes nota"));
  const cell = `%%graph\nimport { Note } from "${from}"\ngraph G(n: Note) { start -> end\n end when n.text == "" }`;
  const said = await notebook.run(cell);
  expect(said).toMatch(/^error M2404: `\.\/.*notes\.madrigal` has errors$/m);
  expect(said).toMatch(/note: .*notes\.madrigal:6:34 M3101 no field is called `nota`$/m);
});

test("a graph of an earlier cell can be called, and stands in the graph that calls it", async () => {
  const notebook = openTestNotebook();
  await notebook.run("const quiet = (topic: string) => topic.toLowerCase()");
  await notebook.run(`graph Inner(topic: string) returns word {
  state { word: string = "" }
  run write = quiet(topic) writes word
  start -> write
}`);
  const outer = (call: string) => `graph Outer(topic: string) returns word {
  state { word: string = "" }
  graph inner = ${call} writes word
  start -> inner
}
test "it calls" of Outer {
  given topic = "A"
  inner says "a"
  expect word == "a"
}`;
  expect(await notebook.run(outer("Inner(topic, 3)"))).toContain("M2202");
  expect(await notebook.run(outer("Inner(topic)"))).toContain("it calls");
});
