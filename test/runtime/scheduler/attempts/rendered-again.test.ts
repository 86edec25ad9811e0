/** A node run is what the log says: its prompt can be made again from that alone. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { attemptView } from "../../../../runtime/scheduler/attempts/attempt-view.ts";
import { foldLog } from "../../../../runtime/scheduler/fold.ts";
import { link } from "../../../../runtime/scheduler/program/link.ts";
import { arbitraryGraph } from "../../../support/arbitrary-graph.ts";
import { graphOf, sampleOf } from "../../../support/run-graph.ts";
import { simulate } from "../../../support/simulation/simulated-driver.ts";

test("W54 every prompt is rendered again from the log up to its start, whoever else was at work", () => {
  fc.assert(
    fc.property(arbitraryGraph(), fc.integer({ min: 1, max: 2 ** 31 }), (text, seed) => {
      const seen = new Map<string, unknown>();
      const program = link(graphOf(text));
      const { records } = simulate(
        program,
        { n: 2 },
        {
          seed,
          output: ({ run, view, attempt }) => {
            seen.set(`${run.id}/${attempt}`, view);
            return sampleOf(program.nodes[run.node]?.ir, view.prompt ?? "");
          },
        },
      );
      for (const [index, record] of records.entries()) {
        if (record.kind !== "start") continue;
        const snapshot = foldLog(program, records.slice(0, index + 1));
        const run = snapshot.open.get(record.id);
        const before = seen.get(`${record.id}/${record.attempt}`);
        if (run === undefined || before === undefined) continue;
        expect(attemptView(program, snapshot, run)).toEqual(before);
      }
    }),
    { numRuns: 60 },
  );
});
