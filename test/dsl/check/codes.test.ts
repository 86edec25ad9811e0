/** Every code of a check has a bad program whose only finding it is, the same program put right, and a near miss. */
import { describe, expect, test } from "vitest";
import { names } from "../../../dsl/codes/names.ts";
import type { CodePage } from "../../../dsl/codes/page.ts";
import { policies } from "../../../dsl/codes/policies.ts";
import { stateAndFlow } from "../../../dsl/codes/state-and-flow.ts";
import { syntax } from "../../../dsl/codes/syntax.ts";
import { parse } from "../../../dsl/index.ts";
import { codesOf, report } from "../report.ts";
import { editsBetween, imagesOf } from "./one-token.ts";

const pages: [string, CodePage][] = Object.entries({ ...names, ...stateAndFlow, ...policies });

describe.each(pages)("%s", (code, { bad = "", good = "", near, given }) => {
  const options = { ...given, allowUnreadPrograms: true };

  test("is all that is said about its bad program", () => {
    expect(codesOf(bad, options)).toEqual([code]);
  });

  test("is not said of its good program, and nothing else is", () => {
    expect(good).not.toBe("");
    expect(report(good, options)).toBe("");
  });

  test("has a near miss, one token away, without an error", () => {
    if (typeof near === "object") {
      expect(near.none).toMatch(/\.$/);
      return;
    }
    const text = near ?? good;
    expect(editsBetween(imagesOf(bad), imagesOf(text))).toBe(1);
    const lines = report(text, options).split("\n");
    expect(lines.filter((line) => line !== "" && !line.startsWith("warning"))).toEqual([]);
    expect(codesOf(text, options)).not.toContain(code);
  });
});

describe.each(Object.entries<CodePage>(syntax))("%s", (_code, { bad = "", good = "", near }) => {
  test("has a near miss, one token away, that can be read", () => {
    if (typeof near === "object") {
      expect(near.none).toMatch(/\.$/);
      return;
    }
    const text = near ?? good;
    expect(editsBetween(imagesOf(bad), imagesOf(text))).toBe(1);
    expect(parse({ file: "near.madrigal", text }).findings).toEqual([]);
  });
});
