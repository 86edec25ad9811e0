/** The example notebook of co-planning: a plan reviewed, edited, carried out, made anew, watched and learned, as it is stored. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { isCode, type NotebookFile, type Output } from "../../../kernel/notebook/notebook.ts";
import { readNotebook } from "../../../kernel/notebook/read-notebook.ts";
import { madrigal, projectRoot } from "../../support/child.ts";
import { exitCode, workspace } from "../cli/calling.ts";

// A real kernel on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const NAME = "co-planning.ipynb";
const stored = join(projectRoot, "notebooks", NAME);

/** Returns the texts of each cell's outputs, without drawings: judges are told the time, which the tokens depend on. */
function outputTexts(file: string): Readonly<Record<string, readonly string[]>> {
  const { cells }: NotebookFile = readNotebook(readFileSync(file, "utf8"), file);
  return Object.fromEntries(
    cells.filter(isCode).map(({ id, outputs }) => [id, outputs.flatMap(outputLines)]),
  );
}

function outputLines(output: Output): readonly string[] {
  if (output.output_type === "stream") return [[output.text].flat().join("")];
  if (output.output_type === "error") return [`${output.ename}: ${output.evalue}`];
  if ("application/vnd.madrigal.run+json" in output.data) return [];
  const html = [output.data["text/html"]].flat().join("");
  const drawn = html.includes("madrigal-plan") ? ["(drawn as a plan)"] : [];
  return [[output.data["text/plain"]].flat().join(""), ...drawn];
}

test("M58 M71 M90 M100 [NB] the cells of the notebook say what they are stored with", async () => {
  const home = workspace({ [NAME]: readFileSync(stored, "utf8") });
  const ended = await madrigal(["exec", NAME], { home });
  expect(exitCode(ended), ended.stderr).toBe(0);
  const texts = outputTexts(join(home, ".madrigal", "out", NAME));
  expect(texts).toEqual(outputTexts(stored));
  expect(Object.values(texts).flat()).toContain("(drawn as a plan)");
  expect(texts).toMatchObject({
    reuse: [expect.stringContaining("look_up -> review -> track -> web_surfer -> track")],
  });
});
