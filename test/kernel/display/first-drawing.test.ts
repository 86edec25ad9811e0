/** Alone in its file: Graphviz is loaded once in a process. */
import { expect, test } from "vitest";
import { drawingsReady } from "../../../kernel/display/index.ts";
import { bundleIn, compiled, follow, looked, SEARCH, searching } from "./runs.ts";
import { valuesOf } from "./well-formed.ts";

test("before Graphviz is there a run is told in words, and drawn as soon as it is", async () => {
  const { run, outputs } = follow(searching(compiled(SEARCH, { looked })));
  expect(Object.keys(bundleIn(outputs[0]).data)).toEqual([
    "application/vnd.madrigal.run+json",
    "text/plain",
  ]);
  await run.output;
  await drawingsReady();
  const svg = String(bundleIn(outputs.at(-1)).data["image/svg+xml"]);
  expect(valuesOf(svg, "data-status")).toEqual(["succeeded", "succeeded", "succeeded"]);
});
