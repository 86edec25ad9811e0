/** Short forms of run ids, and which run a word names. */
import { expect, test } from "vitest";
import { namedRunId, shortRunId, shortRunIds } from "../../runtime/run-names.ts";

const first = "01a20724-14d2-756f-8a3b-4c5d6e7f8091";
const second = "01a20724-14d2-7570-9bcd-0123a9c8f35d";
const alike = "01a20999-0000-7000-8000-ffffa9c8f35d";

test("a run is called by the last eight digits of its id, which runs of one moment do not share", () => {
  expect([first, second].map(shortRunId)).toEqual(["6e7f8091", "a9c8f35d"]);
  expect(shortRunId("generated-12")).toBe("generated-12");
});

test("two runs of one list that would read the same are shown by their whole ids", () => {
  expect([...shortRunIds([first, second, alike])]).toEqual([
    [first, "6e7f8091"],
    [second, second],
    [alike, alike],
  ]);
});

test("a run is named by its id, its short form, or a beginning that no other run has", () => {
  const runIds = [first, second, "made-up"];
  for (const word of [first, "6e7f8091", "8091", "01a20724-14d2-756"]) {
    expect(namedRunId(word, runIds)).toBe(first);
  }
  expect(namedRunId("made", runIds)).toBe("made-up");
  for (const word of ["091", "7f80", "e-up", ""]) {
    expect(namedRunId(word, [first, "made-up"].slice(word === "" ? 2 : 0))).toBe(undefined);
  }
});

test("a word that several runs are called by names them, in words that tell them apart", () => {
  expect(() => namedRunId("a9c8f35d", [first, second, alike])).toThrow(
    expect.objectContaining({
      code: "M5108",
      message: "`a9c8f35d` names 2 runs",
      hint: `write one of these: \`${second}\`, \`${alike}\``,
    }),
  );
  expect(() => namedRunId("01a2", [first, second])).toThrow(
    expect.objectContaining({ hint: "write one of these: `6e7f8091`, `a9c8f35d`" }),
  );
});
