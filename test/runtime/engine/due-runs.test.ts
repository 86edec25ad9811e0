/** Which stored runs are due, and when the next one is: the store knows it of each without its log. */
import { expect, test } from "vitest";
import type { DrivenRun } from "../../../runtime/index.ts";
import { Session } from "../../../runtime/index.ts";
import { temporaryFolder } from "../../support/child.ts";

const HOUR_MS = 3_600_000;
const look = () => "seen";
const PROGRAMS = {
  later:
    "run a = look() writes seen\n run b = look() writes seen\n start -> a -> b after 2h -> end",
  inside: "graph g = Inner() writes seen\n start -> g -> end",
  expiring: 'human a { ask `Who?` within 5h else "nobody"; writes seen }\n start -> a -> end',
  asking: "human a { ask `Who?`; writes seen }\n start -> a -> end",
  both: 'human a { ask `Who?` within 3h else "x"; writes seen }\n run b = look() writes other\n run c = look() writes other\n start -> a\n start -> b -> c after 1h\n [a, c] -> end',
};
const INNER = `graph Inner() returns seen {
  state { seen: string }
  run a = look() writes seen
  run b = look() writes seen
  start -> a -> b after 4h -> end
}`;

test("what waits for a time is found by it, what waits for people alone is not, also in another process", async () => {
  const cwd = temporaryFolder();
  const session = new Session({ cwd, env: {}, name: "one" });
  const begun = Date.now();
  for (const [name, body] of Object.entries(PROGRAMS)) {
    const state = "state { seen: string\n other: string }";
    const text = `graph ${name}() returns seen {\n${state}\n${body}\n}\n${INNER}`;
    const run = session.compile(text, { scope: { look } })[name]?.run({}) as DrivenRun;
    run.output.catch(() => {});
    await expect.poll(() => run.status === "waiting" || run.sleepsUntil !== undefined).toBe(true);
    await run.leave("sleeping");
  }
  await session.close();
  const next = new Session({ cwd, env: {}, name: "two" });
  const due = (hours: number) => {
    const found = next.due.at(begun + hours * HOUR_MS + 60_000);
    return found.map(({ graph, dueAt: at }) => `${graph} ${Math.round((at - begun) / HOUR_MS)}h`);
  };
  const nextIn = (hours: number) =>
    Math.round(((next.due.next(begun + hours * HOUR_MS + 60_000) ?? 0) - begun) / HOUR_MS);
  expect([due(0), nextIn(0)]).toEqual([[], 1]);
  expect([due(1), nextIn(1)]).toEqual([["both 1h"], 2]);
  expect([due(4), nextIn(4)]).toEqual([["both 1h", "later 2h", "inside 4h"], 5]);
  expect(due(9)).toEqual(["both 1h", "later 2h", "inside 4h", "expiring 5h"]);
  expect(next.due.next(begun + 9 * HOUR_MS)).toBeUndefined();
  await next.close();
});
