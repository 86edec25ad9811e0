/** The notebook of models: a real language model on this machine, a cassette of it, prices, a limit that asks, a list of models. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test as baseTest, expect, vi } from "vitest";
import { isCode, type NotebookFile } from "../../../kernel/notebook/notebook.ts";
import { readNotebook } from "../../../kernel/notebook/read-notebook.ts";
import { madrigal, projectRoot } from "../../support/child.ts";
import { missing } from "../../support/python-env.ts";
import { smallModel } from "../../support/small-model.ts";
import { exitCode, workspace } from "../cli/calling.ts";

// The model answers four calls, on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const reason = await missing("small-model");
const test = baseTest.skipIf(reason !== undefined);

const NAME = "models.ipynb";
const file = join(projectRoot, "notebooks", NAME);
const text = readFileSync(file, "utf8");

/** The value of each cell that shows one: what the model says and how long it takes is in none of them. */
function valuesIn({ cells }: NotebookFile): Readonly<Record<string, string>> {
  return Object.fromEntries(
    cells.filter(isCode).flatMap(({ id, outputs }) => {
      const result = outputs.findLast((output) => output.output_type === "execute_result");
      const plain = result === undefined ? undefined : [result.data["text/plain"]].flat().join("");
      return plain === undefined ? [] : [[id, plain]];
    }),
  );
}

test("its cells say what they are stored with, whatever the model says", async () => {
  const home = workspace({ [NAME]: text });
  const ended = await madrigal(["exec", NAME], { home, env: smallModel });
  expect(exitCode(ended), ended.stderr).toBe(0);
  const out = join(home, ".madrigal", "out", NAME);
  const values = valuesIn(readNotebook(readFileSync(out, "utf8"), out));
  expect(values).toMatchObject({
    small: "[ 'boolean', true, 1 ]",
    cassette: "true",
    miss: "'M8160'",
    stopped: "[ 'waiting', 'limit' ]",
    "goes-on": "[ 'succeeded', 'boolean', true ]",
  });
  const stored = valuesIn(readNotebook(text, file));
  expect(Object.keys(values)).toEqual(Object.keys(stored));
});
