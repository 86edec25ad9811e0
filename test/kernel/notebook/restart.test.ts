/** Runs that an earlier kernel left, in the next one. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { readNotebook } from "../../../kernel/notebook/read-notebook.ts";
import { madrigal } from "../../support/child.ts";
import { put, workspace } from "../cli/calling.ts";
import { cell, fileOf, shown } from "./cells.ts";

// Real kernels on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const FUNCTION = "const more = (count: number) => count + 1;";
const graphWith = (limit: number) => `graph Count(to: int = 5) returns count {
  state { count: int = 0 }
  run up = more(count) writes count
  limit ${limit} steps
  start -> up -> { count < to -> up max 99, else -> end }
}`;
const mayFail = (source: string) => cell(source, { tags: ["raises-exception"] });

/** What the cells of a kernel of their own showed. */
async function executed(
  home: string,
  ...cells: readonly (string | ReturnType<typeof cell>)[]
): Promise<string> {
  put(home, "n.ipynb", fileOf(...cells));
  const { code, stderr } = await madrigal(["exec", "n.ipynb"], { home });
  expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
  const file = join(home, ".madrigal/out/n.ipynb");
  return shown(readNotebook(readFileSync(file, "utf8"), file));
}

test("a run that a limit stopped goes on in another kernel, once its cells ran there with a higher one", async () => {
  const home = workspace();
  const first = await executed(
    home,
    FUNCTION,
    graphWith(2),
    mayFail("const run = Count.run({}); await run.output"),
  );
  expect(first).toContain("M5010");
  const next = await executed(
    home,
    'import { runs } from "madrigal";\nruns.last().steps.length',
    mayFail("await runs.last().resume()"),
    FUNCTION,
    graphWith(20),
    "const run = runs.last();\nawait run.resume();\n[(await run.output).count, run.steps.length]",
  );
  expect(next).toContain('execute_result: "2"');
  expect(next).toContain("M8303: no function is called `more`");
  expect(next).toContain('execute_result: "[ 5, 5 ]"');
  const hint = "in a notebook, run the cell that declares it first";
  expect(readFileSync(join(home, ".madrigal/out/n.ipynb"), "utf8")).toContain(hint);
});
