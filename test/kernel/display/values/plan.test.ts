/** The displays of a plan: lines of a terminal, a list of Markdown, a drawing with a table. */
import { expect, test } from "vitest";
import {
  planHtml,
  planIn,
  planMarkdown,
  planText,
} from "../../../../kernel/display/values/plan.ts";
import { plainBundle } from "../../../../kernel/display/values/value-bundle.ts";

const PLAN = {
  name: "Two <shops>",
  version: 2,
  steps: [
    { id: "a", title: "Read the first", details: "the price & the name", agent: "Browser" },
    { id: "b", title: "Read the second", details: "Read the second", agent: "Browser" },
    {
      id: "c",
      title: "Compare",
      details: "say which is less\nand by how much",
      depends: ["a", "b"],
      when: 'a != ""',
      repeat: "each of Ann, Bob",
    },
  ],
};

test("a value that is a plan is shown as one, anything else is not", () => {
  expect(planIn(PLAN)).toEqual(PLAN);
  const others = [{ steps: [] }, { steps: [{ id: "a" }] }, [], "steps", null];
  expect(others.map((value) => planIn(value))).toEqual(others.map(() => undefined));
});

test("lines of a terminal", () => {
  expect(planText(PLAN)).toMatchInlineSnapshot(`
    "Two <shops> (version 2)
      a  Read the first · Browser
         the price & the name
      b  Read the second · Browser
      c  Compare · after a, b · when a != "" · each of Ann, Bob
         say which is less
         and by how much"
  `);
});

test("Markdown", () => {
  expect(planMarkdown(PLAN)).toMatchInlineSnapshot(`
    "Two &#60;shops> (version 2)

    - **a** Read the first · Browser
    - **b** Read the second · Browser
    - **c** Compare · after a, b · when a != "" · each of Ann, Bob"
  `);
});

test("a drawing with a box a step and a line to each that it waits for, and a table", () => {
  const html = planHtml(PLAN);
  expect(html.match(/<rect /g)?.length).toBe(3);
  expect(html.match(/<path /g)?.length).toBe(2);
  expect(html.match(/<tr>/g)?.length).toBe(4);
  expect(html).toContain("Two &#60;shops&#62; (version 2)");
  expect(html).not.toContain("<shops>");
  expect(plainBundle(PLAN).data["text/html"]).toBe(html);
});

test("nothing of a value's own is called to see whether it is a plan", () => {
  const [step] = PLAN.steps;
  const getter = {
    get: () => expect.unreachable("a getter was called"),
    enumerable: true,
  } as const;
  const values = [
    Object.defineProperty({ name: "x" }, "steps", getter),
    { steps: [Object.defineProperty({ id: "a", title: "b" }, "details", getter)] },
    new (class {
      readonly steps = [step];
    })(),
  ];
  for (const value of values)
    expect(plainBundle(value).data["text/html"] ?? "").not.toContain("madrigal-plan");
  expect(plainBundle(PLAN).data["text/html"]).toContain("madrigal-plan");
});
