/** The pages of the codes of imports: their bad program is wrong in just this way, their good one in none. */
import { expect, test } from "vitest";
import { imports } from "../../../dsl/codes/imports.ts";
import type { CodePage } from "../../../dsl/codes/page.ts";
import { editsBetween, imagesOf } from "../check/one-token.ts";
import { report } from "./programs.ts";

const AROUND = {
  "models.madrigal": 'model smart = "openai/gpt-4o"\ntype Review = { verdict: string }\n',
  "broken.madrigal": "model smart = \n",
};

test.each(Object.entries<CodePage>(imports))("%s", (code, { bad = "", good = "", near }) => {
  const lines = report({ "this.madrigal": bad, ...AROUND }).split("\n");
  expect(lines.map((line) => line.split(" ")[0])).toEqual([code]);
  expect(report({ "this.madrigal": good, ...AROUND })).toBe("");
  if (typeof near === "object") return expect(near.none).toMatch(/\.$/);
  expect(editsBetween(imagesOf(bad), imagesOf(near ?? good))).toBe(1);
  expect(report({ "this.madrigal": near ?? good, ...AROUND })).toBe("");
});
