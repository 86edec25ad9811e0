/** The manual's page about charts: each chart is on it, each example draws the picture that is shown. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CHARTS } from "../../../kernel/display/index.ts";
import { examples, PICTURES, pictures } from "./chart-pictures.ts";

test("every chart has its section, its command and its picture", () => {
  const names = Object.keys(CHARTS).sort();
  expect(
    examples()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(names);
  for (const { name, command, picture } of examples()) {
    expect(command).toMatch(new RegExp(`^madrigal chart ${name}(?: |$)`));
    expect(picture).toBe(`${name}.svg`);
  }
});

test("the pictures are what the examples draw; `npm run pictures` draws them anew", async () => {
  const drawn = await pictures();
  expect(readdirSync(PICTURES).sort()).toEqual([...drawn.keys()].sort());
  const other = [...drawn].filter(
    ([name, svg]) => readFileSync(join(PICTURES, name), "utf8") !== svg,
  );
  expect(other.map(([name]) => name)).toEqual([]);
});
