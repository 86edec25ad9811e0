/** Every code of a check has a bad program whose only finding it is, and the same program put right. */
import { expect, test } from "vitest";
import { names } from "../../../dsl/codes/names.ts";
import type { CodePage } from "../../../dsl/codes/page.ts";
import { policies } from "../../../dsl/codes/policies.ts";
import { stateAndFlow } from "../../../dsl/codes/state-and-flow.ts";
import { report } from "../report.ts";

const pages: [string, CodePage][] = Object.entries({ ...names, ...stateAndFlow, ...policies });
const shown = pages.filter(([, page]) => page.bad !== undefined);
/** What can only be wrong if it is known what TypeScript offers. */
const needScope = ["M2106", "M2107"];

test.each(shown)("%s is all that is said about its bad program", (code, { bad }) => {
  const lines = report(bad ?? "", { allowNotYet: code !== "M4900" }).split("\n");
  expect(lines.map((line) => line.replace("warning ", "").split(" ")[0])).toEqual([code]);
});

test.each(shown)("%s has a good program, about which nothing is said", (_code, { good }) => {
  expect(good).toBeTypeOf("string");
  expect(report(good ?? "")).toBe("");
});

test("every code has a bad program, or needs to know what TypeScript offers", () => {
  const without = pages.filter(([, page]) => page.bad === undefined).map(([code]) => code);
  expect(without).toEqual(needScope);
});
