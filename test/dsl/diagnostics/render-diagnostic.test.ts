import { expect, test } from "vitest";
import { type Finding, toDiagnostic } from "../../../dsl/diagnostics/diagnostic.ts";
import { renderDiagnostic } from "../../../dsl/diagnostics/render-diagnostic.ts";

/** The frame for the words of `text` between « and », which are taken out first. */
function frame(marked: string, more: Partial<Finding> = {}): string {
  const start = marked.indexOf("«");
  const end = marked.indexOf("»") - 1;
  const source = { file: "review.madrigal", text: marked.replace(/[«»]/g, "") };
  const finding: Finding = {
    code: "M1101",
    message: "this is wrong",
    span: { start, end },
    ...more,
  };
  return `\n${renderDiagnostic(toDiagnostic(source, finding), source)}\n`;
}

test("the line, a mark below it, and what to do", () => {
  expect(
    frame("graph G {\n\n\n  plan -> «writer»\n}", { hint: 'did you mean "write"?' }),
  ).toMatchInlineSnapshot(`
    "
    error[M1101]: this is wrong
      ┌─ review.madrigal:4:11
    4 │   plan -> writer
      │           ^^^^^^
      hint: did you mean "write"?
    "
  `);
});

test("line numbers of two digits", () => {
  expect(frame(`${"\n".repeat(11)}a -> «b»`, { hint: "remove it" })).toMatchInlineSnapshot(`
    "
    error[M1101]: this is wrong
       ┌─ review.madrigal:12:6
    12 │ a -> b
       │      ^
       hint: remove it
    "
  `);
});

test("nothing is marked with one caret", () => {
  expect(frame("limit «»")).toMatchInlineSnapshot(`
    "
    error[M1101]: this is wrong
      ┌─ review.madrigal:1:7
    1 │ limit
      │       ^
    "
  `);
});

test("of several lines the first is marked", () => {
  expect(frame("a -> «{\n  x -> b\n}»")).toMatchInlineSnapshot(`
    "
    error[M1101]: this is wrong
      ┌─ review.madrigal:1:6
    1 │ a -> {
      │      ^
    "
  `);
});

test("tabs take two columns", () => {
  expect(frame("\ta ->\t«b»")).toMatchInlineSnapshot(`
    "
    error[M1101]: this is wrong
      ┌─ review.madrigal:1:7
    1 │   a ->  b
      │         ^
    "
  `);
});

test("wide letters take two columns", () => {
  expect(frame('model 日本 = "e\u0301" + «"日本"» 🎵')).toMatchInlineSnapshot(`
    "
    error[M1101]: this is wrong
      ┌─ review.madrigal:1:19
    1 │ model 日本 = "é" + "日本" 🎵
      │                    ^^^^^^
    "
  `);
});

test("a long line is cut around the mark", () => {
  expect(
    frame(`prompt "${"la ".repeat(60)}" + «wrong» + "${"la ".repeat(60)}"`),
  ).toMatchInlineSnapshot(`
    "
    error[M1101]: this is wrong
      ┌─ review.madrigal:1:193
    1 │ …a la la la la la la la la la la " + wrong + "la la la la la la la la la la la la la la la la la la la la la la…
      │                                      ^^^^^
    "
  `);
});

test("a long mark ends with what is shown", () => {
  expect(frame(`«${"word ".repeat(60)}»`)).toMatchInlineSnapshot(`
    "
    error[M1101]: this is wrong
      ┌─ review.madrigal:1:1
    1 │ word word word word word word word word word word word word word word word word word word word word word word …
      │ ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    "
  `);
});

test("a warning, and a related place", () => {
  const related = [{ span: { start: 2, end: 3 }, message: "first written here" }];
  expect(frame("  a -> b\n  «a» -> c", { severity: "warning", related })).toMatchInlineSnapshot(`
    "
    warning[M1101]: this is wrong
      ┌─ review.madrigal:2:3
    2 │   a -> c
      │   ^
      ┌─ review.madrigal:1:3
    1 │   a -> b
      │   ^ first written here
    "
  `);
});

test("a related place in another file has no line to show", () => {
  const source = { file: "a.madrigal", text: "a -> b" };
  const at = { line: 1, column: 1, endLine: 1, endColumn: 2, file: source.file };
  const related = [{ file: "b.madrigal", line: 7, column: 3, message: "declared here" }];
  expect(
    `\n${renderDiagnostic({ code: "M1101", severity: "info", message: "see there", ...at, related }, source)}\n`,
  ).toMatchInlineSnapshot(`
    "
    info[M1101]: see there
      ┌─ a.madrigal:1:1
    1 │ a -> b
      │ ^
      note: b.madrigal:7:3 declared here
    "
  `);
});

test("colours are asked for", () => {
  const source = { file: "a.madrigal", text: "a -> b" };
  const finding: Finding = { code: "M1101", message: "no", span: { start: 0, end: 1 } };
  const coloured = renderDiagnostic(toDiagnostic(source, finding), source, { color: true });
  const plain = renderDiagnostic(toDiagnostic(source, finding), source);
  expect(coloured).toContain("\u001b[31;1merror[M1101]\u001b[0m");
  expect(
    coloured
      .split("\u001b")
      .join("")
      .replaceAll(/\[[\d;]*m/g, ""),
  ).toBe(plain);
});
