/** What cells ask where nobody sits before the notebook. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { madrigal } from "../../support/warm/madrigal.ts";
import { exitCode, put, workspace } from "../cli/calling.ts";

// Real kernels on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const source = [
  'import { confirm, input, select } from "madrigal";',
  'const name = input("your name? ");',
  '`${name} ${confirm("go on?")} ${select("which?", ["a", "b"])}`',
].join("\n");
const notebook = JSON.stringify({
  cells: [{ cell_type: "code", id: "a", metadata: {}, execution_count: null, outputs: [], source }],
  metadata: {},
  nbformat: 4,
  nbformat_minor: 5,
});

test.each([
  ["a list, in its order", ["Ada", "maybe", "y", 2], "'Ada true b'"],
  ["by a piece of each question", { which: "a", name: "Bo", "go on": ["n"] }, "'Bo false a'"],
])("answers come from a file: %s", async (_how, answers, expected) => {
  const home = workspace({ "ask.ipynb": notebook, "answers.json": JSON.stringify(answers) });
  const ended = await madrigal(["exec", "ask.ipynb", "--answers", "answers.json"], { home });
  expect(exitCode(ended), ended.stderr).toBe(0);
  expect(readFileSync(join(home, ".madrigal", "out", "ask.ipynb"), "utf8")).toContain(expected);
});

test("without a file nobody can be asked; a file without an answer says which question it lacks", async () => {
  const home = workspace({
    "ask.ipynb": notebook,
    "few.json": '["Ada"]',
    "wrong.json": '{"name": {}}',
  });
  const unasked = await madrigal(["exec", "ask.ipynb"], { home });
  expect(exitCode(unasked)).not.toBe(0);
  expect(unasked.stderr + unasked.stdout).toContain("M7403");
  const few = await madrigal(["exec", "ask.ipynb", "--answers", "few.json"], { home });
  expect(exitCode(few)).not.toBe(0);
  expect(few.stderr).toContain('few.json has no answer to "go on? (y/n) "');
  put(home, "odd.json", '["Ada", "perhaps"]');
  const odd = await madrigal(["exec", "ask.ipynb", "--answers", "odd.json"], { home });
  expect(odd.stderr).toContain(
    'odd.json has no other answer to "go on? (y/n) ", which is asked again after "perhaps"',
  );
  const wrong = await madrigal(["exec", "ask.ipynb", "--answers", "wrong.json"], { home });
  expect(wrong.stderr).toContain("M7517");
});
