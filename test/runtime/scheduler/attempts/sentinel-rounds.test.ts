import { expect, test } from "vitest";
import { nextDaily } from "../../../../runtime/scheduler/expressions/wall-clock.ts";
import { graphOf, ofKind, runText, type Script } from "../../../support/run-graph.ts";

const graph = (node: string, arrows = "start -> a -> end") => `model m = "rules"
graph G(most: int = 2) returns found {
  state {
    found: int = 0 via sum
    late: boolean = false
  }
  agent a { model m; prompt \`look\`; writes found; ${node} }
  ${arrows.includes("tell") ? "run tell = f() writes late" : ""}
  ${arrows}
}`;

const looks = (node: string, script: Script = {}, arrows?: string) =>
  runText(graph(node, arrows), { says: { a: 1, tell: true }, durationMs: 1, ...script });

/** The checks of a run: round, whether it was met, the wait behind it. */
const checks = ({ records }: ReturnType<typeof runText>) =>
  ofKind(records, "commit").flatMap(({ check, at }) =>
    check === undefined
      ? []
      : [
          `${check.number} ${check.met} ${check.next === undefined ? "-" : Math.round(check.next - at)}`,
        ],
  );

test("M81 a number is how often it runs, and nobody judges that", () => {
  const ran = looks("every 30s until 3");
  expect(ran.path).toBe("a a a");
  expect(ran.status).toBe("succeeded");
  expect(checks(ran)).toEqual(["1 false 30000", "2 false 30000", "3 true -"]);
  expect(ofKind(ran.records, "intent")).toEqual([]);
});

test("a condition is asked on the state as the round has left it", () => {
  const ran = looks("every 1h until found >= 2 max 9");
  expect(ran.path).toBe("a a");
  expect(ran.state.found).toBe(2);
  expect(ran.virtualMs).toBeGreaterThan(3_600_000);
});

test("rounds that are used up are a limit, never a success", () => {
  expect(looks("every 1h until found > 9 max 3")).toMatchObject({
    status: "failed",
    reason: "limit:max",
    path: "a a a",
    state: { found: 3 },
  });
});

test("an arrow `on limit` takes a sentinel that used up its rounds, with what they wrote", () => {
  const arrows = "start -> a -> end\na -> tell on limit";
  expect(looks("every 1h until found > 9 max 3", {}, arrows)).toMatchObject({
    status: "succeeded",
    path: "a a a tell",
    state: { found: 3, late: true },
  });
});

test("without a condition, `max` says how often", () => {
  expect(looks("every 5m max 3")).toMatchObject({ status: "succeeded", path: "a a a" });
});

test("L10 the count of rounds, and the time of the next one, survive crashes", () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const ran = looks("every 1h until 4", { seed, crashes: 0.3 });
    expect(ran.status).toBe("succeeded");
    expect(ran.path).toBe("a a a a");
    const at = ofKind(ran.records, "commit").map((record) => record.at);
    at.slice(1).forEach((time, index) => {
      expect(time - (at[index] ?? 0)).toBeGreaterThanOrEqual(3_600_000);
    });
  }
});

test("M87 an attempt that fails is an error of its round: the next comes within 30 s, the third one ends it", () => {
  const fails = (times: number) => (_: string, attempt: number) =>
    attempt <= times ? ({ class: "tool", code: "M8301", message: "blocked" } as const) : undefined;
  const passing = looks("every 1h until 2", { fails: fails(2) });
  expect(passing.status).toBe("succeeded");
  expect(
    ofKind(passing.records, "attempt").map(({ next, errors, at, notBefore = 0 }) => [
      next,
      errors,
      Math.round(notBefore - at),
    ]),
  ).toEqual(
    // The second round begins anew with its attempts.
    [
      ["again", 1, 30_000],
      ["again", 2, 30_000],
      ["again", 1, 30_000],
      ["again", 2, 30_000],
    ],
  );
  const lasting = looks("every 1h until 2", { fails: fails(9) });
  expect(lasting).toMatchObject({ status: "failed", reason: "error" });
  expect(lasting.snapshot.failure).toMatchObject({ message: "blocked" });
  expect(ofKind(lasting.records, "attempt")).toHaveLength(3);
});

/** The clock on the wall at each commit. */
const wallTimes = (ran: ReturnType<typeof runText>, timeZone: string) =>
  ofKind(ran.records, "start").map(({ at }) =>
    new Intl.DateTimeFormat("sv-SE", {
      timeZone,
      hour: "2-digit",
      minute: "2-digit",
      day: "2-digit",
      month: "2-digit",
    }).format(at),
  );

test("M132 `daily` keeps to the clock on the wall for thirty days, across a change to summer time", () => {
  // The simulation begins with 1970, when New York put its clocks on on April 26th.
  const ran = looks(
    'every daily("09:00", "America/New_York") until 30',
    {},
    "start -> a after 100d -> end",
  );
  const times = wallTimes(ran, "America/New_York");
  expect(times).toHaveLength(30);
  expect(new Set(times.map((time) => time.split(" ")[1]))).toEqual(new Set(["09:00"]));
  expect([times[0], times.at(-1)]).toMatchInlineSnapshot(`
    [
      "11/04 09:00",
      "10/05 09:00",
    ]
  `);
  const utc = wallTimes(ran, "UTC").map((time) => time.split(" ")[1]);
  expect(new Set(utc)).toEqual(new Set(["14:00", "13:00"]));
});

const interval = (text: string) => {
  const every = graphOf(graph(`every ${text} max 2`)).nodes[0]?.every;
  if (every === undefined) throw new Error("no `every`");
  return every.interval;
};

test.each([
  [
    'daily("02:30", "Europe/Paris")',
    "2026-03-28T23:00Z",
    "2026-03-29T01:30Z",
    "a time that summer time leaves out comes as much later",
  ],
  [
    'daily("02:30", "Europe/Paris")',
    "2026-10-24T23:00Z",
    "2026-10-25T00:30Z",
    "a time that comes twice is the first",
  ],
  [
    'daily("02:30", "Europe/Paris")',
    "2026-10-25T00:30Z",
    "2026-10-26T01:30Z",
    "and then that of the next day",
  ],
  ['daily("09:00")', "2026-12-31T10:00Z", "2027-01-01T09:00Z", "without a zone it is UTC"],
  [
    'daily("00:00", "Pacific/Apia")',
    "2026-05-05T11:00Z",
    "2026-05-06T11:00Z",
    "exactly now is not next",
  ],
])("%s behind %s is %s: %s", (text, after, next) => {
  const due = nextDaily(interval(text), () => undefined, Date.parse(after));
  expect(new Date(due ?? 0).toISOString()).toBe(new Date(next).toISOString());
});

test.each([
  ['daily("25:00")', '`daily` needs a time of day like "09:00", not "25:00"'],
  ['daily("09:00", "Mars/North")', '"Mars/North" is no time zone; write one like "Europe/Paris"'],
])("%s is refused", (text, message) => {
  expect(() => nextDaily(interval(text), () => undefined, 0)).toThrow(message);
});

test("`until` knows which round it follows", () => {
  expect(checks(looks("every 30s until run.round >= 2"))).toEqual(["1 false 30000", "2 true -"]);
});
