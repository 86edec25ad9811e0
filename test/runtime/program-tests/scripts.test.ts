/** What a script may say, and who needs one. */
import { expect, test, vi } from "vitest";
import { check } from "../../../dsl/index.ts";
import { runTest } from "../../../runtime/index.ts";
import { MODEL, outcome, told } from "./testing.ts";

test("an output that does not hold takes the next line: a repair is an attempt, too", async () => {
  const graph = `graph G() returns a {
  state { a: string = "" }
  agent one { model m; prompt \`?\`; writes a; ensure a.length > 2 "too short" }
  start -> one -> end
}`;
  expect(await told(graph, 'one says "x", "long"\nexpect a == "long" && visits(one) == 1')).toBe(
    "ok one end",
  );
});

const choosing = (more: string) => `graph G(told: string = "") returns a {
  state { a: string = "" seen: string[] = [] via append }
  agent front { model m; prompt \`?\`; ${more} }
  run expert = heard(inbox) writes seen
  agent review { model m; prompt \`?\`; writes seen }
  start -> front -> expert | review
  expert -> end
  review -> end
}`;

test("a node that writes and chooses says both; one that writes nothing just says the name", async () => {
  const both = 'front says { goto: "review", update: "x" }\nreview says "y"\nexpect a == "x"';
  expect(await told(choosing("writes a"), both)).toBe("ok front review end");
  const name = 'front says "review"\nreview says "y"\nexpect seen == ["y"]';
  expect(await told(choosing(""), name)).toBe("ok front review end");
});

test("an agent that hands over writes nothing, and the task is in the inbox of the other one", async () => {
  const heard = (inbox: readonly { readonly sender: string; readonly payload: unknown }[]) =>
    inbox.map(({ sender, payload }) => `${sender}: ${JSON.stringify(payload)}`);
  const lines = `given told = "front: {\\"task\\":\\"Prove it.\\"}"
front says { goto: "expert", handoff: { task: "Prove it." } }
expect a == "" && seen == [told]`;
  expect(await told(choosing("writes a"), lines, { heard })).toBe("ok front expert end");
});

test.each([
  ["a person", "human one { ask `Who?`; writes a }", "in a test nobody is asked"],
  [
    "a strong agent",
    "operator one { controller codex; prompt `?`; writes a }",
    "in a test no strong agent is started",
  ],
  ["a router", "router one { model m; reads a }", "in a test no model is called"],
])("%s without a line of its own is M5703", async (_who, node, hint) => {
  const to = node.startsWith("router") ? "two | end" : "end";
  const graph = `graph G() returns a {
  state { a: string = "" }
  ${node}
  run two = f() writes a
  start -> one -> ${to}
}`;
  const { faults } = await outcome(graph, 'two says "x"\nexpect a == ""');
  expect(faults).toMatchObject([{ code: "M5703", hint: expect.stringContaining(hint) }]);
});

test("a test ends after a minute of real time", async () => {
  const text = `${MODEL}graph G() returns a {
  state { a: string = "" }
  run one = wait() writes a
  start -> one
}
test "t" of G { expect a == "" }`;
  const [declared] = check({ file: "t", text }).tests;
  if (declared === undefined) throw new Error("no test can run");
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  try {
    const called = Promise.withResolvers<void>();
    const wait = () => {
      called.resolve();
      return new Promise(() => {});
    };
    const ended = runTest(declared, { scope: { wait } });
    await called.promise;
    await vi.advanceTimersByTimeAsync(60_000);
    const { faults } = await ended;
    expect(faults).toMatchObject([
      { code: "M5707", message: "the test took longer than 60 s; `one` had not come back" },
    ]);
  } finally {
    vi.useRealTimers();
  }
});

test("a script that says where a node goes on, and not what it writes, is refused by what lacks", () => {
  const graph = choosing("writes a");
  const text = `${MODEL}${graph}\ntest "t" of G {\nfront says { goto: "review" }\nreview says "y"\nexpect a == ""\n}`;
  const { diagnostics } = check({ file: "t.madrigal", text });
  const found = diagnostics.find(({ severity }) => severity === "error");
  expect([found?.code, found?.message, found?.hint]).toMatchInlineSnapshot(`
    [
      "M3603",
      "this says where \`front\` goes on, and not what it writes",
      "who hands over says what: \`handoff: { task: "…" }\`, and writes nothing; else \`front says { goto: "…", update: "…" }\`",
    ]
  `);
});
