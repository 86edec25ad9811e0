/** Models that judge approvals: lists of them, and limits of cost that hold for their calls. */
import { expect, test } from "vitest";
import { refusingModel, sayingModel } from "../../support/providers/plain-models.ts";
import { ask } from "./asking.ts";

const graph = (limit = "") => `model guard = "scripted"
graph G(name: string) returns greeting {
  state { greeting: string = "" }
  run hello = greet(name) writes greeting
  approve before hello by guard
  ${limit}
  start -> hello -> end
}`;

const approving = (id: string) => sayingModel(id, '{"reason":"harmless","decision":"approve"}');
const started = (text: string, more: Parameters<typeof ask>[1]) =>
  ask(text, {
    input: { name: "Ada" },
    scope: { greet: (name: string) => `hello ${name}` },
    ...more,
  }).run;

test("of a list the next model is asked where one fails, and each call counts", async () => {
  const run = started(graph(), { models: { guard: [refusingModel("one"), approving("two")] } });
  expect(await run.output).toEqual({ greeting: "hello Ada" });
  expect(run.usage.modelCalls).toBe(2);
});

test("a limit of cost forbids the call before it is made: a person is asked, and told why", async () => {
  const run = started(graph("limit $0.0001"), {
    models: { guard: approving("one") },
    prices: { "mine/one": { input: 1_000, output: 1_000 } },
  });
  const left: (string | undefined)[] = [];
  run.events$.subscribe((event) => {
    if (event.kind === "interrupt.left") left.push(event.reason);
  });
  await run.settled();
  expect(run.status).toBe("waiting");
  expect(left).toEqual([
    expect.stringMatching(/cost: \$0 are spent, and the next call of `mine\/one` takes about \$/),
  ]);
  expect(run.usage).toMatchObject({ modelCalls: 0, costUsd: 0 });
  await run.answer("hello-0", { kind: "approve" });
  expect(await run.output).toEqual({ greeting: "hello Ada" });
  expect(run.replay()).toMatchObject({ ok: true });
});

test("a model without a known price is not asked where a limit of cost has to count it", async () => {
  const run = started(graph("limit $3"), { models: { guard: approving("one") } });
  await run.settled();
  expect([run.status, run.usage.modelCalls]).toEqual(["waiting", 0]);
});

test("the limit of the graph that calls holds for the judge of a called one, too", async () => {
  const text = `model guard = "scripted"
graph Outer(name: string) returns greeting {
  state { greeting: string = "" }
  graph inner = Inner(name) writes greeting
  limit $0.0001
  start -> inner -> end
}
graph Inner(name: string) returns greeting {
  state { greeting: string = "" }
  run hello = greet(name) writes greeting
  approve before hello by guard
  start -> hello -> end
}`;
  const run = started(text, {
    models: { guard: approving("one") },
    prices: { "mine/one": { input: 1_000, output: 1_000 } },
  });
  await run.settled();
  expect([run.status, run.usage.modelCalls]).toEqual(["waiting", 0]);
});

test("what a model was paid for counts also where its answer is no verdict", async () => {
  const run = started(graph(), {
    models: { guard: sayingModel("one", "perhaps") },
    prices: { "mine/one": { input: 10_000, output: 0 } },
  });
  await run.settled();
  expect(run.status).toBe("waiting");
  expect(run.usage).toMatchObject({ modelCalls: 1, costUsd: 0.1 });
});
