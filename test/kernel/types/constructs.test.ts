import { expect, test } from "vitest";
import { program, ROWS } from "./constructs.ts";
import { errorsIn } from "./said.ts";

test.each(ROWS)("%s", async (_what, right, wrong, errors) => {
  expect(await errorsIn(program(right))).toBe("");
  expect(await errorsIn(program(wrong))).toBe(errors);
});
