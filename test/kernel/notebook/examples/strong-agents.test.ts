/** The example notebook of strong agents: sessions, questions, steering, state, files and patterns behind the recorded wire. */
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { isCode, type NotebookFile, type Output } from "../../../../kernel/notebook/notebook.ts";
import { readNotebook } from "../../../../kernel/notebook/read-notebook.ts";
import { madrigal, projectRoot } from "../../../support/child.ts";
import { exitCode, workspace } from "../../cli/calling.ts";

// A real kernel on a busy machine, and a process for each turn.
vi.setConfig({ testTimeout: 300_000 });

const NAME = "strong-agents.ipynb";
const STUB = "test/support/agents/claude-stub.js";
const stored = join(projectRoot, "notebooks", NAME);

/** Returns the texts of each cell's outputs, without drawings, and without what is another one each time. */
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
  const text = [output.data["text/plain"]].flat().join("");
  return [
    text
      .replaceAll(/\b[\d.]+ m?s\b/g, "TIME")
      .replaceAll(/session [0-9a-f]{8}/g, "session ID")
      .replaceAll(/run [0-9a-f]{8}/g, "run ID"),
  ];
}

test("A01 A71 A113 A114 A115 [NB] [CLI] the cells of the notebook say what they are stored with", async () => {
  const home = workspace({
    [`notebooks/${NAME}`]: readFileSync(stored, "utf8"),
    [STUB]: readFileSync(join(projectRoot, STUB), "utf8"),
  });
  symlinkSync(join(projectRoot, "node_modules"), join(home, "node_modules"));
  const ended = await madrigal(["exec", `notebooks/${NAME}`, "--out", "out"], { home, cwd: home });
  expect(exitCode(ended), ended.stderr).toBe(0);
  const texts = outputTexts(join(home, "out", NAME));
  expect(texts).toEqual(outputTexts(stored));
  expect(texts).toMatchObject({
    doctor: ["ok    claude_code: 2.1.330 at BIN/claude, which was tried\n"],
    answers: [expect.stringContaining("{ done: 'ok' }")],
    steered: [expect.stringContaining("a person: look at b.ts first"), expect.anything()],
  });
});
