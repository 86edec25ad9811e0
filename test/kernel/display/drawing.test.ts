import fc from "fast-check";
import { expect, test } from "vitest";
import type { Ir } from "../../../dsl/index.ts";
import { drawGraph, graphText, layoutGraph, toBundle } from "../../../kernel/display/index.ts";
import { arbitraryGraph } from "../../support/arbitrary-graph.ts";
import { graphOf as irOf } from "../../support/run-graph.ts";
import { expectHarmless, HOSTILE, hostileText } from "./hostile.ts";
import { graphOf, SEARCH } from "./runs.ts";
import { faultOf, valuesOf } from "./well-formed.ts";

const REVIEW = `graph Review(topic: string) returns draft {
  state {
    draft: string = ""
    notes: string[] = [] via append
  }
  agent write "writes" { model "rules"; prompt \`\${topic}\`; writes draft }
  run lint = lint(draft) writes notes
  run spell = spell(draft) writes notes
  agent judge { model "rules"; prompt \`\${notes}\`; writes draft via replace }
  start -> write -> [lint, spell] -> judge
  judge -> { notes.length < 3 -> write max 2, else -> end }
  limit 100 steps
}`;

test("a graph shows its drawing and its words", async () => {
  const graph = await graphOf(SEARCH, { looked: () => [] });
  const { data } = await toBundle(graph);
  expect(Object.keys(data)).toEqual(["image/svg+xml", "text/plain"]);
  expect(data["text/plain"]).toMatchInlineSnapshot(`
    "graph Search(question) returns report, notes
      agent plan
      run look(task), for each task
      agent write
      start -> plan
      plan -> look
      each task -> write
      write -> end"
  `);
});

test("joins, conditions and ways back", () => {
  expect(graphText(irOf(REVIEW))).toMatchInlineSnapshot(`
    "graph Review(topic) returns draft
      agent write: writes
      run lint
      run spell
      agent judge
      start -> write
      write -> lint
      write -> spell
      lint -> all of lint, spell
      spell -> all of lint, spell
      all of lint, spell -> judge
      judge -> write  (notes.length < 3, max 2)
      judge -> end  (else)"
  `);
});

test("a picture stands on its own: name space, title, no reference", async () => {
  const svg = drawGraph(await layoutGraph(irOf(REVIEW)));
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 \d+ \d+"/);
  expect(svg).toContain("<title>Graph Review</title><desc>write, lint, spell, judge</desc>");
  expect(svg.replace(/xmlns="[^"]*"/, "")).not.toContain("http");
  expect(faultOf(svg)).toBeUndefined();
});

test("a picture that a cell can show whole has its own size; a wider one takes the cell's", async () => {
  const small = drawGraph(await layoutGraph(irOf("graph G() { run one = f()\n start -> one }")));
  expect(small).toMatch(/^<svg xmlns="[^"]*" width="(\d+)" height="\d+" viewBox="0 0 \1 \d+"/);
  expect(drawGraph(await layoutGraph(irOf(REVIEW)))).not.toMatch(/^<svg[^>]* width=/);
});

test("each node has one box with its status, and a new status moves nothing", async () => {
  const layout = await layoutGraph(irOf(REVIEW));
  const still = drawGraph(layout);
  expect(valuesOf(still, "data-node")).toEqual(["write", "lint", "spell", "judge"]);
  expect(valuesOf(still, "data-status")).toEqual(["idle", "idle", "idle", "idle"]);
  const moved = drawGraph(layout, {
    nodes: {
      lint: { status: "running", done: 1, total: 2, durationMs: 1500, tokens: 0 },
      spell: { status: "failed", done: 0, total: 1 },
    },
    lines: ["run 1"],
  });
  expect(valuesOf(moved, "data-status")).toEqual(["idle", "running", "failed", "idle"]);
  expect(moved).toContain(">1/2 · 1.50 s<");
  expect(moved).toContain(">failed<");
  expect(valuesOf(moved, "transform").filter((place) => !place.includes(" 6)"))).toEqual(
    valuesOf(still, "transform").filter((place) => !place.includes(" 6)")),
  );
});

test("every status has a sign of its own beside its colour", async () => {
  const layout = await layoutGraph(irOf(REVIEW));
  const statuses = [
    "running",
    "ready",
    "succeeded",
    "failed",
    "skipped",
    "aborted",
    "stale",
  ] as const;
  const signs = statuses.map((status) => {
    const svg = drawGraph(layout, { nodes: { lint: { status, done: 0, total: 1 } } });
    return /<circle[^>]*\/><path d="([^"]+)"/.exec(svg)?.[1];
  });
  expect(new Set(signs).size).toBe(statuses.length);
  expect(signs).not.toContain(undefined);
});

test("one layout for one hash, and the same bytes for the same graph", async () => {
  const ir = irOf(REVIEW);
  expect(await layoutGraph(irOf(REVIEW))).toBe(await layoutGraph(ir));
  const anew = await layoutGraph({ ...ir, hash: "another" });
  expect(drawGraph(anew)).toBe(drawGraph(await layoutGraph(ir)));
});

test("boxes do not lie on each other, whatever the graph", async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryGraph(), async (text) => {
      const layout = await layoutGraph(irOf(text));
      expect(faultOf(drawGraph(layout))).toBeUndefined();
      for (const [index, a] of layout.shapes.entries()) {
        for (const b of layout.shapes.slice(index + 1)) {
          const apart =
            a.x + a.width <= b.x ||
            b.x + b.width <= a.x ||
            a.y + a.height <= b.y ||
            b.y + b.height <= a.y;
          expect(apart, `${a.id} and ${b.id}`).toBe(true);
        }
      }
      for (const { path } of layout.arrows)
        expect(path).toMatch(/^M[-\d.]+,[-\d.]+C(?:[-\d.]+,[-\d.]+ ?){3,}$/);
    }),
    { numRuns: 40 },
  );
});

/** The graph with a text wherever a text can stand. */
function tainted(text: string): Ir {
  const ir = irOf(REVIEW);
  return {
    ...ir,
    hash: `tainted ${text}`,
    name: text,
    nodes: ir.nodes.map((node) => ({
      ...node,
      description: text,
      params: [{ name: text, optional: false, type: { kind: "literal", value: text } }],
    })),
    edges: ir.edges.map((edge) =>
      edge.route.kind === "to"
        ? {
            ...edge,
            route: {
              ...edge.route,
              when: { kind: "literal", value: text },
              targets: edge.route.targets.map((target) => ({ ...target, label: text })),
            },
          }
        : edge,
    ),
  };
}

test.each(HOSTILE)("%j in a graph stays text", async (text) => {
  const svg = drawGraph(await layoutGraph(tainted(text)), { nodes: {}, lines: [text] });
  expectHarmless({
    data: { "image/svg+xml": svg, "text/plain": graphText(tainted(text)) },
    metadata: {},
  });
});

test("no text in a graph acts", async () => {
  await fc.assert(
    fc.asyncProperty(hostileText, async (text) => {
      const svg = drawGraph(await layoutGraph(tainted(text)), { nodes: {}, lines: [text] });
      expectHarmless({ data: { "image/svg+xml": svg }, metadata: {} });
    }),
    { numRuns: 60 },
  );
});
