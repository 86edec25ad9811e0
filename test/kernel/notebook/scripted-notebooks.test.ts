/** Example notebooks as they are stored: plans with a scripted person; memories and skills; a graph on several workers. */
import { cpSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { isCode, type NotebookFile, type Output } from "../../../kernel/notebook/notebook.ts";
import { readNotebook } from "../../../kernel/notebook/read-notebook.ts";
import { madrigal, projectRoot } from "../../support/child.ts";
import { npmScript } from "../../support/npm/npm-programs.ts";
import { missing } from "../../support/python-env.ts";
import { exitCode, workspace } from "../cli/calling.ts";

// A real kernel on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

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

test.each([
  [
    "M58 M71 M90 M100 [NB] plans reviewed, edited, carried out, made anew, watched and learned",
    "co-planning.ipynb",
    { reuse: [expect.stringContaining("look_up -> review -> track -> web_surfer -> track")] },
  ],
  [
    "M102 M104 [NB] memories declared, asked, contradicted, reviewed, learned and forgotten",
    "memory-and-skills.ipynb",
    { misspelt: ["'The umbrella hangs behind the door.'"], forget: ["[ 1, true, 0, 0 ]"] },
  ],
])("%s: the cells say what they are stored with", async (_, name, said) => {
  const stored = join(projectRoot, "notebooks", name);
  const home = workspace({ [name]: readFileSync(stored, "utf8") });
  const ended = await madrigal(["exec", name], { home });
  expect(exitCode(ended), ended.stderr).toBe(0);
  const texts = outputTexts(join(home, ".madrigal", "out", name));
  expect(texts).toEqual(outputTexts(stored));
  expect(texts).toMatchObject(said);
  const drawn = name === "co-planning.ipynb" ? ["(drawn as a plan)"] : [];
  expect(Object.values(texts).flat()).toEqual(expect.arrayContaining(drawn));
});

const noServer = await missing("restate");

test.skipIf(noServer !== undefined)(
  "a graph runs here, on a worker, and on two of which one is killed: the cells say what they are stored with",
  async () => {
    const name = "scale-out.ipynb";
    const folder = join(projectRoot, "notebooks");
    const stored = join(folder, name);
    const home = workspace({
      [name]: readFileSync(stored, "utf8"),
      "package.json": '{ "type": "module" }\n',
    });
    cpSync(join(folder, "scale-out"), join(home, "scale-out"), { recursive: true });
    // The command of the project, which starts the workers, and the SDK.
    symlinkSync(join(projectRoot, "node_modules"), join(home, "node_modules"));
    const env = { RESTATE_SERVER: npmScript("restate") };
    const ended = await madrigal(["exec", name], { home, env });
    expect(exitCode(ended), ended.stderr).toBe(0);
    const texts = outputTexts(join(home, ".madrigal", "out", name));
    expect(texts).toEqual(outputTexts(stored));
    expect(texts).toMatchObject({ two: [expect.stringMatching(/39 lines on the shelf/)] });
  },
);
