/** Values that one can look at: tables whose rows stay in the kernel, objects and texts that unfold, hostile values in each. */
import { expect, test } from "vitest";
import { toShownBundle } from "../../../kernel/display/to-bundle.ts";
import { openTestNotebook, useTypes } from "./notebook.ts";
import { page } from "./widget-page.ts";

useTypes();

interface Answer {
  readonly total: number;
  readonly rows: readonly (readonly [number, ...(readonly [string, string])[]])[];
  readonly summary: readonly (readonly string[])[];
  readonly file: string;
  readonly value: string;
  readonly fault: string;
}

/** A page with widgets that shows the last value of a cell. */
async function viewing(code: string) {
  const notebook = openTestNotebook();
  const { open, say, widget } = page(notebook);
  await open();
  const shown = await notebook.run(code);
  const { id, state } = widget("last");
  const ask = async (content: Readonly<Record<string, unknown>>): Promise<Answer> => {
    await say(id, { method: "custom", content: { ask: "q", ...content } });
    const answers = notebook.sent.map(({ packet }) => packet as { readonly data?: unknown });
    const last = (answers.at(-1)?.data ?? {}) as { readonly content: Answer };
    return last.content;
  };
  return { notebook, shown, state, ask, widget };
}

const MANY = `Array.from({ length: 100_000 }, (_, n) => ({
  n, text: "t" + (n % 7), odd: n % 2 === 1, score: n % 5 === 0 ? null : n / 3, tags: [n],
}))`;

test("a hundred thousand rows stay in the kernel, and the page asks for those that it shows", async () => {
  const { shown, state, ask } = await viewing(MANY);
  expect(shown).toContain("[text/html]");
  expect(state.total).toBe(100_000);
  expect(state.rows).toHaveLength(100);
  const numbers = async (content: Readonly<Record<string, unknown>>) => {
    const { rows, total } = await ask({ from: 0, ...content });
    return [total, ...rows.slice(0, 3).map(([number]) => number)];
  };
  expect(await numbers({ from: 99_900 })).toEqual([100_000, 99_900, 99_901, 99_902]);
  expect(await numbers({ of: { sort: { column: 3, isDown: true } } })).toEqual([
    100_000, 99_999, 99_998, 99_997,
  ]);
  expect(await numbers({ of: { sort: { column: 1, isDown: false } } })).toEqual([
    100_000, 0, 7, 14,
  ]);
  expect(await numbers({ of: { search: "T6" } })).toEqual([14_285, 6, 13, 20]);
  const filtered = async (filters: Readonly<Record<string, string>>) =>
    (await numbers({ of: { filters } }))[0];
  expect(await filtered({ 0: ">= 99_998" })).toBe(0);
  expect(await filtered({ 0: ">= 99998", 2: "true" })).toBe(1);
  expect(await filtered({ 0: "10..19" })).toBe(10);
  expect(await filtered({ 3: "null" })).toBe(20_000);
  expect(await filtered({ 3: "!null", 1: "= t1" })).toBe(11_429);
  const { summary } = await ask({ summary: true, of: { filters: { 0: "0..9" } } });
  expect(summary).toMatchInlineSnapshot(`
    [
      [
        "10 · 10 distinct",
        "0 … 9",
      ],
      [
        "10 · 7 distinct",
        "t0 × 2",
        "t1 × 2",
      ],
      [
        "10 · 2 distinct",
        "false × 5",
        "true × 5",
      ],
      [
        "8 · 8 distinct · 2 NULL",
        "0.333333 … 3",
      ],
      [
        "10 · 10 distinct",
      ],
    ]
  `);
  expect((await ask({ value: 5, column: 4 })).value).toBe("[\n  5\n]");
  expect((await ask({ file: "csv", of: { search: "99999" } })).file).toMatchInlineSnapshot(`
    "n,text,odd,score,tags
    99999,t4,true,33333,[99999]
    "
  `);
  expect((await ask({ file: "tsv", of: { filters: { 0: "= 3" } } })).file).toMatchInlineSnapshot(`
    "n	text	odd	score	tags
    3	t3	true	1	[3]"
  `);
  expect(await ask({ nothing: 1 })).toEqual({ answer: "q" });
});

test("rows of a query are looked at in the same way, and those of few rows are a table alone", async () => {
  const { state, ask, notebook, widget } = await viewing(
    "%%sql\nSELECT i AS n, 'a' || i AS text FROM range(250) r(i)",
  );
  expect(state.columns).toMatchObject([
    { name: "n", type: "bigint" },
    { name: "text", type: "varchar" },
  ]);
  expect((await ask({ from: 200 })).rows).toHaveLength(50);
  expect(await notebook.run('[{ a: 1, b: "x" }]')).toContain("[text/html]");
  expect(widget("last").state.total).toBe(250);
});

test("tables that nobody looks at any more give back their rows", async () => {
  const { notebook } = await viewing("const few = Array.from({ length: 20 }, (_, n) => ({ n }));");
  for (let at = 0; at < 52; at += 1) await notebook.run("few");
  const closed = notebook.sent.filter(({ packet }) => packet.kind === "close");
  // Each with its layout.
  expect(closed).toHaveLength(4);
});

const ODD = `const round: Record<string, unknown> = { a: 1 };
round.self = round;
const html = "<img src=x onerror=alert(1)>\\u202e";
const thrower = { get boom(): number { throw new Error("no"); }, [html]: html };
const wide = Object.fromEntries(Array.from({ length: 300 }, (_, n) => ["k" + n, n]));
const rowsOf = (row: object) => Array.from({ length: 20 }, () => row);`;

test.each([
  ["[{ a: 1 }, { b: [1] }]", "a"],
  ["rowsOf(round)", "goes round"],
  ["rowsOf(thrower)", "boom"],
  ["rowsOf({ [html]: html, deep: { [html]: [html] } })", "img src=x"],
  ["rowsOf(wide)", "300 keys"],
  ["[{}, {}]", "2 items"],
  [
    "({ list: rowsOf(round), map: new Map([[html, round]]), thrower, date: new Date(0), long: 'x'.repeat(300) })",
    "300 characters",
  ],
  ["new Proxy({ a: 1 }, { get() { throw new Error('no'); } })", ""],
  ["Array.from({ length: 40 }, (_, n) => html + n).join('\\n')", "40 lines"],
  ["Array.from({ length: 100_000 }, () => [html, html, html])", "99,900 more"],
  ["[...Array(50)].reduce((inner: object) => ({ inner, pad: 'y'.repeat(90) }), {})", "2 keys"],
])("%s is shown, with nothing in it that acts", async (code, word) => {
  const notebook = openTestNotebook();
  await notebook.run(ODD);
  const reply = await notebook.reply(code);
  expect(reply.status).toBe("ok");
  const html = notebook.html();
  if (word !== "") expect(html).toContain(word);
  expect(html).not.toContain("<img");
  expect(html).not.toContain("\u202e");
  expect(html.length).toBeLessThan(400_000);
});

test("dates are times, in a small table and in a large one", async () => {
  const { state, ask, notebook } = await viewing(
    "const days = Array.from({ length: 12 }, (_, n) => ({ n, at: new Date(n * 86_400_000) }));\ndays",
  );
  expect(state.columns).toMatchObject([{ type: "bigint" }, { type: "timestamp" }]);
  const { rows } = await ask({ from: 0, of: { sort: { column: 1, isDown: true } } });
  expect(rows[0]).toEqual([11, ["11", "number"], ["1970-01-12 00:00:00", "text"]]);
  await notebook.reply("[{ at: new Date(0) }, { at: new Date(NaN) }]");
  const html = notebook.html();
  for (const text of ["1970-01-01 00:00:00", "Invalid Date"]) expect(html).toContain(text);
});

const COUNTING = `let reads = 0;
const lazy = { id: 1, get secret() { reads += 1; return "read"; } };
const twenty = Array.from({ length: 20 }, () => lazy);
class Shown { get toMimeBundle() { reads += 1; return () => ({}); } }
class Displayed { get [Symbol.for("Jupyter.display")]() { reads += 1; return () => ({}); } }`;

test.each([
  ["[lazy, lazy]", "(computed when it is read)"],
  ["twenty", "(computed when it is read)"],
  ["[{ inner: lazy }, { inner: [lazy] }]", "(computed when it is read)"],
  ["({ a: 1, b: [[lazy]], long: 'x'.repeat(300) })", "(computed when it is read)"],
  ['[{ role: "user", content: "hi", parts: [lazy] }]', "hi"],
  ["pickRows(twenty)", "(computed when it is read)"],
  ["new Shown()", ""],
  ["new Displayed()", ""],
])("showing %s calls no getter", async (code, word) => {
  const notebook = openTestNotebook();
  await notebook.run('import { pickRows } from "madrigal";');
  await notebook.run(COUNTING);
  expect((await notebook.reply(code)).status).toBe("ok");
  expect(notebook.html()).toContain(word);
  expect(await notebook.run("reads")).toBe("result 0");
});

test("the page's questions about rows with getters call none", async () => {
  const { notebook, ask } = await viewing(`${COUNTING}\ntwenty`);
  const { rows } = await ask({
    from: 0,
    of: { search: "computed", sort: { column: 1, isDown: true } },
  });
  expect(rows).toHaveLength(20);
  await ask({ summary: true });
  await ask({ file: "csv" });
  expect(await notebook.run("reads")).toBe("result 0");
});

test("whether `display` was given a bundle is found without a getter", async () => {
  const lazy = {
    get data() {
      return expect.unreachable("a getter was called");
    },
  };
  const { data } = await toShownBundle(lazy);
  expect(data["text/plain"]).toBe("{ data: [Getter] }");
});

test("small values are text alone", async () => {
  const notebook = openTestNotebook();
  for (const code of ["({ a: 1 })", "[1, 2]", '"text"', "new Date(0)", "/x/"])
    expect(await notebook.run(code)).not.toContain("text/html");
});
