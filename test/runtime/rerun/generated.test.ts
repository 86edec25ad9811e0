/** Generated programs, run again with and without an edit: beside a run of the edited program from nothing. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Attempt } from "../../../runtime/performer.ts";
import { readRecorded } from "../../../runtime/rerun/recorded-run.ts";
import { planRerun } from "../../../runtime/rerun/rerun.ts";
import { Serving } from "../../../runtime/rerun/serving.ts";
import type { DrivenRun } from "../../../runtime/run/driven-run.ts";
import { arbitraryGraph } from "../../support/arbitrary-graph.ts";
import { graphOf, sampleOf } from "../../support/run-graph.ts";
import { type DrivenTestRun, drive } from "../driven-run.ts";

interface Watched extends DrivenTestRun {
  /** What each performed attempt was made from, in words. */
  readonly made: readonly string[];
}

/** Runs a text to its end; every output depends on all that the attempt is given. */
async function finished(text: string, more: Parameters<typeof drive>[1] = {}): Promise<Watched> {
  const made: string[] = [];
  const does = (attempt: Attempt) => {
    made.push(wordsOf(attempt));
    return sampleOf(attempt.node, wordsOf(attempt));
  };
  const driven = drive(text, { goal: "end", does, ...more });
  await driven.run.settled();
  return { ...driven, made };
}

function wordsOf({ node, prompt, callArgs }: Attempt): string {
  return JSON.stringify([node.name, prompt ?? null, callArgs ?? null]);
}

function servingOf({ run }: { readonly run: DrivenRun }): Serving {
  const recorded = readRecorded(run.stored);
  const around = () => ({ file: run.ir.source?.file, models: {}, code: {} });
  return new Serving({ recorded, of: { runId: run.id }, around, past: [] });
}

/** What of the second list is not in the first, each as often as it is missing. */
function beyond(first: readonly string[], second: readonly string[]): readonly string[] {
  const left = [...first];
  return second.filter((one) => {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

const edited = (text: string, node: number) =>
  text.replaceAll(`Do n${node} `, `Redo n${node} `).replaceAll(`("n${node}"`, `("n${node} again"`);

test("a generated run again without an edit performs nothing and ends as it did", async () => {
  const property = fc.asyncProperty(arbitraryGraph(), async (text) => {
    const first = await finished(text);
    const again = await finished(text, { serving: servingOf(first) });
    expect(again.made).toEqual([]);
    expect([again.run.state, again.run.status]).toEqual([first.run.state, first.run.status]);
    expect(again.run.replay()).toMatchObject({ ok: true });
  });
  await fc.assert(property, { numRuns: 40 });
});

test("of a generated run with an edited node exactly what the edit reaches is performed, as planned", async () => {
  let reached = 0;
  const property = fc.asyncProperty(
    arbitraryGraph(),
    fc.integer({ min: 1, max: 6 }),
    async (text, node) => {
      const first = await finished(text);
      const now = edited(text, node);
      const fresh = await finished(now);
      const again = await finished(now, { serving: servingOf(first) });
      expect([again.run.state, again.run.status]).toEqual([fresh.run.state, fresh.run.status]);
      expect([...again.made].sort()).toEqual([...beyond(first.made, fresh.made)].sort());
      reached += again.made.length;
      const plan = await planRerun({
        ir: graphOf(now),
        recorded: readRecorded(first.run.stored),
        of: {},
        start: (parts) =>
          drive(now, { goal: "end", serving: servingOf(first), ...(parts && { parts }) }).run,
      });
      for (const { node: name } of plan.performs) expect(name).toBe(`n${node}`);
      const { sure, maybe } = plan.saves;
      const unedited = first.made.filter((words) => !words.startsWith(`["n${node}"`));
      expect(sure.nodeRuns + maybe.nodeRuns).toBe(unedited.length);
    },
  );
  await fc.assert(property, { numRuns: 40 });
  expect(reached).toBeGreaterThan(0);
});
