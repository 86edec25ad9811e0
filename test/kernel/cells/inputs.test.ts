/** Inputs of cells: values that a page changes, and code reads, awaits and subscribes to. */
import { expect, test } from "vitest";
import * as madrigal from "../../../kernel/index.ts";
import { openTestNotebook, useTypes } from "./notebook.ts";
import { page } from "./widget-page.ts";

useTypes();

// The cells of this test's process load a "madrigal" of their own, which has no kernel; so they are given ours.
Object.assign(globalThis, { testMadrigal: madrigal });

const IMPORTS = `import type * as Madrigal from "madrigal";
const { slider, number, dropdown, text, date, checkbox, button, form, pickRows, display } = Reflect.get(globalThis, "testMadrigal") as typeof Madrigal;`;

/** A notebook whose cells have the inputs, and a page with widgets. */
async function withInputs() {
  const notebook = openTestNotebook();
  const { open, say, widget } = page(notebook);
  await open();
  await notebook.run(IMPORTS);
  const tell = async (content: Readonly<Record<string, unknown>>) =>
    await say(widget("last").id, { method: "custom", content });
  return { ...notebook, tell, widget };
}

test("what the page says is the value, for code that reads it, awaits it and subscribes to it", async () => {
  const { run, tell, widget, shown, html } = await withInputs();
  const first = await run("const k = slider({ min: 1, max: 9, value: 3 });\nk");
  expect(first).toBe("display [text/html] k: 3");
  expect(widget("last").state).toMatchObject({
    submit: "",
    fields: [{ kind: "range", label: "k", value: 3, min: 1, max: 9, step: 1 }],
  });
  await run(`const heard: number[] = [];
k.value$.subscribe((value) => { heard.push(value); if (value === 7) console.log("seven"); });
const awaited: number[] = [];
void (async () => { for await (const value of k) awaited.push(value); })();`);
  await tell({ values: [7] });
  await tell({ values: [99] });
  await tell({ values: ["<b>"] });
  expect(shown()).toBe("stdout seven");
  expect(await run("[k.value, heard, awaited]")).toContain("[ 7, [ 3, 7 ], [ 3, 7 ] ]");
  // The saved output follows when the person has left the control, or code sets the value.
  await tell({ done: true });
  expect(shown()).toBe("update [text/html] k: 7");
  await run("k.value = 8;");
  expect(widget("last").state.fields).toMatchObject([{ value: 8 }]);
  await run("display(k);\nk.value = 9;");
  expect(html()).toContain("k: <b>9</b>");
  expect(await run("k.value = 10;")).toMatch(/M7843.*`k` can't be 10: it ends at 9/);
});

test("in reactive mode an input that is moved runs what uses it, once for all that was moved meanwhile", async () => {
  const { run, tell, shown } = await withInputs();
  await run("%config reactive on");
  await run("const k = slider({ min: 1, max: 9, value: 3 });\nk", { cellId: "a" });
  await run("`ten times ${k.value * 10}`", { cellId: "b" });
  await run("'alone'", { cellId: "c" });
  await tell({ values: [7] });
  expect(shown()).toMatch(/^clear m\d+\nresult 'ten times 70'$/);
  await Promise.all([tell({ values: [5] }), tell({ values: [6] })]);
  expect(shown()).toMatch(/result 'ten times 60'$/);
  await run("k.value = 2;", { cellId: "d" });
  expect(shown()).toMatch(/clear m\d+\nresult 'ten times 20'$/);
});

test.each([
  ['number({ min: -1, max: 1, step: 0.1, label: "<b>" })', "<b>: 0", [0.5], "0.5"],
  ['dropdown(["a", "b"], { value: "b", label: "d" })', "d: b", [[0]], "'a'"],
  ['dropdown({ "A to Z": 1, other: 2 }, { label: "d" })', "d: A to Z", [[1]], "2"],
  ['text({ label: "t", hint: "name" })', "t: ", ["<img src=x>"], "'<img src=x>'"],
  ['date({ label: "day", min: "2026-01-01" })', "day: ", ["2026-02-28"], "'2026-02-28'"],
  ['checkbox({ label: "c" })', "c: false", [true], "true"],
  ['button("Go")', "Go: pressed 0 times", [1], "1"],
])("%s", async (code, words, values, value) => {
  const { run, tell, html } = await withInputs();
  expect(await run(`const one = ${code};\none`)).toContain(`display [text/html] ${words}`);
  await tell({ values });
  expect(await run("one.value")).toBe(`result ${value}`);
  await tell({ done: true });
  expect(html()).not.toContain("<img");
});

test("the inputs of a form are taken together", async () => {
  const { run, tell, widget } = await withInputs();
  await run(
    'const search = form({ k: slider({ value: 2 }), word: text({ value: "x" }) }, { submit: "Find" });\nsearch',
  );
  expect(widget("last").state).toMatchObject({
    submit: "Find",
    fields: [
      { kind: "range", value: 2 },
      { kind: "text", label: "word", value: "x" },
    ],
  });
  await tell({ values: [5, "y"] });
  await tell({ values: [500, "z"] });
  expect(await run("search.value.word + search.value.k")).toBe("result 'y5'");
  expect(await run("search.value.wrd")).toContain("TS2551");
});

test("rows of a table are ticked", async () => {
  const { run, tell, widget } = await withInputs();
  await run(
    'const people = [{ name: "Ada" }, { name: "Grace" }];\nconst who = pickRows(people, { several: true });\nwho',
  );
  expect(widget("last").state).toMatchObject({ chooses: "several", chosen: [], total: 2 });
  await tell({ choose: [1, 0] });
  expect(await run("who.value.map(({ name }) => name)")).toContain("[ 'Grace', 'Ada' ]");
  expect(widget("last").state.chosen).toEqual([1, 0]);
  expect(await run("const one = pickRows(people);\none")).toContain("one: no row");
  await tell({ choose: [1, 0] });
  expect(await run("one.value.length")).toBe("result 0");
});

test("parameters of `madrigal exec` and papermill are the values that inputs of their names begin with", async () => {
  const { run } = await withInputs();
  await run(
    '// Parameters\nlet size = 5;\nlet shape = "b";\nlet picked = [1];\nlet both = {"n": 3};\nlet far = 5000;',
  );
  expect(
    await run("const size = slider(), other = slider({ value: 4 });\n[size.value, other.value]"),
  ).toContain("[ 5, 4 ]");
  expect(
    await run('const form1 = dropdown(["a", "b"], { name: "shape" });\nform1.value'),
  ).toContain("'b'");
  expect(await run("const picked = pickRows([{ a: 1 }, { a: 2 }]);\npicked.value")).toContain(
    "a: 2",
  );
  expect(
    await run('const both = form({ n: number(), t: text({ value: "kept" }) });\nboth.value'),
  ).toContain("{ n: 3, t: 'kept' }");
  expect(await run("const far = slider();")).toMatch(/M7843.*`far` can't be 5000: it ends at 100/);
});

test.each([
  ["slider({ min: 3, max: 1 })", "min is 3, which is above max, 1"],
  ["slider({ step: 0 })", "step is 0"],
  ["slider({ value: NaN })", "value is NaN"],
  ["number({ max: 2, value: 3 })", "its value is 3, and it ends at 2"],
  ["dropdown([])", "nothing to choose"],
  ['dropdown(["a", "a"])', "two options read alike"],
  ['dropdown(["a"], { value: "b" as never })', "it is one of `a`"],
  ['date({ value: "2026-02-30" })', "it takes a day"],
  ['date({ min: "tomorrow" })', "min is no day"],
  ["form({})", "the form has no inputs"],
  ['form({ go: button("Go") })', "`go` of the form is no slider"],
  ["pickRows([1] as never)", "pickRows takes an array of plain objects"],
])("%s can't be", async (code, why) => {
  const { run } = await withInputs();
  const shown = await run(code);
  expect(shown).toContain("M7842");
  expect(shown).toContain(why);
});

test("widgets beyond the last hundred are closed, and pages show their words", async () => {
  const { run, sent } = await withInputs();
  await run("for (let at = 0; at < 120; at += 1) display(slider({ label: `s${at}` }));");
  const count = (kind: string) => sent.filter(({ packet }) => packet.kind === kind).length;
  // Each has a model and a layout.
  expect(count("open") - count("close")).toBe(200);
});
