/** Tools over the state: what an agent reads and writes in the midst of its work. */
import { expect, test } from "vitest";
import { type Run, type RunEvent, scripted } from "../../../runtime/index.ts";
import { foldLog } from "../../../runtime/scheduler/fold.ts";
import { link } from "../../../runtime/scheduler/program/link.ts";
import { newSession } from "../scoped-run.ts";

const text = (tools: string, more = "") => `model m = "scripted"
graph G(topic: string) returns note, count {
  state { note: string = ""  count: int = 3  secret: string = "hidden" }
  agent work { model m; tools ${tools}; prompt \`Work on \${topic}.\`; writes note, count; ${more} }
  run check = look(secret, note, count) writes note
  start -> work -> check
}`;

function start(program: string, answers: readonly unknown[]) {
  const session = newSession();
  const scope = {
    look: (secret: string, note: string, count: number) => `${secret} ${note} ${count}`,
  };
  const graph = session.compile(program, { scope }).G;
  if (graph === undefined) throw new Error("no graph");
  const models = { m: scripted({ work: answers } as never) };
  const run = graph.run({ topic: "x" }, { models }) as unknown as Run;
  const results: unknown[] = [];
  run.events$.subscribe((event: RunEvent) => {
    if (event.kind === "tool.result") results.push(event.value ?? event.failure?.message);
  });
  return { run, session, results, ir: graph.ir };
}

const call = (name: string, input: object = {}) => ({ calls: [{ tool: name, input }] });

test("E23 [SM] an agent lists, reads and writes fields by their names; the last write wins and counts with its commit", async () => {
  const { run, session, results, ir } = start(text("state.list, state.read, state.write"), [
    call("state_list"),
    call("state_write", { note: "first" }),
    call("state_write", { note: "second", count: 4 }),
    call("state_read", { names: ["note", "count"] }),
    "done",
  ]);
  expect(await run.output).toEqual({ note: "hidden second 4", count: 4 });
  expect(results).toEqual([
    { readable: ["note", "count", "secret"], writable: ["note", "count"] },
    { written: { note: "first" } },
    { written: { note: "second", count: 4 } },
    { note: "second", count: 4 },
  ]);
  expect(run.steps[0]?.output).toEqual({ note: "second", count: 4 });
  const folded = foldLog(link(ir), session.store.read(run.id));
  expect(folded.output).toEqual(await run.output);
  expect(run.replay()).toMatchObject({ ok: true });
});

test.each([
  ["a value of another type", call("state_write", { count: "four" }), "do not fit: at `count`"],
  ["a field that it does not write", call("state_write", { secret: "x" }), "secret"],
  ["a field that it does not read", call("state_read", { names: ["secret"] }), "do not fit"],
])("E23 [SM] %s is an error of the tool, and nothing is written", async (_, wrong, message) => {
  const { run, results } = start(text("state.read, state.write", "reads count, topic"), [
    wrong,
    { says: { note: "n", count: 1 } },
  ]);
  expect(await run.output).toEqual({ note: "hidden n 1", count: 1 });
  expect(results).toEqual([expect.stringContaining(message)]);
});

test("E23 [SM] its answer has the rest of what it writes", async () => {
  const { run } = start(text("state.write"), [
    call("state_write", { count: 9 }),
    { says: { note: "n", count: 1 } },
  ]);
  expect(await run.output).toEqual({ note: "hidden n 9", count: 9 });
});

test("what an attempt wrote that failed is not written", async () => {
  const { run } = start(text("state.write", "retry 1"), [
    call("state_write", { note: "lost", count: 9 }),
    { fails: "tired" },
    { says: { note: "n", count: 1 } },
  ]);
  expect(await run.output).toEqual({ note: "hidden n 1", count: 1 });
});

test("a repair goes on with what was written before it", async () => {
  const { run } = start(text("state.write", 'ensure note != "bad" "say it better"'), [
    call("state_write", { count: 9 }),
    { says: { note: "bad", count: 1 } },
    { says: { note: "good", count: 1 } },
  ]);
  expect(await run.output).toEqual({ note: "hidden good 9", count: 9 });
});
