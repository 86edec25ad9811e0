/** A graph that is surely too wide for a notebook is not laid out from left to right to learn that. */
import { Graphviz } from "@hpcc-js/wasm-graphviz";
import fc from "fast-check";
import { expect, test } from "vitest";
import { placeAlong, widthAtLeast } from "../../../kernel/display/graph/layout.ts";
import { type Outline, outlineOf } from "../../../kernel/display/graph/outline.ts";
import { arbitraryGraph } from "../../support/arbitrary-graph.ts";
import { graphOf as irOf } from "../../support/run-graph.ts";

const graphviz = await Graphviz.load();

function widthOf(outline: Outline): number {
  return placeAlong(outline, { graphviz, direction: "LR", name: "G" }).width;
}

test("no graph is less wide than it is said to be at the least", () => {
  fc.assert(
    fc.property(outlines, (outline) => {
      expect(widthOf(outline)).toBeGreaterThanOrEqual(widthAtLeast(outline));
    }),
    { numRuns: 150 },
  );
});

test("nor is one of the language", () => {
  fc.assert(
    fc.property(arbitraryGraph(), (text) => {
      const outline = outlineOf(irOf(text));
      expect(widthOf(outline)).toBeGreaterThanOrEqual(widthAtLeast(outline));
    }),
    { numRuns: 60 },
  );
});

test("a chain is as wide as its boxes and the room between them", () => {
  const outline = chain(20);
  const [least, width] = [widthAtLeast(outline), widthOf(outline)];
  expect(width).toBeGreaterThanOrEqual(least);
  expect(width - least).toBeLessThan(60);
});

test("a long chain does not end the stack", () => {
  expect(widthAtLeast(chain(10_000))).toBeGreaterThan(500_000);
});

function chain(boxes: number): Outline {
  const ids = Array.from({ length: boxes }, (_, index) => `n${index}`);
  return {
    shapes: ids.map((id) => ({ id, kind: "join", text: "all" }) as const),
    frames: [],
    arrows: ids
      .slice(1)
      .map((to, index) => ({ from: `n${index}`, to, label: "", kind: "flow" }) as const),
  };
}

/** Boxes of any width, some in frames, with arrows to and fro, to themselves, and twice between the same. */
const outlines: fc.Arbitrary<Outline> = fc
  .integer({ min: 2, max: 24 })
  .chain((boxes) =>
    fc.record({
      boxes: fc.array(
        fc.record({
          text: fc.integer({ min: 0, max: 40 }).map((length) => "x".repeat(length)),
          frame: fc.option(fc.constantFrom("a", "b"), { nil: undefined, freq: 6 }),
        }),
        { minLength: boxes, maxLength: boxes },
      ),
      along: fc.array(fc.nat({ max: 9 }).map(Boolean), {
        minLength: boxes - 1,
        maxLength: boxes - 1,
      }),
      arrows: fc.array(
        fc.record({
          from: fc.nat({ max: boxes - 1 }),
          to: fc.nat({ max: boxes - 1 }),
          label: fc.constantFrom("", "else", "a long condition"),
        }),
        { maxLength: boxes },
      ),
    }),
  )
  .map(({ boxes, along, arrows }) => {
    const frames = [...new Set(boxes.slice(1).flatMap(({ frame }) => frame ?? []))];
    const isInFrame = (index: number) => index > 0 && boxes[index]?.frame !== undefined;
    return {
      shapes: boxes.map(({ text, frame }, index) => ({
        id: `n${index}`,
        kind: "join" as const,
        text,
        ...(frame === undefined || index === 0 ? {} : { frame }),
      })),
      frames: frames.map((id) => ({ id, each: id, title: id })),
      arrows: [
        ...along.flatMap((is, index) => (is ? [{ from: index, to: index + 1, label: "" }] : [])),
        ...arrows,
      ].map(({ from, to, label }) => ({
        from: `n${from}`,
        to: `n${to}`,
        // Of two with words between a frame and one box, Graphviz reads past its memory.
        label: isInFrame(from) || isInFrame(to) ? "" : label,
        kind: "flow" as const,
      })),
    };
  });
