/** Messages with marks: what is read first, whatever finishes first. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { ordered } from "../../../runtime/performer.ts";
import { foldLog } from "../../../runtime/scheduler/fold.ts";
import { plainSnapshot } from "../../support/plain-snapshot.ts";
import { ofKind, type Ran, runText } from "../../support/run-graph.ts";

const SENDERS = ["a", "b", "c", "d", "e"] as const;

const GRAPH = `model m = "rules"
graph G() returns heard {
  state { heard: string = "" }
  ${SENDERS.map((name) => `run ${name} = f() { tell z }\n  start -> ${name}`).join("\n  ")}
  agent z { model m; prompt \`\${inbox.map(one => one.payload).join(" ")}\`; writes heard }
  [${SENDERS.join(", ")}] -> z
}`;

/** Sender by sender; undefined where none is said. */
type Priorities = readonly (number | undefined)[];

function heard(priorities: Priorities, seed: number): Ran {
  const tells = SENDERS.map((name, at) => {
    const priority = priorities[at];
    const tell = { payload: name, ...(priority === undefined ? {} : { priority }) };
    return [name, ordered(null, { tell })] as const;
  });
  const z = ({ prompt }: { readonly prompt: string }) => prompt;
  return runText(GRAPH, { seed, says: { ...Object.fromEntries(tells), z } });
}

/** What was sent at the same priority keeps the order of the graph. */
const wanted = (priorities: Priorities) =>
  SENDERS.map((name, at) => ({ name, priority: priorities[at] ?? 0 }))
    .sort((one, other) => other.priority - one.priority)
    .map(({ name }) => name)
    .join(" ");

const priority = fc.option(fc.integer({ min: -2, max: 2 }), { nil: undefined });
const arbitraryPriorities = fc.array(priority, { minLength: 5, maxLength: 5 });

test("W46 an inbox is read by priority, then in the order of the graph, whatever finishes first", () => {
  const orders = new Set<string>();
  fc.assert(
    fc.property(arbitraryPriorities, fc.integer({ min: 1, max: 1000 }), (priorities, seed) => {
      const ran = heard(priorities, seed);
      expect(ran.state.heard).toBe(wanted(priorities));
      orders.add(ran.path);
      expect(plainSnapshot(foldLog(ran.program, ran.records))).toEqual(plainSnapshot(ran.snapshot));
    }),
    { numRuns: 60 },
  );
  // The senders did finish in many orders.
  expect(orders.size).toBeGreaterThan(10);
});

test("W46 the group of a message is the fan-out that it was sent in", () => {
  const text = `graph G() returns a {
  state { a: string[] = [] via append }
  run x(n: int) = f(n) writes a { tell z }
  run w(n: int) = f(n) writes a { tell z }
  run y = f(0) writes a { tell z }
  run z = f(inbox) writes a
  start -> each n of [1, 2] { x(n) } -> y -> each n of [3] { w(n) } -> z
}`;
  const { records } = runText(text);
  const groups = ofKind(records, "commit").flatMap(({ messages = [] }) =>
    messages.map(({ sender, group }) => ({ sender, group })),
  );
  const [first, second] = ofKind(records, "commit")
    .flatMap(({ flow }) => flow)
    .concat(ofKind(records, "run").flatMap(({ flow }) => flow))
    .flatMap((op) => (op.op === "expand" ? [op.expansion] : []))
    .sort((one, other) => one - other);
  expect(groups).toEqual([
    { sender: "x", group: first },
    { sender: "x", group: first },
    { sender: "y", group: undefined },
    { sender: "w", group: second },
  ]);
  expect(first).not.toBe(second);
});

test("W46 an answer is to the latest message of its receiver, not to the least urgent one", () => {
  const text = `graph G() returns n {
  state { n: int = 0 via sum }
  run a = f() writes n { tell z }
  run z = f() { tell a }
  start -> a -> { n < 2 -> a max 1, else -> z }
}`;
  let told = 0;
  const a = () => {
    told += 1;
    return ordered(1, { update: { n: 1 }, tell: { payload: `m${told}`, priority: told } });
  };
  const { records } = runText(text, { says: { a, z: "answer" } });
  const sent = ofKind(records, "commit").flatMap(({ messages = [] }) => messages);
  const latest = sent.find(({ payload }) => payload === "m2")?.id;
  expect(sent.at(-1)).toMatchObject({ sender: "z", receiver: "a", replyTo: latest });
});
