import fc from "fast-check";
import { expect, test } from "vitest";
import { ofKind, runText, type Says } from "../../../support/run-graph.ts";

const research = (each: string, more = "") => `model m = "rules"
type Task = { id: int, query: string }
graph Research(question: string = "why", rounds: int = 1) returns report, found {
  state {
    tasks: Task[]
    found: string[] = [] via append
    report: string
    more: boolean = false
  }
  defaults { model m }
  agent plan { prompt \`Split \${question}, knowing \${found}\`; writes tasks }
  agent search(task: Task) { prompt \`Find \${task.query}\`; writes found ${more} }
  agent write { prompt \`Report \${found}\`; writes report }
  ${each}
}`;

const plain = research("start -> plan -> each task of tasks parallel 4 { search(task) } -> write");

function script(items: number, more = {}) {
  const tasks = Array.from({ length: items }, (_, id) => ({ id, query: `q${id}` }));
  const search: Says = ({ args }) => `found ${(args.task as { query: string }).query}`;
  return {
    says: { plan: tasks, search, write: ({ prompt }: { prompt: string }) => prompt },
    ...more,
  };
}

test.each([0, 1, 7])(
  "W24 [SM] the plan decides at run time how many tasks there are: %i",
  (items) => {
    const ran = runText(plain, script(items));
    expect(ran.status).toBe("succeeded");
    expect(ran.state.found ?? []).toHaveLength(items);
    expect(ran.path).toBe(["plan", ...Array(items).fill("search"), "write"].join(" "));
  },
);

test("W25 [SM] the tasks are committed before the first search starts", () => {
  const { records } = runText(plain, script(3));
  const commit = records.findIndex(({ kind }) => kind === "commit");
  const start = records.findIndex((record) => record.kind === "start" && record.node === "search");
  expect(ofKind(records, "commit")[0]?.patches.map(({ path }) => path[0])).toEqual(["tasks"]);
  expect(commit).toBeLessThan(start);
});

test("W26 [VT] seven items of ten seconds, four at a time, take twenty seconds", () => {
  const ran = runText(plain, script(7, { durationMs: 10_000 }));
  const searches = ofKind(ran.records, "start").filter(({ node }) => node === "search");
  const ends = ofKind(ran.records, "commit").filter(({ node }) => node === "search");
  expect(ran.parallelMax).toBe(4);
  expect((ends.at(-1)?.at ?? 0) - (searches[0]?.at ?? 0)).toBe(20_000);
});

test("W27 [PB] results stand in the order of the items, whatever finishes first", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1 }), fc.integer({ min: 0, max: 9 }), (seed, items) => {
      const { state } = runText(plain, script(items, { seed }));
      expect(state.found ?? []).toEqual(Array.from({ length: items }, (_, id) => `found q${id}`));
    }),
    { numRuns: 50 },
  );
});

test("W28 [SM] the planner coordinates again after the join, a bounded number of times", () => {
  const text = research(
    "start -> plan -> each task of tasks { search(task) } -> { found.length < 9 -> plan max rounds, else -> write }",
  );
  const ran = runText(text, script(2, { input: { rounds: 2 } }));
  expect(ran.path).toBe("plan search search plan search search plan search search write");
});

test("W30 [SM] the report gets all that was found", () => {
  const { state } = runText(plain, script(2));
  expect(state.report).toBe('Report [\n  "found q0",\n  "found q1"\n]');
});

test("W31 [PB] the n-th finding belongs to the n-th task, also when searches are retried", () => {
  const text = research(
    "start -> plan -> each task of tasks parallel 3 { search(task) } -> write",
    "; retry 3",
  );
  fc.assert(
    fc.property(fc.integer({ min: 1 }), (seed) => {
      const fails = (node: string, attempt: number, ordinal: number) =>
        node === "search" && attempt <= (seed + ordinal) % 3
          ? ({ class: "tool", code: "M8301", message: "flaky" } as const)
          : undefined;
      const { state } = runText(text, script(6, { seed, fails }));
      expect(state.found).toEqual(Array.from({ length: 6 }, (_, id) => `found q${id}`));
    }),
    { numRuns: 30 },
  );
});

test("`when` leaves items out before they start", () => {
  const text = research(
    "start -> plan -> each task of tasks when task.id > 1 { search(task) } -> write",
  );
  expect(runText(text, script(4)).state.found).toEqual(["found q2", "found q3"]);
});

test("an item that fails is dropped and recorded with `on error skip`", () => {
  const text = research(
    "start -> plan -> each task of tasks parallel 2 on error skip { search(task) } -> write",
  );
  const fails = (node: string, _: number, ordinal: number) =>
    node === "search" && ordinal === 2
      ? ({ class: "tool", code: "M8301", message: "broken" } as const)
      : undefined;
  const ran = runText(text, script(4, { fails }));
  expect(ran.status).toBe("succeeded");
  expect(ran.state.found).toEqual(["found q0", "found q2", "found q3"]);
  expect(ofKind(ran.records, "attempt").map(({ next }) => next)).toEqual(["skip"]);
});

test("without it the run fails, and the siblings are cancelled with it", () => {
  const fails = (node: string, _: number, ordinal: number) =>
    node === "search" && ordinal === 2
      ? ({ class: "tool", code: "M8301", message: "broken" } as const)
      : undefined;
  const ran = runText(plain, script(4, { fails, durationMs: 10 }));
  expect([ran.status, ran.reason, ran.snapshot.failure?.message]).toEqual([
    "failed",
    "error",
    "broken",
  ]);
  // How many were through before it is a matter of the schedule.
  expect(ran.path).toMatch(/^plan( search){0,3}$/);
});

test("an `each` in an `each`: inner items see their own and the outer variable", () => {
  const text = `model m = "rules"
type Group = { name: string, members: string[] }
graph Nested returns log {
  state {
    groups: Group[]
    log: string[] = [] via append
  }
  defaults { model m }
  agent list { prompt \`list\`; writes groups }
  agent greet(group: string, member: string) { prompt \`\${group} \${member}\`; writes log }
  start -> list -> each g of groups { each x of g.members parallel 1 { greet(g.name, x) } } -> end
}`;
  const groups = [
    { name: "a", members: ["1", "2"] },
    { name: "b", members: [] },
    { name: "c", members: ["3"] },
  ];
  const ran = runText(text, {
    says: { list: groups, greet: ({ prompt }: { prompt: string }) => prompt },
    seed: 5,
  });
  expect(ran.state.log).toEqual(["a 1", "a 2", "c 3"]);
});

test("a list that is not one is an error with its name", () => {
  const text = research("start -> plan -> each task of tasks { search(task) } -> write").replace(
    "tasks: Task[]\n",
    "tasks: Json\n",
  );
  const ran = runText(text, { says: { plan: "none" } });
  expect(ran.snapshot.failure).toMatchObject({ code: "M5011" });
});

test("thousands of items that end at once need no deep stack", () => {
  const text = research(
    "start -> plan -> each task of tasks { { task.id < 0 -> search(task), else -> end } } -> write",
  );
  const ran = runText(text, script(5000));
  expect([ran.status, ran.path]).toEqual(["succeeded", "plan write"]);
});

test("when what follows the `each` can't be worked out, dropping an item does not hide it", () => {
  const text = research(
    "start -> plan -> each task of tasks on error skip { search(task) } -> { found[0].length > 1 -> write, else -> end }",
  );
  const fails = (node: string) =>
    node === "search" ? ({ class: "tool", code: "M8301", message: "broken" } as const) : undefined;
  const ran = runText(text, script(1, { fails }));
  expect([ran.status, ran.snapshot.failure?.code]).toEqual(["failed", "M5011"]);
});
