/** A function of a node that gives its values one after another: as a generator, a stream or an Observable. */
import { interval, of, range, throwError } from "rxjs";
import { afterEach, describe, expect, test } from "vitest";
import { type Scope, Session } from "../../../runtime/index.ts";

const sessions: Session[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
});

function start(f: Scope[string], type: string, clauses = "") {
  const text = `graph G() returns x {
  state { x: ${type} }
  run f = f() { writes x${clauses} }
  start -> f -> end
}`;
  const session = new Session({ store: "memory", env: {} });
  sessions.push(session);
  const { G } = session.compile(text, { scope: { f } });
  if (G === undefined) throw new Error("no G");
  return G.run({});
}

async function* numbers() {
  yield 1;
  await Promise.resolve();
  yield 2;
}

async function* pieces() {
  yield "two ";
  yield "words";
}

describe.each([
  ["a generator", numbers],
  ["an Observable", () => of(1, 2)],
  ["a promise of one", async () => of(1, 2)],
  ["a web stream", () => ReadableStream.from([1, 2])],
])("%s", (_, f) => {
  test.each([
    ["inside", ""],
    ["outside", "; effects external"],
  ])("is the list of its values, %s", async (_, effects) => {
    expect(await start(f, "int[]", effects).output).toEqual({ x: [1, 2] });
  });
});

test("texts for a field that is a text are joined, and seen as they come", async () => {
  const run = start(pieces, "string");
  const seen: unknown[] = [];
  run.messages$.subscribe((message) =>
    seen.push(message.kind === "delta" ? message.text : message),
  );
  expect(await run.output).toEqual({ x: "two words" });
  expect(seen).toEqual(["two ", "words"]);
});

test("texts for a list stay a list", async () => {
  expect(await start(pieces, "string[]").output).toEqual({ x: ["two ", "words"] });
});

test("what it throws on its way fails the attempt, and nothing of it is written", async () => {
  const run = start(() => throwError(() => new Error("no line")), "int[]");
  await expect(run.output).rejects.toMatchObject({ code: "M8301", message: /no line/ });
  expect(run.state).toEqual({});
});

test("an Observable may emit any number of values at once", async () => {
  const { x } = await start(() => range(0, 5000), "int[]").output;
  expect(x).toHaveLength(5000);
});

test("an iterator may be synchronous, and is not closed after its end", async () => {
  const calls: string[] = [];
  const countdown = {
    [Symbol.asyncIterator]: () => ({
      left: 2,
      next() {
        calls.push("next");
        return { done: this.left === 0, value: this.left-- };
      },
      return() {
        calls.push("return");
        return { done: true, value: undefined };
      },
    }),
  };
  expect(await start(() => countdown, "int[]").output).toEqual({ x: [2, 1] });
  expect(calls).toEqual(["next", "next", "next"]);
});

test("what is not JSON, and what does not fit, fails the attempt", async () => {
  await expect(start(() => of(1, 2n), "int[]").output).rejects.toMatchObject({ code: "M8302" });
  await expect(start(() => of("one"), "int[]").output).rejects.toMatchObject({ code: "M8304" });
});

test("an attempt that is cancelled closes what it reads", async () => {
  const isClosed = Promise.withResolvers<string>();
  const begun = Promise.withResolvers<void>();
  const endless = {
    [Symbol.asyncIterator]: () => ({
      next: () => {
        begun.resolve();
        return new Promise<never>(() => {});
      },
      return: async () => {
        isClosed.resolve("closed");
        return { done: true as const, value: undefined };
      },
    }),
  };
  const run = start(() => endless, "int[]");
  await begun.promise;
  await run.abort("enough");
  expect(await isClosed.promise).toBe("closed");
  expect(run.status).toBe("aborted");
});

test("an Observable without an end is unsubscribed from when its attempt is cancelled", async () => {
  const begun = Promise.withResolvers<void>();
  const source = interval(1);
  let subscribers = 0;
  const watched = {
    subscribe: (observer: Parameters<typeof source.subscribe>[0]) => {
      subscribers += 1;
      begun.resolve();
      const subscription = source.subscribe(observer);
      subscription.add(() => {
        subscribers -= 1;
      });
      return subscription;
    },
  };
  const run = start(() => watched, "int[]");
  await begun.promise;
  expect(subscribers).toBe(1);
  await run.abort("enough");
  expect(subscribers).toBe(0);
});
