import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PlanStep } from "../../../dsl/index.ts";
import { replayLog } from "../../../runtime/replay/replay.ts";
import { foldLog } from "../../../runtime/scheduler/fold.ts";
import { runText, type Says, type Script } from "../../support/run-graph.ts";
import { drive } from "../driven-run.ts";
import { outline } from "./outline.ts";

const TEAM = `model m = "rules"
graph Team(task: string) returns results {
  state { plan: Plan\n results: Json }
  agent planner { model m; prompt \`Plan \${task}.\`; writes plan }
  agent worker(step: Step, before: Json) {
    model m
    prompt \`For \${task}: \${step.title}, after \${before}\`
  }
  graph go = planGraph(plan) writes results
  start -> planner -> go
}`;

const step = (id: string, ...depends: string[]): PlanStep => ({
  id,
  title: `do ${id}`,
  details: "",
  depends,
});

const PROMPT: Says = ({ prompt }) => prompt.replaceAll(/\s+/g, " ");

const DIAMOND = { steps: [step("a"), step("b", "a"), step("c", "a"), step("d", "b", "c")] };

const scripted = (plan: unknown): Script => ({
  input: { task: "x" },
  says: { planner: plan, a: PROMPT, b: PROMPT, c: PROMPT, d: PROMPT },
});

describe("a graph that is made of a plan", () => {
  test("runs its steps as they depend on each other, each with what came before", () => {
    const { state, status } = runText(TEAM, scripted(DIAMOND));
    expect(status).toBe("succeeded");
    expect(state.results).toEqual({
      a: "For x: do a, after {}",
      b: 'For x: do b, after { "a": "For x: do a, after {}" }',
      c: 'For x: do c, after { "a": "For x: do a, after {}" }',
      d: expect.stringContaining("For x: do d, after {"),
    });
  });

  test("E44 begins each step when the last one that it waits for has ended, side by side where it can", () => {
    const { records, parallelMax } = runText(TEAM, { ...scripted(DIAMOND), durationMs: 10 });
    const lines = outline(records).split("\n");
    const at = (text: RegExp) => lines.findIndex((line) => text.test(line));
    expect(at(/start b/)).toBeGreaterThan(at(/commit \d a/));
    expect(Math.max(at(/start b/), at(/start c/))).toBeLessThan(
      Math.min(at(/commit \d b/), at(/commit \d c/)),
    );
    expect(at(/start d/)).toBeGreaterThan(Math.max(at(/commit \d b/), at(/commit \d c/)));
    expect(parallelMax).toBe(2);
  });

  test("E90 keeps the results of parallel steps in the order of the plan", () => {
    const wide = { steps: [step("b"), step("a"), step("d"), step("c")] };
    for (let seed = 0; seed < 20; seed += 1) {
      const { state } = runText(TEAM, { ...scripted(wide), seed });
      expect(Object.keys(state.results as object)).toEqual(["b", "a", "d", "c"]);
    }
  });

  test("M80 a step that is repeated says how: a count runs so often, words are judged, anything else is refused", () => {
    const often = (repeat: unknown) => {
      const plan = { steps: [{ ...step("a"), repeat }] };
      const { records, snapshot } = runText(TEAM, scripted(plan));
      const rounds = outline(records).match(/commit \d a/g)?.length ?? 0;
      return [rounds, snapshot.failure?.message, snapshot.failure?.hint];
    };
    expect(often("3 times")[0]).toBe(3);
    expect(often("every 1h until 2")[0]).toBe(2);
    // Nobody judges here, and words are taken to hold.
    expect(often("every 1h until it is done max 9")[0]).toBe(1);
    const hint =
      "write `3 times`, `every 5m until it is done max 10`, `until the tests pass max 5`, `each of apples, pears`";
    for (const wrong of ["3", "1h", "sometimes", ""]) {
      expect(often(wrong)).toEqual([0, expect.stringContaining("`repeat` of step `a`"), hint]);
    }
    expect(often(3)[1]).toContain("`repeat` of steps[0] is not a text");
  });

  test("M90 what each round of a repeated step came to reaches whoever comes after it", () => {
    const plan = { steps: [{ ...step("a"), repeat: "3 times" }, step("b", "a")] };
    let round = 0;
    const a: Says = () => {
      round += 1;
      return `seen ${round}`;
    };
    const { state } = runText(TEAM, { ...scripted(plan), says: { planner: plan, a, b: PROMPT } });
    expect(state.results).toEqual({
      a: ["seen 1", "seen 2", "seen 3"],
      b: expect.stringMatching(/after .*seen 1.*seen 2.*seen 3/),
    });
  });

  test("does a step as often as it says", () => {
    const often = { steps: [{ ...step("a"), repeat: "3 times" }] };
    const { records } = runText(TEAM, scripted(often));
    expect(outline(records).match(/commit \d a/g)).toEqual([
      "commit 1 a",
      "commit 2 a",
      "commit 3 a",
    ]);
  });

  test("ends after crashes as the unbroken one, folds like its log and replays from it", () => {
    const unbroken = runText(TEAM, scripted(DIAMOND));
    fc.assert(
      fc.property(fc.integer(), fc.double({ min: 0, max: 0.2, noNaN: true }), (seed, crashes) => {
        const { state, status, program, records, snapshot } = runText(TEAM, {
          ...scripted(DIAMOND),
          seed,
          crashes,
          calls: 1,
        });
        expect([status, state]).toEqual(["succeeded", unbroken.state]);
        expect(foldLog(program, records)).toEqual(snapshot);
        expect(replayLog(records, { recorded: program.ir }).divergence).toBeUndefined();
      }),
      { numRuns: 40 },
    );
  });

  test("fields of the calling graph in a prompt have the values of the time of the call", () => {
    const text = TEAM.replace("results: Json }", 'results: Json\n mood: string = "calm" }')
      .replace("writes plan }", 'writes plan; set mood = "glad" }')
      .replace("For ${task}", "${mood}");
    const { state } = runText(text, scripted({ steps: [step("a")] }));
    expect(state.results).toEqual({ a: "glad: do a, after {}" });
  });

  test("E46 a plan for an agent that is not there goes back to whoever wrote it", () => {
    const wrong = { steps: [{ ...step("a"), agent: "nobody" }] };
    const { status, records } = runText(TEAM, {
      ...scripted(DIAMOND),
      says: {
        ...scripted(DIAMOND).says,
        planner: ({ attempt }: { readonly attempt: number }) => (attempt === 1 ? wrong : DIAMOND),
      },
    });
    expect(status).toBe("succeeded");
    const [failed] = records.filter((record) => record.kind === "attempt");
    expect(failed).toMatchObject({
      node: "planner",
      next: "repair",
      failure: {
        code: "M5036",
        message:
          "the plan of `planner` can't run: step `a` is for `nobody`, and `Team` has no such agent",
        feedback:
          "step `a` is for `nobody`, and `Team` has no such agent; its agents: planner, worker",
      },
    });
  });

  test("one that nobody could put right fails the node that runs it", () => {
    const text = TEAM.replace("plan: Plan\n", "plan: Plan = { steps: [] }\n")
      .replace("start -> planner -> go", "start -> go")
      .replace("agent planner { model m; prompt `Plan ${task}.`; writes plan }", "")
      .replace("{ steps: [] }", '{ steps: [{ id: "a", title: "", details: "", depends: ["b"] }] }');
    const { snapshot } = runText(text, { input: { task: "x" } });
    expect(snapshot.failure).toMatchObject({ class: "invalid", code: "M5034" });
  });

  test("is looked into while it runs: its steps, its state, what it is asked", async () => {
    const { run } = drive(TEAM, {
      input: { task: "x" },
      does: ({ node, prompt }) => (node.name === "planner" ? DIAMOND : prompt),
    });
    await run.step();
    expect((await run.step()).nodeRunId).toBe(`${run.id}/1/0`);
    const go = run.child("go#1");
    expect(go?.graph).toBe("TeamPlan");
    expect(go?.state).toEqual({
      results: { a: "For x: do a, after {}", b: null, c: null, d: null },
    });
    await run.continue();
    expect(run.child("go#1")?.status).toBe("succeeded");
    expect(await run.output).toEqual({ results: run.child("go#1")?.output?.results });
  });
});
