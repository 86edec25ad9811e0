/** The library's `Eko` as a person uses it: its prompts, a plan that is edited, planned anew, paused and modified. */
import { expect, test } from "vitest";
import { plans, rules, scripted } from "../../../kernel/index.ts";
import { Eko } from "../../../kernel/library/programs.ts";

const agent = (id: string, task: string, { name = "Writer", dependsOn = "" } = {}) =>
  `<agent name="${name}" id="${id}" dependsOn="${dependsOn}"><task>${task}</task></agent>`;
const xml = (...agents: readonly string[]) =>
  `<root><name>Prices</name><agents>${agents.join("")}</agents></root>`;

const FOUR = xml(
  agent("0", "Read the first", { name: "Browser" }),
  agent("1", "Read the second", { name: "Browser", dependsOn: "0" }),
  agent("2", "Compare", { dependsOn: "1" }),
  agent("3", "Say it", { dependsOn: "2" }),
);

interface Scripts {
  readonly plans: readonly string[];
  readonly checks?: readonly object[];
  /** The answer of a worker to its prompt. */
  readonly works?: (prompt: string) => string;
}

/** A run of which the prompts are kept, by the alias of the model that was asked. */
function started(mode: "normal" | "expert", { plans: planned, checks = [], works }: Scripts) {
  const asked: { planner: string[]; checker: string[]; worker: string[] } = {
    planner: [],
    checker: [],
    worker: [],
  };
  const answering = (alias: keyof typeof asked, answer: (prompt: string, at: number) => string) =>
    rules(({ messages }) => {
      const text = messages.map(({ content }) => textsOf(content)).join("\n\n");
      asked[alias].push(text);
      return answer(text, asked[alias].length - 1);
    });
  const models = {
    talker: scripted({
      chat: [{ calls: [{ tool: "handoff", input: { to: "planning_it", task: "Plan it." } }] }],
      conclude: ["8 is less."],
    }),
    planner: answering("planner", (_, at) => planned[Math.min(at, planned.length - 1)] ?? ""),
    checker: answering("checker", (_, at) => JSON.stringify(checks[at] ?? {})),
    worker: answering("worker", works ?? (() => "done")),
  };
  const input = { task: "Compare two prices.", mode };
  return { asked, run: Eko.run(input, { models, store: "memory" }) };
}

function textsOf(content: unknown): string {
  if (typeof content === "string") return content;
  return (content as readonly { readonly text?: string }[]).map(({ text = "" }) => text).join("");
}

/** Answers the question for the plan once the run asks it. */
async function confirm(
  run: ReturnType<typeof started>["run"],
  answer: unknown = { kind: "value", value: true },
) {
  await run.output.catch(({ code }) => expect(code).toBe("M5301"));
  const [question] = run.interrupts;
  await run.answer(question?.id ?? "", answer as never);
  return question;
}

test("E47 the planner is told of each agent that a plan may name, and of nobody else", async () => {
  const { run, asked } = started("normal", { plans: [FOUR] });
  await run.output.catch(() => undefined);
  expect(asked.planner[0]?.slice(asked.planner[0].indexOf("The agents:"))).toMatchInlineSnapshot(`
    "The agents:
    Browser: reads and searches the web (web.*)
    Writer: thinks and writes, with what others found ()

    [handoff from chat]
    Plan it.

    Task: Compare two prices.



    "
  `);
  await run.abort();
});

test("E49 E50 behind its first agent a plan of four becomes another; the check was told what is done and what is not", async () => {
  const other = xml(
    agent("0", "Ask another shop", { name: "Browser" }),
    agent("1", "Say it", { dependsOn: "0" }),
  );
  const { run, asked } = started("expert", {
    plans: [FOUR, other],
    checks: [
      { thought: "the second shop is closed for good", isWrong: true },
      { thought: "", isWrong: false },
    ],
    works: (prompt) => (prompt.includes("Read the first") ? "9 ".repeat(400) : "8"),
  });
  await confirm(run);
  await confirm(run);
  const { plan, results, answer } = await run.output;
  expect(answer).toBe("8 is less.");
  expect(plan.steps.map(({ id, title, depends }) => [id, title, depends])).toEqual([
    ["0", "Read the first", undefined],
    ["0-2", "Ask another shop", ["0"]],
    ["1", "Say it", ["0-2"]],
  ]);
  expect(results).toMatchObject({ "0-2": "8", 1: "8" });
  expect(asked.worker.length).toBe(3);
  expect(asked.planner[1]).toContain("It is planned anew: the second shop is closed for good");
  expect(asked.checker[0]?.slice(asked.checker[0].indexOf("Say whether"))).toMatchInlineSnapshot(`
    "Say whether the rest of this plan still leads to the task, after what came of the agents that are done.
    Task: Compare two prices.
    Plan: <root><name>Prices</name><agents><agent name="Browser" id="0" dependsOn=""><task>Read the first</task></agent><agent name="Browser" id="1" dependsOn="0"><task>Read the second</task></agent><agent name="Writer" id="2" dependsOn="1"><task>Compare</task></agent><agent name="Writer" id="3" dependsOn="2"><task>Say it</task></agent></agents></root>
    Done: 0: 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 
    Not begun: 1, 2, 3"
  `);
});

test("E51 a person edits the plan in the question, and what was edited is what runs", async () => {
  const { run, asked } = started("normal", { plans: [FOUR] });
  await run.output.catch(() => undefined);
  const [question] = run.interrupts;
  expect(question?.question).toBe("Run this plan?");
  const plan = question?.shown as { readonly steps: readonly object[] };
  const edited = { ...plan, steps: plan.steps.slice(0, 1) };
  await run.answer(question?.id ?? "", { kind: "edit", value: edited } as never);
  // An edited plan is shown again, to be accepted.
  await confirm(run, { kind: "approve" });
  const { results } = await run.output;
  expect(results).toEqual({ 0: "done" });
  expect(asked.worker.length).toBe(1);
});

test("E04 E06 while it works it is paused, its plan modified in Eko's XML, and gone on with; what is done stays", async () => {
  const paused = Promise.withResolvers<unknown>();
  const { run, asked } = started("normal", {
    plans: [FOUR],
    works: (prompt) => {
      if (prompt.includes("Read the first")) paused.resolve(run.pause());
      return "done";
    },
  });
  await confirm(run);
  await paused.promise;
  expect(run.status).toBe("paused");
  await run.modify(
    xml(
      agent("0", "Read the first", { name: "Browser" }),
      agent("9", "Say it", { dependsOn: "0" }),
    ),
  );
  await run.resume();
  expect((await run.output).results).toEqual({ 0: "done", 9: "done" });
  expect(asked.worker.length).toBe(2);
});

test("E42 what the planner says before its XML is the first of the thought that a person reads with the plan", async () => {
  const thoughtful = FOUR.replace("<agents>", "<thought>One after the other.</thought><agents>");
  const { run } = started("normal", { plans: [`Two shops have it.\n${thoughtful}`] });
  await run.output.catch(() => undefined);
  expect(run.interrupts[0]?.shown).toMatchObject({
    thought: "Two shops have it.\nOne after the other.",
    steps: [{ id: "0" }, { id: "1" }, { id: "2" }, { id: "3" }],
  });
  await run.abort();
});

test("E41 the plan can be read while it is still coming", async () => {
  const { run } = started("normal", { plans: [FOUR] });
  let text = "";
  const counts: number[] = [];
  for await (const event of run.stream("debug")) {
    if (event.kind === "model.delta" && "text" in event) text += String(event.text);
    counts.push(plans.readEkoSoFar(text).steps.length);
    if (event.kind === "interrupt.opened") break;
  }
  expect(counts.at(-1)).toBe(4);
  expect(counts.toSorted((a, b) => a - b)).toEqual(counts);
  await run.abort();
});
