/** Pain points 8 and 12 of LangGraph: writes side by side, and values that are changed in place. */
import { expect, test } from "vitest";
import { report } from "../../dsl/report.ts";
import { ofKind } from "../../support/run-graph.ts";
import { runWith } from "../scoped-run.ts";

test("pain 8: parallel writes without a reducer are an error of the text, at both writers, before anything runs", () => {
  const text = (via: string) =>
    `graph G() returns a { state { a: string[] = []${via} }\nrun x = f() writes a\nrun y = f() writes a\nstart -> [x, y] }`;
  expect(report(text(""), {})).toMatch(/^M3301 3:\d+ `x` and `y` can replace `a` at the same time/);
  expect(report(text(" via append"), {})).toBe("");
});

const text = `graph G(list: string[]) returns a, b {
  state {
    a: string[] = [] via append
    b: string[] = [] via ours
  }
  run x = first(list) writes a
  run y = second(list, a) writes b
  start -> x -> y
}`;

test("pain 12: what is changed in place reaches neither the log, nor the state, nor the caller's own array", async () => {
  const mine = ["mine"];
  const kept: string[] = ["kept"];
  const refusals: string[] = [];
  const tryTo = (change: () => void) => {
    try {
      change();
    } catch (error) {
      refusals.push((error as Error).name);
    }
  };
  const scope = {
    first: (list: string[]) => {
      tryTo(() => list.push("by first"));
      return kept;
    },
    second: (list: string[], a: string[]) => {
      tryTo(() => list.push("by second"));
      tryTo(() => a.push("by second"));
      tryTo(() => kept.push("too late"));
      return ["b"];
    },
    ours: (before: string[], value: string[]) => {
      tryTo(() => value.push("by reducer"));
      before.push(...value);
    },
  };
  const { run, records } = runWith(text, scope, { input: { list: mine } });
  mine.push("behind its back");
  const output = await run.output;
  kept.push("afterwards");
  tryTo(() => (run.state.a as string[]).push("by a reader"));
  expect(output).toEqual({ a: ["kept"], b: ["b"] });
  expect(run.state).toEqual({ a: ["kept"], b: ["b"] });
  expect(ofKind(records(), "run")[0]?.input).toEqual({ list: ["mine"] });
  expect(ofKind(records(), "commit")[0]?.output).toEqual(["kept"]);
  // Their own values stay theirs to change: only what the run shows is frozen.
  expect(mine).toEqual(["mine", "behind its back"]);
  expect(kept).toEqual(["kept", "too late", "afterwards"]);
  expect(refusals).toEqual(["TypeError", "TypeError", "TypeError", "TypeError", "TypeError"]);
});
