/** The example notebook whose nodes read and analyse a real file: what it is stored with is what comes of it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { comparable } from "../../../kernel/notebook/comparable-outputs.ts";
import type { NotebookFile } from "../../../kernel/notebook/notebook.ts";
import { readNotebook } from "../../../kernel/notebook/read-notebook.ts";
import { madrigal, projectRoot } from "../../support/child.ts";
import { exitCode, workspace } from "../cli/calling.ts";

// Real kernels on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const NAME = "read-and-analyse.ipynb";

function read(folder: string): NotebookFile {
  const file = join(folder, NAME);
  return readNotebook(readFileSync(file, "utf8"), file);
}

async function executed(text: string): Promise<unknown> {
  const home = workspace({ [NAME]: text });
  const ended = await madrigal(["exec", NAME], { home });
  expect(exitCode(ended), ended.stderr).toBe(0);
  return await comparable(read(join(home, ".madrigal", "out")), home);
}

const stored = join(projectRoot, "notebooks");
const text = readFileSync(join(stored, NAME), "utf8");

test("E28 a node reads a real file, the next one analyses its text: the notebook's outputs are the stored ones", async () => {
  expect(await executed(text)).toEqual(await comparable(read(stored), projectRoot));
});

test("E28 another file comes to other outputs", async () => {
  const other = await executed(text.replace("Bruges,30", "Bruges,31"));
  expect(JSON.stringify(other)).toContain("total: 50, best: 'Bruges'");
});
