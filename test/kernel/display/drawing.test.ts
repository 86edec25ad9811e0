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
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" class="madrigal-drawing" /);
  expect(svg).toContain("<title>Graph Review</title><desc>write, lint, spell, judge</desc>");
  expect(svg.replace(/xmlns="[^"]*"/, "")).not.toContain("http");
  expect(faultOf(svg)).toBeUndefined();
});

test("a picture has its own size, so that its texts are as large as they were made", async () => {
  for (const text of ["graph G() { run one = f()\n start -> one }", REVIEW]) {
    const svg = drawGraph(await layoutGraph(irOf(text)));
    expect(svg).toMatch(/^<svg [^>]* width="(\d+)" height="(\d+)" viewBox="0 0 \1 \2"/);
    expect(
      valuesOf(svg, "font-size")
        .map(Number)
        .every((size) => size >= 11),
    ).toBe(true);
  }
});

test("a picture takes its colours from the page that it stands in, and says them for both themes", async () => {
  const statuses = ["running", "waiting", "paused", "ready", "succeeded", "failed"] as const;
  const layout = await layoutGraph(irOf(REVIEW));
  for (const status of statuses) {
    const svg = drawGraph(layout, { nodes: { lint: { status, done: 0, total: 1 } } });
    const style = /<style>(.*)<\/style>/.exec(svg)?.[1] ?? "";
    for (const property of ["fill", "stroke"]) {
      const colours = new Set(valuesOf(svg, property).filter((colour) => colour.startsWith("#")));
      for (const colour of colours) {
        // The sign is white on its disc, which is as light on a dark page as it is dark on a light one.
        expect(style).toContain(`[${property}="${colour}"]{${property}:`);
        expect(style).toContain(`light-dark(${colour},#`);
      }
    }
    expect(style).toContain(
      '[fill="#ffffff"]{fill:var(--jp-layout-color0,var(--vscode-editor-background,',
    );
    expect(style).toContain(
      "[data-jp-theme-light=false] .madrigal-drawing,.vscode-dark .madrigal-drawing,",
    );
  }
});

const CHAIN = `graph Chain(to: string) returns a {
  state { a: string }
  ${["one", "two", "three", "four", "five", "six"].map((name) => `run ${name} = f(to) writes a`).join("\n  ")}
  start -> one -> two -> three -> four -> five -> six
  six -> { a == "x" -> five max 3, else -> end }
  limit 20 steps
}`;

test("a long chain wraps as a text does, and no row is wider than a cell", async () => {
  const layout = await layoutGraph(irOf(CHAIN));
  expect(layout.width).toBeLessThanOrEqual(712);
  const tops = new Map(layout.shapes.map(({ id, y }) => [id, y]));
  const rows = ["one", "two", "three", "four", "five", "six"].map((name) =>
    tops.get(`node ${name}`),
  );
  expect(new Set(rows).size).toBe(3);
  expect([...rows].sort((a, b) => Number(a) - Number(b))).toEqual(rows);
});

test("the two arrows of a loop stand apart", async () => {
  const { arrows } = await layoutGraph(
    irOf(`graph Loop(to: string) returns a {
  state { a: string }
  run plan = f(to) writes a
  run judge = f(to) writes a
  start -> plan -> judge
  judge -> { a == "x" -> plan max 3, else -> end }
  limit 20 steps
}`),
  );
  const between = arrows.filter(({ from, to }) => from !== "start" && to !== "end");
  const [forth = 0, back = 0] = between.map(({ path }) =>
    Math.max(...Array.from(path.matchAll(/,([\d.]+)/g), ([, y]) => Number(y))),
  );
  // Below the boxes, which are 62 high.
  expect(back - forth).toBeGreaterThan(31);
});

test("approvals and limits of a node stand in its box, those of the graph below it", async () => {
  const graph = await graphOf(
    `graph Bound(to: string) returns a {
  state { a: string }
  run send = f(to) writes a { approve before
    limit 1m }
  start -> send -> end
  limit 20 steps
}`,
    { f: () => "" },
  );
  const svg = String((await toBundle(graph)).data["image/svg+xml"]);
  expect(svg).toContain(">approve before · limit 1m<");
  expect(svg).toContain(">graph Bound · limit 20 steps<");
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

test("each drawing names its own run, though the layout is one and the same", async () => {
  const layout = await layoutGraph(irOf(REVIEW));
  for (const runId of ["one", "two"]) {
    const svg = drawGraph(layout, { nodes: {}, lines: ["run"], runId });
    expect(valuesOf(svg, "data-run")).toEqual([runId]);
  }
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
