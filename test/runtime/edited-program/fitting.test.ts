/** A run that goes on with a program of another shape, or is told why it can't. */
import { expect, test } from "vitest";
import type { DrivenRun, Session } from "../../../runtime/index.ts";
import { newSession } from "../scoped-run.ts";

const graph = (flow: string, more = "", fields = "") => `graph G() returns said {
  state {
    said: string[] = [] via append
    ${fields}
  }
  run a = say("a") writes said
  ${more}
  run b = broken() writes said
  run c = say("c") writes said
  ${flow}
}`;

const plain = graph("start -> a -> b -> c -> end");

const said = { say: (what: string) => what };
const fixed = { ...said, broken: () => "b", other: () => "o" };

/** A run that failed at `b`, behind what stands before it. */
async function failedIn(session: Session, text = plain): Promise<DrivenRun> {
  const scope = { ...said, broken: () => Promise.reject(new Error("no")) };
  const { G } = session.compile(text, { scope });
  const run = G?.run({}) as unknown as DrivenRun;
  await expect(run.output).rejects.toMatchObject({ node: "b" });
  return run;
}

function irOf(text: string) {
  const { G } = newSession().compile(text, { scope: fixed });
  if (G === undefined) throw new Error("no graph");
  return G.ir;
}

test.each<[string, string, string]>([
  [
    "in front of what is under way",
    graph("start -> a -> x -> b -> c -> end", 'run x = say("x") writes said'),
    "a b c",
  ],
  [
    "behind it",
    graph("start -> a -> b -> x -> c -> end", 'run x = say("x") writes said'),
    "a b x c",
  ],
  [
    "in place of what follows",
    graph("start -> a -> b -> x -> end", 'run x = say("x") writes said'),
    "a b x",
  ],
  ["and nodes in another order", graph("start -> a -> c -> end\n  b -> c"), "a b c"],
])("new nodes %s", async (_, text, path) => {
  const session = newSession();
  const run = await failedIn(session);
  const open = session.open(run.id, { ir: irOf(text), scope: fixed });
  expect(open.state).toEqual({ said: ["a"] });
  await open.resume();
  expect(await open.output).toEqual({ said: path.split(" ") });
  expect(open.steps.map(({ node }) => node).join(" ")).toBe(path);
  expect(open.replay()).toMatchObject({ ok: true });
  // From here on its log has the other program: whoever opens it again finds the same.
  const again = session.open(run.id, { scope: fixed });
  expect([again.status, again.steps.length, again.state]).toEqual([
    "succeeded",
    path.split(" ").length,
    open.state,
  ]);
  await again.rewind(1);
  await again.resume();
  expect((await again.output).said).toEqual(path.split(" "));
});

const sided = graph("start -> [a, b]\n  [a, b] -> c -> end");

test.each<[string, string, string, string]>([
  [
    "what is under way is gone",
    plain,
    plain.replace(" -> b ->", " ->").replace("run b = broken() writes said\n", ""),
    "`b` is under way and is gone: `--drop b`",
  ],
  [
    "what is done is gone",
    plain,
    plain.replace(" -> a ->", " ->").replace('run a = say("a") writes said\n', ""),
    "`a` is gone and has been done: `--drop a`",
  ],
  [
    "a field has another reducer",
    plain,
    plain.replace("via append", "via union"),
    "field `said` has another reducer: `union` instead of `append`",
  ],
  [
    "a field has no place any more for what it holds",
    plain,
    plain.replaceAll("said: string[] = [] via append", 'said: ("x" | "b" | "c")[] = [] via append'),
    "field `said` holds what its type has no place for any more",
  ],
  [
    "what was waited for is another group",
    sided,
    graph("start -> a\n  start -> b -> c\n  a -> end"),
    "`a` is done and waits in `[a, b]`, which is gone",
  ],
  [
    "a branch to which no arrow leads",
    sided,
    graph("start -> [a, x]\n  [a, x] -> b -> c -> end", 'run x = say("x") writes said'),
    "`b` is under way in a branch to which no arrow leads any more from `start`",
  ],
  [
    "other parameters",
    plain,
    plain.replace("graph G()", "graph G(n: int = 1)"),
    "its parameters are others",
  ],
])("refused: %s", async (_, before, after, why) => {
  const session = newSession();
  const run = await failedIn(session, before);
  expect(() => session.open(run.id, { ir: irOf(after), scope: fixed })).toThrow(
    expect.objectContaining({ code: "M5302", hint: expect.stringContaining(why) }),
  );
  expect(session.open(run.id).status).toBe("failed");
});

test.each([
  [{ renamed: { b: "nobody" } }, "nothing is called `nobody` now"],
  [{ renamed: { nobody: "b" } }, "nothing was called `nobody`"],
  [{ dropped: ["nobody"] }, "no node was called `nobody`, which was to be dropped"],
  [{ dropped: ["b"] }, "`b` was to be dropped, and is still there"],
])("what is said of names must be so: %j", async (said, why) => {
  const session = newSession();
  const run = await failedIn(session);
  const ir = irOf(plain.replace("-> c ->", "->"));
  expect(() => session.open(run.id, { ir, scope: fixed, ...said })).toThrow(
    expect.objectContaining({ code: "M5302", hint: expect.stringContaining(why) }),
  );
});

test.each<[string, string, string, Record<string, unknown>, string]>([
  [
    "a group of one more, whose join waits",
    sided,
    graph("start -> [a, b]\n  [a, b] -> x -> c -> end", 'run x = say("x") writes said'),
    {},
    "a b x c",
  ],
  [
    "a field more, with what it begins with",
    plain,
    graph(
      "start -> a -> b -> x -> c -> end",
      "run x = say(`${count}`) writes said",
      "count: int = 7",
    ),
    {},
    "a b 7 c",
  ],
  [
    "a field less",
    graph("start -> a -> b -> c -> end", "", 'other: string = "o"'),
    plain,
    {},
    "a b c",
  ],
  [
    "a field of another name",
    plain,
    plain.replaceAll("said", "told"),
    { renamed: { said: "told" } },
    "a b c",
  ],
  [
    "what was under way is dropped: it goes on behind it",
    plain,
    plain.replace(" -> b ->", " ->").replace("run b = broken() writes said\n", ""),
    { dropped: ["b"] },
    "a c",
  ],
  [
    "what was done is dropped: it stays done",
    plain,
    plain.replace(" -> a ->", " ->").replace('run a = say("a") writes said\n', ""),
    { dropped: ["a"] },
    "a b c",
  ],
  [
    "one of a group is dropped: the others are enough",
    sided,
    graph("start -> [a, x]\n  [a, x] -> c -> end", 'run x = say("x") writes said')
      .replace("start -> [a, x]", "start -> a")
      .replace("[a, x] -> c -> end", "a -> c -> end\n  x -> end"),
    { dropped: ["b"], isForced: true },
    "",
  ],
])("goes on: %s", async (_, before, after, how, path) => {
  const session = newSession();
  const run = await failedIn(session, before);
  const open = () => session.open(run.id, { ir: irOf(after), scope: fixed, ...how });
  if (path === "") return expect(open).toThrow(expect.objectContaining({ code: "M5302" }));
  const going = open();
  await going.resume();
  const [said] = Object.values(await going.output);
  expect(said).toEqual(path.split(" "));
  expect(going.replay()).toMatchObject({ ok: true });
  const again = session.open(run.id, { scope: fixed });
  expect([again.status, again.state]).toEqual(["succeeded", going.state]);
  await again.rewind(1);
  await again.resume();
  expect(Object.values(await again.output)[0]).toEqual(path.split(" "));
  expect(again.replay()).toMatchObject({ ok: true });
});

test("what is under way is another: refused, unless it is forced", async () => {
  const session = newSession();
  const run = await failedIn(session);
  const ir = irOf(plain.replace("run b = broken() writes said", "run b = other() writes said"));
  expect(() => session.open(run.id, { ir, scope: fixed })).toThrow(
    expect.objectContaining({ hint: expect.stringContaining("`b` is under way and is another") }),
  );
  const forced = session.open(run.id, { ir, scope: fixed, isForced: true });
  await forced.resume();
  expect(await forced.output).toEqual({ said: ["a", "o", "c"] });
});

test("renamed, also what is done; what is gone keeps its place in the log", async () => {
  const session = newSession();
  const run = await failedIn(session);
  const text = plain.replaceAll(/\bb\b(?! = )/g, "bee").replace("run b =", "run bee =");
  const renamed = text
    .replace('run a = say("a") writes said', "")
    .replace("start -> a ->", "start ->");
  const open = session.open(run.id, {
    ir: irOf(renamed),
    scope: fixed,
    renamed: { b: "bee" },
    dropped: ["a"],
  });
  await open.resume();
  expect(await open.output).toEqual({ said: ["a", "b", "c"] });
  expect(open.steps.map(({ node }) => node)).toEqual(["a", "bee", "c"]);
});

test("contract: `resume({ graph })` goes on with another graph, here and now; who waits for the output goes on waiting", async () => {
  const session = newSession();
  const begun = Promise.withResolvers<void>();
  const slow = () => {
    begun.resolve();
    return new Promise(() => {});
  };
  const scope = { ...said, broken: () => "b", slow };
  const waiting = graph("start -> a -> b -> c -> end").replace("broken()", "slow()");
  const { G } = session.compile(waiting, { scope });
  const run = G?.run({}) as unknown as DrivenRun;
  await begun.promise;
  await run.pause({ now: true });
  const { output } = run;
  run.setBreakpoint({ node: "c", when: "before" });
  const other = newSession().compile(
    plain
      .replace("-> c ->", "-> x -> c ->")
      .replace("run c", 'run x = say("x") writes said\n  run c'),
    { scope },
  );
  if (other.G === undefined) throw new Error("no graph");
  await expect(run.resume({ graph: other.G })).rejects.toMatchObject({ code: "M5302" });
  await run.resume({ graph: other.G, isForced: true });
  expect(await run.continue()).toMatchObject({ kind: "breakpoint", node: "c" });
  expect(await run.continue()).toMatchObject({ kind: "end" });
  expect(await output).toEqual({ said: ["a", "b", "x", "c"] });
  expect(run.replay()).toMatchObject({ ok: true });
  expect(session.open(run.id).state).toEqual(run.state);
});

test("M5316 what is said to a run before its log has the other program is refused; its fork has it from the start", async () => {
  const session = newSession();
  const run = await failedIn(session);
  const ir = irOf(graph("start -> a -> x -> b -> c -> end", 'run x = say("x") writes said'));
  const open = session.open(run.id, { ir, scope: fixed });
  await expect(open.rewind(1)).rejects.toMatchObject({ code: "M5316" });
  await expect(open.edit({ said: [] })).rejects.toMatchObject({ code: "M5316" });
  const fork = open.fork(0);
  expect(await fork.output).toEqual({ said: ["a", "x", "b", "c"] });
  expect(session.open(fork.id).replay()).toMatchObject({ ok: true });
});
