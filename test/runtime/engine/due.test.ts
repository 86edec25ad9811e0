/** When time brings something in a run that nobody drives. */
import { expect, test } from "vitest";
import { createHumanPerformer } from "../../../runtime/agents/human.ts";
import { innermost } from "../../../runtime/records/records.ts";
import { drive } from "../driven-run.ts";
import { promisesRun } from "../store/fixtures.ts";

const HOUR = 3_600_000;

const nap = `import { f } from "./f.ts"
graph Nap() returns a {
  state { a: string = "" }
  run first = f() writes a
  run second = f() writes a
  start -> first -> second after 1h -> end
}`;

test("a sleeping run is due at the start that it sleeps for; what runs now sleeps for nothing", async () => {
  const { run, clock, found } = drive(nap, { does: () => "x", goal: "end" });
  await run.step().catch(() => {});
  const due = clock.now() + HOUR;
  await run.pause({ now: true, reason: "sleeping" });
  expect([run.dueAt, run.sleepsUntil]).toEqual([due, undefined]);
  const later = found();
  expect(later.dueAt).toBe(due);
  await run.resume();
  await clock.advance(1);
  await asleep(run);
  expect(run.sleepsUntil).toBe(due);
  await clock.advance(HOUR);
  expect(await run.output).toEqual({ a: "x" });
  expect([run.dueAt, run.sleepsUntil]).toEqual([undefined, undefined]);
});

test("a question that expires is due then; one that does not waits for people alone", async () => {
  const dues: (number | undefined)[] = [];
  for (const within of [{ withinMs: 2 * HOUR }, {}]) {
    const { run, clock } = drive(nap, {
      goal: "end",
      does: async (_, context) => {
        await context.ask({ ask: "input", question: "Who?", ...within });
        return "x";
      },
    });
    await run.continue();
    dues.push(run.dueAt === undefined ? undefined : run.dueAt - clock.now());
    await run.abort();
  }
  expect(dues).toEqual([2 * HOUR, undefined]);
});

test("M15 [VT] `ask … within 2h`: a question that nobody answers by then is denied, and the field keeps its default", async () => {
  const text = `graph Ask() returns name {
  state { name: string = "nobody" }
  human who { ask \`Who?\` within 2h; writes name }
  start -> who -> end
  who -> end on deny
}`;
  const people = createHumanPerformer();
  const { run, clock, found } = drive(text, {
    goal: "end",
    does: (attempt, context) => people.perform(attempt, context),
  });
  await run.continue();
  const due = clock.now() + 2 * HOUR;
  expect([run.status, run.dueAt, found().dueAt]).toEqual(["waiting", due, due]);
  await clock.advance(2 * HOUR);
  await run.continue();
  expect([run.status, run.state]).toEqual(["succeeded", { name: "nobody" }]);
});

test("M15 [VT] `ask … within 2h else e`: a question that nobody answers by then has that answer, and says who gave it", async () => {
  const text = `graph Ask(usual: string) returns name {
  state { name: string }
  human who { ask \`Who?\` within 2h else usual; writes name }
  start -> who -> end
}`;
  const people = createHumanPerformer();
  const { run, clock, store } = drive(text, {
    goal: "end",
    input: { usual: "nobody" },
    does: (attempt, context) => people.perform(attempt, context),
  });
  await run.continue();
  expect(run.interrupts).toMatchObject([{ default: "nobody" }]);
  await clock.advance(2 * HOUR);
  await run.continue();
  expect([run.status, run.state]).toEqual(["succeeded", { name: "nobody" }]);
  expect(store.read(run.id).filter(({ kind }) => kind === "answer")).toMatchObject([
    { from: "expiry", answer: { kind: "value", value: "nobody" } },
  ]);
});

test("a default answer that does not fit what the node writes fails before anybody is asked", async () => {
  const text = `graph Ask(usual: Json) returns age {
  state { age: int }
  human who { ask \`How old?\` within 2h else usual; writes age }
  start -> who -> end
}`;
  const people = createHumanPerformer();
  const { run } = drive(text, {
    goal: "end",
    input: { usual: "old" },
    does: (attempt, context) => people.perform(attempt, context),
  });
  await expect(run.output).rejects.toMatchObject({ code: "M5311" });
  expect(run.interrupts).toEqual([]);
});

/** A graph in which somebody is asked, and nobody answers within an hour. */
const unanswered = (clause: string, around = "") => `import { f } from "./f.ts"
graph Ask() returns a {
  state { a: string = "" }
  run one = f() writes a { ${clause} }
  run two = f() writes a
  ${around}
  start -> one -> two -> end
}`;

test.each([
  ["limit … else ask, of a node", unanswered("limit 0 calls, 1 errors else ask within 1h")],
  ["limit … else ask, of the run", unanswered("", "limit 1 steps else ask within 1h")],
  ["ensure … else ask", unanswered('ensure a == "good" "it is bad" else ask within 1h')],
])("`within` behind `%s`: the answer is no once the time has come", async (_, text) => {
  const { run, clock, store, found } = drive(text, {
    goal: "end",
    does: () => {
      if (text.includes("errors")) throw new Error("no");
      return "bad";
    },
  });
  await run.continue();
  const due = clock.now() + HOUR;
  expect([run.status, run.dueAt, found().dueAt]).toEqual(["waiting", due, due]);
  await clock.advance(HOUR);
  await run.continue();
  expect(run.status).toBe("failed");
  expect(store.read(run.id).filter(({ kind }) => kind === "answer")).toMatchObject([
    { from: "expiry", answer: { kind: "deny" } },
  ]);
});

/** A called graph that reaches a limit: whoever may say to go on is asked for an hour. */
const limited = (ofGraph: string, ofNode = "") => `import { f } from "./f.ts"
graph Outer() returns a {
  state { a: string = "" }
  graph inner = Inner() writes a${ofNode}
  start -> inner -> end
}
graph Inner() returns a {
  state { a: string = "" }
  run one = f() writes a
  run two = f() writes a
  ${ofGraph}
  start -> one -> two -> end
}`;

test.each([
  ["the called graph's own limit", limited("limit 1 steps else ask within 1h")],
  [
    "the limit of a node of it",
    limited("").replace(
      "two = f() writes a",
      "two = f() writes a { limit 0 calls, 1 errors else ask within 1h }",
    ),
  ],
  ["the limit of the node that calls it", limited("", " { limit 1 errors else ask within 1h }")],
])(
  "`within` in a called graph, at %s: the answer is no once the time has come",
  async (_, text) => {
    const { run, clock, store, found } = drive(text, {
      goal: "end",
      does: ({ node }) => {
        if (text.includes("errors") && node.name === "two") throw new Error("no");
        return "bad";
      },
    });
    await run.continue();
    const due = clock.now() + HOUR;
    expect([run.status, run.interrupts[0]?.expiresAt]).toEqual(["waiting", due]);
    expect([run.dueAt, found().dueAt]).toEqual([due, due]);
    await clock.advance(HOUR - 1);
    expect(run.status).toBe("waiting");
    await clock.advance(1);
    await run.continue();
    expect(run.status).toBe("failed");
    const answers = store
      .read(run.id)
      .map(innermost)
      .filter(({ kind }) => kind === "answer");
    expect(answers).toMatchObject([{ from: "expiry", answer: { kind: "deny" } }]);
  },
);

test("a start that a called graph sleeps for is what the run is due at", async () => {
  const [head = "", body = ""] = nap.split("\ngraph Nap");
  const text = `${head}
graph Outer() returns a {
  state { a: string = "" }
  graph inner = Nap() writes a
  start -> inner -> end
}
graph Nap${body}`;
  const { run, clock, found } = drive(text, { does: () => "x", goal: "end" });
  await clock.advance(1);
  await asleep(run);
  const due = run.sleepsUntil;
  expect(due).toBeGreaterThan(clock.now());
  await run.pause({ now: true, reason: "sleeping" });
  expect([run.dueAt, found().dueAt]).toEqual([due, due]);
  await run.resume();
  await clock.advance(HOUR);
  expect(await run.output).toEqual({ a: "x" });
  expect(run.dueAt).toBe(undefined);
});

/** Resolves when nothing of the run goes on before a time: it takes as many turns of the event loop as the machine is busy. */
async function asleep(run: { readonly sleepsUntil: number | undefined }): Promise<void> {
  while (run.sleepsUntil === undefined) await promisesRun();
}
