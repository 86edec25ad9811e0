/** Commands: what a function of a `run` node says of what follows, beside its output. */
import { afterEach, describe, expect, test } from "vitest";
import {
  type CommandOptions,
  command,
  type Run,
  type RunEvent,
  Session,
} from "../../../runtime/index.ts";

const sessions: Session[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
});

function start(text: string, scope: object): Run {
  const session = new Session({ store: "memory", env: { MADRIGAL_HOME: "/nowhere" } });
  sessions.push(session);
  const [graph] = Object.values(session.compile(text, { scope: { ...scope } }));
  if (graph === undefined) throw new Error("no graph");
  return graph.run({ n: 1 });
}

const pathOf = (run: Run) => run.steps.map(({ node }) => node).join(" ");

const graph = (flow: string, writes = "notes, best") => `graph G(n: int) returns notes, best {
  state { notes: string[] = [] via append  best: int = 0  kept: string = "" }
  run a = decide() writes ${writes}
  run b = note("b") writes notes
  run c(i: int = 1, j: int = 2) = note(i, j) writes notes
  ${flow}
}`;

const note = (...of: unknown[]) => [of.slice(0, -1).join(" ")];

/** The run whose first node orders this. */
const ordered = (options: CommandOptions, flow: string, writes?: string) =>
  start(graph(flow, writes), { decide: () => command(options), note });

describe("a node may return control", () => {
  test("A68 update: fields that its node writes, those it names, through their reducers", async () => {
    const run = ordered({ update: { notes: "one" } }, "start -> a -> b");
    expect(await run.output).toEqual({ notes: ["one", "b"], best: 0 });
    expect(run.steps[0]?.output).toEqual({ notes: ["one"] });
  });

  test("A68 goto: along one of its arrows, in place of what they say", async () => {
    const run = ordered({ goto: "c" }, "start -> a -> { n > 0 -> b, else -> c }");
    expect(await run.output).toEqual({ notes: ["1 2"], best: 0 });
    expect(pathOf(run)).toBe("a c");
  });

  test("goto: several arrows that leave side by side", async () => {
    const flow = "start -> a -> b\n a -> c";
    expect(await ordered({ goto: ["c"] }, flow).output).toMatchObject({ notes: ["1 2"] });
    expect(await ordered({ goto: ["c", "b"] }, flow).output).toMatchObject({ notes: ["b", "1 2"] });
  });

  test("send: starts targets with arguments, one branch each, with a message", async () => {
    const send = [
      { to: "c", args: { i: 5 }, task: "the first" },
      { to: "c", args: { i: 6, j: 7 }, payload: { x: 1 } },
      { to: "b" },
    ];
    const run = ordered({ send }, "start -> a -> b\n a -> c");
    expect(await run.output).toMatchObject({ notes: ["5 2", "6 7", "b"] });
    expect(run.messages.map(({ receiver, kind, payload }) => [receiver, kind, payload])).toEqual([
      ["c", "task", "the first"],
      ["c", "task", { x: 1 }],
    ]);
    const read: string[] = [];
    run.events$.subscribe((event: RunEvent) => {
      if (event.kind === "message.read") read.push(`${event.label} ${event.message}`);
    });
    expect(read.toSorted()).toEqual(["c#1 m0.1", "c#2 m0.2"]);
  });

  test.each([
    ["nothing starts", "start -> a -> c(7, 8) -> b", [], {}],
    [
      "a join goes on without it",
      "start -> a -> c(7, 8)\n start -> b\n [b, c] -> d",
      ["b", "d"],
      {},
    ],
    ["a `goto` beside it is taken", "start -> a -> c(7, 8)\n a -> b", ["b"], { goto: "b" }],
  ])("send of none starts none: %s", async (_, flow, notes, more) => {
    const text = graph(flow).replace("run b", 'run d = note("d") writes notes\n  run b');
    const run = start(text, { decide: () => command({ send: [], ...more }), note });
    expect(await run.output).toMatchObject({ notes });
  });

  test("W46 what is sent and told has a topic and a priority", async () => {
    const send = { to: "c", task: "now", topic: "costs", priority: 3 };
    const text = graph("start -> a -> c").replace("best\n", "best { tell c }\n");
    const tell = { payload: "later", priority: -1 };
    const scope = { decide: () => command({ send, tell }), note };
    const run = start(text, scope);
    await run.output;
    expect(run.messages).toMatchObject([
      { receiver: "c", kind: "task", payload: "now", topic: "costs", priority: 3 },
      { receiver: "c", kind: "observation", payload: "later", priority: -1 },
    ]);
  });

  test("E25 finish: ends the run well with its outputs as they are", async () => {
    const run = ordered({ update: { best: 4 }, finish: true }, "start -> a -> b\n start -> c");
    expect(await run.output).toMatchObject({ best: 4 });
    expect([run.status, run.reason]).toEqual(["succeeded", "done"]);
    expect(pathOf(run)).not.toContain("b");
  });
});

test.each<[string, CommandOptions, string, string]>([
  [
    "a name that is not behind its arrow",
    { goto: "c" },
    "M5204",
    "`a` can't go to `c`: behind its arrow there is `b`",
  ],
  ["a send to whom is not there", { send: { to: "z" } }, "M5204", "`a` can't go to `z`"],
  [
    "a field that it does not write",
    { update: { kept: "x" } },
    "M5205",
    "`a` updates `kept`, which it does not write: it writes `notes`, `best`",
  ],
  ["an end and a way on", { goto: "b", finish: true }, "M5206", "has both `finish` and `goto`"],
  [
    "an end and a send",
    { send: { to: "b" }, finish: true },
    "M5206",
    "has both `finish` and `send`",
  ],
  [
    "a priority that is no whole number",
    { send: { to: "b", task: "x", priority: 1.5 } },
    "M8304",
    "the priority of what `decide` sends to `b` can't be `1.5`",
  ],
  [
    "a priority of no message",
    { send: { to: "b", priority: 1 } },
    "M5206",
    "what `decide` sends to `b` has a topic or a priority, and says nothing",
  ],
  [
    "something to tell nobody",
    { tell: { priority: 1 } },
    "M5206",
    "the command of `decide` has `tell`, and `a` tells nobody",
  ],
  [
    "a value of another type",
    { update: { best: "four" } },
    "M8304",
    "`best` in the update of `decide`",
  ],
])("%s is an error with its code: %#", async (_, options, code, message) => {
  const run = ordered(options, "start -> a -> b\n start -> c");
  await expect(run.output).rejects.toMatchObject({
    code,
    message: expect.stringContaining(message),
  });
});

test.each<[CommandOptions["send"], string]>([
  [{ to: "c", args: { k: 1 } }, "`c` has no parameter `k`"],
  [{ to: "c", args: { i: "x" } }, "`i` of `c`, to whom `decide` sends, does not fit"],
])("what is sent fits the parameters: %o", async (send, message) => {
  const run = ordered(send === undefined ? {} : { send }, "start -> a -> c");
  await expect(run.output).rejects.toMatchObject({ message: expect.stringContaining(message) });
});

describe("interrupt: the command becomes true when somebody says yes", () => {
  const asks = { update: { notes: "one", best: 1 }, goto: "b", interrupt: "Ship it?" } as const;
  const asked = async (answer: Parameters<Run["answer"]>[1]) => {
    const run = ordered(asks, "start -> a -> b\n a -> c\n a -> end on deny");
    await run.output.catch(() => {});
    const [interrupt] = run.interrupts;
    expect(interrupt).toMatchObject({ question: "Ship it?", shown: asks.update });
    await run.answer(interrupt?.id ?? "", answer);
    return await run.output;
  };

  test("yes", async () => {
    expect(await asked({ kind: "approve" })).toEqual({ notes: ["one", "b"], best: 1 });
  });

  test("another update", async () => {
    expect(await asked({ kind: "edit", value: { best: 2 } })).toEqual({ notes: ["b"], best: 2 });
  });

  test("no", async () => {
    expect(await asked({ kind: "deny" })).toEqual({ notes: [], best: 0 });
  });
});

test("of `b | c` a goto takes one", async () => {
  const run = ordered({ goto: ["b", "c"] }, "start -> a -> b | c", "notes");
  await expect(run.output).rejects.toMatchObject({ code: "M5206" });
});

test("how often an arrow may be used holds for a goto too", async () => {
  const run = ordered({ goto: "b" }, "start -> a -> b max 1\n b -> a");
  await expect(run.output).rejects.toMatchObject({ code: "M5010" });
  expect(pathOf(run)).toBe("a b a");
});

test("a command without a way on leaves it to the arrows", async () => {
  const run = ordered({ update: { best: 3 } }, "start -> a -> { best > 2 -> b, else -> end }");
  await run.output;
  expect(pathOf(run)).toBe("a b");
});
