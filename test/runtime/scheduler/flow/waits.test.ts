/** `after` before a decision, an `each` and an end: the time passes first, what follows is decided then. */
import { describe, expect, test } from "vitest";
import { endsAlike } from "../../../support/any-schedule.ts";
import { ofKind, type Ran, runText, type Says } from "../../../support/run-graph.ts";
import { drive } from "../../driven-run.ts";
import { eventsOf } from "../events-of.ts";

const graph = (flow: string) => `import { f } from "./f.ts"
graph G(names: string[] = ["a", "b"]) returns log {
  state { log: string[] = [] via append  kind: "good" | "bad" = "good" }
  run a = f(log) writes log
  run b = f(log) writes log
  run c = f(log) writes log
  run work(of: string) = f(of) writes log
  run turn = f() writes kind
  ${flow}
}`;

const says = { a: "a", b: "b", c: "c", turn: "bad", work: (({ args }) => args.of) as Says };
const quick = { says, durationMs: 0 };
const ending = ({ status, path, virtualMs, state }: Ran) => [status, path, virtualMs, state.log];
const minutes = (count: number) => count * 60_000;

test.each<readonly [string, string, readonly unknown[]]>([
  [
    "a choice",
    "start -> a -> { log.length > 5 -> b, else -> c } after 5m",
    ["a after 5m c", 5, ["a", "c"]],
  ],
  [
    "a match",
    'start -> a -> match kind { "good" -> b, else -> c } after 5m',
    ["a after 5m b", 5, ["a", "b"]],
  ],
  [
    "an each",
    "start -> a -> each n of names { work(n) } after 5m -> c",
    ["a after 5m work work c", 5, ["a", "a", "b", "c"]],
  ],
  ["an end", "start -> a -> end after 5m", ["a after 5m", 5, ["a"]]],
  ["several nodes", "start -> a -> [b, c] after 5m", ["a b c", 5, ["a", "b", "c"]]],
  [
    "one branch",
    "start -> a -> { log.length > 5 -> b, else -> { log.length > 0 -> c } after 5m }",
    ["a after 5m c", 5, ["a", "c"]],
  ],
  [
    "twice",
    "start -> a -> { else -> { else -> c } after 5m } after 5m",
    ["a after 5m after 5m (2) c", 10, ["a", "c"]],
  ],
  ["the start", "start -> { else -> a } after 1h", ["after 1h a", 60, ["a"]]],
])("before %s", (_, flow, [path, waited, log]) => {
  expect(ending(runText(graph(flow), quick)).map(withoutOrder)).toEqual(
    ["succeeded", path, minutes(waited as number), log].map(withoutOrder),
  );
  expect(endsAlike(graph(flow), { says }).status).toBe("succeeded");
});

/** Two that are due at once may commit in any order. */
function withoutOrder(part: unknown): unknown {
  return typeof part === "string" ? part.split(" ").toSorted().join(" ") : part;
}

test("what follows is decided on the state as it is when the time has come", () => {
  const flow =
    'start -> a\n  a -> match kind { "good" -> b, else -> c } after 5m\n  a -> turn -> end';
  // In a line beside it, the wait sees the fork as it was.
  expect(ending(runText(graph(flow), quick))[3]).toEqual(["a", "b"]);
  const joined = 'start -> [a, turn] -> match kind { "good" -> b, else -> c } after 5m';
  expect(ending(runText(graph(joined), quick))[3]).toEqual(["a", "c"]);
});

test("conditions, counts and `set` of the arrow itself come before the wait", () => {
  const loop = "start -> a -> { log.length < 3 -> a, else -> c } after 1m max 2\n  a -> b on limit";
  const ran = runText(graph(loop), quick);
  expect(ending(ran)).toEqual([
    "succeeded",
    "a after 1m a after 1m a b",
    minutes(2),
    ["a", "a", "a", "b"],
  ]);
});

test("`result` of the node before it is known behind the wait", () => {
  const flow = 'start -> a -> { result == "a" -> b, else -> c } after 5m';
  expect(ending(runText(graph(flow), quick))[3]).toEqual(["a", "b"]);
});

test("a join waits for what may come of it", () => {
  const flow =
    'start -> [a, b]\n  a -> { log.length > 9 -> end, else -> work("w") } after 5m\n  [work, b] -> c';
  const ran = runText(graph(flow), quick);
  expect([ran.path.split(" ").at(-1), ran.virtualMs]).toEqual(["c", minutes(5)]);
  const away =
    'start -> [a, b]\n  a -> { log.length > 9 -> work("w"), else -> end } after 5m\n  [work, b] -> c';
  expect(runText(graph(away), quick).path.split(" ").at(-1)).toBe("c");
});

describe("on a clock", () => {
  const text = graph("start -> a -> { else -> c } after 5m");

  test("an overdue one fires at once when the run is resumed elsewhere", async () => {
    const { run, clock, found } = drive(text, { does: ({ node }) => node.name });
    await run.step();
    await run.pause({ now: true });
    await clock.advance(minutes(7));
    const other = found();
    expect((await other.continue()).kind).toBe("end");
    expect(await other.output).toEqual({ log: ["a", "c"] });
  });
});

test("the wait stands in the log and in the events under its name", () => {
  const ran = runText(graph("start -> a -> { else -> c } after 5m"), quick);
  expect(ofKind(ran.records, "start").map(({ node }) => node)).toEqual(["a", "after 5m", "c"]);
  expect(eventsOf(ran, "route.chosen").map(({ to }) => to.map(({ label }) => label))).toEqual([
    ["a#1"],
    ["after 5m#1"],
    ["c#1"],
    [],
  ]);
});
