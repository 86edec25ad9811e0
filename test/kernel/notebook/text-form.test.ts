/** A notebook as text, and back. */
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { NotebookCell, NotebookFile } from "../../../kernel/notebook/notebook.ts";
import { readText, writeText } from "../../../kernel/notebook/text-form.ts";
import { writeNotebook } from "../../../kernel/notebook/write-notebook.ts";
import { madrigal } from "../../support/child.ts";
import { exitCode, workspace } from "../cli/calling.ts";

const lineOfText = fc.oneof(
  fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\n")),
  fc.constantFrom(
    "",
    "```",
    "````ts",
    "<!-- cell a code -->",
    "<!-- \\\\cell a -->",
    "<!-- notebook {} -->",
    "\r",
    "%%sql",
    "-->",
  ),
);
const source = fc.array(lineOfText, { maxLength: 6 }).map((lines) => lines.join("\n"));
const metadata = fc
  .dictionary(fc.string(), fc.jsonValue())
  .map((one) => JSON.parse(JSON.stringify(one)));
const id = fc.oneof(fc.stringMatching(/^[\w-]{1,64}$/), fc.string({ minLength: 1 }));
const cell: fc.Arbitrary<NotebookCell> = fc.oneof(
  fc.record({
    id,
    cell_type: fc.constant("code" as const),
    metadata,
    source,
    execution_count: fc.constant(null),
    outputs: fc.constant([]),
  }),
  fc.record(
    {
      id,
      cell_type: fc.constantFrom("markdown" as const, "raw" as const),
      metadata,
      source,
      attachments: fc.constant({ "a.png": { "image/png": "iVBORw0K" } }),
    },
    { requiredKeys: ["id", "cell_type", "metadata", "source"] },
  ),
);
const notebook: fc.Arbitrary<NotebookFile> = fc.record({
  metadata,
  cells: fc.array(cell, { maxLength: 5 }),
});

test("whatever a notebook holds is the same after it was text", () => {
  fc.assert(
    fc.property(notebook, (one) => {
      expect(readText(writeText(one))).toEqual(one);
    }),
  );
});

test("it reads as Markdown, each cell in its language", () => {
  const cells = [
    { cell_type: "markdown", source: "# Prices\n\nWhat they are." },
    { cell_type: "code", source: "const price = 2;" },
    { cell_type: "code", source: "%%sql\nSELECT 1" },
  ].map((one, at) => ({ id: `c${at}`, metadata: {}, execution_count: null, outputs: [], ...one }));
  const text = writeText({ metadata: {}, cells: cells as never });
  expect(text).toMatchInlineSnapshot(`
    "<!-- notebook {} -->

    <!-- cell c0 markdown -->
    # Prices

    What they are.

    <!-- cell c1 code -->
    \`\`\`ts
    const price = 2;
    \`\`\`

    <!-- cell c2 code -->
    \`\`\`sql
    %%sql
    SELECT 1
    \`\`\`

    "
  `);
  expect(readText(text.replaceAll("\n", "\r\n")).cells.map((one) => one.source)).toEqual(
    cells.map((one) => one.source),
  );
  expect(readText(text.trimEnd()).cells).toHaveLength(3);
});

test.each([
  ["# no notebook"],
  ["<!-- notebook {} -->\n\n<!-- cell a verse -->\n"],
  ["<!-- notebook {} -->\n\n<!-- cell a code -->\nconst x = 1"],
  ["<!-- notebook {} -->\n\n<!-- cell a code -->\n```ts\nx\n```\nmore"],
  ["<!-- notebook {,} -->"],
])("what is wrong in %j is told with its line", (text) => {
  expect(() => readText(text)).toThrowErrorMatchingSnapshot();
});

test("a text that can't be written is no fault of ours, and leaves nothing behind", async () => {
  const home = workspace({ "a.ipynb": writeNotebook({ metadata: {}, cells: [] }) });
  mkdirSync(join(home, "a.madrigal.md"));
  const before = readdirSync(home);
  const ended = await madrigal(["text", "a.ipynb"], { home });
  expect(ended.stderr).toContain("error[M7208]: the notebook can't be written: EISDIR");
  expect(exitCode(ended)).toBe(2);
  expect(readdirSync(home)).toEqual(before);
});
