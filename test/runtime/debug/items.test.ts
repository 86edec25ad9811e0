/** What a debugger shows of an item of an `each`: before a node of it, behind its commit, and when the item is over. */
import { expect, test } from "vitest";
import { Debugger } from "../../../runtime/index.ts";
import { type Does, drive } from "../driven-run.ts";

const ITEMS = `graph G(words: string[]) returns out {
  state { out: string[] = [] via append }
  run low(word: string) = lower(word) { writes small; set seen = [word] }
  run high(word: string) = upper(small) writes out
  start -> each word of words parallel 1 {
    state { small: string = ""  seen: string[] = [] via append }
    low(word) -> high(word)
  } -> end
}`;
const does: Does = ({ node: { name }, callArgs = [] }) =>
  name === "low" ? String(callArgs[0]).toLowerCase() : ["done"];

test("fields of an item and its variable, by name, in expressions and in the state", async () => {
  const { run } = drive(ITEMS, { input: { words: ["Ab", "Cd"] }, does });
  const debug = new Debugger(run);
  await debug.pause();
  await debug.stepIn();
  expect(debug.values("State")).toEqual({
    ...{ words: ["Ab", "Cd"], out: [], small: "ab", seen: ["Ab"], word: "Ab" },
  });
  expect(debug.evaluate("small + word + seen.length")).toBe("abAb1");
  await debug.stepIn();
  expect(debug.evaluate("small")).toBe("ab");
  expect(debug.values("State")).toMatchObject({ out: ["done"], small: "ab" });
  await debug.stepIn();
  expect([debug.evaluate("small"), debug.evaluate("seen")]).toEqual(["cd", ["Cd"]]);
  const frame = debug.frames.length - 1;
  expect(debug.values("State", frame)).toEqual({ words: ["Ab", "Cd"], out: ["done"] });
  expect(() => debug.evaluate("small", frame)).toThrow(expect.objectContaining({ code: "M5450" }));
});

test("before a node of the item its fields have names too, also in the condition of a breakpoint", async () => {
  const { run } = drive(ITEMS, { input: { words: ["Ab", "Cd"] }, does });
  const debug = new Debugger(run);
  debug.setBreakpoint({ node: "high", if: 'small == "cd"' });
  expect(await debug.continue()).toMatchObject({ kind: "breakpoint", node: "high" });
  expect(debug.evaluate("[small, word]")).toEqual(["cd", "Cd"]);
});

test("of an `each` in another one the fields of both are known", async () => {
  const nested = `graph G(rows: string[][]) returns out {
  state { out: string[] = [] via append }
  run name(row: string[]) = first(row) writes title
  run cell(x: string) = join(title, x) { writes label; set out = [label] }
  start -> each row of rows parallel 1 {
    state { title: string = "" }
    name(row) -> each x of row parallel 1 {
      state { label: string = "" }
      cell(x)
    }
  } -> end
}`;
  const { run } = drive(nested, {
    input: { rows: [["a", "b"]] },
    does: ({ node: { name } }) => (name === "name" ? "T" : "L"),
  });
  const debug = new Debugger(run);
  await debug.pause();
  await debug.stepIn();
  await debug.stepIn();
  expect(debug.frames[0]?.node).toBe("cell");
  expect(debug.evaluate("[title, label, x]")).toEqual(["T", "L", "a"]);
});
