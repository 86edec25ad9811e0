/** The example notebook of cells and magics: what it is stored with is what comes of it in a real kernel. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { comparable } from "../../../kernel/notebook/comparable-outputs.ts";
import { readNotebook } from "../../../kernel/notebook/read-notebook.ts";
import { madrigal, projectRoot } from "../../support/child.ts";
import { exitCode, workspace } from "../cli/calling.ts";

// Real kernels on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const NAME = "cells-and-magics.ipynb";
const stored = join(projectRoot, "notebooks", NAME);

test("settings, bars, charts, saved rows and stale marks come out as they are stored", async () => {
  const text = readFileSync(stored, "utf8");
  const home = workspace({ [NAME]: text });
  const ended = await madrigal(["exec", NAME], { home });
  expect(exitCode(ended), ended.stderr).toBe(0);
  const file = join(home, ".madrigal", "out", NAME);
  const executed = await comparable(readNotebook(readFileSync(file, "utf8"), file), home);
  expect(executed).toEqual(await comparable(readNotebook(text, stored), projectRoot));
  expect(JSON.stringify(executed)).toContain("⚠ stale: `shout` was declared anew in Cell[7]");
});
