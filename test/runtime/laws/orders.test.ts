/** L15 without chance: small graphs in every order in which their node runs can finish. */
import { expect, test } from "vitest";
import { exploreOrders, type FinishingOrders } from "../../../runtime/explore/explore-orders.ts";
import { link } from "../../../runtime/scheduler/program/link.ts";
import { graphOf, sampleOf } from "../../support/run-graph.ts";
import { isOrderSensitive } from "./laws.ts";
import { programOf } from "./schedules.ts";
import { scriptedWorld } from "./scripted-world.ts";

const head = `graph Small(n: int = 2) returns log, total {
  state { log: string[] = [] via append
    total: int = 0 via sum }
  run a = f() writes log
  run b = f() writes log
  run c = f() writes log
  run d = f() writes log
  run w(x: int) = f() writes log
`;

const { functions } = scriptedWorld;

function orders(text: string, ordersMax?: number): FinishingOrders {
  const ir = graphOf(text);
  return exploreOrders(
    link(ir),
    { n: 2 },
    {
      output: ({ node, run, view, program }) =>
        program.nodes[run.node]?.ir.kind === "run" && node.length === 1
          ? [`${node}${run.args?.x ?? ""}`]
          : sampleOf(program.nodes[run.node]?.ir, view.prompt ?? ""),
      functions,
      ...(ordersMax === undefined ? {} : { ordersMax }),
    },
  );
}

const small: readonly [string, number, number][] = [
  ["start -> a -> b", 1, 1],
  ["start -> [a, b, c] -> d", 6, 1],
  ["start -> a\nstart -> b -> c\n[a, c] -> d", 3, 1],
  ["start -> each x of [1, 2, 3] { w(x) } -> d", 6, 1],
  ["start -> each x of [1, 2, 3] parallel 2 { w(x) } -> d", 4, 1],
  ["start -> [a, b]\n[a, b] need 1 -> d", 2, 2],
  ["start -> [a, b, c]\nend when log.length > 1", 6, 3],
];

test.each(small)("%s: %i orders, %i ends", (lines, count, ends) => {
  const found = orders(`${head}  ${lines.replaceAll("\n", "\n  ")}\n}`);
  expect([found.orders, found.isComplete, found.ends.length]).toEqual([count, true, ends]);
  expect(found.ends.every(({ status }) => status === "succeeded")).toBe(true);
});

test("an end tells one order that leads to it", () => {
  const { ends } = orders(`${head}  start -> [a, b]\n  [a, b] need 1 -> d\n}`);
  expect(ends.map(({ path, state }) => [path.join(" "), state.log])).toEqual([
    ["a d", ["a", "d"]],
    ["b d", ["b", "d"]],
  ]);
});

test("L15 random programs whose order the checker does not mark have one end, whoever finishes first", () => {
  let looked = 0;
  let all = 0;
  for (let seed = 1; looked < 60; seed += 1) {
    const text = programOf(seed);
    if (isOrderSensitive(graphOf(text))) continue;
    const found = orders(text, 120);
    // What a run that failed had done by then depends on when it failed.
    const ends = new Set(found.ends.map(({ status }) => status));
    if (ends.has("failed")) expect(ends.size, text).toBe(1);
    else expect(found.ends.length, text).toBe(1);
    looked += 1;
    all += found.orders;
  }
  console.log(`orders: ${looked} random programs in ${all} orders`);
  expect(all).toBeGreaterThan(looked);
});
