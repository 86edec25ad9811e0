/** All orders of finishing: a planted race is found, and none is where there is none. */
import { expect, onTestFinished, test } from "vitest";
import { Session } from "../../../runtime/index.ts";
import { temporaryFolder } from "../../support/child.ts";

function graphOf(text: string, scope = {}) {
  const session = new Session({ cwd: temporaryFolder(), env: {}, name: "explore" });
  onTestFinished(() => session.close());
  const [graph] = Object.values(session.compile(text, { scope }));
  if (graph === undefined) throw new Error("no graph");
  return graph;
}

const f = () => ["x"];

test("a race is told with two orders and the fields in which their ends differ", () => {
  const race = graphOf(
    `graph Race(n: int = 1) returns log {
      state { log: string[] = [] via append }
      run fast = f() writes log
      run slow = f() writes log
      run pick = f() writes log
      start -> [fast, slow]
      [fast, slow] need 1 -> pick
    }`,
    { f },
  );
  const outputs = { fast: ["fast"], slow: ["slow"], pick: ["pick"] };
  expect(race.explore({}, { outputs })).toEqual({
    orders: 2,
    isComplete: true,
    ends: [
      expect.objectContaining({ status: "succeeded", path: ["fast", "pick"] }),
      expect.objectContaining({ status: "succeeded", path: ["slow", "pick"] }),
    ],
    race: {
      first: ["fast", "pick"],
      second: ["slow", "pick"],
      fields: {
        log: [
          ["fast", "pick"],
          ["slow", "pick"],
        ],
      },
    },
  });
});

test("a race among seven branches is found within a hundred of their 5040 orders", () => {
  const names = ["a", "b", "c", "d", "e", "f", "g"];
  const wide = graphOf(
    `graph Wide(n: int = 1) returns log {
      state { log: string[] = [] via append }
      ${[...names, "pick"].map((name) => `run ${name} = f() writes log`).join("\n      ")}
      start -> [${names.join(", ")}]
      [a, g] need 1 -> pick
    }`,
    { f },
  );
  const outputs = Object.fromEntries([...names, "pick"].map((name) => [name, [name]]));
  const found = wide.explore({}, { outputs, ordersMax: 100 });
  expect([found.orders, found.isComplete, found.ends.length > 1]).toEqual([100, false, true]);
  expect(found.race?.fields).toHaveProperty("log");
});

test("branches that are joined come to one end in all of their orders", () => {
  const joined = graphOf(
    `graph Joined(words: string[]) returns log {
      state { log: string[] = [] via append }
      run look(word: string) = f(word) writes log
      run end_ = f() writes log
      start -> each word of words { look(word) } -> end_
    }`,
    { f },
  );
  const found = joined.explore(
    { words: ["a", "b", "c"] },
    {
      outputs: { look: ({ args }: { args: Record<string, unknown> }) => [args.word], end_: ["!"] },
    },
  );
  expect([found.orders, found.ends.length, found.race]).toEqual([6, 1, undefined]);
  expect(found.ends[0]?.state).toEqual({ log: ["a", "b", "c", "!"] });
});

test("a node that is not there and an input that does not fit are refused", () => {
  const one = graphOf(
    `graph One(n: int) returns log {
    state { log: string[] = [] via append }
    run a = f() writes log
    start -> a
  }`,
    { f },
  );
  expect(() => one.explore({ n: 1 }, { outputs: { b: 1 } })).toThrow(
    expect.objectContaining({ code: "M5003" }),
  );
  expect(() => one.explore({})).toThrow(expect.objectContaining({ code: "M5001" }));
});
