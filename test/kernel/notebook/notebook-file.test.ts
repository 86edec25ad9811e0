/** The file of a notebook: read, written, and refused. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { CommandError } from "../../../kernel/command-error.ts";
import { readNotebook } from "../../../kernel/notebook/read-notebook.ts";
import { writeNotebook } from "../../../kernel/notebook/write-notebook.ts";
import { cell, fileOf, notebook } from "./cells.ts";

test("keys are sorted and texts are lists of lines, each with its end", () => {
  expect(
    fileOf(cell("# A\n\ntext", { markdown: true }), cell("1\n2", { tags: ["x"] })),
  ).toMatchInlineSnapshot(`
      "{
       "cells": [
        {
         "cell_type": "markdown",
         "id": "c1",
         "metadata": {},
         "source": [
          "# A\\n",
          "\\n",
          "text"
         ]
        },
        {
         "cell_type": "code",
         "execution_count": null,
         "id": "c2",
         "metadata": {
          "tags": [
           "x"
          ]
         },
         "outputs": [],
         "source": [
          "1\\n",
          "2"
         ]
        }
       ],
       "metadata": {},
       "nbformat": 4,
       "nbformat_minor": 5
      }
      "
    `);
});

test("what is written reads back as it was", () => {
  const text = fc.string({ unit: "binary" });
  const data = fc.dictionary(fc.constantFrom("text/plain", "image/png", "text/html"), text);
  const outputs = fc.array(
    fc.oneof(
      fc.record({ output_type: fc.constant("stream" as const), name: text, text }),
      fc.record({
        output_type: fc.constant("display_data" as const),
        data,
        metadata: fc.constant({}),
      }),
    ),
  );
  fc.assert(
    fc.property(text, outputs, (source, shown) => {
      const before = notebook({ ...cell(source), outputs: shown } as ReturnType<typeof cell>);
      expect(readNotebook(writeNotebook(before), "n.ipynb")).toEqual(before);
    }),
  );
});

test("JSON of a mime type stays JSON, also a list of strings", () => {
  const data = { "application/json": ["a", "b"], "application/vnd.x+json": { rows: ["a"] } };
  const output = { output_type: "display_data", data, metadata: {} };
  const before = notebook({ ...cell("1"), outputs: [output] } as ReturnType<typeof cell>);
  expect(readNotebook(writeNotebook(before), "n.ipynb")).toEqual(before);
});

test("cells of an older format get the same ids each time", () => {
  const old = JSON.stringify({
    nbformat: 4,
    nbformat_minor: 2,
    metadata: {},
    cells: [
      { cell_type: "raw", metadata: {}, source: "x" },
      { cell_type: "raw", metadata: {}, source: ["y\n", "z"], id: "cell-1" },
    ],
  });
  const read = () => readNotebook(old, "n.ipynb").cells.map(({ id, source }) => [id, source]);
  expect(read()).toEqual([
    ["cell-1-", "x"],
    ["cell-1", "y\nz"],
  ]);
  expect(read()).toEqual(read());
});

function complaint(text: string): string {
  try {
    readNotebook(text, "n.ipynb");
    return "read";
  } catch (thrown) {
    if (!(thrown instanceof CommandError)) throw thrown;
    const { code, message, place, exitCode } = thrown;
    const line = place?.line === undefined ? "" : `:${place.line}:${place.column ?? ""}`;
    return `${code}${line} ${message} (exit ${exitCode})`;
  }
}

test.each([
  ['{"cells": [\n  1,\n  oops\n]}'],
  ['{"cells": [\n'],
  ["<<<<<<< HEAD\n{}"],
  ["[]"],
  ["{}"],
  ['{"nbformat": 3, "nbformat_minor": 0, "worksheets": []}'],
  ['{"nbformat": 4, "nbformat_minor": 5}'],
  ['{"nbformat": 4, "nbformat_minor": 5, "cells": [{"cell_type": "code", "source": ""}]}'],
  ['{"nbformat": 4, "nbformat_minor": 5, "cells": [{"cell_type": "map", "source": ""}]}'],
  ['{"nbformat": 4, "nbformat_minor": 5, "cells": [{"cell_type": "raw", "source": 7}]}'],
])("no notebook: %j", (text) => {
  expect(complaint(text)).toMatchSnapshot();
});
