/** Builders in cells of TypeScript, through the real kernel. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { readNotebook } from "../../../kernel/notebook/read-notebook.ts";
import { workspace } from "../../kernel/cli/calling.ts";
import { cell, fileOf, shown } from "../../kernel/notebook/cells.ts";
import { madrigal } from "../../support/warm/madrigal.ts";

// A real kernel on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const mayFail = { tags: ["raises-exception"] };

const BUILD = `import { graph } from "madrigal";
const shout = (text: string) => text.toUpperCase();
const builder = graph("Shout")
  .param("text", "string")
  .returns("loud")
  .state({ loud: "string" })
  .run("emphasize", "shout(text)", { writes: "loud" });`;

test("a graph built in a cell is drawn, runs, and what is wrong is told by TypeScript or by its call", async () => {
  const home = workspace({
    "n.ipynb": fileOf(
      BUILD,
      'const Shout = builder.edge("start", "emphasize", "end").build({ scope: { shout } });\nShout',
      '(await Shout.invoke({ text: "a" })).loud',
      cell('builder.edge("start", "emphasise")', mayFail),
      cell('builder.edge("start", { to: "emphasize", when: "txt" }).build()', mayFail),
    ),
  });
  const { code, stderr } = await madrigal(["exec", "n.ipynb"], { home });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const file = join(home, ".madrigal/out/n.ipynb");
  const outputs = shown(readNotebook(readFileSync(file, "utf8"), file));
  expect(outputs).toMatch(/execute_result: .*graph Shout\(text\) returns loud/);
  expect(outputs).toContain(`execute_result: "'A'"`);
  expect(outputs).toMatch(/error: TS2345: .*"emphasise"/);
  expect(outputs).toContain(
    'error: M5002: M2103 graph("Shout").edge("start"):1:25 no field or parameter is called `txt`',
  );
});
