/** No check is there for nothing: without it, something wrong is no longer found. */
import { expect, test } from "vitest";
import { checkFile } from "../../../../dsl/check/check-file.ts";
import { CHECKS, type Check } from "../../../../dsl/check/checks.ts";
import { type CheckOptions, type CodePage, codes, parse } from "../../../../dsl/index.ts";
import { unmarked, violations } from "./violations.ts";
import { witnesses } from "./witnesses.ts";

interface Program {
  readonly text: string;
  readonly options: CheckOptions;
}

const pages: readonly Program[] = Object.values<CodePage>(codes).flatMap(({ bad, given }) =>
  bad === undefined ? [] : [{ text: bad, options: { ...given, allowUnreadPrograms: true } }],
);

/** The bad programs of the pages, those of rules that are checked in several places, and what is wrong in each of these. */
const programs = [
  ...pages,
  ...witnesses,
  ...violations.map((violation) => ({ text: unmarked(violation), options: violation.options })),
].map((program) => ({ ...program, found: found(program, CHECKS) }));

function found({ text, options }: Program, checks: readonly Check[]): readonly string[] {
  const source = { file: "test.madrigal", text };
  const { ast, findings: syntax } = parse(source);
  return checkFile({ ...options, ast, source, syntax, checks }).findings.map(({ code }) => code);
}

const pairs = CHECKS.flatMap((check) => {
  const others = CHECKS.filter((other) => other !== check);
  return check.codes.map((code) => ({ name: check.name, code, others }));
});

test.each(pairs)("without the check of $name, $code is missed", ({ code, others }) => {
  const isMissed = (program: (typeof programs)[number]) =>
    program.found.includes(code) && !found(program, others).includes(code);
  expect(programs.some(isMissed)).toBe(true);
});

test("every code of a page of a check is in the table, and every code of the table has a page", () => {
  const listed = new Set(CHECKS.flatMap((check) => check.codes));
  const checked = Object.keys(codes).filter((code) => /^M(2[0-3]|3[0-4]|4)/.test(code));
  expect(checked.filter((code) => ![...listed].some((one) => one === code))).toEqual([]);
});

test("a check is listed once", () => {
  const names = CHECKS.map((check) => check.name);
  expect(new Set(names).size).toBe(names.length);
});
