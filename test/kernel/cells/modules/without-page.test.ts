/** Cells that run again without a page: `madrigal exec` writes what they show last, nbclient what each showed at its turn. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test as baseTest, expect, test, vi } from "vitest";
import type { NotebookFile } from "../../../../kernel/notebook/notebook.ts";
import { readNotebook } from "../../../../kernel/notebook/read-notebook.ts";
import { madrigal } from "../../../support/child.ts";
import { executeByNbclient } from "../../../support/nbclient.ts";
import { missing } from "../../../support/python-env.ts";
import { workspace } from "../../cli/calling.ts";
import { fileOf } from "../../notebook/cells.ts";

// Real kernels on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const reason = await missing("python-env");
const withNbclient = baseTest.skipIf(reason !== undefined);

const REACTIVE = fileOf(
  "%config reactive on",
  'import { slider } from "madrigal";\nconst k = slider({ value: 3 });',
  "`ten times ${k.value * 10}`",
  "k.value = 5;",
  "let rate = 2;",
  "`rate ${rate}`",
  "rate = 7;",
);

const STALE = fileOf(
  "function twice(x: number) { return 2 * x; }",
  "`twice ${twice(4)}`",
  "function twice(x: number) { return 3 * x; }",
  "%cells --run",
);

/** The texts of the results of cells that begin so. */
function results({ cells }: NotebookFile): readonly string[] {
  return cells.flatMap((cell) =>
    cell.cell_type !== "code" || !cell.source.startsWith("`")
      ? []
      : cell.outputs.map((output) => ("data" in output ? `${output.data["text/plain"]}` : "")),
  );
}

test("exec writes what reactive cells, and stale ones that were run, show last", async () => {
  const home = workspace({ "r.ipynb": REACTIVE, "s.ipynb": STALE });
  for (const [file, expected] of [
    ["r.ipynb", ["'ten times 50'", "'rate 7'"]],
    ["s.ipynb", ["'twice 12'"]],
  ] as const) {
    const { code } = await madrigal(["exec", file], { home });
    const path = join(home, ".madrigal/out", file);
    expect([code, results(readNotebook(readFileSync(path, "utf8"), path))]).toEqual([0, expected]);
  }
});

withNbclient("nbclient keeps what a cell showed at its turn, and fails at nothing", async () => {
  const home = workspace({ "r.ipynb": REACTIVE });
  const { ok, notebook } = await executeByNbclient("r.ipynb", home);
  expect([ok, results(notebook)]).toEqual([true, ["'ten times 30'", "'rate 2'"]]);
});
