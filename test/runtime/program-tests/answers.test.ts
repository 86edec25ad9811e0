/** Questions of a test's run: approvals, people, functions; a no, an answer, and no answer in time. */
import { expect, test } from "vitest";
import type { FunctionContext } from "../../../runtime/index.ts";
import { told } from "./testing.ts";

const paying = (approve: string) => `graph G(amount: int) {
  state {
    paid: int = 0
    why: string = ""
  }
  run pay = send(amount) writes paid { ${approve} }
  run sorry = text() writes why
  start -> pay -> end
  pay -> sorry on deny
}`;
const scope = { send: (amount: number) => amount, text: () => "sorry" };

test.each([
  ["a no", 'given amount = 500\npay denied "too much"\nexpect path sorry -> end'],
  ["no question", 'given amount = 5\npay denied "too much"\nexpect paid == 5'],
  ["a yes", "given amount = 500\npay answers true\nexpect path pay -> end"],
  ["another call", "given amount = 500\npay answers [3]\nexpect paid == 3"],
  ["nobody in time", "given amount = 500\npay expires\nexpect path sorry -> end"],
])("an approval: %s", async (_what, lines) => {
  const graph = paying("approve before `Pay?` when amount > 100 within 1h");
  expect(await told(graph, lines, scope)).toMatchSnapshot();
});

test("one after the other: the output is refused once, then passes", async () => {
  const graph = `graph G() {
  state { a: string = "" }
  agent draft { model m; prompt "p"; writes a; approve after }
  start -> draft -> end
  draft -> draft on deny max 2
}`;
  const lines =
    'draft says "x", denied "bad", says "y", answers true\nexpect a == "y" && visits(draft) == 1';
  expect(await told(graph, lines)).toBe("ok draft end");
});

const asking = (within: string) => `graph G() {
  state {
    ok: boolean = false
    word: string = ""
  }
  human signoff { ask "Ship?" ${within}; writes ok }
  run later = word() writes word
  start -> signoff -> end
  signoff -> later on deny
}`;

test.each([
  ["a no", "", 'signoff denied "not today"\nexpect path later -> end'],
  ["no answer", "within 1h", "signoff expires\nexpect path later -> end"],
  ["no answer, a default", "within 1h else true", "signoff expires\nexpect ok"],
  [
    "no answer, the next one's",
    'within 1h then ask "lead"',
    "signoff expires, answers true\nexpect ok",
  ],
  [
    "no answer twice",
    'within 1h then ask "lead" within 1d',
    "signoff expires\nexpect path later -> end",
  ],
  ["an answer", "", "signoff answers true\nexpect ok"],
  ["an answer that does not fit", "", "signoff answers 3\nexpect ok"],
  ["a question that does not expire", "", "signoff expires\nexpect ok"],
])("a person: %s", async (_what, within, lines) => {
  expect(await told(asking(within), lines, { word: () => "x" })).toMatchSnapshot();
});

test.each([
  ["an answer", 'look answers "b"\nexpect a == "b"'],
  ["two answers", 'look answers "", "c"\nexpect a == "c"'],
  ["nobody", 'expect a == "b"'],
])("a function that asks: %s", async (_what, lines) => {
  const graph = `graph G() {
  state { a: string = "" }
  run look = find() writes a
  start -> look -> end
}`;
  const find = async (context: FunctionContext): Promise<unknown> => {
    for (;;) {
      const answer = await context.ask({ question: "Which?", schema: { type: "string" } });
      if (answer.kind === "value" && answer.value !== "") return answer.value;
    }
  };
  expect(await told(graph, lines, { find })).toMatchSnapshot();
});
