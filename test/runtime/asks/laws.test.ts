/** L9 and its like over random schedules: questions, crashes, holds, rewinds. */
import { describe, expect, test } from "vitest";
import { innermost, type LogRecord } from "../../../runtime/records/records.ts";
import { replayLog } from "../../../runtime/replay/replay.ts";
import { foldLog } from "../../../runtime/scheduler/fold.ts";
import { link } from "../../../runtime/scheduler/program/link.ts";
import { graphOf, type Ran, runText, type Says, type Script } from "../../support/run-graph.ts";

const text = `import { f } from "./f.ts"
graph G(names: string[]) returns all, last, n {
  state { all: string[] = [] via append  last: string = ""  n: int = 0 }
  run one(name: string) = f(name) writes all { approve before; ensure n == 1 "never" else ask }
  run two = f() writes last { limit 2 calls else ask }
  run up = f(n) writes n
  graph inner = H(last) writes last
  approve after two \`\${result}?\`
  approve before inner
  limit 6 steps else ask
  start -> each m of names parallel 2 { one(m) } -> two -> inner -> up -> end
}
graph H(given: string) returns made {
  state { made: string = "" }
  run make = f(given) writes made { approve after }
  start -> make -> end
}`;

const one: Says = ({ args }) => `it ${args.name}`;

const script = (seed: number, more: Script = {}): Script => ({
  seed,
  input: { names: ["a", "b", "c"] },
  says: { one, two: "two", make: "made", up: 7 },
  answer: ({ ask }) => (ask === "review" ? { kind: "edit", value: "edited" } : { kind: "approve" }),
  ...more,
});

const ending = ({ state, status, reason }: Ran) => ({ state, status, reason });
const unbroken = ending(runText(text, script(1)));

test("what people say is what comes of it", () => {
  expect(unbroken).toEqual({
    state: { all: ["it a", "it b", "it c"], last: "edited", n: 7 },
    status: "succeeded",
    reason: "done",
  });
});

describe("L9 nothing that a person said is dropped, whatever happens to the process", () => {
  test.each(Array.from({ length: 60 }, (_, seed) => seed))("schedule %i", (seed) => {
    const ran = runText(text, script(seed, { crashes: 0.05, people: 0.03, echoes: 0.1 }));
    expect(ending(ran)).toEqual(unbroken);
    const answers = ran.records.map(innermost).filter((record) => record.kind === "answer");
    const named = answers.map((answer) => (answer.kind === "answer" ? answer.interrupt : ""));
    expect(new Set(named).size).toBe(named.length);
    expect(ran.leaked).toEqual([]);
    expect(foldLog(ran.program, ran.records).status).toBe("succeeded");
  });
});

test("these schedules have crashes between questions and answers", () => {
  const all = Array.from({ length: 20 }, (_, seed) =>
    runText(text, script(seed, { crashes: 0.05 })),
  );
  expect(all.reduce((sum, { crashes }) => sum + crashes, 0)).toBeGreaterThan(20);
});

test("a log with questions replays", () => {
  for (let seed = 0; seed < 20; seed += 1) {
    const { records } = runText(text, script(seed, { crashes: 0.05 }));
    expect(replayLog(records, { recorded: graphOf(text) }).divergence).toBeUndefined();
  }
});

test("a question is the same in the run and in what its log folds to", () => {
  const text = `import { f } from "./f.ts"
graph G() returns x { state { x: string = "" }
  run one = f() writes x { approve before \`Now, at \${run.now > 0}?\` }
  start -> one
}`;
  const folded: unknown[] = [];
  const program = link(graphOf(text));
  const seen: LogRecord[] = [];
  const { status } = runText(text, {
    observe: (record, { interrupts }) => {
      seen.push(record);
      if (record.kind !== "interrupt") return;
      expect(foldLog(program, seen).interrupts.values()).toEqual(interrupts.values());
      folded.push(record.question);
    },
  });
  expect(status).toBe("succeeded");
  expect(folded).toEqual(["Now, at true?"]);
});
