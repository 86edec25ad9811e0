/** A graph that is surely too wide for a notebook is not laid out from left to right to learn that. */
import { Graphviz } from "@hpcc-js/wasm-graphviz";
import fc from "fast-check";
import { expect, test } from "vitest";
import { placeAlong, placeOutline, widthAtLeast } from "../../../kernel/display/graph/layout.ts";
import {
  type Outline,
  type OutlineArrow,
  outlineOf,
  type Shape,
} from "../../../kernel/display/graph/outline.ts";
import { placeInColumn } from "../../../kernel/display/graph/place-in-column.ts";
import type { Box } from "../../../kernel/display/graph/placed.ts";
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

// Graphviz breaks over some of these (graphviz-breaks.test.ts); every one is drawn.
test("whatever the words between frames, a graph is drawn", async () => {
  const property = fc.asyncProperty(wordy, async (outline) => {
    const { shapes, arrows, width } = await placeOutline(outline, "G");
    expect([shapes.length, arrows.length]).toEqual([outline.shapes.length, outline.arrows.length]);
    expect(width).toBeGreaterThan(0);
  });
  await fc.assert(property, { numRuns: 60 });
});

test("in one column no boxes overlap, frames are around what is theirs, and nothing stands out of the picture", () => {
  const sizes = {
    name: "G",
    sizeOf: (shape: Shape) => ({
      width: 30 + (shape.kind === "join" ? shape.text.length : 0),
      height: 30,
    }),
    labelOf: ({ label }: OutlineArrow) =>
      label === "" ? { lines: [] } : { lines: [label], size: { width: 60, height: 18 } },
  };
  const property = fc.property(wordy, (outline) => {
    const { shapes, frames, arrows, width, height } = placeInColumn(outline, sizes);
    expect(arrows).toHaveLength(outline.arrows.length);
    const labels = arrows.flatMap(({ labelBox }) => labelBox ?? []);
    for (const { x, y, ...box } of [...shapes, ...frames, ...labels]) {
      expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
      expect(x + box.width).toBeLessThanOrEqual(width);
      expect(y + box.height).toBeLessThanOrEqual(height);
    }
    for (const [index, shape] of shapes.entries()) {
      expect(shape.y).toBeGreaterThanOrEqual(index === 0 ? 0 : bottomOf(shapes[index - 1]));
      const frame = frames.find(({ id }) => id === shape.frame);
      if (frame === undefined) continue;
      expect(shape.y).toBeGreaterThan(frame.y);
      expect(shape.x).toBeGreaterThan(frame.x);
      expect(shape.x + shape.width).toBeLessThan(frame.x + frame.width);
      expect(bottomOf(shape)).toBeLessThan(bottomOf(frame));
    }
  });
  fc.assert(property);
});

function bottomOf(box?: Box): number {
  return (box?.y ?? 0) + (box?.height ?? 0);
}

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
const wordy: fc.Arbitrary<Outline> = fc
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
        label,
        kind: "flow" as const,
      })),
    };
  });

/** The same without words between frames: over some of those Graphviz breaks. */
const outlines = wordy.map((outline): Outline => {
  const framed = new Set(
    outline.shapes.flatMap(({ id, frame }) => (frame === undefined ? [] : [id])),
  );
  const arrows = outline.arrows.map((arrow) =>
    framed.has(arrow.from) || framed.has(arrow.to) ? { ...arrow, label: "" } : arrow,
  );
  return { ...outline, arrows };
});
