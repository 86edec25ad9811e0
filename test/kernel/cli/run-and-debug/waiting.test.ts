/** A run that waits for an answer, on the command line. */
import { expect, test } from "vitest";
import { paceProgress } from "../../../../kernel/cli/run/progress.ts";
import { madrigal } from "../../../support/warm/madrigal.ts";
import { document, said, workspace } from "../calling.ts";

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

const two = `import { sentTo } from "./mail.ts"
graph Mail(to: string) returns sent, name {
  state {
    sent: string = ""
    name: string = ""
  }
  human who { ask \`Who signs?\`; writes name }
  run send = sentTo(to) writes sent { approve before }
  start -> who -> send -> end
}
`;

const SENT = "export const sentTo = (to: string): string => `sent to ${to}`;\n";

const planned = `graph Trip(plan: Plan) returns results {
  state { results: Json }
  human boss(step: Step) "signs" { ask step.details }
  graph go = planGraph(plan) writes results
  start -> go -> end
}
`;

test("run --answers answers a person's step of a plan by its name", async () => {
  const plan = {
    task: "go",
    steps: [{ id: "sign-it", title: "Sign", details: "Sign it.", agent: "boss" }],
  };
  const home = workspace({ "trip.madrigal": planned });
  const run = ["run", "trip.madrigal", "--input", JSON.stringify({ plan }), "--quiet"];
  const answered = await said(home, [...run, "--answers", '{"sign_it": "signed"}']);
  expect(answered).toMatch(/^exit 0\n[\s\S]*signed/);
});

test("run --answers answers by node, in words or JSON; --quiet tells the end alone", async () => {
  const home = workspace({
    "mail.madrigal": two,
    "mail.ts": SENT,
    "a.json": '{"who": "Ann", "send": "approve"}',
  });
  const run = ["run", "mail.madrigal", "--input", '{"to": "Bob"}', "--quiet"];
  const answered = await said(home, [...run, "--answers", "@a.json"]);
  expect(answered).toMatch(/^exit 0\n\nsent:\nsent to Bob\n\nname:\nAnn\n/);
  expect(answered).not.toContain("started");
  const denied = await said(home, [
    ...run,
    "--answers",
    '{"who": "Ann", "send": "deny: too late"}',
  ]);
  expect(denied).toContain("too late");
  // Questions without an answer wait as ever.
  expect(await said(home, [...run, "--answers", '{"who": "Ann"}'])).toContain("send asks:");
  const unfit = await said(home, [...run, "--answers", '{"who": 5}']);
  expect(unfit).toContain("error[M5311]: the answer to `who-0` does not fit");
});

test.each([
  ["--answers", "{", "`--answers` is not JSON"],
  ["--answers", "[]", "`--answers` is not a JSON object"],
  ["--answers", "@none.json", "the file of `--answers` can't be read"],
  ["--answers", '{"sned": "approve"}', "no node called `sned`"],
  ["--quiet", "--events", "`--quiet` and `--events` exclude each other"],
])("run %s %s is refused", async (option, value, message) => {
  const home = workspace({ "mail.madrigal": two, "mail.ts": SENT });
  const text = await said(home, ["run", "mail.madrigal", option, value]);
  expect(text).toContain(message);
  expect(text).toMatch(/^exit [12]\n/);
});

test("progress of a tool has one line a second for each node run", () => {
  let now = 0;
  const isDue = paceProgress(() => now);
  const at = (ms: number, label: string) => {
    now = ms;
    return isDue({ kind: "tool.progress", node: "n", label, path: [] } as never);
  };
  const lines = [at(0, "a#1"), at(10, "a#1"), at(20, "b#1"), at(999, "a#1"), at(1_000, "a#1")];
  expect(lines).toEqual([true, false, true, false, true]);
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

test("words that no model of the node can judge are asked of a person, round by round, and never hold by themselves", async () => {
  const home = workspace({
    "watch.madrigal": `import { price } from "./price.ts"
graph Watch() returns prices {
  state { prices: int[] = [] via append }
  run look = price() writes prices { every 1ms until "the price fell" max 5 }
  start -> look -> end
}
`,
    "price.ts": "export const price = (): number => 7;\n",
  });
  const first = await document(home, ["run", "watch.madrigal"]);
  expect(first).toMatchObject({
    exit: 3,
    json: {
      interrupts: [
        {
          kind: "select",
          node: "look",
          question: "`look`: does this hold now? “the price fell”",
          options: [true, false],
          shown: [7],
        },
      ],
    },
  });
  const second = await document(home, ["answer", "last", "look", "no"]);
  expect(second).toMatchObject({ exit: 3, json: { state: { prices: [7] } } });
  const third = await document(home, ["answer", "last", "look", "yes"]);
  expect(third).toMatchObject({ exit: 0, json: { output: { prices: [7, 7] } } });
});

test("a question that time closes says until when it is open, and what comes then: in `run`, `show` and `runs`", async () => {
  const home = workspace({
    "name.madrigal": `graph Name(usual: string) returns name {
  state { name: string }
  human who { ask \`Who?\` within 2h else usual; writes name }
  start -> who -> end
}
`,
    "go.madrigal": `graph Go() returns ok {
  state { ok: boolean = false }
  human sure { ask \`Sure?\` within 2h; writes ok }
  start -> sure -> end
  sure -> end on deny
}
`,
  });
  const open = "open until DATE UTC; then";
  const otherwise = `${open} the answer is "nobody"`;
  const denied = `${open} it is denied, and the arrow \`on deny\` of \`sure\` leads on`;
  const input = '{"usual": "nobody"}';
  expect(await said(home, ["run", "name.madrigal", "--input", input])).toContain(
    `\nwho asks: Who?\n  ${otherwise}\n  madrigal answer RUN who-0 `,
  );
  expect(await said(home, ["show", "last"])).toContain(`\n  ${otherwise}\n`);
  expect(await said(home, ["run", "go.madrigal"])).toContain(`\nsure asks: Sure?\n  ${denied}\n`);
  const list = await said(home, ["runs"]);
  expect(list).toContain(otherwise);
  expect(list).toContain(denied);
  const { json } = await document(home, ["show", "last"]);
  const [question] = json.interrupts as { expires_at: string }[];
  const listed = await document(home, ["runs"]);
  expect(listed.json).toMatchObject({
    runs: [{ status: "waiting", expires_at: question?.expires_at }, { status: "waiting" }],
  });
});

test("run --busy waits for a run of the thread, or ends it; a wrong policy is refused", async () => {
  const home = workspace({
    "wait.madrigal": `graph Wait(text: string) returns talk {
  state thread { talk: string[] = [] via append }
  human reply { ask \`Well?\`; writes talk = [text + result] }
  start -> reply -> end
}
`,
  });
  const run = (text: string, ...more: readonly string[]) =>
    said(home, [
      "run",
      "wait.madrigal",
      "--input",
      JSON.stringify({ text }),
      "--quiet",
      "--thread",
      "t",
      ...more,
    ]);
  expect(await run("a")).toContain("waiting (M5301)");
  expect(await run("b")).toContain("M5350");
  const answered = ["--answers", '{"reply": "fine"}'];
  expect(await run("b", "--busy", "interrupt", ...answered)).toContain("bfine");
  expect(await run("c", "--busy", "queue", ...answered)).toMatch(/bfine[\s\S]*cfine/);
  expect(await run("d", "--busy", "soon")).toContain("none of reject, queue, interrupt, rollback");
  const alone = ["run", "wait.madrigal", "--input", '{"text": "e"}', "--busy", "queue"];
  expect(await said(home, alone)).toContain("`--busy` needs `--thread`");
});
