/** Holds: debug, step, continue, breakpoints, pause. */
import { filter, firstValueFrom } from "rxjs";
import { expect, test } from "vitest";
import { RunStep } from "../../../runtime/history/step.ts";
import { type Does, drive, gate } from "../driven-run.ts";
import { promisesRun } from "../store/fixtures.ts";

const chain = `graph Chain(n: int = 1) returns log {
  state { log: string[] = [] via append }
  run a = f() writes log
  run b = f() writes log
  run c = f() writes log
  start -> a -> b -> c -> end
}`;

const fork = `graph Fork() returns log {
  state { log: string[] = [] via append }
  run a = f() writes log
  run b = f() writes log
  run c = f() writes log
  run d = f() writes log
  start -> a -> [b, c] -> d -> end
}`;

const says: Does = ({ node }) => [node.name];

test("contract: debug gives a run that is paused before its first step: nothing has started", async () => {
  const { run, performed } = drive(chain, { does: says });
  await promisesRun();
  expect([run.status, run.reason, run.isHeld, run.isUnderWay]).toEqual([
    "paused",
    "debug",
    true,
    true,
  ]);
  expect([performed, run.steps]).toEqual([[], []]);
});

test("contract: step lets exactly one commit through", async () => {
  const { run, performed } = drive(chain, { does: says });
  const step = await run.step();
  expect(step).toBeInstanceOf(RunStep);
  expect(step).toMatchObject({ step: 1, node: "a", output: ["a"], state: { log: ["a"] } });
  expect([run.status, run.reason, performed]).toEqual(["paused", "step", ["a#1"]]);
  expect((await run.step()).node).toBe("b");
  expect([run.state, performed]).toEqual([{ log: ["a", "b"] }, ["a#1", "b#1"]]);
  expect((await run.step()).node).toBe("c");
  expect(await run.output).toEqual({ log: ["a", "b", "c"] });
  expect(run.status).toBe("succeeded");
});

test("steps that are asked for at once come one after the other", async () => {
  const { run } = drive(chain, { does: says });
  const steps = await Promise.all([run.step(), run.step(), run.step()]);
  expect(steps.map(({ node }) => node)).toEqual(["a", "b", "c"]);
});

test("what runs side by side is in flight together, and a step takes one commit of it", async () => {
  const gates = { b: gate(["b"]), c: gate(["c"]) };
  const { run, performed } = drive(fork, {
    does: ({ node: { name } }) => (name === "b" || name === "c" ? gates[name].pass() : [name]),
  });
  await run.step();
  const second = run.step();
  await Promise.all([gates.b.entered, gates.c.entered]);
  gates.c.open();
  expect((await second).node).toBe("c");
  gates.b.open();
  await promisesRun();
  // It is through, but held: its commit waits.
  expect(run.state).toEqual({ log: ["a", "c"] });
  expect((await run.step()).node).toBe("b");
  expect(performed).toEqual(["a#1", "b#1", "c#1"]);
  expect((await run.step()).node).toBe("d");
  expect(run.state).toEqual({ log: ["a", "b", "c", "d"] });
});

test("contract: continue goes to the end, or to a breakpoint before a node or after it", async () => {
  const { run, performed } = drive(chain, { does: says });
  const takeBack = run.setBreakpoint("b");
  run.setBreakpoint({ node: "b", when: "after" });
  expect(await run.continue()).toEqual({
    kind: "breakpoint",
    node: "b",
    when: "before",
    nodeRunId: `${run.id}/1`,
    attempt: 1,
  });
  expect([run.status, run.reason, performed]).toEqual(["paused", "breakpoint:b", ["a#1"]]);
  expect(await run.continue()).toMatchObject({ when: "after", step: { step: 2, node: "b" } });
  expect(performed).toEqual(["a#1", "b#1"]);
  takeBack();
  expect(await run.continue()).toEqual({ kind: "end", status: "succeeded" });
  expect(await run.continue()).toEqual({ kind: "end", status: "succeeded" });
});

test("a breakpoint holds a run that nobody steps through, before each item in its turn", async () => {
  const each = `graph Each() returns log {
    state { log: string[] = [] via append }
    run a(x: int) = f(x) writes log
    start -> each x of [1, 2] { a(x) } -> end
  }`;
  const { run, performed } = drive(each, { does: says, goal: "end" });
  run.setBreakpoint("a");
  const stops = [await run.continue(), await run.continue(), await run.continue()];
  expect(stops.map(({ kind }) => kind)).toEqual(["breakpoint", "breakpoint", "end"]);
  expect(performed).toEqual(["a#1", "a#2"]);
});

test("a step goes over breakpoints, and ends before what follows it", async () => {
  const { run, performed } = drive(chain, { does: says });
  run.setBreakpoint("a");
  await run.step();
  expect(performed).toEqual(["a#1"]);
});

test("a breakpoint at no node is M5003 and names the nodes", () => {
  const { run } = drive(chain, { does: says });
  expect(() => run.setBreakpoint("z")).toThrow(
    expect.objectContaining({ code: "M5003", hint: "its nodes: a, b, c" }),
  );
});

test("pause holds: a call in flight comes to its end and is kept, and its commit waits for resume", async () => {
  const { pass, open, entered } = gate({ value: ["a"] });
  const { run, store } = drive(chain, {
    goal: "end",
    does: ({ node: { name } }, { effect, signal }) =>
      name === "a"
        ? effect({ effect: "function", name: "f", perform: () => pass(signal) })
        : [name],
  });
  await entered;
  await run.pause();
  await run.pause();
  expect([run.status, run.reason]).toEqual(["paused", "user"]);
  open();
  await firstValueFrom(run.events$.pipe(filter(({ kind }) => kind === "function.result")));
  await promisesRun();
  expect([run.status, run.steps.length]).toEqual(["paused", 0]);
  await run.resume();
  expect(await run.output).toEqual({ log: ["a", "b", "c"] });
  const verbs = store
    .read(run.id)
    .flatMap((record) => (record.kind === "control" ? [record.verb] : []));
  expect(verbs).toEqual(["hold", "release"]);
});

test("pausing in the middle of a step or of a continue ends it, and says so", async () => {
  const { pass, entered } = gate(["a"]);
  const { run } = drive(chain, { does: () => pass() });
  const step = run.step();
  await entered;
  await run.pause({ reason: "lunch" });
  await expect(step).rejects.toMatchObject({
    code: "M5006",
    message: expect.stringContaining("lunch"),
  });
  const going = run.continue();
  await promisesRun();
  await run.pause();
  expect(await going).toEqual({ kind: "pause", reason: "user" });
});

test("giving up a held run cancels what is in flight; stepping goes on with it from its first line", async () => {
  let calls = 0;
  const first = gate(["never"]);
  const { run } = drive(chain, {
    does: ({ node: { name } }, { signal }) => {
      calls += 1;
      return calls === 1 ? first.pass(signal) : [name];
    },
  });
  const step = run.step();
  await first.entered;
  await Promise.all([run.pause(), expect(step).rejects.toMatchObject({ code: "M5006" })]);
  await run.pause({ now: true });
  expect([run.status, run.isHeld, run.isUnderWay]).toEqual(["paused", false, false]);
  expect((await run.step()).state).toEqual({ log: ["a"] });
  expect(calls).toBe(2);
});

test("no deadline passes while a run is held, and none is forgotten", async () => {
  const limited = chain.replace("run b = f() writes log", "run b = f() { limit 10s; writes log }");
  const { pass, entered } = gate(["b"]);
  const { run, clock, store } = drive(limited.replace("start ->", "limit 1m\n  start ->"), {
    does: ({ node: { name } }, { signal }) => (name === "b" ? pass(signal) : [name]),
  });
  await run.step();
  void run.resume();
  await entered;
  await clock.advance(4_000);
  await run.pause();
  await clock.advance(3_600_000);
  expect([run.status, run.activeMs]).toEqual(["paused", 4_000]);
  await run.resume();
  await clock.advance(5_000);
  expect(run.status).toBe("running");
  await clock.advance(1_000);
  await expect(run.output).rejects.toMatchObject({ code: "M5010", node: "b" });
  const events = store.read(run.id).map(({ at }) => at);
  expect(events).toEqual(events.toSorted((a, b) => a - b));
});

test("what ended while the run was held takes no time from its limit, nor in its events", async () => {
  const { pass, open, entered } = gate(["b"]);
  const { run, clock } = drive(chain.replace("start ->", "limit 10s\n  start ->"), {
    does: ({ node: { name } }) => (name === "b" ? pass() : [name]),
  });
  await run.step();
  void run.resume();
  await entered;
  await clock.advance(1_000);
  await run.pause();
  open();
  await clock.advance(60_000);
  const finished = firstValueFrom(
    run.events$.pipe(filter((event) => event.kind === "commit" && event.node === "b")),
  );
  await run.resume();
  expect(await finished).toMatchObject({ durationMs: 1_000 });
  expect(await run.output).toEqual({ log: ["a", "b", "c"] });
});

test("a hold takes back a retry that waits for its time; a release gives it out again, once", async () => {
  const retried = chain.replace(
    "run b = f() writes log",
    "run b = f() { retry 1 backoff 10s..20s; writes log }",
  );
  let tries = 0;
  const { run, clock, performed } = drive(retried, {
    does: ({ node: { name } }) => {
      if (name !== "b") return [name];
      tries += 1;
      if (tries === 1) throw new Error("not yet");
      return ["b"];
    },
  });
  await run.step();
  void run.resume();
  await promisesRun();
  await run.pause();
  await clock.advance(60_000);
  expect(performed).toEqual(["a#1", "b#1"]);
  await run.resume();
  expect(await run.output).toEqual({ log: ["a", "b", "c"] });
  expect(performed).toEqual(["a#1", "b#1", "b#1", "c#1"]);
});

test("a step of a run that is over, or that ends without one, says why", async () => {
  const { run } = drive(chain, {
    does: ({ node: { name } }) => {
      if (name === "b") throw new Error("no ink");
      return [name];
    },
  });
  await run.step();
  await expect(run.step()).rejects.toMatchObject({ node: "b", message: "no ink" });
  await expect(run.step()).rejects.toMatchObject({
    code: "M5004",
    hint: expect.stringContaining("resume()"),
  });
  expect(await run.continue()).toEqual({ kind: "end", status: "failed" });
});

test("a failed run that is resumed by steps goes on with what failed", async () => {
  let broken = true;
  const { run } = drive(chain, {
    does: ({ node: { name } }) => {
      if (name === "b" && broken) throw new Error("no ink");
      return [name];
    },
  });
  expect(await run.continue()).toEqual({ kind: "end", status: "failed" });
  broken = false;
  run.setBreakpoint("c");
  await run.resume();
  expect(await run.continue()).toMatchObject({ kind: "breakpoint", node: "c" });
  expect((await run.step()).node).toBe("c");
  expect(await run.output).toEqual({ log: ["a", "b", "c"] });
});

test("a held run whose process dies is taken up by another one where it stood", async () => {
  const held = drive(chain, { does: says });
  await held.run.step();
  const again = held.found();
  expect([again.status, again.reason, again.isHeld, again.steps.length]).toEqual([
    "paused",
    "step",
    false,
    1,
  ]);
  await again.settled();
  expect((await again.step()).node).toBe("b");
  expect(await again.continue()).toEqual({ kind: "end", status: "succeeded" });
  expect(held.performed).toEqual(["a#1", "b#1", "c#1"]);
});

test("aborting a held run ends it", async () => {
  const { run } = drive(chain, { does: says });
  await run.step();
  await run.abort("enough");
  expect([run.status, run.reason]).toEqual(["aborted", "enough"]);
  await expect(run.output).rejects.toMatchObject({ code: "M5005" });
});

test("whoever iterates over the steps sees them as they come", async () => {
  const { run } = drive(chain, { does: says });
  const seen: string[] = [];
  const all = (async () => {
    for await (const { node } of run) seen.push(node);
  })();
  await run.step();
  await promisesRun();
  expect(seen).toEqual(["a"]);
  await run.continue();
  await all;
  expect(seen).toEqual(["a", "b", "c"]);
});

test("told to continue in whichever moment of its failure, it stays failed: nobody asked for another try", async () => {
  for (let turns = 0; turns < 60; turns += 1) {
    const { run, performed } = drive(
      `import { f } from "./f.ts"
graph G() returns a {
  state { a: string = "" }
  run x = f() writes a
  start -> x -> end
}`,
      {
        goal: "end",
        does: () => {
          void later(turns, () => run.continue());
          throw new Error("no");
        },
      },
    );
    await run.settled();
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    expect([turns, run.status, performed.length]).toEqual([turns, "failed", 1]);
  }
});

async function later(turns: number, act: () => unknown): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
  act();
}
