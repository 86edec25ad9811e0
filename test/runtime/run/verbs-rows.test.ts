/** What people do to runs, as the systems before this one had it. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import {
  type Run,
  type RunEvent,
  type RunOptions,
  scripted,
  tool,
} from "../../../runtime/index.ts";
import { drive, gate } from "../driven-run.ts";
import { newSession, runWith } from "../scoped-run.ts";

const three = `graph G() returns said {
  state { said: string[] = [] via append }
  run a = say("a") writes said
  run b = say("b") writes said
  run c = say("c") writes said
  start -> a -> b -> c -> end
}`;

test("E98 [SM] aborted and resumed, a run does not do again what is done", async () => {
  const done: string[] = [];
  const held = gate("b");
  const say = (what: string) => {
    done.push(what);
    return what === "b" && done.length === 2 ? held.pass() : what;
  };
  const { run } = runWith(three, { say });
  await held.entered;
  await run.abort("enough");
  await expect(run.output).rejects.toMatchObject({ code: "M5005" });
  await run.resume();
  expect(await run.output).toEqual({ said: ["a", "b", "c"] });
  expect(done).toEqual(["a", "b", "b", "c"]);
});

test("E97 [VT] paused, nothing starts however long it lasts; resumed, it goes on at once", async () => {
  const held = gate("x");
  const text = three
    .replaceAll(/say\("(.)"\)/g, "f()")
    .replace("graph", 'import { f } from "./f.ts"\ngraph');
  const { run, clock, performed } = drive(text, {
    goal: "end",
    does: ({ node }) => (node.name === "a" ? held.pass() : ["y"]),
  });
  await held.entered;
  await run.pause();
  held.open();
  await clock.advance(3_600_000);
  expect([run.status, performed.length, run.steps.length]).toEqual(["paused", 1, 0]);
  await run.resume();
  await run.output;
  expect(performed).toEqual(["a#1", "b#1", "c#1"]);
});

test("E02 [SM] what a run comes to is its status and a typed error; nothing else is thrown at whoever asks", async () => {
  const fails = {
    say: (what: string) => (what === "b" ? Promise.reject(new Error("no")) : [what]),
  };
  const { run } = runWith(three, fails);
  await run.settled();
  expect([run.status, run.state, run.steps.length]).toEqual(["failed", { said: ["a"] }, 1]);
  await expect(run.output).rejects.toMatchObject({
    name: "RunError",
    runId: run.id,
    node: "b",
    attempt: 1,
  });
});

test("E95 a listener that waits or never comes back stops no run", async () => {
  const { run } = runWith(three, { say: (what: string) => what });
  let heard = 0;
  run.events$.subscribe(() => {
    heard += 1;
    return new Promise(() => {});
  });
  const slow = run.stream("events")[Symbol.asyncIterator]();
  await slow.next();
  expect(await run.output).toEqual({ said: ["a", "b", "c"] });
  expect(heard).toBeGreaterThan(3);
});

test("E13 [SM] a run returns the fields that it declares, whichever branch ends last", async () => {
  const text = `graph G() returns one, two {
    state {
      one: string = ""
      two: string = ""
    }
    run a = say("a") writes one
    run b = say("b") writes two
    start -> [a, b]
    a -> end
    b -> end
  }`;
  for (const last of ["a", "b"]) {
    const held = gate(last);
    const { run } = runWith(text, { say: (what: string) => (what === last ? held.pass() : what) });
    await held.entered;
    held.open();
    expect(await run.output).toEqual({ one: "a", two: "b" });
  }
});

test("E24 [TY] what a run is told is typed: no name of its own is taken for another", () => {
  const options: RunOptions = {
    thread: "t",
    durability: "sync",
    seed: "1",
    models: {},
    answers: {},
  };
  // @ts-expect-error: no mode of that name
  const mode: RunOptions = { durability: "later" };
  // @ts-expect-error: not an option
  const other: RunOptions = { agentParallel: true };
  expect([options, mode, other]).toHaveLength(3);
});

test("E67 what an agent had said when its run was aborted is no answer: none is written, and whoever waits is told", async () => {
  const called = Promise.withResolvers<void>();
  const wait = tool(() => new Promise<never>(() => called.resolve()), {
    effect: "none",
    description: "waits",
    input: { type: "object" },
  });
  const text = `model m = "scripted"
graph G() returns answer {
  state { answer: string = "none" }
  agent a { model m; tools wait; prompt \`?\`; writes answer }
  start -> a -> end
}`;
  const m = scripted([{ says: "partial", calls: [{ tool: "wait" }] }]);
  const { run } = runWith(text, { wait }, { models: { m } });
  await called.promise;
  await run.abort("enough");
  await expect(run.output).rejects.toMatchObject({ code: "M5005" });
  expect([run.status, run.state, run.steps.length]).toEqual(["aborted", { answer: "none" }, 0]);
});

test("E07 [SM] runs that have ended are let go of: 200 of them leave nothing behind in their session", async () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const session = newSession();
  const runs: WeakRef<Run>[] = [];
  for (let number = 0; number < 200; number += 1) runs.push(await ended(session));
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  expect(runs.filter((one) => one.deref() !== undefined).length).toBeLessThan(20);
  expect(session.list()).toHaveLength(200);
});

async function ended(session: ReturnType<typeof newSession>): Promise<WeakRef<Run>> {
  const { run } = runWith(three, { say: (what: string) => what }, { session });
  await run.output;
  return new WeakRef(run);
}

test("M14 E94 what happens is told as events of its kinds, each with its run, node and attempt", async () => {
  const text = `model m = "scripted"
  graph G() returns note, ok {
    state {
      note: string = ""
      ok: boolean = false
    }
    agent write { model m; tools look; prompt \`write\`; writes note }
    human sure { ask \`Sure?\`; writes ok }
    start -> write -> sure -> end
  }`;
  const m = scripted({ write: [{ calls: [{ tool: "look" }] }, { says: "done" }] });
  const events: RunEvent[] = [];
  const { run } = runWith(text, { look: () => "seen" }, { models: { m }, answers: { sure: true } });
  run.events$.subscribe((event) => events.push(event));
  await run.output;
  const kinds = events.map(({ kind }) => kind).filter((kind) => kind !== "model.delta");
  expect(kinds.join(" ")).toMatchInlineSnapshot(
    `"run.started route.chosen attempt.started model.request model.response tool.call tool.result model.request model.response attempt.finished commit route.chosen attempt.started interrupt.opened run.waiting interrupt.answered attempt.finished commit route.chosen run.finished"`,
  );
  expect(new Set(events.map(({ runId }) => runId))).toEqual(new Set([run.id]));
});

test("A95 A96 [DB] rewound to a step, that one is untouched, the later ones are stale, and the next attempt is pending no more", async () => {
  const session = newSession();
  const { run } = runWith(three, { say: (what: string) => what }, { session });
  await run.output;
  await run.rewind(1);
  const rows = async () => {
    const traces = await session.traces();
    const found = await traces.query("SELECT node, status FROM node_runs WHERE run_id = $1", [
      run.id,
    ]);
    return found.map(({ node, status }) => `${node} ${status}`);
  };
  expect((await rows()).toSorted()).toEqual(["a succeeded", "b stale", "c stale"]);
  await run.resume();
  await run.output;
  expect((await rows()).toSorted()).toEqual([
    "a succeeded",
    "b stale",
    "b succeeded",
    "c stale",
    "c succeeded",
  ]);
});

test("A97 [SM] a stage is shown once it is valid: refined with what somebody says, then approved or aborted", async () => {
  const text = `model m = "scripted"
  graph G() returns note {
    state { note: string = "" }
    agent write { model m; prompt \`write\`; writes note; ensure note.length > 3 "longer"; approve after }
    start -> write -> end
  }`;
  const m = scripted({ write: ["no", "first draft", "second draft"] });
  const { run } = runWith(text, {}, { models: { m } });
  const asked: unknown[] = [];
  void run.output.catch(() => {});
  await run.continue();
  asked.push(run.interrupts[0]?.shown);
  await run.answer(run.interrupts[0]?.id ?? "", { kind: "revise", text: "once more" });
  await run.continue();
  asked.push(run.interrupts[0]?.shown);
  await run.answer(run.interrupts[0]?.id ?? "", { kind: "approve" });
  expect(await run.output).toEqual({ note: "second draft" });
  expect(asked).toEqual(["first draft", "second draft"]);
});

test("fix and continue: a function that threw is another one in the next cell; the run goes on with it, and its log says so", async () => {
  const session = newSession();
  const broken = { say: (what: string) => (what === "b" ? Promise.reject(new Error("no")) : what) };
  const { run, ir } = runWith(three, broken, { session });
  await expect(run.output).rejects.toMatchObject({ node: "b" });
  session.graph(ir, { scope: { say: (what: string) => `${what}!` } });
  const fixed = session.open(run.id);
  await fixed.resume();
  expect(await fixed.output).toEqual({ said: ["a", "b!", "c!"] });
  const resumed = session.store
    .read(run.id)
    .filter((record) => record.kind === "control" && record.verb === "resume");
  expect(resumed).toMatchObject([{ code: { say: expect.stringMatching(/^[0-9a-f]{64}$/) } }]);
  expect(fixed.replay()).toMatchObject({ ok: true });
});
