/** The tour of ten minutes: what it is stored with is what comes of it in a real kernel. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { comparable } from "../../../kernel/notebook/comparable-outputs.ts";
import { readNotebook } from "../../../kernel/notebook/read-notebook.ts";
import { readText } from "../../../kernel/notebook/text-form.ts";
import { madrigal, projectRoot } from "../../support/child.ts";
import { exitCode, workspace } from "../cli/calling.ts";

// Real kernels on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const NAME = "tour.ipynb";
const stored = join(projectRoot, "notebooks", NAME);

test("the tour comes out as it is stored, also from its text, and a second time changes nothing", async () => {
  const text = readFileSync(stored, "utf8");
  const home = workspace({ [NAME]: text });
  const written = await madrigal(["text", NAME], { home });
  expect(exitCode(written), written.stderr).toBe(0);
  const asText = readFileSync(join(home, "tour.madrigal.md"), "utf8");
  expect(readText(asText).cells.map(({ source }) => source)).toEqual(
    readNotebook(text, stored).cells.map(({ source }) => source),
  );
  const ended = await madrigal(["exec", "tour.madrigal.md", "--stable"], { home });
  expect(exitCode(ended), ended.stderr).toBe(0);
  const file = join(home, ".madrigal", "out", NAME);
  const first = readFileSync(file, "utf8");
  const executed = await comparable(readNotebook(first, file), home);
  expect(executed).toEqual(await comparable(readNotebook(text, stored), projectRoot));
  const again = await madrigal(["exec", "tour.madrigal.md", "--stable"], { home });
  expect(exitCode(again), again.stderr).toBe(0);
  expect(readFileSync(file, "utf8")).toBe(first);
});
