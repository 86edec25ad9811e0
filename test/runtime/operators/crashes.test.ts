/** Operators whose process dies: at each record of their log the run goes on, and nothing is done twice. */
import { expect, test } from "vitest";
import { createOperatorPerformer } from "../../../runtime/agents/operator/operator.ts";
import { type ScriptedController, scriptedController } from "../../../runtime/index.ts";
import { isOutcome } from "../../../runtime/records/controller-values.ts";
import type { LogRecord } from "../../../runtime/records/records.ts";
import { foldLog } from "../../../runtime/scheduler/fold.ts";
import { link } from "../../../runtime/scheduler/program/link.ts";
import { agentStub } from "../../support/agents/agent-stubs.ts";
import { stillClock } from "../agents/fake-context.ts";
import { type DrivenTestRun, drive } from "../driven-run.ts";
import { oneOperator, pastEvents, turnIn } from "./operators.ts";

const turn = {
  steps: [
    { say: "I look first." },
    { tool: "shell", input: { run: "ls" }, result: "a.ts" },
    { garbage: "warning\n" },
    { kind: "state_hint", patch: { patch: "+ hinted" } } as const,
  ],
  says: "+ a line",
};

function driven(agent: ScriptedController, clauses = ""): DrivenTestRun {
  const scope = () => ({ agent });
  const input = { task: "x" };
  return drive(oneOperator(clauses), {
    input,
    goal: "end",
    // Another process has another performer, and the agent behind it is the same.
    does: (attempt, context) =>
      createOperatorPerformer({ scope, clock: stillClock() }).perform(attempt, context),
  });
}

test("A40 A84 a turn that a crash cut off goes on in the same session, wherever it was cut", async () => {
  const straight = driven(scriptedController([turn]));
  expect(await straight.run.output).toEqual({ patch: "+ hinted" });
  const { length } = straight.store.read(straight.run.id);
  for (let count = 1; count < length; count += 1) {
    const agent = scriptedController([turn]);
    const first = driven(agent);
    await first.run.output;
    const records = first.store.read(first.run.id).slice(0, count);
    const last = records.at(-1);
    const before = agent.calls.length;
    const found = first.found(undefined, count);
    await closed();
    await found.resume();
    const isInDoubt = last?.kind === "intent" && last.external === true;
    if (isInDoubt) {
      // Nobody knows whether the session was begun: whoever is asked has it begun again.
      const stop = await found.continue();
      expect([stop.kind, found.interrupts[0]?.kind], `after ${count}`).toEqual([
        "interrupt",
        "doubt",
      ]);
      await found.answer(found.interrupts[0]?.id ?? "", { kind: "approve" });
    }
    expect(await found.output, `after ${count}`).toEqual({ patch: "+ hinted" });
    const since = agent.calls.slice(before);
    const hasBegun = records.some(({ kind }) => kind === "outcome");
    expect(since.filter((call) => call.startsWith("start")).length).toBe(hasBegun ? 0 : 1);
  }
});

/** The store of a found run gives up the lease of whoever filled it. */
function closed(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test.each(
  (["claude_code", "codex", "acp"] as const).flatMap((agent) => [
    { agent, scene: "talks", end: "its last word" },
    { agent, scene: "dies", end: "its loss" },
  ]),
)("A84 a turn of $agent, cut off behind $end, goes on without a question", async (row) => {
  const agent = agentStub(row.agent, row.scene);
  const scope = () => ({ agent });
  const first = drive(oneOperator(), {
    input: { task: "x" },
    goal: "end",
    does: (attempt, context) => createOperatorPerformer({ scope }).perform(attempt, context),
  });
  const settled = ({ output }: typeof first.run) =>
    output.then(
      ({ patch }) => patch,
      ({ code }) => code,
    );
  const straight = await settled(first.run);
  const records = first.store.read(first.run.id);
  const turns = new Set<string>();
  // Once before the end is heard, and behind each record from there on that the attempt has.
  const heard = records.findIndex(isEnd);
  const last = records.findIndex(({ kind }) => kind === "attempt" || kind === "commit");
  for (let count = heard; count <= last; count += 1) {
    const found = first.found(undefined, count);
    await closed();
    const turn = turnIn(pastEvents(found));
    turns.add(turn);
    await found.resume();
    const stop = await found.continue();
    expect(stop.kind === "interrupt", `after ${count} of ${records.length}`).toBe(turn === "open");
    for (const { id } of found.interrupts) await found.answer(id, { kind: "approve" });
    const came = await settled(found);
    if (turn !== "open") expect(came, `after ${count}`).toBe(straight);
  }
  expect([...turns]).toEqual(["open", row.scene === "dies" ? "lost" : "whole"]);
});

/** Returns whether a record has the end of a turn: its last word, or the failure without one. */
function isEnd(record: LogRecord): boolean {
  if (record.kind !== "outcome") return false;
  const { value, failure } = record;
  if (failure !== undefined) return true;
  return isOutcome(value) && value.verb === "next" && value.events.at(-1)?.kind === "completed";
}

test("the log folds to what the run is, sessions among it", async () => {
  const { run, store } = driven(scriptedController([turn]), "session reuse");
  await run.output;
  const folded = foldLog(link(run.ir), store.read(run.id));
  const session = folded.scopes.get(0)?.sessions?.["node code"];
  expect(session).toMatchObject({ controller: "scripted", sessionId: "scripted-1", turn: 1 });
});

test("an agent that can't go on with a turn is lost with its process", async () => {
  const agent = scriptedController([turn], { capabilities: { reattach: false } });
  const first = driven(agent);
  await first.run.output;
  const records = first.store.read(first.run.id);
  const begun = records.findIndex(({ kind }) => kind === "outcome") + 1;
  const found = first.found(undefined, begun);
  await closed();
  await found.resume();
  await expect(found.output).rejects.toMatchObject({ code: "M8502" });
});

const HANDED = `graph Change(task: string) returns patch {
  state { patch: string = "" }
  operator code "changes the files" { controller agent; prompt \`Do \${task}.\`; writes patch; tell review }
  operator review "looks at it" { controller other; prompt \`Look.\`; writes patch }
  limit 20 steps
  start -> code -> review | end
  review -> end
}`;

test("A84 A53 what it has handed over and sent before its turn was over is not lost, wherever a crash cuts it", async () => {
  const turn = {
    steps: [
      { kind: "message_sent", to: "review", payload: "look at line 7" },
      { kind: "handed_over", to: "review", task: "check it" },
      { tool: "shell", input: {}, result: "" },
    ] as const,
    says: "no answer",
  };
  const drivenTwo = (): DrivenTestRun => {
    const agent = scriptedController([turn, turn, turn]);
    const other = scriptedController([{ says: "+ looked at" }, { says: "+ looked at" }]);
    const scope = () => ({ agent, other });
    return drive(HANDED, {
      input: { task: "x" },
      goal: "end",
      does: (attempt, context) =>
        createOperatorPerformer({ scope, clock: stillClock() }).perform(attempt, context),
    });
  };
  const straight = drivenTwo();
  await straight.run.output;
  const { length } = straight.store.read(straight.run.id);
  for (let count = 1; count < length; count += 1) {
    const first = drivenTwo();
    await first.run.output;
    const found = first.found(undefined, count);
    await closed();
    await found.resume();
    if (found.interrupts.length === 0) await found.continue();
    for (const { id } of found.interrupts) await found.answer(id, { kind: "approve" });
    expect(await found.output, `after ${count}`).toEqual({ patch: "+ looked at" });
    expect(
      found.messages.map(({ kind, payload }) => [kind, payload]),
      `after ${count}`,
    ).toEqual([
      ["handoff", { task: "check it" }],
      ["observation", "look at line 7"],
      ["observation", null],
    ]);
    expect(found.steps.map(({ node }) => node)).toEqual(["code", "review"]);
  }
});
