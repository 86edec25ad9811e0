/** What random programs are like: they check, and each construct comes often enough. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Ir } from "../../../dsl/index.ts";
import { arbitraryProgram } from "../../support/arbitrary-program.ts";
import { graphOf } from "../../support/run-graph.ts";

const PROGRAMS = 400;

const flowOf = ({ edges }: Ir) => JSON.stringify(edges);
const nodesOf = ({ nodes }: Ir) => JSON.stringify(nodes);

/** Of how many in a hundred programs this must hold. */
const shares: Readonly<Record<string, readonly [number, (ir: Ir) => boolean]>> = {
  "a join": [30, (ir) => flowOf(ir).includes('"kind":"join"')],
  "an each": [30, (ir) => flowOf(ir).includes('"kind":"each"')],
  "a loop": [20, (ir) => flowOf(ir).includes('"max":')],
  "an each in an each, or a sub-graph": [
    10,
    (ir) => /"kind":"each".*"kind":"each"/.test(flowOf(ir)) || hasKind(ir, "graph"),
  ],
  "a choice": [20, (ir) => flowOf(ir).includes('"kind":"choice"')],
  "a match": [2, (ir) => flowOf(ir).includes('"kind":"match"')],
  "a decision of a node": [8, (ir) => flowOf(ir).includes('"kind":"pick"')],
  "a router": [3, (ir) => hasKind(ir, "router")],
  "an arrow for failures": [5, (ir) => /"on":"(error|limit|deny)"/.test(flowOf(ir))],
  "a wait": [4, (ir) => flowOf(ir).includes('"afterMs":')],
  "a retry": [20, (ir) => nodesOf(ir).includes('"retry":')],
  "a post-condition": [15, (ir) => ir.nodes.some(({ ensures }) => ensures.length > 0)],
  "a limit": [40, (ir) => ir.limit !== undefined || nodesOf(ir).includes('"limit":')],
  "a called graph": [8, (ir) => hasKind(ir, "graph")],
  "a quorum": [2, (ir) => flowOf(ir).includes('"need":')],
  "a message": [2, (ir) => ir.nodes.some(({ tell }) => tell !== undefined)],
  "an approval": [2, (ir) => nodesOf(ir).includes("Sure?")],
  "a sentinel": [2, (ir) => ir.nodes.some(({ every }) => every !== undefined)],
  "an `end when`": [5, (ir) => ir.endWhen.length > 0],
};

function hasKind({ nodes }: Ir, kind: string): boolean {
  return nodes.some((node) => node.kind === kind);
}

test("random programs have no errors, at the median 8 nodes or more, and every construct often enough", () => {
  const irs = fc.sample(arbitraryProgram(), { seed: 5, numRuns: PROGRAMS }).map(graphOf);
  const sizes = irs.map(({ nodes }) => nodes.length).sort((a, b) => a - b);
  const found = Object.entries(shares).map(([what, [least, has]]) => {
    const share = Math.round((100 * irs.filter(has).length) / irs.length);
    return { what, least, share };
  });
  const median = sizes[Math.floor(sizes.length / 2)] ?? 0;
  const report = found.map(({ what, share }) => `${what} ${share} %`).join(", ");
  console.log(`${irs.length} random programs: ${median} nodes at the median; ${report}`);
  expect(median).toBeGreaterThanOrEqual(8);
  expect(found.filter(({ share, least }) => share < least)).toEqual([]);
});
