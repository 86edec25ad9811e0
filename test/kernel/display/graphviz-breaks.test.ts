/**
 * Whether Graphviz reads past its memory over a graph depends on what it has laid out before. This test therefore has
 * a file, and so a process, of its own: Graphviz has seen one chain when the graph comes that breaks it.
 */
import { expect, test } from "vitest";
import { loadedGraphviz } from "../../../kernel/display/graph/graphviz.ts";
import { placeOutline } from "../../../kernel/display/graph/layout.ts";
import type { Outline } from "../../../kernel/display/graph/outline.ts";

/** Two labelled arrows of a frame's box to one outside, and more: as a random search found it. */
const BREAKING: Outline = {
  shapes: [36, 28, 1, 6, 21, 10, 24].map((length, index) => ({
    id: `n${index}`,
    kind: "join" as const,
    text: "x".repeat(length),
    ...([{}, { frame: "b" }, { frame: "a" }, { frame: "b" }][index] ?? { frame: "a" }),
  })),
  frames: ["b", "a"].map((id) => ({ id, each: id, title: id })),
  arrows: (
    [
      ...[[0, 1, ""] as const, [1, 2, ""] as const, [2, 3, ""] as const, [3, 4, ""] as const],
      ...[[4, 5, ""] as const, [1, 2, "else"] as const, [0, 6, "a long condition"] as const],
      ...[[0, 1, "a long condition"] as const, [6, 5, "else"] as const],
      ...[[4, 0, "a long condition"] as const, [3, 0, ""] as const],
    ] as const
  ).map(([from, to, label]) => ({ from: `n${from}`, to: `n${to}`, label, kind: "flow" as const })),
};

const CHAIN: Outline = {
  shapes: ["n0", "n1", "n2"].map((id) => ({ id, kind: "join" as const, text: "all" })),
  frames: [],
  arrows: [1, 2].map((to) => ({
    from: `n${to - 1}`,
    to: `n${to}`,
    label: "",
    kind: "flow" as const,
  })),
};

test("a graph over which Graphviz breaks is drawn with its words, and the next one by a new instance", async () => {
  const fresh = await placeOutline(CHAIN, "G");
  const before = loadedGraphviz();
  const layout = await placeOutline(BREAKING, "G");
  expect(layout.shapes).toHaveLength(7);
  const worded = layout.arrows.filter(({ label }) => label !== "");
  expect(worded.map(({ lines, labelBox }) => [lines.join(" "), labelBox !== undefined])).toEqual(
    worded.map(({ label }) => [label, true]),
  );
  expect(loadedGraphviz()).not.toBe(before);
  expect(await placeOutline(CHAIN, "G")).toEqual(fresh);
});
