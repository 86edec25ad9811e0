/** A run whose beginning calls TypeScript: what is said to it meanwhile is said to a run that has begun. */
import { expect, test } from "vitest";
import type { DrivenRun } from "../../../runtime/index.ts";
import { newSession } from "../scoped-run.ts";

const begins: readonly [string, string][] = [
  [
    "a default",
    "state { a: string[] = [first()] via append }\n run x = say() writes a\n start -> x",
  ],
  [
    "a list of items",
    "state { a: string[] = [] via append }\n run x(n: string) = say(n) writes a\n start -> each n of all() { x(n) }",
  ],
  [
    "a stream",
    "state { a: string[] = [] via append }\n run x(n: string) = say(n) writes a\n start -> each n of feed() { x(n) }",
  ],
  [
    "a condition",
    "state { a: string[] = [] via append }\n run x = say() writes a\n start -> x when isOn()",
  ],
];

test.each(begins)(
  "%s: a step, a pause and an abort that come before it has answered are heard",
  async (_, lines) => {
    const gate = Promise.withResolvers<void>();
    const scope = {
      first: () => gate.promise.then(() => "first"),
      all: () => gate.promise.then(() => ["one"]),
      feed: async function* () {
        await gate.promise;
        yield "one";
      },
      isOn: () => gate.promise.then(() => true),
      say: () => ["said"],
    };
    const { G } = newSession().compile(`graph G() returns a {\n ${lines}\n}`, { scope });
    const begun = () => G?.debug({}) as unknown as DrivenRun;
    const stepped = begun();
    const step = stepped.step();
    const aborted = begun();
    const abort = aborted.abort("enough");
    const paused = begun();
    const pause = paused.pause();
    gate.resolve();
    expect((await step).node).toBe("x");
    await abort;
    expect([aborted.status, aborted.reason]).toEqual(["aborted", "enough"]);
    await pause;
    expect(paused.status).toBe("paused");
    await paused.resume();
    expect(await paused.output).toHaveProperty("a");
  },
);
