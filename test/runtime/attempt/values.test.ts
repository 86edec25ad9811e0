/** What values a run takes from TypeScript: JSON as it is, and all else refused with its place, wherever it comes from. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { Session, tool } from "../../../runtime/index.ts";
import { failureOf, newSession, runWith } from "../scoped-run.ts";

const cycle: { self?: object } = {};
cycle.self = cycle;

/** What is behind it can't be looked at. */
const trap = () =>
  new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error("trap");
      },
    },
  );

class Point {
  readonly x = 1;
}

/** Each value that is not JSON, what is said of it, and where it stands. */
const refused: [string, () => unknown, string][] = [
  ["a Date", () => ({ at: new Date(0) }), "a Date at `at`"],
  ["a Map", () => [new Map([["a", 1]])], "a Map at `[0]`"],
  ["a Set", () => new Set([1]), "a Set"],
  ["a BigInt", () => ({ n: [1n] }), "a BigInt at `n[0]`"],
  ["NaN", () => [Number.NaN], "the number NaN at `[0]`"],
  ["Infinity", () => Number.POSITIVE_INFINITY, "the number Infinity"],
  ["undefined in a list", () => [undefined], "undefined at `[0]`"],
  ["a function", () => ({ f: () => 1 }), "a function at `f`"],
  ["a symbol", () => ({ s: Symbol("s") }), "a symbol at `s`"],
  ["a cycle", () => ({ list: [cycle] }), "a cycle at `list[0].self`"],
  ["an instance of a class", () => ({ p: new Point() }), "a Point at `p`"],
  ["an Error", () => new TypeError("no"), "a TypeError"],
  ["bytes", () => new Uint8Array(3), "a Uint8Array"],
  [
    "a proxy whose traps throw",
    () => ({ p: trap() }),
    "an object that can't be read (trap) at `p`",
  ],
];

const graph = (lines: string, param = "") =>
  `graph G(${param}) returns a { state { a: Json = null }\n${lines}\nstart -> x }`;

const ways: [string, (value: () => unknown) => Promise<string>][] = [
  [
    "returned by a node's function",
    async (give) => (await failureOf(runWith(graph("run x = give() writes a"), { give }))).message,
  ],
  [
    "of a step of a node's function",
    async (value) => {
      const give = (ctx: { step<T>(name: string, work: () => T): Promise<T> }) =>
        ctx.step("s", value);
      return (await failureOf(runWith(graph("run x = give() writes a"), { give }))).message;
    },
  ],
  [
    "returned by a tool of a node",
    async (value) => {
      const give = tool(value, { effect: "none" });
      return (await failureOf(runWith(graph("tool x = give({}) writes a"), { give }))).message;
    },
  ],
  [
    "returned by a function of an expression",
    async (value) => {
      const scope = { same: (one: unknown) => one, give: value };
      return (await failureOf(runWith(graph("run x = same(1) writes a { set a = give() }"), scope)))
        .message;
    },
  ],
  [
    "of the input",
    async (value) =>
      thrownBy(() =>
        runWith(
          graph("reduce x = same(b) writes a", "b: Json"),
          { same: (b: unknown) => b },
          { input: { b: value() } },
        ),
      ),
  ],
  [
    "of an edit",
    async (value) => {
      const { run } = runWith(
        graph("reduce x = same(1) writes a"),
        { same: (b: unknown) => b },
        { breakpoints: ["x"] },
      );
      await run.continue();
      return await run.edit({ a: value() }).then(
        () => "done",
        (error: Error) => error.message,
      );
    },
  ],
];

function thrownBy(work: () => unknown): string {
  try {
    work();
    return "nothing";
  } catch (error) {
    return (error as Error).message;
  }
}

test.each(
  ways.flatMap(([way, refuse]) =>
    refused.map(([what, value, said]) => ({ what, way, refuse, value, said })),
  ),
)("$what $way is refused with its place", async ({ refuse, value, said }) => {
  expect(await refuse(value)).toContain(`is not JSON: ${said}`);
});

test("what is JSON comes back from the disk as it went in, whatever it is", async () => {
  const at = mkdtempSync(join(tmpdir(), "madrigal-values-"));
  const session = new Session({ cwd: at, env: { MADRIGAL_HOME: at } });
  const other = new Session({ cwd: at, env: { MADRIGAL_HOME: at }, name: "other" });
  onTestFinished(async () => {
    await session.close();
    await other.close();
    rmSync(at, { recursive: true, force: true });
  });
  const text = graph("run x = same(b) writes a", "b: Json");
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.jsonValue(), fc.anything({ maxDepth: 2 })).filter((value) => value !== undefined),
      async (b) => {
        let run: ReturnType<typeof runWith>["run"];
        try {
          ({ run } = runWith(text, { same: (one: unknown) => one }, { session, input: { b } }));
        } catch (error) {
          expect(error).toMatchObject({ code: "M5001" });
          return;
        }
        const { a } = await run.output;
        const found = other.open(run.id);
        expect(found.state.a).toEqual(a);
        expect(JSON.stringify(found.state.a)).toBe(JSON.stringify(a));
      },
    ),
    { numRuns: 60 },
  );
});

test("members that are undefined are absent, -0 is 0, half a character is replaced", async () => {
  const session = newSession();
  const give = () => ({ gone: undefined, zero: -0, half: "\ud800" });
  const { run } = runWith(graph("run x = give() writes a"), { give }, { session });
  const { a } = (await run.output) as { a: { zero: number } };
  expect(a).toEqual({ zero: 0, half: "\ufffd" });
  expect(Object.is(a.zero, 0)).toBe(true);
});
