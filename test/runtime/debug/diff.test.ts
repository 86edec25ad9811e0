/** Two runs beside each other: where they part first, and why. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { RunDiff } from "../../../runtime/debug/compare/run-diff.ts";
import { Session, scripted, shortRunId } from "../../../runtime/index.ts";
import type { DrivenRun } from "../../../runtime/run/driven-run.ts";
import { arbitraryGraph } from "../../support/arbitrary-graph.ts";
import { drive } from "../driven-run.ts";

const TEXT = `model m = "scripted"
graph Report(topic: string) returns report {
  state {
    facts: string[] = [] via append
    report: string = ""
  }
  agent plan { model m; prompt \`Plan \${topic}\`; writes facts }
  run look(fact: string) = looked(fact) writes facts
  agent write { model m; prompt \`Write \${facts}\`; writes report }
  start -> plan -> look(facts[0]) -> write -> end
}`;

interface Told {
  readonly topic?: string;
  readonly plan?: string;
  readonly write?: string;
  readonly text?: string;
  readonly looked?: (fact: string) => readonly string[];
}

function reported(session: Session, told: Told = {}): DrivenRun {
  const { topic = "pears", plan = "ripe", write = "done", text = TEXT } = told;
  const { looked = (fact: string) => [`saw ${fact}`] } = told;
  const graph = Object.values(session.compile(text, { scope: { looked } }))[0];
  const models = { m: scripted({ plan: [plan], write: [write, write] }) };
  const run = graph?.run({ topic }, { models });
  if (run === undefined) throw new Error("no graph");
  return run as unknown as DrivenRun;
}

async function compared(told: Told, first: Told = {}): Promise<RunDiff> {
  const session = new Session({ store: "memory" });
  const [a, b] = [reported(session, first), reported(session, told)];
  await Promise.all([a.settled(), b.settled()]);
  return a.diff(b);
}

test.each<[string, Told, object]>([
  [
    "another input",
    { topic: "plums" },
    { cause: "input", step: 0, path: "input.topic", inA: "pears", inB: "plums" },
  ],
  [
    "another answer of a model",
    { write: "other" },
    { cause: "model", step: 2, node: "write", path: "text", inA: "done", inB: "other", a: 3, b: 3 },
  ],
  [
    "a function that comes to something else",
    { looked: () => ["nothing"] },
    { cause: "function", step: 1, node: "look", inA: "saw ripe", inB: "nothing" },
  ],
  [
    "a function that fails",
    {
      looked: () => {
        throw new Error("boom");
      },
    },
    { cause: "failure", step: 1, node: "look", a: 2, b: 2 },
  ],
  [
    "another graph",
    { text: TEXT.replace("Write ", "Now write ") },
    { cause: "graph", step: 2, node: "write" },
  ],
  [
    "another arrow",
    { text: TEXT.replace("plan -> look(facts[0]) -> write", "plan -> write") },
    { cause: "graph", step: 1, node: "look" },
  ],
])("%s is the first divergence, and its cause", async (_, told, divergence) => {
  expect((await compared(told)).divergence).toMatchObject(divergence);
});

test("a run beside another one in words, and as JSON", async () => {
  const diff = await compared({ looked: (fact) => [`saw ${fact}`, "and more"], write: "longer" });
  expect(
    String(diff)
      .replaceAll(shortRunId(diff.a.runId), "RUN-A")
      .replaceAll(shortRunId(diff.b.runId), "RUN-B")
      .replace(/\d+ ms/g, "TIME")
      .replace(/\([+-]TIME\)/, "(TIME)"),
  ).toMatchInlineSnapshot(`
    "A  run RUN-A of Report: succeeded
    B  run RUN-B of Report: succeeded
    part behind step 1 (function): step 2: look#1: the function came to something else: [1] is absent in A and "and more" in B
    steps:
        step 1: plan#1
      ! step 2: look#1 (output)
      ! step 3: write#1 (asked)
    state:
      facts[2]: - → "and more"
      report: "done" → "longer"
    output:
      report: "done" → "longer"
    took:
      time: TIME → TIME (TIME)
      input_tokens: 86 → 91 (+5)
      output_tokens: 2 → 3 (+1)"
  `);
  expect(JSON.parse(JSON.stringify(diff))).toMatchObject({
    a: { run_id: diff.a.runId, status: "succeeded" },
    same: false,
    divergence: { cause: "function", node: "look" },
    output: [{ path: "report", a: "done", b: "longer" }],
  });
});

test("two runs that were told the same are the same", async () => {
  const diff = await compared({});
  expect(diff.isSame).toBe(true);
  expect([diff.state, diff.output, diff.steps.map(({ kind }) => kind)]).toEqual([
    [],
    [],
    ["same", "same", "same"],
  ]);
  expect(String(diff)).toContain("the same steps, the same state");
});

test("a fork with an edited state parts at its edit, and shares what lies before it", async () => {
  const session = new Session({ store: "memory" });
  const run = reported(session);
  await run.output;
  const branch = run.fork(2, { facts: ["mine"] });
  await branch.settled();
  const { divergence, steps } = run.diff(branch);
  expect(divergence).toMatchObject({ cause: "edit", step: 2, b: 3 });
  expect(divergence?.message).toBe("only in B, the fork set facts");
  expect(steps.map(({ kind, title }) => `${kind}: ${title}`)).toEqual([
    "same: step 1: plan#1",
    "same: step 2: look#1",
    "only in B: the fork set facts",
    "differs: step 3: write#1",
  ]);
});

test("runs of graphs that have nothing in common, and what is no run, are M5457", async () => {
  const session = new Session({ store: "memory" });
  const run = reported(session);
  const other = reported(session, {
    text: "graph Other(topic: string) returns x { state { x: string[] = [] }\n run only = looked(topic) writes x\n start -> only -> end }",
  });
  expect(() => run.diff(other)).toThrow(expect.objectContaining({ code: "M5457" }));
  expect(() => run.diff({ id: "no run" })).toThrow(expect.objectContaining({ code: "M5457" }));
  await Promise.all([run.settled(), other.settled()]);
});

const RACE = `graph Race() returns said {
  state { said: string[] = [] via append }
  run left = f() writes said
  run right = g() writes said
  start -> [left, right] -> end
}`;

test("the same steps in another order are told as that", async () => {
  const inOrder = async (first: string) => {
    const gates = { left: Promise.withResolvers<void>(), right: Promise.withResolvers<void>() };
    const { run } = drive(RACE, {
      does: async ({ node: { name } }) => {
        await gates[name as "left" | "right"].promise;
        return [name];
      },
      goal: "end",
    });
    const second = first === "left" ? "right" : "left";
    gates[first as "left" | "right"].resolve();
    while (run.steps.length === 0) await new Promise((go) => setImmediate(go));
    gates[second].resolve();
    await run.output;
    return run;
  };
  const [a, b] = [await inOrder("left"), await inOrder("right")];
  const { divergence, steps, state } = a.diff(b);
  expect(divergence).toMatchObject({ cause: "order" });
  expect(steps.map(({ kind }) => kind).sort()).toEqual(["moved", "same"]);
  expect(state).toEqual([]);
});

test("any run is the same as itself replayed, and differs from one of another input as that does from it", async () => {
  const property = fc.asyncProperty(arbitraryGraph(), async (text) => {
    const runs = [drive(text, { goal: "end" }).run, drive(text, { goal: "end" }).run];
    await Promise.all(runs.map((run) => run.settled()));
    const [a, b] = runs;
    if (a === undefined || b === undefined) throw new Error("no runs");
    const [one, other] = [a.diff(b), b.diff(a)];
    expect(one.divergence?.cause ?? "order").toBe("order");
    expect(one.steps).toHaveLength(a.steps.length);
    expect(other.isSame).toBe(one.isSame);
    expect(one.state).toEqual(other.state);
    // Whatever stands in one stands in the other at its place.
    for (const step of one.steps) expect([step.a, step.b]).not.toContain(undefined);
  });
  await fc.assert(property, { numRuns: 30 });
});
