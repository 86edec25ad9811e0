/** Operators whose process dies: at each record of their log the run goes on, and nothing is done twice. */
import { expect, test } from "vitest";
import { createOperatorPerformer } from "../../../runtime/agents/operator/operator.ts";
import { type ScriptedController, scriptedController } from "../../../runtime/index.ts";
import { foldLog } from "../../../runtime/scheduler/fold.ts";
import { link } from "../../../runtime/scheduler/program/link.ts";
import { stillClock } from "../agents/fake-context.ts";
import { type DrivenTestRun, drive } from "../driven-run.ts";
import { oneOperator } from "./operators.ts";

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
