/** The 15 pains of LangGraph's users: each has a test that shows how it is here. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const PAINS = [
  "resume runs the whole node again",
  "time travel with sub-graphs is wrong",
  "a replay runs everything again",
  "no comparison of two runs",
  "storage grows with the square of the steps",
  "a slow sibling blocks an unrelated branch",
  "joins are dropped, or run twice",
  "writes side by side fail only at run time",
  "goto does not replace arrows",
  "silent failures",
  "errors do not say which node",
  "a mutation in place leaks",
  "the state of sub-graphs is invisible",
  "interrupts side by side can't be answered singly",
  "spans are not nested; a changed graph ends in silence",
] as const;

const texts = readdirSync(import.meta.dirname).map((name) =>
  readFileSync(join(import.meta.dirname, name), "utf8"),
);

test.each(PAINS.map((pain, index) => [index + 1, pain] as const))(
  "the pain of number %i has a test: %s",
  (number) => {
    const title = new RegExp(`["\`]pain ${number}[ :]`);
    expect(texts.filter((text) => title.test(text)).length).toBeGreaterThan(0);
  },
);
