/** Messages between nodes, as the scheduler sends, keeps and reads them; L4: none is lost and none is read twice. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Ir, NodeIr } from "../../../dsl/index.ts";
import type { Sent } from "../../../runtime/envelope.ts";
import type { LogRecord } from "../../../runtime/records/records.ts";
import { foldLog } from "../../../runtime/scheduler/fold.ts";
import { arbitraryGraph } from "../../support/arbitrary-graph.ts";
import { plainSnapshot } from "../../support/plain-snapshot.ts";
import { graphOf, ofKind, type Ran, runIr, runText, type Script } from "../../support/run-graph.ts";

const graph = (lines: string) => `graph G(n: int = 1) returns a {
  state { a: string[] = [] via append }
  ${lines}
}`;

const run = (lines: string, script: Script = {}) => runText(graph(lines), script);

const sentIn = ({ records }: Pick<Ran, "records">): readonly Sent[] =>
  ofKind(records, "commit").flatMap(({ messages = [] }) => messages);

/** `plan#1 <- m0.1`: what each attempt found. */
const inboxes = ({ records }: Ran): readonly string[] =>
  ofKind(records, "start").map(({ node, ordinal, inbox = [] }) =>
    `${node}#${ordinal} <- ${inbox.join(" ")}`.trim(),
  );

const three = `run x = f("x") writes a { tell z }
  run y = f("y") writes a { tell z as review }
  run z = f(inbox) writes a`;

test("A51 a message has its names: id, sender, receiver, kind, payload, artifacts, time", () => {
  const ran = run(`${three}\n start -> x -> y -> z`, { says: { x: ["of x"], y: ["of y"] } });
  expect(sentIn(ran)).toEqual([
    {
      id: "m0.1",
      sender: "x",
      receiver: "z",
      kind: "observation",
      payload: ["of x"],
      artifacts: [],
      createdAt: expect.any(Number),
      to: [{ node: 2, scope: 0 }],
    },
    expect.objectContaining({ id: "m1.1", sender: "y", kind: "review", payload: ["of y"] }),
  ]);
  expect(inboxes(ran).at(-1)).toBe("z#1 <- m0.1 m1.1");
});

test("A54 a message moves no work: who is told is not started", () => {
  const { path, records } = run(
    `run x = f("x") writes a { tell z as review }\n run z = f("z") writes a\n start -> x\n z -> x max 1`.replace(
      "start -> x",
      "start -> x\n start -> z when n > 1",
    ),
  );
  expect(path).toBe("x");
  expect(ofKind(records, "end")[0]?.dead).toEqual(["m0.1"]);
});

test("messages are read in the order of the graph, whoever came first", () => {
  const lines = `${three}\n start -> [x, y] -> z`;
  for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
    const ran = run(lines, { seed });
    const [x, y] = ["x", "y"].map((node) => sentIn(ran).find(({ sender }) => sender === node)?.id);
    expect(inboxes(ran).at(-1)).toBe(`z#1 <- ${x} ${y}`);
  }
});

test("A59 an inbox is consumed once per node run, by its commit: a failed attempt has not read it", () => {
  const failure = { class: "tool", code: "M8301", message: "no" } as const;
  const lines = `run x = f("x") writes a { tell z }
  run z = f(inbox) writes a { retry 1 }
  start -> x -> z
  z -> z max 1`;
  const ran = run(lines, {
    fails: (node, attempt, ordinal) =>
      node === "z" && attempt === 1 && ordinal === 1 ? failure : undefined,
  });
  expect(inboxes(ran)).toEqual(["x#1 <-", "z#1 <- m0.1", "z#1 <- m0.1", "z#2 <-"]);
  expect(ofKind(ran.records, "commit").map(({ read = [] }) => read)).toEqual([[], ["m0.1"], []]);
});

test("A59 what an attempt found is part of where the run stands: it finds the same after a crash", () => {
  const lines = `${three}\n start -> [x, y] -> z`;
  for (let seed = 1; seed <= 40; seed += 1) {
    const ran = run(lines, { seed, crashes: 0.2, calls: 1 });
    const found = ofKind(ran.records, "start").filter(({ node }) => node === "z");
    expect(new Set(found.map(({ inbox }) => inbox?.join())).size).toBe(1);
    expect(ran.snapshot.mail.inboxes.size).toBe(0);
  }
});

test("A56 `tell *` goes to the nodes that follow, what is addressed stays for its receiver", () => {
  const ran = run(`run x = f("x") writes a { tell * }
  run w = f("w") writes a { tell z }
  run y = f("y") writes a
  run z = f("z") writes a
  start -> x -> [y, w] -> z`);
  const [toAll, toZ] = sentIn(ran)
    .toSorted((a, b) => a.sender.localeCompare(b.sender))
    .toReversed();
  expect([toAll?.receiver, toZ?.receiver]).toEqual([null, "z"]);
  const found = inboxes(ran).toSorted();
  expect(found).toEqual([
    `w#1 <- ${toAll?.id}`,
    "x#1 <-",
    `y#1 <- ${toAll?.id}`,
    `z#1 <- ${toZ?.id}`,
  ]);
  expect(ofKind(ran.records, "end")[0]?.dead).toBeUndefined();
});

test("`tell *` before a join waits for the node behind it", () => {
  const ran = run(`run x = f("x") writes a { tell * }
  run y = f("y") writes a
  run z = f("z") writes a
  start -> [x, y] -> z`);
  const [said] = sentIn(ran);
  expect(inboxes(ran).at(-1)).toBe(`z#1 <- ${said?.id}`);
});

test("a message to the items of an `each` is read once by each of them; one between them stays in its item", () => {
  const ran = run(`run plan = f("p") writes a { tell w }
  run w(i: string) = f(i) writes a { tell v }
  run v(i: string) = f(i) writes a
  start -> plan -> each i of ["q", "r"] { w(i) -> v(i) }`);
  const commits = ofKind(ran.records, "commit");
  const idOf = (node: string, at: number) =>
    commits.filter((commit) => commit.node === node)[at]?.messages?.[0]?.id;
  const reads = commits.map(({ node, read = [] }) => [node, ...read]);
  expect(reads.filter(([node]) => node === "w")).toEqual([
    ["w", idOf("plan", 0)],
    ["w", idOf("plan", 0)],
  ]);
  const ofV = reads.filter(([node]) => node === "v").map(([, id]) => id);
  expect(ofV.toSorted()).toEqual([idOf("w", 0), idOf("w", 1)].toSorted());
});

test("a second round of an `each` finds nothing that the first has read", () => {
  const ran = run(`run plan = f("p") writes a { tell w }
  run again = f("again") writes a
  run w(i: string) = f(i) writes a
  start -> plan -> again
  again -> { a.length < 4 -> each i of ["q"] { w(i) } -> again, else -> end }
  limit 20 steps`);
  const found = inboxes(ran).filter((line) => line.startsWith("w"));
  expect(found.length).toBeGreaterThan(1);
  expect(found.filter((line) => line.includes("m0.1"))).toEqual(["w#1 <- m0.1"]);
});

test("A55 what it answers and what led to it: replyTo and causedBy", () => {
  const ran = run(`run x = f("x") writes a { tell y as question }
  run y = f("y") writes a { tell x as answer }
  start -> x -> y
  y -> x max 1
  limit 20 steps`);
  expect(sentIn(ran).map(({ id, replyTo, causedBy }) => [id, replyTo, causedBy])).toEqual([
    ["m0.1", undefined, undefined],
    ["m1.1", "m0.1", ["m0.1"]],
    ["m2.1", "m1.1", ["m1.1"]],
    ["m3.1", "m2.1", ["m2.1"]],
  ]);
});

test("an arrow can ask what its node had in its inbox", () => {
  const { path } = run(`run x = f("x") writes a { tell y }
  run y = f("y") writes a
  run z = f("z") writes a
  start -> x -> y -> { inbox.length > 0 && inbox[0].sender == "x" -> z, else -> end }`);
  expect(path).toBe("x y z");
});

// ── the law ─────────────────────────────────────────────────────────────────────────────────────

/** A graph in which some nodes tell others, or whoever follows. */
const telling = fc
  .tuple(arbitraryGraph(), fc.array(fc.nat(20), { minLength: 1, maxLength: 6 }))
  .map(([text, choices]): Ir => {
    const ir = graphOf(text);
    const nodes = ir.nodes.map((node, index): NodeIr => {
      const choice = choices[index % choices.length] ?? 0;
      if (choice % 4 === 0) return node;
      const target = ir.nodes[(choice + index) % ir.nodes.length]?.name ?? node.name;
      return { ...node, tell: { targets: choice % 4 === 1 ? "*" : [target] } };
    });
    return { ...ir, nodes };
  });

/** For each message: how often commits of one place have read it, and whether it died. */
function fates(records: readonly LogRecord[]) {
  const commits = ofKind(records, "commit");
  const readBy = new Map<string, string[]>();
  for (const { node, id, read = [] } of commits) {
    const item = ofKind(records, "start").find((start) => start.id === id)?.item;
    for (const message of read) {
      readBy.set(message, [...(readBy.get(message) ?? []), `${node} ${item ?? ""}`]);
    }
  }
  const dead = new Set(ofKind(records, "end").at(-1)?.dead);
  return { readBy, dead, sent: commits.flatMap(({ messages = [] }) => messages) };
}

test("L4 no message is lost, whatever crashes: each is read by those it is for, or told as dead at the end", () => {
  const seed = fc.integer({ min: 1, max: 2 ** 31 });
  fc.assert(
    fc.property(telling, seed, fc.constantFrom(0, 0.05), (ir, at, crashes) => {
      const ran = runIr(ir, { seed: at, crashes, calls: 1, input: { n: 2 } });
      const { readBy, dead, sent } = fates(ran.records);
      expect(new Set(sent.map(({ id }) => id)).size).toBe(sent.length);
      for (const { id, receiver, to } of sent) {
        const readers = readBy.get(id) ?? [];
        expect([id, readers.length > 0]).toEqual([id, !dead.has(id)]);
        if (receiver !== null && to[0]?.run !== undefined) expect(readers.length).toBeLessThan(2);
      }
      // Nothing is read that was not sent, and the log alone says what waits.
      for (const id of readBy.keys()) expect(sent.some((message) => message.id === id)).toBe(true);
      expect(plainSnapshot(foldLog(ran.program, ran.records))).toEqual(plainSnapshot(ran.snapshot));
    }),
    { numRuns: 120 },
  );
});
