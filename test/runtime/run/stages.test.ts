/** Research in stages: what is approved of one becomes the memory of the next, and what is no result is not put to anybody. */
import { expect, test } from "vitest";
import { type Run, scripted } from "../../../runtime/index.ts";
import { failureOf, runWith } from "../scoped-run.ts";

const STAGES = `model m = "scripted"
type Note = { kind: "open" | "locked" | "assumed" | "rejected", text: string }
graph Research(topic: string) returns memory, ledger {
  state {
    memory: string[] = [] via append
    ledger: Note[] = [] via append
  }
  defaults {
    model  m
    system \`Memory:
\${memory.map((one, at) => (at + 1) + ". " + one).join("\\n")}
Locked: \${ledger.filter(one => one.kind == "locked").map(one => one.text).join("; ")}
Open: \${ledger.filter(one => one.kind == "open").map(one => one.text).join("; ")}
Assumed: \${ledger.filter(one => one.kind == "assumed").map(one => one.text).join("; ")}
Rejected: \${ledger.filter(one => one.kind == "rejected").map(one => one.text).join("; ")}\`
    approve after
  }
  agent survey { prompt \`Survey \${topic}.\`; writes memory, ledger }
  agent plan { prompt \`Plan the experiment.\`; writes memory, ledger }
  agent report { prompt \`Report.\`; writes memory, ledger }
  start -> survey -> plan -> report -> end
}`;

const stage = (memory: string, ...ledger: readonly (readonly [kind: string, text: string])[]) => ({
  memory,
  ledger: ledger.map(([kind, text]) => ({ kind, text })),
});

/** The system prompts of a run's calls of models, as they come. */
function systemPromptsOf(run: Run): readonly string[] {
  const prompts: string[] = [];
  run.events$.subscribe((event) => {
    if (event.kind === "model.request") prompts.push(String(messagesOf(event.request)[0]?.content));
  });
  return prompts;
}

function messagesOf(request: unknown): readonly { readonly content: unknown }[] {
  return (request as { readonly messages: readonly { readonly content: unknown }[] }).messages;
}

async function answered(run: Run, answer: Parameters<Run["answer"]>[1]): Promise<void> {
  await run.continue();
  await run.answer(run.interrupts[0]?.id ?? "", answer);
}

test("A98 [golden prompt] a stage reads the summaries and decisions that were approved, and no draft that was sent back", async () => {
  const m = scripted({
    survey: [
      stage("A draft nobody wanted.", ["locked", "use a simulator"]),
      stage("Three papers.", ["locked", "use real data"], ["open", "which metric?"]),
    ],
    plan: [
      stage("Ten seeds.", ["rejected", "one long run"], ["assumed", "noise is normal"]),
      stage("Twenty seeds.", ["assumed", "noise has fat tails"]),
    ],
    report: [stage("It held."), stage("It held twice.")],
  });
  const { run } = runWith(STAGES, {}, { models: { m }, input: { topic: "drift" } });
  const prompts = systemPromptsOf(run);
  await answered(run, { kind: "revise", text: "read more" });
  await answered(run, { kind: "approve" });
  await answered(run, { kind: "approve" });
  await answered(run, { kind: "approve" });
  expect(prompts.at(-1)?.split("\n\n")[0]).toMatchInlineSnapshot(`
    "Memory:
    1. Three papers.
    2. Ten seeds.
    Locked: use real data
    Open: which metric?
    Assumed: noise is normal
    Rejected: one long run"
  `);
  const whole = { memory: ["Three papers.", "Ten seeds.", "It held."] };
  expect(await run.output).toMatchObject(whole);
  // Back to behind the survey: the memory is that of the stages that stay, and the plan is made anew.
  await run.rewind(1);
  expect(run.state).toMatchObject({ memory: ["Three papers."] });
  const later = systemPromptsOf(run);
  await run.resume();
  await answered(run, { kind: "approve" });
  await answered(run, { kind: "approve" });
  expect(later.at(-1)).toContain(
    "2. Twenty seeds.\nLocked: use real data\nOpen: which metric?\nAssumed: noise has fat tails\nRejected: \n",
  );
});

const placeholder = /\b(?:TODO|TBD|lorem ipsum)\b|\[(?:insert|your)\b[^\]]*\]/i;
const notDone = /\bexperiments? (?:was |were )?(?:blocked|not (?:executed|run))\b/i;
const validators = {
  isWritten: (text: string) => !placeholder.test(text),
  hasHeadings: (text: string) =>
    ["# Method", "# Result"].every((one) => text.split("\n").includes(one)),
  isDone: (text: string) => !notDone.test(text),
};

const VALIDATED = `model m = "scripted"
graph Stage() returns report {
  state { report: string }
  agent write {
    model m
    prompt \`Write the report.\`
    writes report
    ensure isWritten(result) "a placeholder is no text"
    ensure hasHeadings(result) "it needs the headings Method and Result"
    ensure isDone(result) "an experiment that was not run is no result"
    approve after
  }
  start -> write -> end
}`;

const WHOLE = "# Method\nTen seeds.\n# Result\nIt held.";

test.each([
  ["a placeholder", "# Method\nTODO\n# Result\nIt held.", "a placeholder is no text"],
  ["a gap", "# Method\n[your method here]\n# Result\nIt held.", "a placeholder is no text"],
  [
    "a missing heading",
    "# Method\nTen seeds.\nResult: it held.",
    "it needs the headings Method and Result",
  ],
  [
    "a blocked experiment",
    "# Method\nTen seeds.\n# Result\nThe experiment was blocked.",
    "an experiment that was not run is no result",
  ],
])(
  "A99 [SM] %s is no result: the agent is told, and a person is asked about a whole one alone",
  async (_what, wrong, reason) => {
    const m = scripted({ write: [wrong, WHOLE] });
    const { run } = runWith(VALIDATED, validators, { models: { m } });
    const requests: string[] = [];
    run.events$.subscribe((event) => {
      if (event.kind === "model.request") requests.push(JSON.stringify(messagesOf(event.request)));
    });
    await answered(run, { kind: "approve" });
    expect(await run.output).toEqual({ report: WHOLE });
    expect([requests.length, requests[0]?.includes(reason), requests[1]]).toEqual([
      2,
      false,
      expect.stringContaining(reason),
    ]);
  },
);

test("A99 [SM] a stage whose text is never whole fails, and its text is put to nobody", async () => {
  const m = scripted({ write: ["TODO", "TODO", "TODO", "TODO", "TODO"] });
  const { run } = runWith(VALIDATED, validators, { models: { m } });
  expect(await failureOf({ run })).toMatchObject({ class: "invalid" });
  expect(run.interrupts).toEqual([]);
});
