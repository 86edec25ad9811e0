/** The notebook of questions to the traces: what it is stored with is what comes of it in a real kernel. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { comparable } from "../../../kernel/notebook/comparable-outputs.ts";
import { isCode, type NotebookFile } from "../../../kernel/notebook/notebook.ts";
import { readNotebook } from "../../../kernel/notebook/read-notebook.ts";
import { madrigal, projectRoot } from "../../support/child.ts";
import { exitCode, workspace } from "../cli/calling.ts";

// Real kernels on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const NAME = "trace-analytics.ipynb";
const file = join(projectRoot, "notebooks", NAME);
const text = readFileSync(file, "utf8");
const stored = readNotebook(text, file);

test("the questions come out as they are stored, over runs by rules, by script and generated ones", async () => {
  const home = workspace({ [NAME]: text });
  const ended = await madrigal(["exec", NAME], { home });
  expect(exitCode(ended), ended.stderr).toBe(0);
  const out = join(home, ".madrigal", "out", NAME);
  const executed = await comparable(readNotebook(readFileSync(out, "utf8"), out), home);
  expect(executed).toEqual(await comparable(stored, projectRoot));
});

test("at least fifteen questions, each with an answer that says whose it is", () => {
  const questions = stored.cells.flatMap(({ source }) => [...source.matchAll(/^### \d+\. /gm)]);
  expect(questions.length).toBeGreaterThanOrEqual(15);
  const shown = JSON.stringify(stored.cells);
  for (const source of ["rules, not a model", "a script, not a model", "generated"])
    expect(shown).toContain(source);
});

const outputOf = (cell: string) =>
  JSON.stringify(stored.cells.filter(isCode).find(({ id }) => id === cell)?.outputs);

test("W32 [NB] the table of what was done has the sentences that a template makes of the run's events", () => {
  const table = outputOf("q23");
  expect(table).toMatch(/run of DeepSearch started.*plan#1 completed step 1: tasks.*run succeeded/);
  expect(outputOf("q23-c")).toContain("the table's steps are the run's own: true");
});

test("W38 [NB] a run with graphs in graphs is drawn as a tree of who called whom, and exported as nodes and edges", () => {
  const drawn = outputOf("q24-c");
  const tree = ["Choir", "   Part (first#1)", "      Voice (high#1)", "      Voice (low#1)"];
  expect(drawn).toContain(JSON.stringify([...tree, "   Voice (second#1)"].join("\n")).slice(1, -1));
  for (const edge of ["g0 -->|first| g1", "g1 -->|first/high| g2", "g0 -->|second| g4"])
    expect(drawn).toContain(edge);
});

/** Written by `--update`, with the stored outputs: `npm test -- test/kernel/notebook/trace-analytics.test.ts --update`. */
test("the pictures of its charts are those in notebooks/pictures", async () => {
  const pictures = picturesIn(stored);
  expect(pictures.length).toBeGreaterThanOrEqual(10);
  for (const { id, svg } of pictures)
    await expect(svg).toMatchFileSnapshot(
      join(projectRoot, "notebooks/pictures", `trace-analytics-${id}.svg`),
    );
});

function picturesIn({ cells }: NotebookFile) {
  return cells.filter(isCode).flatMap(({ id, outputs }) =>
    outputs.flatMap((output) => {
      if (!("data" in output) || !("application/vnd.vegalite.v5+json" in output.data)) return [];
      return [{ id, svg: String(output.data["image/svg+xml"]) }];
    }),
  );
}
