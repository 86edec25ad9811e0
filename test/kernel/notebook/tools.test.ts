/** The notebook of tools: a server, files, code whose picture is shown, a browser in a shop where a person approves the order. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test as baseTest, expect, vi } from "vitest";
import { isCode, type NotebookFile, type Output } from "../../../kernel/notebook/notebook.ts";
import { readNotebook } from "../../../kernel/notebook/read-notebook.ts";
import { madrigal, projectRoot, temporaryFolder } from "../../support/child.ts";
import { missing } from "../../support/python-env.ts";
import { exitCode } from "../cli/calling.ts";

// A server, a sandbox and a browser on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const reasons = [await missing("bubblewrap"), await missing("chromium")];
const test = baseTest.skipIf(reasons.some((reason) => reason !== undefined));

const NAME = "tools.ipynb";
const folder = join(projectRoot, "notebooks");

/** Returns the texts of each cell's outputs; drawings of runs have times and numbers of tokens, and are left out. */
function saidIn(file: string): Readonly<Record<string, readonly string[]>> {
  const { cells }: NotebookFile = readNotebook(readFileSync(file, "utf8"), file);
  return Object.fromEntries(
    cells.filter(isCode).map(({ id, outputs }) => [id, outputs.flatMap(saidBy)]),
  );
}

function saidBy(output: Output): readonly string[] {
  if (output.output_type === "stream") return [[output.text].flat().join("")];
  if (output.output_type === "error") return [`${output.ename}: ${output.evalue}`];
  if ("application/vnd.madrigal.run+json" in output.data) return [];
  return [[output.data["text/plain"]].flat().join("")];
}

test("its cells say what they are stored with, and the code's picture is shown", async () => {
  const home = temporaryFolder();
  const ended = await madrigal(["exec", join(folder, NAME), "--out", home], { home, cwd: folder });
  expect(exitCode(ended), ended.stderr).toBe(0);
  const said = saidIn(join(home, NAME));
  expect(said).toEqual(saidIn(join(folder, NAME)));
  expect(said).toMatchObject({
    "code-run": [expect.stringMatching(/^sales\.svg \(image\/svg\+xml/), expect.anything()],
    "buy-answer": ["[ { item: 'strings', name: 'Ada', delivery: 'Courier' } ]"],
    replay: ["[ true, true, true, true ]"],
  });
});
