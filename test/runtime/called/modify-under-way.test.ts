import { describe, expect, test } from "vitest";
import type { Ir, PlanStep } from "../../../dsl/index.ts";
import { eventReader } from "../../../runtime/events/event-reader.ts";
import type { RunEvent } from "../../../runtime/events/kinds/run-event.ts";
import type { LogRecord } from "../../../runtime/records/records.ts";
import { replayLog } from "../../../runtime/replay/replay.ts";
import { foldLog } from "../../../runtime/scheduler/fold.ts";
import { link } from "../../../runtime/scheduler/program/link.ts";
import { type Does, drive, gate } from "../driven-run.ts";

const team = (clauses = "") => `model m = "rules"
graph Team(task: string) returns results {
  limit 60 steps
  state { plan: Plan\n results: Json }
  agent planner { model m; prompt \`Plan \${task}.\`; writes plan }
  agent worker(step: Step, before: Json) { model m; prompt \`\${step.title} after \${before}\`; ${clauses} }
  graph go = planGraph(plan) writes results
  start -> planner -> go
}`;

const step = (id: string, ...depends: string[]): PlanStep => ({
  id,
  title: `do ${id}`,
  details: "",
  depends,
});

/** `a` ends at once, the others when the test lets them. */
function working(of: { steps: readonly PlanStep[]; clauses?: string; goal?: "begin" | "end" }) {
  const { steps, clauses = "", goal = "end" } = of;
  const gates = new Map<string, ReturnType<typeof gate<string>>>();
  const gateOf = (id: string) => {
    // One that is called off begins at a closed gate again.
    const made = gates.get(id) ?? gate(`${id} done`);
    gates.set(id, made);
    return made;
  };
  const does: Does = ({ node, prompt }, { cancellation }) => {
    if (node.name === "planner") return { steps };
    if (node.name === "a" || prompt?.includes("again") === true) return `${node.name} done`;
    cancellation.signal.addEventListener("abort", () => gates.delete(node.name), { once: true });
    return gateOf(node.name).pass(cancellation.signal);
  };
  return { ...drive(team(clauses), { input: { task: "x" }, does, goal }), gateOf };
}

/** Whoever looks at the log alone sees what the process sees. */
function expectSound({ run, store }: ReturnType<typeof working>) {
  const records = store.read(run.id);
  expect(replayLog(records, { recorded: run.ir }).divergence).toBeUndefined();
  expect(foldLog(link(run.ir), records).status).toBe(run.status);
  return records;
}

describe("steps under way when another plan comes", () => {
  test("go on in the same attempt where the new plan has them just so; only changed ones begin again", async () => {
    const steps = [step("a"), step("b"), step("c", "a")];
    const made = working({ steps });
    const { run, gateOf, performed } = made;
    await gateOf("b").entered;
    await gateOf("c").entered;
    const changed = [...steps.slice(0, 2), { ...step("c", "a"), title: "again" }, step("d", "b")];
    await run.modify({ steps: changed });
    gateOf("b").open();
    await gateOf("d").entered;
    gateOf("d").open();
    expect(await run.output).toEqual({
      results: { a: "a done", b: "b done", c: "c done", d: "d done" },
    });
    expect(performed.toSorted()).toEqual(["a#1", "b#1", "c#1", "c#1", "d#1", "planner#1"]);
    expectSound(made);
  });

  test("the events say who goes on, and end nothing of that", async () => {
    const steps = [step("a"), step("b"), step("c", "a")];
    const made = working({ steps });
    const { run, gateOf } = made;
    await gateOf("b").entered;
    await gateOf("c").entered;
    await run.modify({ steps: steps.slice(0, 2) });
    gateOf("b").open();
    await run.output;
    const records = expectSound(made);
    const told = eventsOf(run.ir, records).flatMap(outline);
    expect(told).toEqual([
      "planner#1 started",
      "planner#1 committed",
      "go#1 started",
      "to a#1,b#1",
      "a#1 started",
      "b#1 started",
      "a#1 committed",
      "c#1 started",
      "c#1 aborted",
      "another plan: a done, b#1 goes on",
      "to b#1",
      "b#1 committed",
      "go#1 committed",
    ]);
    // The plan that took the other one's place has that one's steps before its own.
    const nodes = run.children.map(({ steps: made }) => made.map(({ node }) => node));
    expect(nodes).toEqual([["a"], ["a", "b"]]);
  });

  test("are served what they had called, when the process dies behind the change", async () => {
    const steps = [step("a"), step("b")];
    const made = working({ steps });
    const { run, gateOf, found, performed } = made;
    await gateOf("b").entered;
    await run.modify({ steps: [...steps, step("d", "a")] });
    const { length } = performed;
    const other = found();
    gateOf("b").open();
    gateOf("d").open();
    await other.continue();
    expect(await other.output).toEqual({
      results: { a: "a done", b: "b done", d: "d done" },
    });
    // The same node run in the same attempt: a journal is kept by both.
    expect(performed.slice(length)).toContain("b#1");
    expect(nodeRunsOf("b", await Array.fromAsync(other.stream("events"))).size).toBe(1);
  });

  test("go on while the run is held, and when it was paused", async () => {
    for (const now of [false, true]) {
      const steps = [step("a"), step("b")];
      const made = working({ steps });
      const { run, gateOf, performed } = made;
      await gateOf("b").entered;
      await run.pause({ now });
      await run.modify({ steps: [...steps, step("d")] });
      expect(run.status).toBe("paused");
      await run.resume();
      gateOf("b").open();
      await gateOf("d").entered;
      gateOf("d").open();
      expect(await run.output).toEqual({
        results: { a: "a done", b: "b done", d: "d done" },
      });
      // A pause at once calls off what is in flight; a hold lets it be.
      expect(performed.filter((label) => label === "b#1")).toHaveLength(now ? 2 : 1);
      expect(nodeRunsOf("b", eventsOf(run.ir, expectSound(made))).size).toBe(1);
    }
  });

  test("keep the rounds of a repeated step", async () => {
    const repeated: PlanStep = { ...step("b"), title: "again", repeat: "3 times" };
    const made = working({ steps: [step("a"), repeated], goal: "begin" });
    const { run, gateOf, performed } = made;
    const rounds = () => performed.filter((label) => label.startsWith("b#"));
    while (rounds().length < 2) await run.step();
    expect(run.child("go#1")?.state).toMatchObject({ results: { b: ["b done", "b done"] } });
    await run.modify({ steps: [step("a"), repeated, step("d")] });
    expect(run.child("go#1")?.state).toMatchObject({ results: { b: ["b done", "b done"] } });
    gateOf("d").open();
    await run.continue();
    expect(await run.output).toEqual({
      results: { a: "a done", b: ["b done", "b done", "b done"], d: "d done" },
    });
    expect(rounds()).toEqual(["b#1", "b#2", "b#3"]);
    expectSound(made);
  });

  test("keep the question that they wait for", async () => {
    const steps = [step("a"), step("b")];
    const made = working({ steps, clauses: "approve before `May it?`" });
    const { run, gateOf } = made;
    await expect(run.output).rejects.toMatchObject({ code: "M5301" });
    const asked = run.interrupts.map(({ id }) => id);
    await run.modify({
      steps: [steps[1] as PlanStep, { ...steps[0], title: "again" } as PlanStep],
    });
    gateOf("b").open();
    const [kept] = run.interrupts;
    expect([kept?.node, asked.includes(kept?.id ?? "")]).toEqual(["b", true]);
    await run.answer(kept?.id ?? "", { kind: "approve" });
    await expect(run.output).rejects.toMatchObject({ code: "M5301" });
    const [other, ...more] = run.interrupts;
    expect([other?.node, more]).toEqual(["a", []]);
    await run.answer(other?.id ?? "", { kind: "approve" });
    await run.continue();
    await run.dispose();
    expect(run.state).toMatchObject({ results: { a: "a done", b: "b done" } });
    expectSound(made);
  });
});

function eventsOf(ir: Ir, records: readonly LogRecord[]): readonly RunEvent[] {
  const names = { nodes: [], joins: [], eaches: [] };
  const reader = eventReader({ runId: "r", threadId: "r", graph: "", graphHash: "", ir, names });
  return records.flatMap((record) => reader.read(record));
}

/** The names under which attempts of a node began and ended. */
function nodeRunsOf(node: string, events: readonly RunEvent[]): ReadonlySet<string> {
  const found = events.flatMap((event) =>
    (event.kind === "attempt.started" || event.kind === "commit") && event.node === node
      ? [`${event.nodeRunId}/${event.nodeRun}/${event.attempt}`]
      : [],
  );
  return new Set(found);
}

function outline(event: RunEvent): readonly string[] {
  switch (event.kind) {
    case "attempt.started":
      return [`${event.label} started`];
    case "attempt.finished":
      return event.status === "ok" ? [] : [`${event.label} ${event.status}`];
    case "commit":
      return [`${event.label} committed`];
    case "plan.modified":
      return [`another plan: ${event.done} done, ${event.carriedOver} goes on`];
    case "route.chosen":
      if (event.path === undefined || event.node !== undefined) return [];
      return [`to ${event.to.map(({ label }) => label)}`];
    default:
      return [];
  }
}
