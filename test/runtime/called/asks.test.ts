/** Questions of called graphs: they wait where they are, and are answered like any other. */
import { expect, test } from "vitest";
import { innermost } from "../../../runtime/records/records.ts";
import { openInterrupts } from "../../../runtime/scheduler/interrupts.ts";
import { runText, type Script } from "../../support/run-graph.ts";
import { ask } from "../asks/asking.ts";

const TEXT = `graph Parent(topics: string[]) returns said {
  state { said: string[] = [] via append }
  graph go(topic: string) = Person(topic) writes said
  start -> each topic of topics { go(topic) } -> end
}
graph Person(topic: string) returns word {
  state { word: string }
  human person { ask \`A word about \${topic}?\`; writes word }
  start -> person
}`;

test("each of several is answered by itself, in any order, and the run waits meanwhile", async () => {
  const { run } = ask(TEXT, { input: { topics: ["joins", "loops"] } });
  expect(await run.continue()).toMatchObject({ kind: "interrupt" });
  expect(run.status).toBe("waiting");
  const [first, second] = run.interrupts;
  expect([first?.question, second?.question]).toEqual([
    "A word about joins?",
    "A word about loops?",
  ]);
  expect(new Set(run.interrupts.map(({ id }) => id)).size).toBe(2);
  await run.answer(second?.id ?? "", { kind: "value", value: "two" });
  expect(run.interrupts).toHaveLength(1);
  await run.answer(first?.id ?? "", { kind: "value", value: "one" });
  expect(await run.output).toEqual({ said: ["one", "two"] });
});

test("a limit of the caller that asks is asked once for what its called graphs spend", async () => {
  const text = `graph Parent() returns said {
  limit 1 steps else ask
  state { said: string[] = [] via append }
  graph go = Inner() writes said
  start -> go
}
graph Inner() returns words {
  state { words: string[] = [] via append }
  run one = say("one") writes words
  run two = say("two") writes words
  start -> one -> two
}`;
  const scope = { say: (word: string) => word };
  const { run } = ask(text, { scope });
  let asked = 0;
  while ((await run.continue()).kind === "interrupt" && asked < 10) {
    const [interrupt] = run.interrupts;
    expect(interrupt?.kind).toBe("limit");
    asked += 1;
    await run.answer(interrupt?.id ?? "", { kind: "approve" });
  }
  expect(await run.output).toEqual({ said: ["one", "two"] });
  expect(asked).toBeGreaterThan(0);
});

test("what a called graph asks ends with the run: nobody is asked for a run that has failed", () => {
  const text = `import { f } from "./f.ts"
graph G() returns x { state { x: string = ""  y: string = "" }
  graph inner = H() writes x
  run bad = f() writes y
  start -> [inner, bad]
}
graph H() returns made { state { made: string = "" }
  run make = f() writes made { approve before }
  start -> make
}`;
  const fails: Script["fails"] = (node) =>
    node === "bad" ? { class: "tool", code: "M8301", message: "no" } : undefined;
  const { status, records, snapshot } = runText(text, { fails, answersLast: true });
  expect(status).toBe("failed");
  expect(records.some((record) => innermost(record).kind === "interrupt")).toBe(true);
  expect(openInterrupts(snapshot)).toEqual([]);
});
