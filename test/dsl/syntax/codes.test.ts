/** Every syntax code has a bad program that shows it and a good one that is the same put right. */
import { expect, test } from "vitest";
import { syntax } from "../../../dsl/codes/syntax.ts";
import type { CodePage } from "../../../dsl/codes.ts";
import { report } from "./reading.ts";

const pages: [string, CodePage][] = Object.entries(syntax);

test.each(pages)("%s is the first thing said about its bad program", (code, { bad }) => {
  expect(report(bad ?? "").split(" ")[0]).toBe(code);
});

test.each(pages)("%s says one thing about its bad program", (_code, { bad }) => {
  expect(report(bad ?? "").split("\n")).toHaveLength(1);
});

test.each(pages)("%s has a good program", (_code, { good }) => {
  expect(good).toBeTypeOf("string");
  expect(report(good ?? "")).toBe("");
});
