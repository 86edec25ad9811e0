/** Pain 10: what fails in silence: items that are dropped, routes to nowhere, keys and types that nobody looks at. */
import { expect, test } from "vitest";
import { check } from "../../../dsl/index.ts";
import { type RunError, Session } from "../../../runtime/index.ts";
import { ofKind, runText } from "../../support/run-graph.ts";

test("pain 10 one at a time, no item of an each is dropped", () => {
  const text = `graph Items() returns log {
  state { log: string[] = [] via append }
  run work(x: int) = f(x) writes log
  start -> each x of [1, 2, 3, 4, 5, 6] parallel 1 { work(x) }
}`;
  const says = { work: ({ args }: { args: Readonly<Record<string, unknown>> }) => [`${args.x}`] };
  const ran = runText(text, { says });
  expect([ran.parallelMax, ran.state.log]).toEqual([1, ["1", "2", "3", "4", "5", "6"]]);
});

const pick = (arrow: string) => `model m = "rules"
graph Pick() returns log {
  state { log: string[] = [] via append }
  router choose { model m; prompt "Who?" }
  run a = f() writes log
  run b = f() writes log
  start -> choose
  choose -> ${arrow}
}`;

test("pain 10 a route to a node that is not there is an error of the text; one that a node makes up is told to it, and then fails the run", () => {
  const codes = check({ file: "test", text: pick("a | c") }).diagnostics.map(({ code }) => code);
  expect(codes).toContain("M2101");
  const ran = runText(pick("a | b"), { says: { choose: "nobody" } });
  const failures = ofKind(ran.records, "attempt").map(({ failure, next }) => [failure.code, next]);
  expect(failures).toEqual([
    ["M5204", "repair"],
    ["M5204", "repair"],
    ["M5204", "fail"],
  ]);
  expect([ran.status, ran.snapshot.failure?.code]).toEqual(["failed", "M5204"]);
});

const typed = `graph Typed() returns count {
  state { count: int = 0 }
  run work = work() writes count
  start -> work
}`;

test("pain 10 a key that no graph declares is an error of the text, and one in the input of the run", async () => {
  const text = typed.replace("writes count", "writes cuont");
  const codes = check({ file: "test", text }).diagnostics.map(({ code }) => code);
  expect(codes).toContain("M3101");
  const session = new Session({ store: "memory" });
  const { Typed } = session.compile(typed, { scope: { work: () => 1 } });
  const run = () => Typed?.run({ cuont: 1 });
  expect(run).toThrow(expect.objectContaining({ code: "M5001" }) as RunError);
  await session.close();
});

test("pain 10 a value of another type than the field's ends the attempt, and does not come into the state", async () => {
  const session = new Session({ store: "memory" });
  const { Typed } = session.compile(typed, { scope: { work: () => "many" } });
  const run = Typed?.run({});
  const error = (await run?.output.catch((thrown: unknown) => thrown)) as RunError;
  expect([error.node, run?.state]).toEqual(["work", { count: 0 }]);
  await session.close();
});
