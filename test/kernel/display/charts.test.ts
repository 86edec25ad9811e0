import fc from "fast-check";
import { expect, test } from "vitest";
import { pushDown } from "../../../kernel/display/chart/push-down.ts";
import { type ChartSpec, chart, Rows, toBundle, waterfall } from "../../../kernel/display/index.ts";
import { expectHarmless, hostileText } from "./hostile.ts";
import { graphOf, looked, SEARCH, searching } from "./runs.ts";
import { faultOf, valuesOf } from "./well-formed.ts";

const BARS: ChartSpec = {
  title: "Sizes",
  mark: "bar",
  encoding: { x: { field: "name", type: "nominal" }, y: { field: "size", type: "quantitative" } },
};
const ROWS = [
  { name: "a", size: 1 },
  { name: "b", size: 2.5 },
];
const PICTURES = ROWS.map((row) => ({ ...row, image: "http://127.0.0.1/x.png" }));
const MIMES = ["application/vnd.vegalite.v5+json", "image/svg+xml", "text/plain"];

const marksIn = (svg: unknown): number =>
  valuesOf(String(svg), "aria-roledescription").filter((role) => role === "bar").length;
const svgOf = async (value: unknown) => (await toBundle(value)).data["image/svg+xml"];

test("a chart is Vega-Lite 5, a picture and words, and no HTML", async () => {
  const { data } = await toBundle(chart(ROWS, BARS));
  expect(Object.keys(data)).toEqual(MIMES);
  expect(data["text/plain"]).toMatchInlineSnapshot(`
    "Sizes: bar chart of 2 marks
      x: name, a, b
      y: size, 1 to 2.5"
  `);
  expect(data[MIMES[0] ?? ""]).toMatchObject({
    $schema: expect.stringMatching(/v5\.json$/),
    data: { values: ROWS },
  });
  expect(faultOf(String(data["image/svg+xml"]))).toBeUndefined();
  expect(marksIn(data["image/svg+xml"])).toBe(2);
});

test("a promise of rows, as the sql tag gives one", async () => {
  expect(marksIn(await svgOf(chart(Promise.resolve(new Rows(ROWS)), BARS)))).toBe(2);
});

test("the same rows give the same bytes", async () => {
  const bytes = async () => JSON.stringify(await toBundle(chart(ROWS, BARS)));
  expect(await bytes()).toBe(await bytes());
});

test.each<readonly [string, ChartSpec]>([
  [
    "a sum",
    { mark: "bar", encoding: { x: { field: "kind" }, y: { aggregate: "sum", field: "dur_us" } } },
  ],
  [
    "a count in colours",
    {
      mark: "bar",
      encoding: { x: { field: 'a b"c' }, y: { aggregate: "count" }, color: { field: "s" } },
    },
  ],
  [
    "hours",
    {
      mark: "line",
      encoding: {
        x: { field: "ts", timeUnit: "utcyearmonthdatehours" },
        y: { aggregate: "median", field: "n" },
      },
    },
  ],
])("%s is grouped by DuckDB", (_, spec) => {
  const pushed = pushDown(spec);
  expect(
    [pushed?.sql("FROM t"), JSON.stringify(pushed?.spec.encoding)].join("\n"),
  ).toMatchSnapshot();
});

test("what only Vega can group stays with Vega", () => {
  expect(pushDown(BARS)).toBeUndefined();
  expect(
    pushDown({ ...BARS, transform: [], encoding: { y: { aggregate: "sum", field: "n" } } }),
  ).toBeUndefined();
  expect(pushDown({ ...BARS, encoding: { y: { aggregate: "ci0", field: "n" } } })).toBeUndefined();
});

test("a chart of a question draws the groups that DuckDB gives", async () => {
  const graph = await graphOf(SEARCH, { looked });
  await searching(graph).output;
  const grouped = chart("SELECT node, dur_us, input_tokens FROM node_runs;", {
    mark: "bar",
    encoding: {
      y: { field: "node", type: "nominal" },
      x: { aggregate: "sum", field: "input_tokens" },
    },
  });
  const rows = await grouped.rows();
  expect(rows.map(({ node }) => node)).toEqual(["look", "plan", "write"]);
  expect(marksIn(await svgOf(grouped))).toBe(3);
  const binned = chart("SELECT unnest(range(0, 95)) AS n", {
    mark: "bar",
    encoding: { x: { field: "n", bin: true }, y: { aggregate: "count" } },
  });
  expect(await binned.rows()).toEqual(
    Array.from({ length: 10 }, (_, at) => ({
      n: at * 10,
      n_end: at * 10 + 10,
      count: at === 9 ? 5 : 10,
    })),
  );
  expect(String(await svgOf(binned))).toMatch(/d="M[\d.]+,[\d.]+h(?!0v)[\d.]+v/);
});

test("too many marks are refused, and grouping is what helps", async () => {
  await graphOf(SEARCH, { looked });
  const many = "SELECT range AS n, range % 3 AS third FROM range(6000)";
  const points: ChartSpec = {
    mark: "point",
    encoding: { x: { field: "n", type: "quantitative" } },
  };
  await expect(toBundle(chart(many, points))).rejects.toMatchObject({
    code: "M7601",
    message: "the chart would have 6,000 marks; 5,000 is the most",
  });
  const grouped: ChartSpec = {
    mark: "bar",
    encoding: { x: { field: "third" }, y: { aggregate: "count" } },
  };
  expect(marksIn(await svgOf(chart(many, grouped)))).toBe(3);
});

test.each<readonly [string, string, () => unknown]>([
  ["M7603", "data of its own", () => chart(ROWS, { ...BARS, data: { url: "http://127.0.0.1/x" } })],
  [
    "M7603",
    "data in a lookup",
    () =>
      chart(ROWS, {
        ...BARS,
        transform: [{ lookup: "a", from: { data: { url: "x" }, key: "a" } }],
      }),
  ],
  [
    "M7602",
    "a column that is not there",
    () => chart(ROWS, { ...BARS, encoding: { x: { field: "nmae" } } }),
  ],
  [
    "M7603",
    "a link on every mark",
    () => chart(ROWS, { ...BARS, encoding: { ...BARS.encoding, href: { field: "name" } } }),
  ],
  [
    "M7603",
    "a link in a layer's mark",
    () => chart(ROWS, { ...BARS, layer: [{ mark: { type: "bar", href: "http://127.0.0.1" } }] }),
  ],
  [
    "M7603",
    "pictures",
    () => chart(ROWS, { ...BARS, mark: "image", encoding: { x: { field: "name" } } }),
  ],
  [
    "M7603",
    "pictures in a layer",
    () => chart(ROWS, { ...BARS, layer: [{ mark: { type: "image", width: 9 } }] }),
  ],
  [
    "M7603",
    "addresses of pictures",
    () => chart(ROWS, { ...BARS, encoding: { ...BARS.encoding, url: { field: "name" } } }),
  ],
  [
    "M7603",
    "a tooltip with a field called `image`",
    () =>
      chart(PICTURES, { ...BARS, encoding: { ...BARS.encoding, tooltip: [{ field: "image" }] } }),
  ],
  [
    "M7603",
    "a tooltip with a title `image`",
    () =>
      chart(ROWS, {
        ...BARS,
        encoding: { ...BARS.encoding, tooltip: [{ field: "name", title: "image" }] },
      }),
  ],
  [
    "M7603",
    "a tooltip with the whole row, which has an `image`",
    () => chart(PICTURES, { ...BARS, mark: { type: "bar", tooltip: { content: "data" } } }),
  ],
  [
    "M7603",
    "a tooltip with a channel called `image`",
    () =>
      chart(PICTURES, {
        mark: { type: "bar", tooltip: true },
        encoding: { ...BARS.encoding, color: { field: "image" } },
      }),
  ],
  [
    "M7603",
    "a tooltip with a value that has an `image`",
    () =>
      chart(
        ROWS.map((row) => ({ ...row, of: { image: "http://127.0.0.1/x.png" } })),
        { ...BARS, encoding: { ...BARS.encoding, tooltip: { field: "of" } } },
      ),
  ],
  [
    "M7603",
    "a tooltip whose expression makes an `image`",
    () =>
      chart(ROWS, { ...BARS, mark: { type: "bar", tooltip: { expr: "{ image: datum.name }" } } }),
  ],
  ["M7603", "options of a front end", () => chart(ROWS, { ...BARS, usermeta: {} })],
  [
    "M7602",
    "a member of a column that is not there",
    () => chart(ROWS, { ...BARS, encoding: { x: { field: "usage.tokens" } } }),
  ],
  ["M7602", "a mark that is none", () => chart(ROWS, { ...BARS, mark: "blob" })],
  ["M7602", "no specification", () => chart(ROWS, undefined as never)],
])("%s: %s", async (code, _, make) => {
  await expect(Promise.resolve().then(async () => await toBundle(make()))).rejects.toMatchObject({
    code,
  });
});

test.each<readonly [string, string, readonly object[]]>([
  ["a member of a column", "u.n", [{ u: { n: 1 } }, { u: { n: 2 } }]],
  ["an item of a column", "u[0]", [{ u: [1] }, { u: [2] }]],
  ["a member in brackets", "u['n']", [{ u: { n: 1 } }, { u: { n: 2 } }]],
  ["a column with a dot in its name", "u\\.n", [{ "u.n": 1 }, { "u.n": 2 }]],
  ["a column that the first row lacks", "n", [{ m: 0 }, { n: 1 }, { n: 2 }]],
])("%s is drawn", async (_, field, rows) => {
  const spec: ChartSpec = {
    mark: "bar",
    encoding: { x: { field, type: "quantitative" }, y: { field, type: "nominal" } },
  };
  const { data } = await toBundle(chart(rows, spec));
  expect(data["text/plain"]).toContain(`x: ${field}, 1 to 2`);
  const labels = valuesOf(String(data["image/svg+xml"]), "aria-label");
  expect(labels.filter((label) => label.endsWith(": 2"))).toHaveLength(1);
});

test("times are texts, and large numbers too where a number is not exact", async () => {
  const rows = [{ at: new Date(Date.UTC(2026, 0, 2)), n: 7n, id: 2n ** 60n, bad: new Date(NaN) }];
  const spec: ChartSpec = {
    mark: "point",
    encoding: { x: { field: "at", type: "temporal" }, y: { field: "n", type: "quantitative" } },
  };
  const drawing = chart(rows, spec);
  const { data } = await toBundle(drawing);
  const plain = { at: "2026-01-02T00:00:00.000Z", n: 7, id: "1152921504606846976", bad: null };
  expect(data[MIMES[0] ?? ""]).toMatchObject({ data: { values: [plain] } });
  expect(await drawing.rows()).toEqual([plain]);
  expect(data["text/plain"]).toContain("x: at, 2026-01-02T00:00:00.000Z\n  y: n, always 7");
});

test("a column called `image` is drawn, and told in a tooltip by another title", async () => {
  const tooltip = [{ field: "name" }, { field: "image", title: "file" }];
  const { data } = await toBundle(
    chart(PICTURES, { ...BARS, encoding: { ...BARS.encoding, tooltip } }),
  );
  expect(marksIn(data["image/svg+xml"])).toBe(2);
  const rows = new Rows(
    [{ image: "http://127.0.0.1/x.png", size: 1 }],
    [
      { name: "image", type: "VARCHAR" },
      { name: "size", type: "INTEGER" },
    ],
    { isCut: false, total: 1 },
  );
  const quick = await toBundle(rows.chart());
  expect(JSON.stringify(quick.data[MIMES[0] ?? ""])).toContain('"title":"Image"');
});

test.each<readonly [string, object]>([
  ["a text as step", { step: "1) FROM secrets --" }],
  ["a step of nothing", { step: 0 }],
  ["no number as step", { step: NaN }],
  ["a text as maxbins", { maxbins: "9" }],
  ["bins without end", { maxbins: Infinity }],
])("%s never reaches a statement", (_, bin) => {
  const spec: ChartSpec = { mark: "bar", encoding: { x: { field: "n", bin } } };
  const extents = new Map([["n", { low: 0, high: 9 }]]);
  expect(() => pushDown(spec, extents)).toThrowError(expect.objectContaining({ code: "M7602" }));
});

test("a name that every object has is neither a unit nor a way to add up", () => {
  const timed = { field: "n", timeUnit: "constructor" };
  const added = { field: "n", aggregate: "constructor" };
  for (const x of [timed, added])
    expect(pushDown({ mark: "bar", encoding: { x } })).toBeUndefined();
});

test("a member of a column is grouped by Vega", async () => {
  await graphOf(SEARCH, { looked });
  const members: ChartSpec = {
    mark: "bar",
    encoding: { x: { field: "u.kind", type: "nominal" }, y: { aggregate: "count" } },
  };
  expect(pushDown(members)).toBeUndefined();
  const drawing = chart("SELECT {'kind': range % 3} AS u FROM range(9)", members);
  expect(marksIn(await svgOf(drawing))).toBe(3);
});

test("a title that every object has as a member is drawn", async () => {
  const spec = { ...BARS, title: { text: "toString", subtitle: "constructor" } };
  const svg = await svgOf(chart([{ name: "valueOf", size: 1 }], spec));
  for (const text of ["toString", "constructor", "valueOf"]) expect(svg).toContain(text);
});

test("no text in a chart acts", async () => {
  await fc.assert(
    fc.asyncProperty(hostileText, async (text) => {
      const spec = { ...BARS, title: { text, subtitle: text } };
      expectHarmless(await toBundle(chart([{ name: text, size: 1 }], spec)));
    }),
    { numRuns: 40 },
  );
});

test("a run that is not traced has no charts", async () => {
  await graphOf(SEARCH, { looked });
  await expect(toBundle(waterfall("nothing"))).rejects.toMatchObject({ code: "M5107" });
});
