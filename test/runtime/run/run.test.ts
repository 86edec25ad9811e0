import { filter, firstValueFrom, toArray } from "rxjs";
import { afterEach, expect, test } from "vitest";
import {
  type Run,
  RunError,
  type RunEvent,
  Session,
  scripted,
  tool,
} from "../../../runtime/index.ts";

const text = `model m = "scripted"
type Task = { name: string }
graph G(question: string) returns notes, report {
  state {
    tasks: Task[]
    notes: string[] = [] via append
    report: string
  }
  defaults { model m }
  agent plan { prompt \`Split \${question}\`; writes tasks }
  agent work(task: Task) { tools look; prompt \`Do \${task.name}\`; writes notes }
  run write = join(notes) writes report
  start -> plan -> each task of tasks parallel 2 { work(task) } -> write -> end
}`;

const sessions: Session[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
});

function session(): Session {
  const made = new Session({ store: "memory", env: { MADRIGAL_HOME: "/nowhere" } });
  sessions.push(made);
  return made;
}

const join = (notes: string[]) => notes.join(", ");
const look = tool(async ({ at }: { at: string }) => `saw ${at}`, {
  effect: "none",
  input: { type: "object", properties: { at: { type: "string" } } },
});

const script = {
  plan: [[{ name: "a" }, { name: "b" }]],
  work: [
    { calls: [{ tool: "look", input: { at: "a" } }], when: "Do a" },
    { calls: [{ tool: "look", input: { at: "b" } }], when: "Do b" },
    { says: "note a", when: "Do a" },
    { says: "note b", when: "Do b" },
  ],
};

function start(scope: object = {}, more: object = {}): Run {
  const graph = session().compile(text, { scope: { join, look, ...scope } }).G;
  if (graph === undefined) throw new Error("no graph");
  return graph.run({ question: "q" }, { models: { m: scripted(script) }, ...more });
}

const kinds = (events: readonly RunEvent[]) => events.map(({ kind }) => kind);

test("a run starts by itself, and its output is its returned fields", async () => {
  const run = start();
  expect(await run.output).toEqual({ notes: ["note a", "note b"], report: "note a, note b" });
  expect([run.status, run.reason, run.steps.length]).toEqual(["succeeded", "done", 4]);
  expect(run.usage).toMatchObject({ modelCalls: 5, toolCalls: 2 });
});

test("what people see of the state is frozen", async () => {
  const run = start();
  await run.output;
  expect(() => (run.state.notes as string[]).push("x")).toThrow(TypeError);
});

test("events are told again to whoever comes late, each once, in the order of the log", async () => {
  const run = start();
  const early = firstValueFrom(run.events$.pipe(toArray()));
  await run.output;
  const late = await firstValueFrom(run.events$.pipe(toArray()));
  const stored = (await early).filter(({ kind }) => kind !== "model.delta");
  expect(kinds(late.filter(({ kind }) => kind !== "model.delta"))).toEqual(kinds(stored));
  const places = stored.map(({ seq, part }) => seq * 1000 + part);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(new Set(places).size).toBe(places.length);
  expect(kinds(stored).at(-1)).toBe("run.finished");
});

test("a run is an iterable of its steps", async () => {
  const nodes: string[] = [];
  for await (const { node, step } of start()) nodes.push(`${step} ${node}`);
  expect(nodes).toEqual(["1 plan", "2 work", "3 work", "4 write"]);
});

test.each([
  ["values", 4],
  ["updates", 4],
] as const)("stream(%s) gives one entry a commit", async (mode, count) => {
  const seen: unknown[] = [];
  for await (const one of start().stream(mode)) seen.push(one);
  expect(seen).toHaveLength(count);
});

test("a failing function ends the run with its code, node and attempt; nothing escapes", async () => {
  const run = start({
    join: () => {
      throw new Error("no glue");
    },
  });
  const error = await run.output.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(RunError);
  expect(error).toMatchObject({ node: "write", attempt: 1, runId: run.id });
  expect((error as RunError).message).toContain("no glue");
  expect([run.status, run.reason]).toEqual(["failed", "error"]);
});

test.each([
  ["undefined", undefined],
  ["null", null],
  ["a string", "boom"],
  ["an object without a prototype", Object.create(null)],
  [
    "an error whose message throws",
    new Proxy(new Error("x"), {
      get: () => {
        throw new Error("trap");
      },
    }),
  ],
])("L11 a performer that throws %s fails its node and nothing else", async (_, thrown) => {
  const run = start({
    join: () => {
      throw thrown;
    },
  });
  await expect(run.output).rejects.toBeInstanceOf(RunError);
  expect(run.status).toBe("failed");
});

test("fix and continue: a failed run goes on with the new function, and what succeeded is not run again", async () => {
  const home = session();
  const scope: Record<string, unknown> = {
    look,
    join: () => {
      throw new Error("no glue");
    },
  };
  const model = scripted(script);
  const graph = home.compile(text, { scope }).G;
  const failed = graph?.run({ question: "q" }, { models: { m: model } });
  await expect(failed?.output).rejects.toThrow("no glue");
  const again = home.open(failed?.id ?? "", { scope: { look, join }, models: { m: model } });
  await again.resume();
  expect(await again.output).toMatchObject({ report: "note a, note b" });
  expect(again.steps.map(({ node }) => node)).toEqual(["plan", "work", "work", "write"]);
});

test("a stored run stands still: it can be awaited, iterated and listened to, and goes on with the scope of its graph", async () => {
  const home = session();
  const model = scripted(script);
  const graph = home.compile(text, {
    scope: {
      look,
      join: () => {
        throw new Error("no glue");
      },
    },
  }).G;
  const failed = graph?.run({ question: "q" }, { models: { m: model } });
  await expect(failed?.output).rejects.toMatchObject({
    cause: { stack: expect.stringContaining("run.test.ts") },
  });
  home.compile(text, { scope: { look, join } });
  const stored = home.open(failed?.id ?? "", { models: { m: model } });
  await stored.settled();
  const nodes: string[] = [];
  for await (const { node } of stored) nodes.push(node);
  expect(nodes).toEqual(["plan", "work", "work"]);
  expect(kinds(await firstValueFrom(stored.events$.pipe(toArray())))).toContain("run.finished");
  await stored.resume();
  expect(await stored.output).toMatchObject({ report: "note a, note b" });
  const again = await firstValueFrom(stored.events$.pipe(toArray()));
  expect(kinds(again).filter((kind) => kind === "run.finished")).toHaveLength(2);
});

test("a run goes on with a changed program that has what ran, and with no other", async () => {
  const home = session();
  const limited = text.replace("start ->", "limit 1 steps\n  start ->");
  const compiled = (source: string) => home.compile(source, { scope: { look, join } }).G;
  const models = { m: scripted(script) };
  const run = compiled(limited)?.run({ question: "q" }, { models });
  await expect(run?.output).rejects.toMatchObject({ code: "M5010" });
  const wider = compiled(limited.replace("1 steps", "9 steps"))?.ir;
  const other = compiled(
    text.replace("agent plan", "agent split").replace("-> plan", "-> split"),
  )?.ir;
  if (wider === undefined || other === undefined) throw new Error("no graph");
  expect(() => home.open(run?.id ?? "", { ir: other, models })).toThrow(/can't go on with `G`/);
  const resumed = home.open(run?.id ?? "", { ir: wider, models });
  await resumed.resume();
  expect(await resumed.output).toMatchObject({ report: "note a, note b" });
});

test("E91 L7 [SM] when a branch fails, its siblings are cancelled and awaited", async () => {
  const ended: string[] = [];
  const both = Promise.withResolvers<void>();
  let running = 0;
  const slow = tool(
    async ({ at }: { at: string }, { signal }) => {
      running += 1;
      if (running === 2) both.resolve();
      await both.promise;
      if (at === "a") throw new Error("broken");
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      ended.push("cancelled");
      return "late";
    },
    { effect: "none", input: { type: "object", properties: { at: { type: "string" } } } },
  );
  const model = scripted({
    plan: [[{ name: "a" }, { name: "b" }]],
    work: [
      { calls: [{ tool: "look", input: { at: "a" } }], when: "Do a" },
      { calls: [{ tool: "look", input: { at: "b" } }], when: "Do b" },
      { fails: "the model gave up", when: "Do a" },
    ],
  });
  const run = start({ look: slow }, { models: { m: model } });
  await expect(run.output).rejects.toMatchObject({ node: "work" });
  expect(ended).toEqual(["cancelled"]);
});

test("pausing keeps what was done; resuming makes no call twice", async () => {
  let calls = 0;
  const entered = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const counted = tool(
    async ({ at }: { at: string }, { signal }) => {
      calls += 1;
      if (at === "b" && calls <= 2) {
        entered.resolve();
        await new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
          gate.promise.then(() => reject(new Error("not paused")));
        });
      }
      return `saw ${at}`;
    },
    { effect: "none", input: { type: "object", properties: { at: { type: "string" } } } },
  );
  const run = start({ look: counted });
  await entered.promise;
  await firstValueFrom(run.events$.pipe(filter(({ kind }) => kind === "tool.result")));
  await run.pause({ now: true });
  expect(run.status).toBe("paused");
  await run.resume();
  expect(await run.output).toMatchObject({ notes: ["note a", "note b"] });
  // The call that was in flight is the one that is made again; no model call is.
  expect(calls).toBe(3);
  expect(run.usage.modelCalls).toBe(5);
});

test("L14 pausing, resuming and aborting twice is as good as once", async () => {
  const waiting = tool(
    (_: unknown, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      }),
    { effect: "none", input: { type: "object" } },
  );
  const run = start({ look: waiting });
  await Promise.all([run.pause({ now: true }), run.pause({ now: true })]);
  await run.pause({ now: true });
  expect(run.status).toBe("paused");
  await Promise.all([run.resume(), run.resume()]);
  await Promise.all([run.abort("enough"), run.abort("enough")]);
  await run.abort();
  expect([run.status, run.reason]).toEqual(["aborted", "enough"]);
  await expect(run.output).rejects.toMatchObject({ code: "M5005" });
});

test("a signal aborts the run", async () => {
  const controller = new AbortController();
  const run = start({}, { signal: controller.signal });
  controller.abort();
  await expect(run.output).rejects.toMatchObject({ code: "M5005" });
  expect(run.status).toBe("aborted");
});

test("a succeeded run can't be resumed, and says so", async () => {
  const run = start();
  await run.output;
  await expect(run.resume()).rejects.toMatchObject({ code: "M5004" });
});

test.each([
  ["a missing parameter", {}, /`question` is missing/],
  ["a parameter of another type", { question: 7 }, /`question` does not fit/],
  ["an unknown parameter", { question: "q", qestion: "r" }, /no parameter `qestion`/],
])("%s is M5001 before anything runs", (_, input, message) => {
  const graph = session().compile(text, { scope: { join, look } }).G;
  expect(() => graph?.run(input)).toThrow(message);
});

test("a text with errors is M5002 with the first error's place", () => {
  expect(() => session().compile(text.replace("-> write ->", "-> wirte ->"))).toThrow(
    /M2\d+ cell:\d+:\d+/,
  );
});

test("a tool that is not there is named before the run starts", () => {
  const graph = session().compile(text, { scope: { join, look } }).G;
  const without = session().compile(text.replace("tools look", "tools look"), {}).G;
  expect(graph).toBeDefined();
  expect(() => without?.run({ question: "q" }, { models: { m: scripted([]) } })).toThrow(/look/);
});

test("what a model would see can be asked without a run", () => {
  const graph = session().compile(text, { scope: { join, look } }).G;
  expect(graph?.prompt("plan", { question: "why" })).toContain("Split why");
});

test("a session is told of each run before its first event, and what it does with that harms no run", async () => {
  const told: [string, number][] = [];
  const home = new Session({
    store: "memory",
    env: { MADRIGAL_HOME: "/nowhere" },
    started: (run) => {
      let events = 0;
      run.events$.subscribe(() => {
        events += 1;
      });
      told.push([run.status, events]);
      throw new Error("not my day");
    },
  });
  sessions.push(home);
  const graph = home.compile(text, { scope: { join, look } }).G;
  const run = graph?.run({ question: "q" }, { models: { m: scripted(script) } });
  expect(told).toEqual([["created", 0]]);
  expect(await run?.output).toMatchObject({ report: "note a, note b" });
  const held = graph?.debug({ question: "q" }, { models: { m: scripted(script) } });
  expect(told).toHaveLength(2);
  expect((await held?.step())?.node).toBe("plan");
});

test("a run may be given its breakpoints, and a graph says which nodes it has", async () => {
  const home = session();
  const graph = home.compile(text, { scope: { join, look } }).G;
  const models = { m: scripted(script) };
  const run = graph?.run({ question: "q" }, { models, breakpoints: ["write"] });
  expect(await run?.continue()).toMatchObject({ kind: "breakpoint", node: "write" });
  expect(run?.state).toMatchObject({ notes: ["note a", "note b"] });
  await run?.continue();
  expect(await run?.output).toMatchObject({ report: "note a, note b" });
  expect(() => graph?.run({ question: "q" }, { models, breakpoints: ["wirte"] })).toThrow(
    /has no node `wirte`/,
  );
});

test("functions and tools are those of the moment in which they are called", async () => {
  const home = session();
  const cells: Record<string, unknown> = { join: () => "as it was", look };
  let reads = 0;
  // As the kernel's scope is: live, and not to be read before it is asked.
  const live = Object.defineProperties(
    {},
    {
      join: { enumerable: true, get: () => cells.join },
      look: { enumerable: true, get: () => cells.look },
      later: {
        enumerable: true,
        get: () => {
          reads += 1;
          return undefined;
        },
      },
    },
  ) as Record<string, unknown>;
  const graph = home.compile(text, { scope: live }).G;
  const before = reads;
  const own = tool(() => "own", { effect: "none" });
  const run = graph?.debug(
    { question: "q" },
    { models: { m: scripted(script) }, scope: { look: own } },
  );
  await run?.step();
  cells.join = (notes: string[]) => `mended: ${notes.length}`;
  await run?.continue();
  expect(await run?.output).toMatchObject({ report: "mended: 2" });
  expect(reads).toBe(before);
});
