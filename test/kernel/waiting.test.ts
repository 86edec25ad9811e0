/** A run that waits for an answer, on the command line. */
import { expect, test } from "vitest";
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
