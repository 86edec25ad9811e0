import { from, lastValueFrom, map, takeLast, toArray } from "rxjs";
import { afterEach, expect, test } from "vitest";
import {
  type ModelChoice,
  type RunEvent,
  Session,
  type StreamEvent,
  type StreamMessage,
  type StreamUpdate,
  scripted,
  tool,
} from "../../../runtime/index.ts";

const text = `model m = "scripted"
graph G() returns notes {
  state { notes: string[] = [] via append }
  agent write(n: int) { model m; tools look; prompt \`Write \${n}\`; writes notes; ensure "good" by m }
  run seal = seal(notes) writes notes
  start -> each n of [1, 2] parallel 1 { write(n) } -> seal -> end
}`;

const good = { reason: "it is", condition_met: true };

const sessions: Session[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
});

function start() {
  const session = new Session({ store: "memory", env: {} });
  sessions.push(session);
  const look = tool(() => "seen", { effect: "none" });
  const { G } = session.compile(text, { scope: { look, seal: () => "sealed" } });
  if (G === undefined) throw new Error("no G");
  const m: ModelChoice = scripted({
    write: [{ calls: [{ tool: "look" }] }, "a a", "b"],
    "write.judge": [good, good],
  });
  return G.run({}, { models: { m } });
}

async function all<T>(stream: AsyncIterable<T>): Promise<readonly T[]> {
  const seen: T[] = [];
  for await (const one of stream) seen.push(one);
  return seen;
}

test("A89 `values` is the state behind each step", async () => {
  const states: readonly Record<string, unknown>[] = await all(start().stream("values"));
  expect(states).toEqual([
    { notes: ["a a"] },
    { notes: ["a a", "b"] },
    { notes: ["a a", "b", "sealed"] },
  ]);
});

test("A89 `updates` is what each step changed, and who did", async () => {
  const updates: readonly StreamUpdate[] = await all(start().stream("updates"));
  expect(updates.map(({ step, label, attempt, output }) => [step, label, attempt, output])).toEqual(
    [
      [1, "write#1", 1, "a a"],
      [2, "write#2", 1, "b"],
      [3, "seal#1", 1, ["sealed"]],
    ],
  );
  expect(updates[0]?.patches).toEqual([{ op: "add", path: ["notes", 0], value: "a a" }]);
});

test("A89 `messages` is what models say, in pieces and whole; what judges say is none", async () => {
  const messages: readonly StreamMessage[] = await all(start().stream("messages"));
  const shown = messages.map((message) =>
    message.kind === "delta"
      ? `${message.label} … ${message.text}`
      : `${message.label} ${message.text} ${message.calls.map((call) => call.tool).join()}`.trim(),
  );
  expect(shown).toEqual([
    "write#1  look",
    "write#1 … a ",
    "write#1 … a",
    "write#1 a a",
    "write#2 … b",
    "write#2 b",
  ]);
});

test("W52 A89 `events` are those of the log, `debug` also the pieces of text", async () => {
  const run = start();
  const events: readonly StreamEvent[] = await all(run.stream("events"));
  const debug: readonly RunEvent[] = await all(run.stream("debug"));
  expect(events.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining([
      "tool.call",
      "tool.result",
      "model.response",
      "commit",
      "run.finished",
    ]),
  );
  expect(events.some(({ kind }) => (kind as string) === "model.delta")).toBe(false);
  expect(debug.filter(({ kind }) => kind !== "model.delta")).toEqual(events);
  expect(debug.filter(({ kind }) => kind === "model.delta")).toHaveLength(3);
});

test("A89 a listener that takes its time holds nothing up, and misses nothing", async () => {
  const run = start();
  const values = run.stream("values")[Symbol.asyncIterator]();
  const first = await values.next();
  // It does not come back before the run is over.
  await run.output;
  expect(run.status).toBe("succeeded");
  const rest: unknown[] = [];
  for (let next = await values.next(); next.done !== true; next = await values.next())
    rest.push(next.value);
  expect([first.value, ...rest]).toHaveLength(3);
});

test("A89 a listener that goes away is told no more, and the run goes on", async () => {
  const run = start();
  for await (const { step } of run.stream("updates")) if (step === 1) break;
  expect(await run.output).toEqual({ notes: ["a a", "b", "sealed"] });
});

test("the Observables of a run give what its streams give, to whoever subscribes whenever", async () => {
  const run = start();
  const early = Promise.all([
    lastValueFrom(run.state$.pipe(toArray())),
    lastValueFrom(run.updates$.pipe(toArray())),
    lastValueFrom(run.messages$.pipe(toArray())),
  ]);
  const streams = Promise.all([
    all(run.stream("values")),
    all(run.stream("updates")),
    all(run.stream("messages")),
  ]);
  const given = await streams;
  expect(given.map(({ length }) => length > 0)).toEqual([true, true, true]);
  expect(await early).toEqual(given);
  const late = [
    lastValueFrom(run.state$.pipe(toArray())),
    lastValueFrom(run.updates$.pipe(toArray())),
    lastValueFrom(run.messages$.pipe(toArray())),
  ] as const;
  expect(await Promise.all(late)).toEqual(given);
});

test("`from(run)` gives its steps, to be used with operators", async () => {
  const run = start();
  const notes$ = from(run).pipe(
    map(({ node, state }) => [node, state.notes]),
    takeLast(1),
  );
  expect(await lastValueFrom(notes$)).toEqual(["seal", ["a a", "b", "sealed"]]);
});

test("an error of a listener's own operator reaches that listener alone", async () => {
  const run = start();
  const broken = lastValueFrom(
    run.state$.pipe(
      map(() => {
        throw new Error("mine");
      }),
    ),
  );
  await expect(broken).rejects.toThrow("mine");
  expect(await run.output).toEqual({ notes: ["a a", "b", "sealed"] });
});
