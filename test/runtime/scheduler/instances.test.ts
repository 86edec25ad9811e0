/** State of an agent's own: one value an instance. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { foldLog } from "../../../runtime/scheduler/fold.ts";
import { ownState } from "../../../runtime/scheduler/frames.ts";
import { report } from "../../dsl/report.ts";
import { ofKind, type Ran, runText } from "../../support/run-graph.ts";

const search = `model m = "scripted"
type Task = { name: string }
graph G(tasks: Task[]) returns log {
  state { log: string[] = [] via append }
  agent searcher(task: Task) {
    model m
    prompt \`\${task.name}: \${notes}\`
    writes log
    state {
      notes: string[] = ["begun"] via append
      rounds: int = 0
    }
    set notes = [task.name], rounds = rounds + 1
    retry 2 on tool
  }
  agent after { model m; prompt \`\${log}\`; writes log; state { seen: int = 5 } set seen = seen + 1 }
  limit 40 steps
  start -> each task of tasks parallel 3 { searcher(task) -> { task.name != "" -> searcher(task) max 1, else -> end } } -> after
}`;

const tasks = ["a", "b", "c"].map((name) => ({ name }));
const says = {
  searcher: ({ prompt }: { prompt: string }) => prompt.replaceAll(/\s+/g, " "),
  after: "done",
};

/** What each instance has at the end, by its name. */
function owned({ program, snapshot, records }: Ran) {
  const scopes = [...snapshot.instances.entries()].map(([scope]) => scope);
  const own = ofKind(records, "commit").flatMap((commit) => commit.own?.agent ?? []);
  return {
    agents: [...new Set(own)].toSorted(),
    state: scopes.map((scope) => [
      ownState(program, snapshot, { node: "searcher", scope }),
      ownState(program, snapshot, { node: "after", scope }),
    ]),
  };
}

test("W01 three items of one agent have three states, kept through its rounds, and nobody else sees them", () => {
  const ran = runText(search, { input: { tasks }, says });
  expect(ran.state).toEqual({
    log: ["a", "b", "c"]
      .flatMap((name) => [`${name}: [ "begun" ]`, `${name}: [ "begun", "${name}" ]`])
      .concat("done"),
  });
  expect(owned(ran).agents).toEqual(["after", "searcher@0.0", "searcher@0.1", "searcher@0.2"]);
  expect(owned(ran).state.map(([own]) => own)).toContainEqual({
    notes: ["begun", "b", "b"],
    rounds: 2,
  });
});

test("a `set` names the reducer of its write to a state of an agent's own", () => {
  const text = search.replace("notes = [task.name],", "notes = [task.name] via replace,");
  const { state } = owned(runText(text, { input: { tasks }, says }));
  expect(state.map(([own]) => own)).toContainEqual({ notes: ["b"], rounds: 2 });
});

test("W02 an instance has one name through crashes, retries and every order of finishing", () => {
  const calm = owned(runText(search, { input: { tasks }, says }));
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2 ** 31 }),
      fc.double({ min: 0, max: 0.3, noNaN: true }),
      (seed, crashes) => {
        const ran = runText(search, {
          input: { tasks },
          says,
          seed,
          crashes,
          fails: (node, attempt, ordinal) =>
            node === "searcher" && attempt === 1 && ordinal % 2 === 0
              ? { class: "tool", code: "M8301", message: "flaky" }
              : undefined,
        });
        expect(owned(ran).agents).toEqual(calm.agents);
        expect(owned(ran).state.toSorted(byText)).toEqual(calm.state.toSorted(byText));
        const folded = foldLog(ran.program, ran.records);
        expect(owned({ ...ran, snapshot: folded })).toEqual(owned(ran));
      },
    ),
    { numRuns: 60 },
  );
});

const byText = (a: unknown, b: unknown) => JSON.stringify(a).localeCompare(JSON.stringify(b));

test("an attempt that does not commit leaves the agent's own state alone", () => {
  const text = search.replace("retry 2 on tool", 'ensure rounds < 2 "enough"');
  const ran = runText(text, { input: { tasks: tasks.slice(0, 1) }, says });
  expect(ran.status).toBe("failed");
  expect(owned(ran).state[0]?.[0]).toEqual({ notes: ["begun", "a"], rounds: 1 });
});

test("W01 another agent that names it is an error", () => {
  expect(report(search.replace("${log}", "${notes}"), {})).toMatchInlineSnapshot(
    `"M2103 16:36 no field or parameter is called \`notes\` (it is the own state of \`searcher\`; no other node can name it)"`,
  );
});
