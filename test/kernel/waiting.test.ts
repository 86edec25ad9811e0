/** A run that waits for an answer, on the command line. */
import { expect, test } from "vitest";
import { madrigal } from "../support/child.ts";
import { document, said, workspace } from "./calling.ts";

const signoff = `graph Ship() returns ok {
  state { ok: boolean = false }
  human signoff { ask \`Ship it?\`; writes ok }
  start -> signoff -> end
}
`;

test("a run that asks prints its questions and exits 3", async () => {
  const home = workspace({ "ship.madrigal": signoff });
  expect(await said(home, ["run", "ship.madrigal"])).toMatchInlineSnapshot(`
    "exit 3
    signoff#1 started
    signoff#1 asks: Ship it?

    node     runs  time  model calls  tool calls  tokens in  tokens out  cost  model  model source
    signoff     1     -            0           0          0           0    $0  -      -

    run: RUN
    log: HOME/.madrigal/runs.sqlite
    trace: HOME/.madrigal/traces/live-cli.duckdb
    signoff asks: Ship it?
      madrigal answer RUN signoff-0 true
    waiting (M5301): signoff-0"
  `);
});

test("contract: run --json lists the questions of a run that waits", async () => {
  const home = workspace({ "ship.madrigal": signoff });
  const { exit, json } = await document(home, ["run", "ship.madrigal"]);
  expect(exit).toBe(3);
  expect(json).toMatchObject({
    status: "waiting",
    output: null,
    interrupts: [
      {
        id: "signoff-0",
        kind: "select",
        node: "signoff",
        question: "Ship it?",
        schema: { type: "boolean" },
      },
    ],
  });
});

test("a limit of the whole run is asked by the run; `show` says what a run waits for, and how to answer", async () => {
  const home = workspace({
    "count.madrigal": `import { one } from "./one.ts"
graph Count() returns n {
  state { n: int = 0 via sum }
  run count = one() writes n
  limit 2 steps else ask
  start -> count
  count -> count max 5
}
`,
    "one.ts": "export const one = (): number => 1;\n",
  });
  const ran = await said(home, ["run", "count.madrigal"]);
  expect(ran).toContain("\nthe run asks: The run has reached its limit of steps. Go on?\n");
  const found = await madrigal(["runs", "--json"], { home });
  const runId: string = JSON.parse(found.stdout).runs[0].run_id;
  const shown = await said(home, ["show", runId]);
  expect(shown).toContain("the run asks: The run has reached its limit of steps. Go on?");
  expect(shown).toContain("madrigal answer RUN limit-steps-1 approve");
  expect(shown).not.toContain("madrigal resume");
});
