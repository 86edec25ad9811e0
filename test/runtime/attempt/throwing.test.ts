/** TypeScript that throws whatever it likes, or never comes back: the run says so and who it was, and nothing hangs. */
import { describe, expect, test } from "vitest";
import { rules, tool } from "../../../runtime/index.ts";
import { ofKind } from "../../support/run-graph.ts";
import { failureOf, runWith } from "../scoped-run.ts";

const evil = Object.defineProperty(new Error("x"), "message", {
  get: () => {
    throw new Error("not even this");
  },
});

const blind = new Proxy(new Error("x"), {
  get: () => {
    throw new Error("not even this");
  },
  getPrototypeOf: () => null,
});

/** What is thrown, and what is said of it. */
const thrown: readonly [string, () => unknown, string][] = [
  ["an error", () => new TypeError("no"), "no"],
  ["a text", () => "words", "words"],
  ["nothing", () => undefined, "undefined"],
  ["null", () => null, "null"],
  ["a symbol", () => Symbol("s"), "Symbol(s)"],
  ["an object", () => ({ code: 7 }), '{"code":7}'],
  ["an object without a prototype", () => Object.create(null), "{}"],
  ["an error whose message throws", () => evil, "something that can't be read"],
  ["a proxy whose traps throw", () => blind, ": {}"],
  ["a function", () => () => 1, "() => 1"],
];

const hows: readonly [string, (value: unknown) => unknown][] = [
  [
    "at once",
    (value) => {
      throw value;
    },
  ],
  ["later", async (value) => await Promise.reject(value)],
];

const graph = (lines: string, field = "a: string[] = [] via append") =>
  `graph G() returns a {\n state { ${field} }\n ${lines}\n}`;

/** Where it is called. */
const places: readonly [string, string][] = [
  ["a node", graph("run x = f() writes a\n start -> x")],
  ["a tool node", graph("tool x = f({}) writes a\n start -> x")],
  [
    "a condition",
    graph("run x = fine() writes a\n run y = fine() writes a\n start -> x\n x -> y when f(a)"),
  ],
  ["an argument", graph("run x = fine(f(a)) writes a\n start -> x")],
  ["a reducer", graph("run x = fine() writes a\n start -> x", "a: string[] = [] via f")],
  ["a list of items", graph("run x(n: int) = fine(n) writes a\n start -> each n of f() { x(n) }")],
];

describe.each(places)("in %s", (place, text) => {
  test.each(thrown.flatMap((one) => hows.map((how) => [...one, ...how] as const)))(
    "%s is the failure of whoever called it",
    async (_what, value, said, how, fail) => {
      const failure = await failureOf(runWith(text, { f: () => fail(value()), fine: () => ["b"] }));
      expect(failure.code).not.toBe("M9000");
      expect(failure.message).toContain("`f`");
      // A reducer is asked in the middle of a decision.
      const isTooLate = place === "a reducer" && how === "later";
      expect(failure.message).toContain(isTooLate ? "answers at once" : said);
    },
  );
});

describe("what never comes back", () => {
  const never = () => new Promise<never>(() => {});
  const text = graph("run x = f() writes a { limit 5ms }\n start -> x");

  test("ends by the limit of its node", async () => {
    expect(await failureOf(runWith(text, { f: never }))).toMatchObject({ class: "limit" });
  });

  test.each([
    ["abort", "aborted"],
    ["pause", "paused"],
  ] as const)("%s is heard without a limit too", async (verb, status) => {
    const begun = Promise.withResolvers<void>();
    const f = () => {
      begun.resolve();
      return never();
    };
    const { run } = runWith(text.replace("{ limit 5ms }", ""), { f });
    await begun.promise;
    if (verb === "abort") await run.abort();
    else await run.pause({ now: true });
    expect(run.status).toBe(status);
  });

  test("as a tool of an agent it is told to the model, which goes on", async () => {
    const lines = "agent x { model m; tools f; prompt `x`; writes a }\n start -> x";
    const m = rules(({ messages }) =>
      messages.some(({ role }) => role === "tool")
        ? "went on"
        : { calls: [{ tool: "f", input: {} }] },
    );
    const { run, records } = runWith(
      `model m = "scripted"\n${graph(lines)}`,
      { f: tool(never, { effect: "none", timeoutMs: 5 }) },
      { models: { m } },
    );
    expect(await run.output).toEqual({ a: ["went on"] });
    expect(ofKind(records(), "outcome").flatMap(({ failure }) => failure?.code ?? [])).toEqual([
      "M8202",
    ]);
  });
});
