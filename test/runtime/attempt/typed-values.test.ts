/** Values that the program computes are checked against what they are written to, while it runs. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { replayLog } from "../../../runtime/replay/replay.ts";
import { runText } from "../../support/run-graph.ts";
import { failureOf, runWith } from "../scoped-run.ts";

const scope = {
  bad: (): unknown => "text",
  nothing: (): unknown => null,
  line: (): unknown => ({ who: "me", text: { answer: "hello" } }),
  five: () => 5,
  kind: (x: unknown) => typeof x,
  listed: (): unknown => [1, "two"],
  worse: (): unknown => "no number",
};

const graph = (state: string, body: string, more = "") =>
  `type Line = { who: string, text: string }
graph G() returns n {
  state { n: string = ""
    ${state} }
  ${body}
}${more}`;

const inner =
  '\ngraph Q(k: int) returns m { state { m: string = "" } run b = kind(k) writes m start -> b }';

/** By what is written: the program, and what the run must say. */
const wrong: Readonly<Record<string, readonly [text: string, message: string, hint: string]>> = {
  "`set` of a node": [
    graph("k: int = 0", "run a = five() { set k = bad() }\n  start -> a"),
    'what `a` sets `k` to does not fit: expected an integer, found the string "text" (cell:5:28)',
    "`k` is declared as `int`: compute a value of that type, or declare another one",
  ],
  "`set` with nothing": [
    graph("k: int = 0", "run a = five() { set k = nothing() }\n  start -> a"),
    "what `a` sets `k` to does not fit: expected an integer, found null (cell:5:28)",
    "`k` is declared as `int`",
  ],
  "an item of a list": [
    graph("talk: Line[] = [] via append", "run a = five() { set talk = [line()] }\n  start -> a"),
    "what `a` sets `talk` to does not fit: at `[0].text`: expected a string, found an object (cell:5:31)",
    "`talk` is declared as `Line[]`",
  ],
  "one item for a list": [
    graph("talk: Line[] = [] via append", "run a = five() { set talk = line() }\n  start -> a"),
    "what `a` sets `talk` to does not fit: at `text`: expected a string, found an object (cell:5:31)",
    "`talk` is declared as `Line[]`",
  ],
  "an item of `union`": [
    graph("ids: int[] = [] via union", "run a = five() { set ids = listed() }\n  start -> a"),
    'what `a` sets `ids` to does not fit: at `[1]`: expected an integer, found the string "two" (cell:5:30)',
    "`ids` is declared as `int[]`",
  ],
  "a member for `merge`": [
    graph(
      "rank: Record<string, int> = {} via merge",
      "run a = five() { set rank = { x: bad() } }\n  start -> a",
    ),
    'what `a` sets `rank` to does not fit: at `x`: expected an integer, found the string "text" (cell:5:31)',
    "`rank` is declared as `Record<string, int>`",
  ],
  "a computed write": [
    graph("k: int = 0", "run a = five() writes k = bad()\n  start -> a"),
    'what `a` writes to `k` does not fit: expected an integer, found the string "text" (cell:5:29)',
    "`k` is declared as `int`",
  ],
  "`set` on an arrow": [
    graph("k: int = 0", "run a = five()\n  start -> a -> end set k = bad()"),
    'behind `a`: what the arrow sets `k` to does not fit: expected an integer, found the string "text" (cell:6:29)',
    "`k` is declared as `int`",
  ],
  "`set` on the arrow of the start": [
    graph("k: int = 0", "run a = five()\n  start -> a set k = bad()"),
    'before the first node: what the arrow sets `k` to does not fit: expected an integer, found the string "text" (cell:6:22)',
    "`k` is declared as `int`",
  ],
  "the default of a field": [
    graph("k: int = bad()", "run a = five()\n  start -> a"),
    'before the first node: the default of `k` does not fit: expected an integer, found the string "text" (cell:4:14)',
    "`k` is declared as `int`",
  ],
  "the default of a parameter": [
    `graph G(k: int = bad()) returns n { state { n: string = "" } run a = kind(k) writes n start -> a }`,
    'before the first node: the default of `k` does not fit: expected an integer, found the string "text" (cell:1:18)',
    "`k` is declared as `int`",
  ],
  "a field of an agent's own": [
    graph("", "run a = five() { state { own: int = 0 } set own = bad() }\n  start -> a"),
    'what `a` sets `own` to does not fit: expected an integer, found the string "text" (cell:5:53)',
    "`own` is declared as `int`",
  ],
  "an argument of a node": [
    graph("", "run a(k: int) = kind(k) writes n\n  start -> a(bad())"),
    'before the first node: `k` of `a` does not fit: expected an integer, found the string "text" (cell:6:14)',
    "`k` is declared as `int`",
  ],
  "an argument of an item's node": [
    graph("", "run a(k: int) = kind(k)\n  start -> each x of listed() { a(x) }"),
    'before the first node: `k` of `a` does not fit: expected an integer, found the string "two" (cell:6:35)',
    "`k` is declared as `int`",
  ],
  "an argument of a called graph": [
    graph("", "graph a = Q(bad()) writes n\n  start -> a", inner),
    '`k`, which `a` gives to `Q`, does not fit: expected an integer, found the string "text" (cell:5:15)',
    "`k` is declared as `int`",
  ],
  "what a called graph comes to": [
    graph(
      "k: int = 0",
      "graph a = Any() writes k\n  start -> a",
      "\ngraph Any() returns m { state { m: Json = null } run b = bad() writes m start -> b }",
    ),
    'what `a` writes to `k` does not fit: expected an integer, found the string "text"',
    "`k` is declared as `int`",
  ],
  "a number that is none": [
    graph("k: number = 0", "run a = five() { set k = 0 / 0 }\n  start -> a"),
    "what `a` sets `k` to does not fit: expected a finite number, found NaN (cell:5:28)",
    "`k` is declared as `number`",
  ],
  "a number without an end, inside what may hold anything": [
    graph("k: Json = null", "run a = five() writes k = { list: [1, 1 / 0] }\n  start -> a"),
    "what `a` writes to `k` does not fit: at `list[1]`: expected a finite number, found Infinity (cell:5:29)",
    "`k` is declared as `Json`",
  ],
  "a default that is no number": [
    graph("k: number = 0 / 0", "run a = five()\n  start -> a"),
    "before the first node: the default of `k` does not fit: expected a finite number, found NaN (cell:4:17)",
    "`k` is declared as `number`",
  ],
  "an argument that is no number": [
    graph("", "run a(k: number) = kind(k) writes n\n  start -> a(0 / 0)"),
    "before the first node: `k` of `a` does not fit: expected a finite number, found NaN (cell:6:14)",
    "`k` is declared as `number`",
  ],
  "nothing in a list": [
    graph("k: Json = null", "run a = five() { set k = [[].at(0)] }\n  start -> a"),
    "what `a` sets `k` to does not fit: at `[0]`: expected a value, found nothing (cell:5:28)",
    "`k` is declared as `Json`",
  ],
  "a lambda": [
    graph("k: Json = null", "run a = five() { set k = { f: one => one } }\n  start -> a"),
    "what `a` sets `k` to does not fit: at `f`: expected a value, found a function (cell:5:28)",
    "`k` is declared as `Json`",
  ],
  "what a reducer of one's own makes": [
    graph("k: int = 0 via worse", "run a = five() writes k\n  start -> a"),
    'what the reducer `worse` makes of `k` does not fit: expected an integer, found the string "no number"',
    "`k` is declared as `int`",
  ],
  "what a reducer of `via` makes": [
    graph("k: int = 0", "run a = five() writes k via worse\n  start -> a"),
    'what the reducer `worse` makes of `k` does not fit: expected an integer, found the string "no number"',
    "`k` is declared as `int`",
  ],
};

test.each(Object.entries(wrong))(
  "%s is checked while the run goes on",
  async (_, [text, message, hint]) => {
    const ran = runWith(text, scope, { unchecked: true });
    const failure = await failureOf(ran);
    expect([failure.code, failure.message]).toEqual(["M5014", message]);
    expect(failure.hint).toContain(hint);
    expect(ran.run.replay()).toMatchObject({ ok: true, status: "failed" });
  },
);

test.each(Object.entries(wrong))("%s is checked by the simulated driver", (_, [text, message]) => {
  const called: Readonly<Record<string, (x: unknown) => unknown>> = scope;
  const functions = ({ name }: { readonly name: string }) => called[name]?.(undefined);
  const ran = runText(text, { functions, says: { a: 5, b: "text" } });
  expect(ran.snapshot.failure?.code).toBe("M5014");
  expect(ran.snapshot.failure?.message.slice(0, 30)).toBe(message.slice(0, 30));
});

test("what fits is written as before: parts of an object, what may be left out, numbers that are whole", async () => {
  const text = `type Profile = { name: string, age: int }
graph G(given?: int) returns profile, total, note, half {
  state {
    profile: Profile = { name: "", age: 0 } via merge
    total: int = 0 via sum
    note?: string
    half: number = 1
  }
  run a = five() { set profile = { age: five() }, total = five(), note = nothing(), half = 5 / 2 }
  run b(x?: int) = five() writes total
  start -> a -> b(given)
}`;
  const { run } = runWith(text, scope, { unchecked: true });
  expect(await run.output).toEqual({
    profile: { name: "", age: 5 },
    total: 10,
    half: 2.5,
    note: null,
  });
});

test("a failed write changes nothing of the attempt, and an arrow `on error` goes on", async () => {
  const text = graph(
    "k: int = 0",
    "run a = five() writes k { set n = five() }\n  run b = kind(k) writes n\n  start -> a\n  a -> b on error",
  );
  const { run } = runWith(text, scope, { unchecked: true });
  expect(await run.output).toEqual({ n: "number" });
  expect(run.state).toMatchObject({ k: 0 });
});

test("a sum that no number can hold fails the attempt, in one branch and where branches join", async () => {
  const one = "run a = most() writes k\n  run b = most() writes k\n  start -> ";
  for (const flow of ["a -> b", "[a, b] -> end"]) {
    const ran = runWith(graph("k: number = 0 via sum", one + flow), { most: () => 1e308 });
    expect(await failureOf(ran)).toMatchObject({
      code: "M5011",
      message: expect.stringContaining("the sum is greater than a number can be"),
    });
    expect(ran.run.state).toMatchObject({ k: 1e308 });
    expect(ran.run.replay()).toMatchObject({ ok: true, status: "failed" });
  }
});

test("L13 a log of before values were checked replays as it was decided", () => {
  const file = new URL("../replay/old-logs/unchecked-values.json", import.meta.url);
  const { ir, records } = JSON.parse(readFileSync(file, "utf8"));
  expect(replayLog(records, { recorded: ir })).toMatchObject({
    ok: true,
    status: "succeeded",
    state: { n: "text", kinds: ["string", "string"] },
  });
});

test("a field beside a computed one takes the member of its name, as the output type says", async () => {
  const text = `graph G() returns tree, scored {
  state { tree: string
    scored: string[] = [] via append }
  run a = grow() writes tree, scored = [result.tree]
  start -> a
}`;
  const { run } = runWith(text, { grow: () => ({ tree: "oak" }) });
  expect(await run.output).toEqual({ tree: "oak", scored: ["oak"] });
});

test("what people give a run is checked as well: answers, values of a fork, edits of arguments", async () => {
  const asks =
    "graph H() returns n { state { n: int = 0 } human a { ask `n?`; writes n } start -> a }";
  const { run } = runWith(asks, {}, { unchecked: true });
  await run.output.catch(() => {});
  const answer = { kind: "value", value: "text" } as const;
  await expect(run.answer("a-0", answer)).rejects.toMatchObject({ code: "M5311" });
  expect(() => run.fork(0, { n: "text" })).toThrow(expect.objectContaining({ code: "M5354" }));
  await expect(run.edit({ n: "text" })).rejects.toMatchObject({ code: "M5354" });
  const calls = graph("", "graph a = Q(1) writes n { approve before }\n  start -> a", inner);
  const approved = runWith(calls, scope, { unchecked: true });
  await approved.run.output.catch(() => {});
  await approved.run.answer("a-0", { kind: "edit", value: ["text"] });
  expect((await failureOf(approved)).message).toContain(
    "`k`, which `a` gives to `Q`, does not fit",
  );
});
