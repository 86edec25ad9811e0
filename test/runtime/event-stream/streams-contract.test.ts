/** The five streams over a run with a loop, an `each`, a called graph, an operator and an approval: what each mode promises. */
import { applyPatches, enablePatches, type Patch } from "immer";
import { beforeAll, describe, expect, expectTypeOf, test } from "vitest";
import {
  type Run,
  type RunEvent,
  rules,
  Session,
  type StreamEvent,
  type StreamMessage,
  type StreamUpdate,
  scriptedController,
} from "../../../runtime/index.ts";

interface State {
  readonly n: number;
  readonly notes: readonly string[];
  readonly patch: string;
}
type Node = "count" | "write" | "look" | "code" | "sure";

const TEXT = `model m = "scripted"
graph All(topic: string) returns notes, patch {
  limit 40 steps
  state { n: int = 0 via sum
    notes: string[] = [] via append
    patch: string = ""
    ok: boolean = false }
  run count = one() writes n
  agent write(word: string) { model m; prompt \`Write \${word}\`; writes notes }
  graph look = Search(topic) writes notes
  operator code { controller coder; prompt \`Do \${topic}\`; writes patch; session new }
  human sure { ask \`Ship \${patch}?\`; writes ok }
  start -> count -> { n < 2 -> count max 3, else -> each word of ["a", "b"] parallel 1 { write(word) } -> look }
  look -> code -> sure -> end
  approve before code \`May it?\`
}
graph Search(topic: string) returns found {
  state { found: string }
  agent find { model m; prompt \`Find \${topic}\`; writes found }
  start -> find -> end
}`;

type Told = { [M in keyof Modes]: readonly Modes[M][] };
interface Modes {
  values: State;
  updates: StreamUpdate<Node>;
  messages: StreamMessage<Node>;
  events: StreamEvent;
  debug: RunEvent;
}

enablePatches();

let run: Run<object, State, Node>;
let told: Told;

beforeAll(async () => {
  const session = new Session({ store: "memory", env: {} });
  const coder = scriptedController([{ steps: [{ say: "I look." }], says: "+ a line" }]);
  const { All } = session.compile(TEXT, { scope: { one: () => 1, coder } });
  const m = rules(({ messages }) => {
    const [, word] = /(?:Write|Find) (\w+)/.exec(JSON.stringify(messages)) ?? [];
    return JSON.stringify(`on ${word}`);
  });
  run = All?.run(
    { topic: "voices" },
    { models: { m }, answers: { code: { kind: "approve" }, sure: { kind: "value", value: true } } },
  ) as unknown as typeof run;
  await run.output;
  const all = <M extends keyof Modes>(mode: M) =>
    Array.fromAsync(run.stream(mode)) as Promise<Modes[M][]>;
  told = {
    values: await all("values"),
    updates: await all("updates"),
    messages: await all("messages"),
    events: await all("events"),
    debug: await all("debug"),
  };
  await session.close();
});

describe("A89 the streams of a run with everything in it", () => {
  test("`values` are the states of the run's own steps, in order, the last one what is there now", () => {
    expect(told.values).toEqual(run.steps.map(({ state }) => state));
    expect(told.values.at(-1)).toEqual(run.state);
    expect(told.values.length).toBe(run.steps.length);
  });

  test("`updates` folded are the state; those of a called graph say so by their path", () => {
    const own = told.updates.filter(({ path }) => path === undefined);
    expect(own.map(({ label }) => label)).toEqual([
      "count#1",
      "count#2",
      "write#1",
      "write#2",
      "look#1",
      "code#1",
      "sure#1",
    ]);
    const initial = told.events.find(({ kind }) => kind === "run.started");
    const begun = initial?.kind === "run.started" ? initial.patches : [];
    const patches = [...begun, ...own.flatMap((update) => update.patches)] as unknown as Patch[];
    expect(applyPatches({}, patches)).toEqual(run.state);
    const inner = told.updates.filter(({ path }) => path !== undefined);
    expect(inner.map(({ label, path, step }) => [path, label, step])).toEqual([
      [["look#1"], "find#1", 1],
    ]);
  });

  test("`messages` are whole ones, each behind its pieces: of models, in called graphs, of strong agents", () => {
    const whole = told.messages.filter(({ kind }) => kind === "message");
    expect(whole.map(({ path = [], label, text }) => [...path, label, text].join(" "))).toEqual([
      'write#1 "on a"',
      'write#2 "on b"',
      'look#1 find#1 "on voices"',
      "code#1 I look.",
    ]);
    for (const one of whole) {
      const pieces = told.messages.filter(
        (piece) => piece.kind === "delta" && piece.nodeRunId === one.nodeRunId,
      );
      expect([one.text, ""]).toContain(pieces.map(({ text }) => text).join(""));
      for (const piece of pieces)
        expect(told.messages.indexOf(piece)).toBeLessThan(told.messages.indexOf(one));
    }
  });

  test("`events` come in the order of the log, each once; `debug` is that and the pieces", () => {
    const places = told.events.map(({ seq, part }) => seq * 1000 + part);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(new Set(places).size).toBe(places.length);
    const kinds = new Set(told.events.map(({ kind }) => kind));
    for (const kind of [
      "each.started",
      "graph.started",
      "session.started",
      "interrupt.opened",
      "run.finished",
    ])
      expect(kinds).toContain(kind);
    expect(told.debug.filter(({ kind }) => kind !== "model.delta")).toEqual(told.events);
    const pieces = told.debug.filter(({ kind }) => kind === "model.delta");
    expect(pieces.length).toBe(told.messages.filter(({ kind }) => kind === "delta").length);
  });

  test("each mode has its own type", () => {
    type Of<M extends Parameters<typeof run.stream>[0]> = ReturnType<typeof run.stream<M>>;
    expectTypeOf<Of<"values">>().toEqualTypeOf<AsyncIterable<State>>();
    expectTypeOf<Of<"updates">>().toEqualTypeOf<AsyncIterable<StreamUpdate<Node>>>();
    expectTypeOf<Of<"messages">>().toEqualTypeOf<AsyncIterable<StreamMessage<Node>>>();
    expectTypeOf<Of<"events">>().toEqualTypeOf<AsyncIterable<StreamEvent>>();
    expectTypeOf<Of<"debug">>().toEqualTypeOf<AsyncIterable<RunEvent>>();
    // @ts-expect-error: there is no such mode.
    expectTypeOf<Of<"value">>().toBeObject();
  });
});
