/** Simulated people go on where they were when another process goes on with the run. */
import { expect, test } from "vitest";
import { scriptedAnswers } from "../../../runtime/questions/auto-answers.ts";
import { people } from "../../../runtime/questions/simulated-people.ts";
import type { RunParts } from "../../../runtime/run/run-parts.ts";
import { drive } from "../driven-run.ts";
import { newSession } from "../scoped-run.ts";

const NO_IDEA = "I don't know. Use your best judgment.";

const text = `import { f } from "./f.ts"
graph G() returns a {
  state { a: string = "" }
  run draft = f() writes a { approve after }
  start -> draft -> end
}`;

test("M42 the patience of a persona survives the process: another one goes on with its rounds", async () => {
  const rounds: unknown[] = [];
  let isThere = true;
  const persona = () =>
    people.persona({
      graph: {
        invoke: async ({ round }) => {
          if (!isThere) throw new Error("the process ends");
          rounds.push(round);
          isThere = rounds.length !== 1;
          return { does: "say", text: "shorter" };
        },
      },
      task: "write",
      patience: 3,
    });
  const asPersona = (parts: RunParts): RunParts => ({
    ...parts,
    answerers: [scriptedAnswers(persona())],
  });
  const { run, found } = drive(text, { does: () => "x", goal: "end", parts: asPersona });
  await expect(run.output).rejects.toMatchObject({ code: "M5301" });
  isThere = true;
  const other = found(undefined, undefined, asPersona);
  await other.continue();
  expect(await other.output).toEqual({ a: "x" });
  expect(rounds).toEqual([1, 2, 3]);
  await run.abort();
});

const plan = `graph Trip() returns day {
  state { plan: string = "by train"  isRight: boolean = false  day: string = "" }
  human review { ask "Is this right?"; edits plan; writes isRight }
  human user { ask "Which day?"; writes day }
  start -> review -> user -> end
}`;

type Of = Omit<Parameters<typeof people.persona>[0], "graph" | "task">;

test.each<[string, Of, object, readonly string[], string]>([
  [
    "strict help: it knows the answer, to keep it back",
    { helpfulness: "strict" },
    { hints: "Not on Sunday.", answer: "Monday" },
    ["review", "user"],
    "Any day.",
  ],
  ["help if nothing is said", {}, { answer: "Monday" }, ["review", "user"], "Any day."],
  [
    "soft help: the hints as they are",
    { helpfulness: "soft" },
    { hints: "Not on Sunday.", answer: "" },
    ["review", "user"],
    "Any day.",
  ],
  ["no help", { helpfulness: "none" }, { hints: "", answer: "" }, ["review", "user"], "Any day."],
  ["a part in the planning alone", { part: "planning" }, {}, ["review"], NO_IDEA],
  ["a part in the execution alone", { part: "execution" }, {}, ["user"], "Any day."],
  ["a part in both", { part: "both" }, {}, ["review", "user"], "Any day."],
])("M42 a persona with %s", async (_, of, told, nodes, day) => {
  const asked: Record<string, unknown>[] = [];
  const persona = people.persona({
    graph: {
      invoke: async (input) => {
        asked.push(input);
        return String(input.question).startsWith("Which")
          ? { does: "say", text: "Any day." }
          : { does: "yes", text: "" };
      },
    },
    ...{ task: "a trip", hints: "Not on Sunday.", answer: "Monday", ...of },
  });
  const [graph] = Object.values(newSession().compile(plan));
  expect(await graph?.invoke({}, { answers: persona })).toEqual({ day });
  const node = { "Is this right?": "review", "Which day?": "user" } as Record<string, string>;
  expect(asked.map(({ question }) => node[String(question)])).toEqual(nodes);
  for (const one of asked) expect(one).toMatchObject({ task: "a trip", round: 1, ...told });
});

test("a script goes on with the next of its answers, in each run from its first", async () => {
  const script = people.script({
    draft: [{ kind: "revise", text: "shorter" }, { kind: "approve" }],
  });
  const asScript = (parts: RunParts): RunParts => ({
    ...parts,
    answerers: [scriptedAnswers(script)],
  });
  const options = { does: () => "x", goal: "end", parts: asScript } as const;
  const first = drive(text, { does: () => "x", goal: "end" });
  await first.run.continue();
  await first.run.answer("draft-0", { kind: "revise", text: "longer" });
  await first.run.continue();
  const other = first.found(undefined, undefined, asScript);
  await other.continue();
  expect(await other.output).toEqual({ a: "x" });
  for (const _ of [1, 2]) {
    const { run, performed } = drive(text, options);
    expect(await run.output).toEqual({ a: "x" });
    expect(performed).toHaveLength(2);
  }
  await first.run.abort();
});
