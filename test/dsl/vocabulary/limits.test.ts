/** Holds that each unit of a limit is read, checked and printed as its entry in the table says. */
import { expect, test } from "vitest";
import { check, LIMITS, print } from "../../../dsl/index.ts";

const graphWith = (limit: string) =>
  `graph G() {\n  limit ${limit}\n  run a = f()\n  start -> a -> end\n}\n`;

test.each(Object.entries(LIMITS))("%s are a unit", (unit, { example }) => {
  const text = graphWith(example);
  const { diagnostics, graphs } = check({ file: "a.madrigal", text });
  const [graph] = graphs;
  expect(diagnostics).toEqual([]);
  expect(graph?.limit?.quantities.map((quantity) => quantity.unit)).toEqual([unit]);
  expect(graph && print(graph)).toMatch(new RegExp(`limit +\\d+k? ${unit}`));
});

const foreign = Object.values(LIMITS).flatMap(({ otherNames, example }) =>
  otherNames.map((name) => [name, example] as const),
);

test.each(foreign)("of %s the hint is %s", (name, example) => {
  const { diagnostics } = check({ file: "a.madrigal", text: graphWith(`5 ${name}`) });
  expect(diagnostics.map(({ code, hint }) => [code, hint])).toEqual([
    ["M4101", `write it like \`${example}\``],
  ]);
});
