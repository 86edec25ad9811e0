/** Functions of TypeScript in expressions and reducers, under crashes and in every order of finishing. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { FunctionCall } from "../../../../runtime/scheduler/expressions/calls.ts";
import { foldLog } from "../../../../runtime/scheduler/fold.ts";
import { shownState } from "../../../../runtime/scheduler/lookup.ts";
import { link } from "../../../../runtime/scheduler/program/link.ts";
import { runText } from "../../../support/run-graph.ts";

const text = `import { load, good, longest, key, far } from "./ours.ts"
model m = "rules"
graph G(n: int = 3) returns log, best, seen {
  state {
    log: string[] = [] via append
    best: string = "" via longest
    seen: string[] = [] via union(key)
  }
  defaults { model m; retry 3 }
  agent a(w: string) { prompt \`\${w} \${key(w)}\`; writes log, best, seen; ensure good(log) "empty" }
  agent b { prompt \`\${best}\`; writes log, best, seen }
  agent c { prompt \`\${log}\`; writes log, best, seen }
  limit 60 steps
  start -> [b, c]
  [b, c] -> each w of load(n) parallel 2 when far(w) { a(w) } -> end
}`;

const functions = ({ name, args, reducer }: FunctionCall): unknown => {
  const [first, ...rest] = args as [never, ...never[]];
  switch (name) {
    case "load":
      return Array.from({ length: Number(first) + 2 }, (_, at) => "w".repeat(at));
    case "good":
      return (first as readonly unknown[]).length > 0;
    case "far":
      return (first as string).length > 1;
    case "key":
      return (first as string).length;
    case "longest":
      return [first ?? "", ...rest].reduce(
        (a: string, b: string) => (b.length > a.length ? b : a),
        "",
      );
    case "union": {
      expect(reducer?.args).toHaveLength(1);
      const byLength = new Map<number, string>();
      for (const value of [first ?? [], ...rest].flat() as string[])
        byLength.set(value.length, value);
      return [...byLength.values()];
    }
    default:
      throw new Error(name);
  }
};

const says = Object.fromEntries(
  ["a", "b", "c"].map((name) => [
    name,
    ({ prompt }: { prompt: string }) => ({
      log: `${name} ${prompt.length}`,
      best: name.repeat(prompt.length % 7),
      seen: [name.repeat(prompt.length % 5)],
    }),
  ]),
);

test("L15 L16 the state is the same in every order of finishing and through every crash, and folds without them", () => {
  const calm = runText(text, { says, functions });
  expect(calm.status).toBe("succeeded");
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2 ** 31 }),
      fc.double({ min: 0, max: 0.3, noNaN: true }),
      (seed, crashes) => {
        const ran = runText(text, {
          says,
          functions,
          seed,
          crashes,
          fails: (node, attempt, ordinal) =>
            (node.length + attempt + ordinal + seed) % 7 === 0 && attempt < 3
              ? { class: "tool", code: "M8301", message: "flaky" }
              : undefined,
        });
        expect(ran.state).toEqual(calm.state);
        // A program that has no results of its own takes them from the records, or fails.
        expect(
          shownState(link(ran.program.ir), foldLog(link(ran.program.ir), ran.records)),
        ).toEqual(ran.state);
      },
    ),
    { numRuns: 80 },
  );
});

test("one decision makes each call once, whatever asks for it", () => {
  const calls: string[] = [];
  runText(text, {
    says,
    functions: (call) => {
      calls.push(call.name);
      return functions(call);
    },
  });
  // Five items: asked for when the each begins, and nobody asks again.
  expect(calls.filter((name) => name === "load")).toHaveLength(1);
  expect(calls.filter((name) => name === "far")).toHaveLength(5);
});
