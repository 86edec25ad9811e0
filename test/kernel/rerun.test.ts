/** `madrigal rerun`: a stored run again with its file as it is now. */
import { expect, test } from "vitest";
import { madrigal } from "../support/child.ts";
import { document, put, workspace } from "./calling.ts";

const GRAPH = `import { first, second } from "./steps.ts"
graph Sum(base: int) returns total {
  state {
    one: int = 0
    total: int = 0
  }
  run a = first(base) writes one
  run b = second(one) writes total
  start -> a -> b -> end
}
`;

const steps = (factor: number) => `export const first = (base: number) => base + 1;
export const second = (one: number) => one * ${factor};
`;

test("the plan of a re-run is told before it starts; what is unchanged is served by another process", async () => {
  const home = workspace({ "sum.madrigal": GRAPH, "steps.ts": steps(2) });
  expect((await madrigal(["run", "sum.madrigal", "--input", '{"base": 1}'], { home })).code).toBe(
    0,
  );
  put(home, "steps.ts", steps(3));
  expect(await document(home, ["rerun", "last", "--dry"])).toMatchObject({
    exit: 0,
    json: {
      performs: [{ label: "b#1", why: ["function `second`: code changed"] }],
      saves: { sure: { node_runs: 1 }, maybe: { node_runs: 0 } },
    },
  });
  const { code, stderr, stdout } = await madrigal(["rerun", "last", "--json"], { home });
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { output: { total: 6 } }]);
  expect(stderr).toContain("performed: 1 node run");
  expect((await madrigal(["show", "last"], { home })).stdout).toMatch(
    /^again from: [0-9a-f-]{36}$/m,
  );
});
