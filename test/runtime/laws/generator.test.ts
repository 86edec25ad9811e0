/** What random programs are like: they check, they are large enough, and everything of the language comes in them. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Ir } from "../../../dsl/index.ts";
import { arbitraryProgram } from "../../support/arbitrary-program.ts";
import { wanted } from "../../support/programs/constructs.ts";
import { constructsIn } from "../../support/programs/constructs-in.ts";
import { graphOf } from "../../support/run-graph.ts";

const PROGRAMS = 600;

const irs = fc.sample(fc.noBias(arbitraryProgram()), { seed: 5, numRuns: PROGRAMS }).map(graphOf);
const drawn = irs.map(constructsIn);

/** Of how many in a hundred programs something holds. */
function share(holds: (ir: Ir, constructs: ReadonlySet<string>) => boolean): number {
  const many = irs.filter((ir, index) => holds(ir, drawn[index] ?? new Set())).length;
  return Math.round((1000 * many) / irs.length) / 10;
}

const has = (...names: readonly string[]) =>
  share((_, constructs) => names.some((name) => constructs.has(name)));

test("random programs are as large, as wide and as deep as they must be", () => {
  const sizes = irs.map(({ nodes }) => nodes.length).sort((a, b) => a - b);
  const median = sizes[Math.floor(sizes.length / 2)] ?? 0;
  const shares = {
    "a join": [30, has("from join")],
    "an each": [30, has("route each")],
    "a loop": [20, has("hop max")],
    "an each in an each, or a sub-graph": [10, has("each in an each", "node graph")],
  } as const;
  const told = Object.entries(shares).map(([what, [, found]]) => `${what} ${found} %`);
  console.log(`${irs.length} random programs: ${median} nodes at the median; ${told.join(", ")}`);
  expect(median).toBeGreaterThanOrEqual(8);
  for (const [what, [least, found]] of Object.entries(shares))
    expect(found, what).toBeGreaterThanOrEqual(least);
});

test("every construct of the language comes in random programs, but those with a reason not to", () => {
  const shares = wanted().map((name) => [name, has(name)] as const);
  console.log(`of 100 programs: ${shares.map(([name, found]) => `${name} ${found}`).join(", ")}`);
  const never = shares.filter(([, found]) => found === 0).map(([name]) => name);
  expect(never).toEqual([]);
});
