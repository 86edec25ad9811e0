/**
 * The laws of DESIGN.md §3.8 over generated graphs on the simulated driver. A failure prints `seed` and `path`; the same
 * graphs again: MADRIGAL_LAW_SEED=<seed> MADRIGAL_LAW_PATH=<path> npm test -- test/runtime/scheduler/laws.test.ts -t <law>.
 * MADRIGAL_LAW_RUNS sets how many graphs a law is held against.
 */
import fc from "fast-check";
import { applyPatches, enablePatches, type Patch as ImmerPatch } from "immer";
import { expect, test } from "vitest";
import type { Failure } from "../../../runtime/failure.ts";
import type { LogRecord } from "../../../runtime/records.ts";
import { foldLog } from "../../../runtime/scheduler/fold.ts";
import { shownState } from "../../../runtime/scheduler/lookup.ts";
import { arbitraryGraph } from "../../support/arbitrary-graph.ts";
import { ofKind, type Ran, runText, type Script } from "../../support/run-graph.ts";

enablePatches();

const graph = arbitraryGraph({ functions: ["f", "g"] });
const seed = fc.integer({ min: 1, max: 2 ** 31 });
const input = fc.record({ n: fc.integer({ min: 1, max: 4 }) });
const numRuns = Number(process.env.MADRIGAL_LAW_RUNS ?? 150);
const { MADRIGAL_LAW_SEED: lawSeed, MADRIGAL_LAW_PATH: path } = process.env;
const check = <T>(property: fc.IProperty<T>): void =>
  fc.assert(property, {
    numRuns,
    ...(lawSeed === undefined ? {} : { seed: Number(lawSeed) }),
    ...(path === undefined ? {} : { path }),
  });

/** Fails some attempts, always the same ones of a seed. */
function flaky(of: number): NonNullable<Script["fails"]> {
  return (node, attempt) => {
    const hash = [...`${of} ${node} ${attempt}`].reduce(
      (sum, char) => (sum * 31 + char.charCodeAt(0)) >>> 0,
      7,
    );
    const failure: Failure = { class: "tool", code: "M8301", message: "flaky" };
    return hash % 5 === 0 ? failure : undefined;
  };
}

function patchesOf(record: LogRecord) {
  return "patches" in record ? (record.patches ?? []) : [];
}

test("every generated graph comes to an end, and says which", () => {
  check(
    fc.property(graph, seed, input, (text, at, given) => {
      const ran = runText(text, { seed: at, input: given, fails: flaky(at) });
      expect(["succeeded", "failed"]).toContain(ran.status);
      expect(ran.records.at(-1)?.kind).toBe("end");
      if (ran.status === "failed") expect(ran.snapshot.failure).toBeDefined();
    }),
  );
});

test("L1 an attempt commits once, as a whole, or not at all", () => {
  check(
    fc.property(graph, seed, input, (text, at, given) => {
      const { records } = runText(text, { seed: at, input: given, fails: flaky(at) });
      const commits = ofKind(records, "commit");
      expect(new Set(commits.map(({ id }) => id)).size).toBe(commits.length);
      expect(commits.map(({ step }) => step)).toEqual(commits.map((_, index) => index + 1));
      for (const { id, attempt } of ofKind(records, "attempt")) {
        const twin = commits.find((commit) => commit.id === id && commit.attempt === attempt);
        expect(twin).toBeUndefined();
      }
      const changing = records.filter((record) => patchesOf(record).length > 0);
      const points = ["run", "commit", "attempt", "end"];
      expect(changing.every(({ kind }) => points.includes(kind))).toBe(true);
    }),
  );
});

test("L2 the patches of the commits fold to the state, whoever folds them", () => {
  check(
    fc.property(graph, seed, input, (text, at, given) => {
      const ran = runText(text, { seed: at, input: given });
      const [first] = ofKind(ran.records, "run");
      const folded = ran.records.reduce(
        (state: object, record) => applyPatches(state, patchesOf(record) as ImmerPatch[]),
        { ...first?.state },
      );
      expect(folded).toEqual(ran.state);
    }),
  );
});

test("L2 the log alone gives the position again", () => {
  check(
    fc.property(graph, seed, input, fc.nat(), (text, at, given, cut) => {
      const snapshots = new Map<number, string>();
      const ran = runText(text, {
        seed: at,
        input: given,
        fails: flaky(at),
        observe: (record, snapshot) => snapshots.set(record.seq, positionOf(snapshot)),
      });
      const length = 1 + (cut % ran.records.length);
      const last = ran.records[length - 1];
      // Several records of one advance share its snapshot: only the last of them is a position between two.
      if (last === undefined || snapshots.get(last.seq) === snapshots.get(last.seq + 1)) return;
      const folded = foldLog(ran.program, ran.records.slice(0, length));
      expect(positionOf(folded)).toBe(snapshots.get(last.seq));
      expect(shownState(ran.program, foldLog(ran.program, ran.records))).toEqual(ran.state);
    }),
  );
});

test("L3 L15 the final state does not depend on who finishes first", () => {
  check(
    fc.property(
      graph,
      fc.array(seed, { minLength: 2, maxLength: 4 }),
      input,
      (text, seeds, given) => {
        const ends = seeds.map((at) => runText(text, { seed: at, input: given }));
        const [first] = ends.map(resultOf);
        for (const end of ends) expect(resultOf(end)).toEqual(first);
      },
    ),
  );
});

test("L6 every loop is bounded, and a limit that was reached is never a success", () => {
  check(
    fc.property(graph, seed, input, (text, at, given) => {
      const ran = runText(text, { seed: at, input: given, calls: 1, eventsMax: 20_000 });
      const limited = ran.snapshot.failure?.class === "limit";
      expect(ran.reason.startsWith("limit:")).toBe(limited);
      if (limited) expect(ran.status).toBe("failed");
    }),
  );
});

test("L7 what has ended leaves nothing under way: no attempt starts, calls or commits behind the end", () => {
  check(
    fc.property(graph, seed, input, (text, at, given) => {
      const ran = runText(text, { seed: at, input: given, fails: flaky(at), calls: 2 });
      const running = [...ran.snapshot.open.values()].filter(({ status }) => status === "running");
      expect(running).toEqual([]);
      if (ran.status === "succeeded") {
        expect([
          ran.snapshot.open.size,
          ran.snapshot.expansions.size,
          ran.snapshot.scopes.size,
        ]).toEqual([0, 0, 1]);
      }
    }),
  );
});

test("L11 whatever attempts end with, the scheduler takes it as an attempt's end", () => {
  const classes = ["transport", "model", "invalid", "tool", "timeout", "denied", "limit"] as const;
  check(
    fc.property(
      graph,
      seed,
      input,
      fc.constantFrom(...classes),
      (text, at, given, failureClass) => {
        const ran = runText(text, {
          seed: at,
          input: given,
          fails: (node, attempt, ordinal) =>
            flaky(at)(node, attempt, ordinal) && {
              class: failureClass,
              code: "M8301",
              message: "odd",
            },
        });
        expect(["succeeded", "failed"]).toContain(ran.status);
        const failed = ofKind(ran.records, "attempt");
        expect(failed.every(({ next }) => ["retry", "repair", "skip", "fail"].includes(next))).toBe(
          true,
        );
      },
    ),
  );
});

test("L16 a run that dies anywhere and is resumed ends as an unbroken one, and pays for nothing twice", () => {
  let crashes = 0;
  check(
    fc.property(graph, seed, input, (text, at, given) => {
      const whole = runText(text, { seed: at, input: given, calls: 2 });
      const broken = runText(text, { seed: at + 1, input: given, calls: 2, crashes: 0.05 });
      crashes += broken.crashes;
      // Limits count what was paid for; a call in flight at a crash is paid for twice.
      if (whole.reason.startsWith("limit:") || broken.reason.startsWith("limit:")) return;
      expect(resultOf(broken)).toEqual(resultOf(whole));
      expect(broken.repeated).toEqual([]);
    }),
  );
  expect(crashes).toBeGreaterThan(0);
});

/** How a run ended. What a failed one had done by then depends on when it failed. */
function resultOf({ state, status, reason }: Ran) {
  return status === "succeeded" ? { state, status, reason } : { status, reason };
}

/** All that a position is, as text: maps as lists of entries. */
function positionOf(snapshot: object): string {
  return JSON.stringify(snapshot, (_, value: unknown) =>
    typeof value === "object" &&
    value !== null &&
    "entries" in value &&
    typeof value.entries === "function" &&
    !Array.isArray(value)
      ? [...(value.entries() as Iterable<unknown>)]
      : value,
  );
}
