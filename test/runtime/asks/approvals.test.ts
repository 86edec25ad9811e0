/** Approvals before and after nodes and of tool calls, limits and conditions that ask. */
import { describe, expect, test } from "vitest";
import { type FunctionContext, scripted, tool } from "../../../runtime/index.ts";
import { ask, nextStop, rejection } from "./asking.ts";

const twoNodes = (approval: string) => `graph G(name: string) returns greeting {
  state { greeting: string = "" }
  run hello = greet(name) writes greeting
  ${approval}
  start -> hello -> end
}`;

const greet = (name: string) => `hello ${name}`;

describe("before a node", () => {
  const text = twoNodes("approve before hello `Greet ${name}?`");
  const input = { name: "Ada" };

  test("it starts when somebody agrees to its arguments", async () => {
    const { run } = ask(text, { input, scope: { greet } });
    await nextStop(run);
    expect(run.interrupts).toMatchObject([
      { kind: "approval", question: "Greet Ada?", shown: ["Ada"] },
    ]);
    expect(run.steps).toEqual([]);
    await run.answer("hello-0", { kind: "approve" });
    expect(await run.output).toEqual({ greeting: "hello Ada" });
  });

  test("what somebody puts in the place of the arguments is what it gets", async () => {
    const { run } = ask(text, {
      input,
      scope: { greet },
      answers: { hello: { kind: "edit", value: ["Grace"] } },
    });
    expect(await run.output).toEqual({ greeting: "hello Grace" });
  });

  test("a no is denied: nothing was called", async () => {
    let calls = 0;
    const { run } = ask(text, {
      input,
      scope: {
        greet: () => {
          calls += 1;
          return "";
        },
      },
      answers: { hello: false },
    });
    expect(await rejection(run.output)).toMatchObject({ code: "M5313" });
    expect([run.reason, calls]).toEqual(["denied", 0]);
  });

  test("only where its condition holds", async () => {
    const { run } = ask(twoNodes('approve before hello when name == "Eve"'), {
      input,
      scope: { greet },
    });
    expect(await run.output).toEqual({ greeting: "hello Ada" });
  });

  test("a time that nobody uses is a no", async () => {
    const { run } = ask(twoNodes("approve before hello within 5ms"), {
      input,
      scope: { greet },
      answers: () => undefined,
    });
    const [end] = await Promise.allSettled([ended(run)]);
    expect(end.status).toBe("fulfilled");
    expect([run.status, run.reason]).toEqual(["failed", "denied"]);
    expect(run.failure?.message).toContain("nobody answered in time");
  });
});

async function ended(run: ReturnType<typeof ask>["run"]): Promise<void> {
  for (let stop = await run.continue(); stop.kind !== "end"; stop = await run.continue()) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("after a node", () => {
  const text = `model m = "scripted"
graph G() returns draft {
  state { draft: string = "" }
  agent write { model m; prompt \`Write.\`; writes draft; approve after }
  start -> write -> end
}`;
  const models = () => ({ m: scripted({ write: ["first", "second"] }) });

  test("what it came to is shown, and committed when somebody agrees", async () => {
    const { run } = ask(text, { models: models() });
    await nextStop(run);
    expect(run.interrupts).toMatchObject([{ kind: "review", shown: "first" }]);
    expect(run.state).toEqual({ draft: "" });
    await run.answer("write-0", { kind: "approve" });
    expect(await run.output).toEqual({ draft: "first" });
  });

  test("what somebody writes instead is committed", async () => {
    const { run } = ask(text, {
      models: models(),
      answers: { write: { kind: "edit", value: "mine" } },
    });
    expect(await run.output).toEqual({ draft: "mine" });
  });

  test("`revise` has it written again, told what to change", async () => {
    const { run } = ask(text, { models: models() });
    await nextStop(run);
    await run.answer("write-0", { kind: "revise", text: "shorter" });
    await nextStop(run);
    expect(run.interrupts).toMatchObject([{ id: "write-0-2", shown: "second", attempt: 2 }]);
    await run.answer("write-0-2", { kind: "approve" });
    expect(await run.output).toEqual({ draft: "second" });
  });

  test("`revise` tells a function in its context what to change", async () => {
    const told: (string | undefined)[] = [];
    const greetAs = (name: string, { feedback }: FunctionContext) => {
      told.push(feedback);
      return feedback === undefined ? `hello ${name}` : "hi";
    };
    const { run } = ask(twoNodes("approve after hello"), {
      input: { name: "Ada" },
      scope: { greet: greetAs },
    });
    await nextStop(run);
    await run.answer("hello-0", { kind: "revise", text: "shorter" });
    await nextStop(run);
    expect(run.interrupts).toMatchObject([{ id: "hello-0-2", shown: "hi" }]);
    await run.answer("hello-0-2", { kind: "approve" });
    expect(await run.output).toEqual({ greeting: "hi" });
    expect(told).toEqual([undefined, "shorter"]);
  });
});

describe("of a tool call", () => {
  const text = `model m = "scripted"
graph G() returns report {
  state { report: string = "" }
  agent sweep {
    model m
    tools remove
    prompt \`Clean.\`
    writes report
    approve tool remove \`Really remove?\` when call.risk == "high"
  }
  start -> sweep -> end
}`;
  const script = () => ({
    m: scripted({
      sweep: [
        {
          calls: [
            { tool: "remove", input: { path: "a" } },
            { tool: "remove", input: { path: "b" } },
          ],
        },
        "done",
      ],
    }),
  });
  const removing = (effect: "none" | "external" = "external") => {
    const removed: string[] = [];
    const remove = tool(
      ({ path }: { path: string }) => {
        removed.push(path);
        return "ok";
      },
      { effect, input: { type: "object", properties: { path: { type: "string" } } } },
    );
    return { removed, scope: { remove } };
  };

  test("all calls of a turn are asked about at once, and answered singly", async () => {
    const { removed, scope } = removing();
    const { run } = ask(text, { models: script(), scope });
    await nextStop(run);
    expect(run.interrupts).toMatchObject([
      { id: "sweep-0", tool: "remove", shown: { path: "a" }, question: "Really remove?" },
      { id: "sweep-0-2", tool: "remove", shown: { path: "b" } },
    ]);
    await run.answer("sweep-0-2", { kind: "deny", reason: "keep b" });
    expect(removed).toEqual([]);
    await run.answer("sweep-0", { kind: "edit", value: { path: "c" } });
    expect(await run.output).toEqual({ report: "done" });
    expect(removed).toEqual(["c"]);
  });

  test.each(["approve tool *", "approve tool remove"])("`%s` asks about it", async (clause) => {
    const { removed, scope } = removing();
    const all = text.replace(/approve tool .*/, clause);
    const { run } = ask(all, { models: script(), scope });
    await nextStop(run);
    expect(run.interrupts).toMatchObject([{ tool: "remove" }, { tool: "remove" }]);
    expect(removed).toEqual([]);
  });

  test("names who approves: so many of them say yes, the others are no longer asked", async () => {
    const { removed, scope } = removing();
    const clause = 'approve tool remove from ["ann", "bob", "cy"] need 2';
    const { run } = ask(text.replace(/approve tool .*/, clause), { models: script(), scope });
    await nextStop(run);
    const among = ["ann", "bob", "cy"];
    expect(run.interrupts).toMatchObject([
      { tool: "remove", among, need: 2, to: "ann, bob, cy" },
      { tool: "remove", among, need: 2 },
    ]);
    expect(await rejection(run.answer("sweep-0", { kind: "approve" }))).toMatchObject({
      code: "M5311",
    });
    await run.answer("sweep-0", { kind: "approve", as: "cy" });
    await run.answer("sweep-0-2", { kind: "deny", as: "cy" });
    expect(removed).toEqual([]);
    await run.answer("sweep-0", { kind: "approve", as: "ann" });
    await run.answer("sweep-0-2", { kind: "deny", reason: "keep b", as: "ann" });
    expect(await run.output).toEqual({ report: "done" });
    expect(removed).toEqual(["a"]);
    expect((await run.replay()).ok).toBe(true);
  });

  test("a call whose condition does not hold is made", async () => {
    const { removed, scope } = removing("none");
    const { run } = ask(text, { models: script(), scope });
    await run.output;
    expect(removed).toEqual(["a", "b"]);
  });
});

describe("who is named", () => {
  test.each<[string, string, object, readonly (string | undefined)[]]>([
    ["one person", 'approve before hello from "lead"', { to: "lead" }, [undefined]],
    ["a list of one", 'approve before hello from ["lead"]', { among: ["lead"] }, ["lead"]],
    [
      "another in each of two approvals",
      'approve before hello from "lead"\napprove before hello from ["ops", "lead"] need 1',
      { among: ["lead", "ops"] },
      ["ops", "lead"],
    ],
    [
      "the same in two approvals",
      'approve before hello from ["ops", "lead"] need 1\napprove before hello from ["ops", "lead"] need 1',
      { among: ["ops", "lead"], need: 1 },
      ["lead"],
    ],
  ])("%s", async (_, clause, asked, names) => {
    const { run } = ask(twoNodes(clause), { input: { name: "Ada" }, scope: { greet } });
    await nextStop(run);
    expect(run.interrupts).toMatchObject([asked]);
    for (const as of names)
      await run.answer("hello-0", { kind: "approve", ...(as === undefined ? {} : { as }) });
    await nextStop(run);
    expect(run.status).toBe("succeeded");
    expect((await run.replay()).ok).toBe(true);
  });
});

describe("who judges first", () => {
  const text = twoNodes("approve before hello by guard");
  const input = { name: "Ada" };

  test.each([
    [true, "succeeded"],
    ["approve", "succeeded"],
    [false, "failed"],
    [{ kind: "deny", reason: "no" }, "failed"],
    ["ask", "waiting"],
    [undefined, "waiting"],
  ])("a policy that says %j", async (said, status) => {
    const { run } = ask(text, { input, scope: { greet, guard: () => said } });
    await Promise.allSettled([run.output]);
    expect(run.status).toBe(status);
  });

  test("L12 a judge that is missing or fails asks", async () => {
    const missing = ask(text, { input, scope: { greet } });
    expect(await rejection(missing.run.output)).toMatchObject({ code: "M5301" });
    const guard = () => {
      throw new Error("no idea");
    };
    const failing = ask(text, { input, scope: { greet, guard } });
    const error = await rejection(failing.run.output);
    expect(error.code).toBe("M5301");
    expect(error.message).toContain("no idea");
    expect(failing.run.status).toBe("waiting");
  });
});

describe("a model that judges first", () => {
  const text = `model guard = "scripted"
graph G(name: string) returns greeting {
  state { greeting: string = "" }
  run hello = greet(name) writes greeting
  approve before hello by guard
  start -> hello -> end
}`;
  const started = (decision: string) =>
    ask(text, {
      input: { name: "Ada" },
      scope: { greet },
      models: { guard: scripted({ "hello.judge": [{ reason: "so", decision }] }) },
    }).run;

  test.each([
    ["approve", "succeeded"],
    ["deny", "failed"],
    ["ask", "waiting"],
    ["perhaps", "waiting"],
  ])("%s", async (decision, status) => {
    const run = started(decision);
    await Promise.allSettled([run.output]);
    expect(run.status).toBe(status);
  });

  test("its word that a person should look stands in the log, with what it used", async () => {
    const run = started("ask");
    const left: unknown[] = [];
    run.events$.subscribe((event) => {
      if (event.kind === "interrupt.left") left.push([event.node, event.by, event.reason]);
    });
    await Promise.allSettled([run.output]);
    expect([left, run.usage.modelCalls]).toEqual([[["hello", "guard", "so"]], 1]);
    expect(run.replay()).toMatchObject({ ok: true });
    await run.answer(run.interrupts[0]?.id ?? "", { kind: "approve" });
    expect(await run.output).toEqual({ greeting: expect.any(String) });
    expect(run.replay()).toMatchObject({ ok: true });
  });

  test("what it uses counts", async () => {
    const run = started("approve");
    await run.output;
    expect(run.usage.modelCalls).toBe(1);
  });
});

test("several approvals of one place are one question: both texts, the shorter time, and a person where only one names a judge", async () => {
  const text = `graph G(name: string) returns greeting {
  state { greeting: string = "" }
  run hello = greet(name) writes greeting { approve before \`Of the node?\` by guard within 2h }
  approve before hello \`Of the graph?\` within 1h
  start -> hello -> end
}`;
  const guard = () => true;
  const { run } = ask(text, { input: { name: "Ada" }, scope: { greet, guard } });
  const asked = Date.now();
  await nextStop(run);
  const [question, ...others] = run.interrupts;
  expect(others).toEqual([]);
  expect(question?.question).toBe("Of the graph?\nOf the node?");
  expect(Number(question?.expiresAt) - asked).toBeLessThan(7_200_000);
  await run.answer(question?.id ?? "", { kind: "approve" });
  expect(await run.output).toEqual({ greeting: expect.any(String) });
});

describe("`else ask`", () => {
  const limited = `graph G() returns n {
  state { n: int = 0 }
  run up = add(n) writes n
  limit 2 steps else ask
  start -> up
  up -> { n < 5 -> up, else -> end }
}`;
  const add = (n: number) => n + 1;

  test("at a limit of the run: yes grants the same again, no is the limit", async () => {
    const { run } = ask(limited, { scope: { add } });
    await nextStop(run);
    expect(run.interrupts).toMatchObject([{ kind: "limit", limit: "steps" }]);
    expect(run.state).toEqual({ n: 2 });
    await run.answer(run.interrupts[0]?.id ?? "", { kind: "approve" });
    await nextStop(run);
    expect(run.state).toEqual({ n: 4 });
    await run.answer(run.interrupts[0]?.id ?? "", { kind: "deny" });
    await Promise.allSettled([run.output]);
    expect([run.status, run.reason]).toEqual(["failed", "limit:steps"]);
  });

  test("an answer for the rest of the run is not asked for again", async () => {
    const { run } = ask(limited, { scope: { add } });
    await nextStop(run);
    await run.answer(run.interrupts[0]?.id ?? "", { kind: "approve", remember: "run" });
    expect(await run.output).toEqual({ n: 5 });
  });

  const turns = `model m = "scripted"
graph G() returns a {
  state { a: string = "" }
  agent talk { model m; tools look; prompt \`Talk.\`; writes a; limit 1 turns else ask }
  start -> talk -> end
  talk -> end on limit
}`;
  const look = tool(() => "seen", { effect: "none" });
  const models = () => ({ m: scripted({ talk: [{ calls: [{ tool: "look" }] }, "said"] }) });

  test("at a limit of a node: its attempt goes on where it stood", async () => {
    const { run } = ask(turns, { models: models(), scope: { look }, answers: { talk: true } });
    expect(await run.output).toEqual({ a: "said" });
    expect(run.usage.modelCalls).toBe(2);
  });

  test("a no is the limit, with its arrow", async () => {
    const { run } = ask(turns, { models: models(), scope: { look }, answers: { talk: false } });
    expect(await run.output).toEqual({ a: "" });
    expect(run.usage.modelCalls).toBe(1);
  });

  const ensured = `model m = "scripted"
graph G() returns a {
  state { a: string = "" }
  agent write { model m; prompt \`Write.\`; writes a; ensure a == "good" "it is bad" else ask }
  start -> write -> end
}`;
  const bad = () => ({ m: scripted({ write: ["bad 1", "bad 2", "bad 3", "bad 4"] }) });

  test.each([
    [{ kind: "approve" }, { a: "bad 3" }],
    [{ kind: "edit", value: "mine" }, { a: "mine" }],
  ] as const)(
    "A121 an output that no repair put right is asked about: %j",
    async (said, output) => {
      const { run } = ask(ensured, { models: bad() });
      await nextStop(run);
      expect(run.interrupts).toMatchObject([{ kind: "ensure", shown: "bad 3" }]);
      expect(run.state).toEqual({ a: "" });
      await run.answer(run.interrupts[0]?.id ?? "", said);
      expect(await run.output).toEqual(output);
    },
  );

  test("A121 a no to it fails the run", async () => {
    const { run } = ask(ensured, { models: bad(), answers: { write: false } });
    expect(await rejection(run.output)).toMatchObject({ code: "M5313" });
  });
});
