/** The laws of a run over generated graphs whose nodes have arrows for their failures. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { EdgeIr, Ir } from "../../../dsl/index.ts";
import type { Failure } from "../../../runtime/failure.ts";
import { foldLog } from "../../../runtime/scheduler/fold.ts";
import { shownState } from "../../../runtime/scheduler/lookup.ts";
import { arbitraryGraph } from "../../support/arbitrary-graph.ts";
import { graphOf, ofKind, type Ran, runIr, type Script } from "../../support/run-graph.ts";

const seed = fc.integer({ min: 1, max: 2 ** 31 });
const ir = arbitraryGraph({ functions: ["f", "g"] }).map((text) => withEnds(graphOf(text)));

/** Every node outside of an `each` ends its path when it fails. */
function withEnds(graph: Ir): Ir {
  const ends = graph.nodes
    .filter(({ each }) => each === undefined)
    .map(
      ({ name }): EdgeIr => ({
        from: { kind: "any", nodes: [name] },
        on: "error",
        route: { kind: "to", targets: [{ node: "end", args: [] }] },
      }),
    );
  return { ...graph, edges: [...graph.edges, ...ends] };
}

/** Fails the same nodes in every schedule. */
function failing(of: number): NonNullable<Script["fails"]> {
  const failure: Failure = { class: "tool", code: "M8301", message: "no" };
  return (node) => {
    const hash = [...`${of} ${node}`].reduce(
      (sum, char) => (sum * 31 + char.charCodeAt(0)) >>> 0,
      7,
    );
    return hash % 4 === 0 ? failure : undefined;
  };
}

function run(graph: Ir, of: number, more: Script = {}): Ran {
  return runIr(graph, { seed: of, input: { n: 2 }, fails: failing(of), ...more });
}

test("L2 the log of a run that went on after failures gives its state again", () => {
  fc.assert(
    fc.property(ir, seed, (graph, of) => {
      const { program, records, state } = run(graph, of);
      expect(shownState(program, foldLog(program, records))).toEqual(state);
    }),
    { numRuns: 60 },
  );
});

test("L5 L7 whatever fails, the run comes to an end with nothing under way and no join forgotten", () => {
  let wentOn = 0;
  fc.assert(
    fc.property(ir, seed, (graph, of) => {
      const { records, snapshot } = run(graph, of);
      expect(records.at(-1)?.kind).toBe("end");
      const gone = ofKind(records, "attempt").filter(({ next }) => next === "go-on");
      wentOn += gone.length;
      for (const { id } of gone) expect(snapshot.open.get(id)).toBeUndefined();
      if (snapshot.status === "succeeded") expect([...snapshot.open.values()]).toEqual([]);
    }),
    { numRuns: 60 },
  );
  expect(wentOn).toBeGreaterThan(10);
});

/** A skipped item keeps what its other nodes had committed by then, which is a matter of the schedule. */
const withoutSkips = ir.filter((graph) => !JSON.stringify(graph).includes('"onErrorSkip":true'));

test("L16 a run that dies anywhere and goes on after failures ends as an unbroken one", () => {
  fc.assert(
    fc.property(withoutSkips, seed, (graph, of) => {
      const whole = run(graph, of);
      const broken = run(graph, of, { crashes: 0.05 });
      expect(broken.status).toBe(whole.status);
      // What had committed beside a failure that ends the run is a matter of the schedule.
      if (whole.status === "succeeded") expect(broken.state).toEqual(whole.state);
    }),
    { numRuns: 60 },
  );
});
