/** Simulated people go on where they were when another process goes on with the run. */
import { expect, test } from "vitest";
import { scriptedAnswers } from "../../../runtime/questions/auto-answers.ts";
import { people } from "../../../runtime/questions/simulated-people.ts";
import type { RunParts } from "../../../runtime/run/run-parts.ts";
import { drive } from "../driven-run.ts";

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
