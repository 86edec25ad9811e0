/** The example notebook of strong agents: sessions, questions, steering, state, files and patterns behind the recorded wire. */
import { chmodSync, existsSync, readFileSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test, vi } from "vitest";
import { isCode, type NotebookFile, type Output } from "../../../../kernel/notebook/notebook.ts";
import { readNotebook } from "../../../../kernel/notebook/read-notebook.ts";
import { madrigal, projectRoot } from "../../../support/child.ts";
import { exitCode, put, workspace } from "../../cli/calling.ts";

// A real kernel on a busy machine, and a process for each turn.
vi.setConfig({ testTimeout: 300_000 });

const NAME = "strong-agents.ipynb";
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
  const home = workspace({ [`notebooks/${NAME}`]: readFileSync(stored, "utf8") });
  for (const part of ["node_modules", "test"])
    symlinkSync(join(projectRoot, part), join(home, part));
  // A `claude` of this machine is not asked for anything.
  const own = join(home, "bin", "claude");
  put(home, "bin/claude", `#!/bin/sh\ntouch '${own}-was-run'\n`);
  chmodSync(own, 0o755);
  const ended = await madrigal(["exec", `notebooks/${NAME}`, "--out", "out"], {
    ...{ home, cwd: home },
    env: { PATH: `${join(home, "bin")}${delimiter}${process.env.PATH}` },
  });
  expect(exitCode(ended), ended.stderr).toBe(0);
  expect(existsSync(`${own}-was-run`)).toBe(false);
  const texts = outputTexts(join(home, "out", NAME));
  expect(texts).toEqual(outputTexts(stored));
  expect(texts).toMatchObject({
    agent: [
      "claude_code: the recorded wire of 2.1.330 (Claude Code)\ncodex: the recorded wire of codex-cli 0.169.0\n",
    ],
    doctor: ["ok    claude_code: 2.1.330 at BIN/claude, which was tried\n"],
    answers: [expect.stringContaining("{ done: 'ok' }")],
    steered: [expect.stringContaining("a person: look at b.ts first"), expect.anything()],
  });
});
