/** `madrigal answer`: what somebody types at a run that waits. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readAnswer } from "../../../../kernel/read-answer.ts";
import type { Interrupt } from "../../../../runtime/index.ts";
import { startMadrigal } from "../../../support/child.ts";
import { madrigal } from "../../../support/warm/madrigal.ts";
import { document, said, workspace } from "../calling.ts";

const ship = {
  "ship.madrigal": `import { pack, send } from "./ship.ts"
graph Ship(what: string) returns sent {
  state {
    packed: string
    sent: string
  }
  run pack = pack(what) writes packed
  run send = send(packed) writes sent { approve before }
  start -> pack -> send -> end
}
`,
  "ship.ts": `import { appendFileSync } from "node:fs";
const did = (what: string) => appendFileSync(new URL("./did.txt", import.meta.url), what + "\\n");
export const pack = (what: string) => { did("pack"); return "box of " + what; };
export const send = (packed: string) => { did("send"); return "sent " + packed; };
`,
};

const input = ["--input", '{"what":"pears"}'];

async function waiting(): Promise<string> {
  const home = workspace(ship);
  const { code } = await madrigal(["run", "ship.madrigal", ...input], { home });
  expect(code).toBe(3);
  return home;
}

test("M113 a person says yes or no in words; what is neither of them leaves the question open", async () => {
  const home = await waiting();
  for (const unclear of ["use your best judgment", "maybe"]) {
    expect(await said(home, ["answer", "last", "send", unclear])).toContain("error[");
    expect((await document(home, ["show", "last"])).json).toMatchObject({ status: "waiting" });
  }
  expect(readFileSync(join(home, "did.txt"), "utf8")).toBe("pack\n");
  expect(await said(home, ["answer", "last", "send", "Yes"])).toContain("sent box of pears");
  const other = await waiting();
  expect(await said(other, ["answer", "last", "send", "No"])).not.toContain("sent box of pears");
  expect(readFileSync(join(other, "did.txt"), "utf8")).toBe("pack\n");
});

test("approved on the command line, the run goes on there to its end", async () => {
  const home = await waiting();
  expect(await said(home, ["answer", "last", "send", "approve"])).toMatchInlineSnapshot(`
    "exit 0
    resumed
    send#1 is told: approve (person)
    send#1 started
    send#1 succeeded TIME

    sent:
    sent box of pears

    node  runs   time  model calls  tool calls  tokens in  tokens out  cost  model  model source
    pack     1 TIME            0           0          0           0    $0  -      -
    send     1 TIME            0           0          0           0    $0  -      -

    run: RUN
    log: HOME/.madrigal/runs.sqlite
    trace: HOME/.madrigal/traces/live-cli.duckdb"
  `);
});

test("what can't be an answer is told, and the question stays open", async () => {
  const home = await waiting();
  expect(await said(home, ["answer", "last", "send", "5"])).toMatchInlineSnapshot(`
    "exit 1
    ! error[M5311]: the answer to \`send-1\` does not fit: it takes \`approve\`, \`deny\`, \`edit\`, not \`value\`
    !   hint: \`send\` asks: Start \`send\`?"
  `);
  expect(await said(home, ["answer", "last", "sned", "approve"])).toMatchInlineSnapshot(`
    "exit 1
    ! error[M5310]: run \`RUN\` does not wait for an answer to \`sned\`
    !   hint: it waits for \`send-1\`"
  `);
  expect(await said(home, ["answer", "last", "send", "edit", "[oops"])).toMatchInlineSnapshot(`
    "exit 2
    ! error[M7104]: what follows \`edit\` is not JSON: [oops
    !   hint: quote it for the shell, as in: 'edit {"to": "Ann"}'"
  `);
  expect(
    await said(home, ["answer", "last", "send", "yes", "--remember", "ever"]),
  ).toMatchInlineSnapshot(`
    "exit 2
    ! error[M7104]: \`--remember ever\` is none of call, run, thread
    !   hint: choose call, run or thread; call is the default"
  `);
  const { json } = await document(home, ["show", "last"]);
  expect(json).toMatchObject({ status: "waiting", interrupts: [{ id: "send-1" }] });
});

test("stored for later, then resumed; a second answer is M5310", async () => {
  const home = await waiting();
  const later = ["answer", "last", "all", "edit", '["box of figs"]', "--later"];
  expect(await said(home, later)).toMatchInlineSnapshot(`
    "exit 0
    stored; it is taken in by: madrigal resume RUN"
  `);
  expect(await said(home, later)).toMatchInlineSnapshot(`
    "exit 1
    ! error[M5310]: somebody has answered \`send-1\` of run \`RUN\` already
    !   hint: the answer is stored, and is taken in when the run goes on"
  `);
  const { exit, json } = await document(home, ["resume", "last"]);
  expect([exit, json.output]).toEqual([0, { sent: "sent box of figs" }]);
});

test("contract: answer prints the run's document, denied here", async () => {
  const home = await waiting();
  const { exit, json } = await document(home, ["answer", "last", "send-1", "deny: too dear"]);
  expect(exit).toBe(1);
  expect(json).toMatchObject({ status: "failed", error: { code: "M5313" } });
  expect(JSON.stringify(json.error)).toContain("too dear");
});

const asked = (more: Partial<Interrupt>): Interrupt => ({
  id: "q-1",
  kind: "approval",
  node: "q",
  nodeRunId: "r/1",
  attempt: 1,
  question: "?",
  ...more,
});

test.each<[string, Partial<Interrupt>, unknown]>([
  ["approve", {}, { kind: "approve" }],
  ["yes", { schema: { type: "boolean" }, kind: "select" }, { kind: "value", value: true }],
  ["no", { schema: { type: "boolean" }, kind: "select" }, { kind: "value", value: false }],
  ["no", {}, { kind: "deny" }],
  ["deny:too dear", {}, { kind: "deny", reason: "too dear" }],
  ["revise shorter, please", {}, { kind: "revise", text: "shorter, please" }],
  ['edit {"a":1}', {}, { kind: "edit", value: { a: 1 } }],
  ["edit:7", {}, { kind: "edit", value: 7 }],
  ["yes", { kind: "input", schema: { type: "string" } }, { kind: "value", value: "yes" }],
  ["value deny", { kind: "input", schema: { type: "string" } }, { kind: "value", value: "deny" }],
  ["blue", { kind: "select", options: ["blue"] }, { kind: "value", value: "blue" }],
  ["7", { kind: "input", schema: { type: "integer" } }, { kind: "value", value: 7 }],
  ["approve", { kind: "limit" }, { kind: "approve" }],
  ["again", { kind: "doubt" }, { kind: "approve" }],
  ["deny: refunded", { kind: "doubt" }, { kind: "deny", reason: "refunded" }],
  ["fail: refunded", { kind: "doubt" }, { kind: "deny", reason: "refunded" }],
  ["happened", { kind: "doubt" }, { kind: "value", value: null }],
  ['happened {"id":7}', { kind: "doubt" }, { kind: "value", value: { id: 7 } }],
])("`%s` said to %j", (text, question, answer) => {
  expect(readAnswer(text, asked(question))).toEqual(answer);
});

test.each([
  ["seven", { kind: "input", schema: { type: "integer" } }],
  ["edit", {}],
  ["edit {a", {}],
  ["revise", {}],
  ["approve this", {}],
  ["approve", { kind: "doubt" }],
  ["yes", { kind: "doubt" }],
  ["no", { kind: "doubt" }],
  ["true", { kind: "doubt" }],
] as const)("`%s` said to %j is no answer", (text, question) => {
  expect(() => readAnswer(text, asked(question))).toThrow(
    expect.objectContaining({ code: "M7104" }),
  );
});

test("who approves all answers no question for a text, unless there is no other", async () => {
  const home = workspace({
    ...ship,
    "ship.madrigal": `import { send } from "./ship.ts"
graph Ship(what: string) returns sent, by {
  state {
    sent: string
    by: string
  }
  run send = send(what) writes sent { approve before }
  human name { ask \`Who sends it?\`; writes by }
  start -> [send, name] -> end
}
`,
  });
  await madrigal(["run", "ship.madrigal", ...input], { home });
  const first = await document(home, ["answer", "last", "all", "approve"]);
  expect([first.exit, first.json.status]).toEqual([3, "waiting"]);
  const second = await document(home, ["answer", "last", "all", "approve"]);
  expect([second.exit, second.json.output]).toEqual([0, { sent: "sent pears", by: "approve" }]);
});

const paying = {
  "pay.madrigal": `import { pay, look } from "./pay.ts"
graph Pay(x: string) returns paid, seen {
  state {
    paid: string
    seen: string
  }
  run send = pay(x) writes paid { effects external }
  run check = look(x) writes seen { approve before }
  start -> [send, check] -> end
}
`,
  "pay.ts": `import { appendFileSync } from "node:fs";
const did = (what: string) => appendFileSync(new URL("./did.txt", import.meta.url), what + "\\n");
export const pay = async (x: string) => {
  did("pay");
  if (process.env.HANGS === "1") await new Promise(() => {});
  return "paid " + x;
};
export const look = (x: string) => x;
`,
};

/** A run whose process was killed while it paid. */
async function killedWhilePaying(): Promise<{ readonly home: string; readonly did: () => string }> {
  const home = workspace(paying);
  const did = () =>
    existsSync(join(home, "did.txt")) ? readFileSync(join(home, "did.txt"), "utf8") : "";
  const child = startMadrigal(["run", "pay.madrigal", "--input", '{"x":"rent"}'], {
    home,
    env: { HANGS: "1" },
  });
  await expect.poll(did, { timeout: 30_000 }).toBe("pay\n");
  child.signal("SIGKILL");
  await child.ended;
  return { home, did };
}

test("who approves all says nothing of whether a call happened, and nothing is paid twice", async () => {
  const { home, did } = await killedWhilePaying();
  const resumed = await document(home, ["resume", "last"]);
  expect([resumed.exit, resumed.json.status]).toEqual([3, "waiting"]);
  const approved = await document(home, ["answer", "last", "all", "approve"]);
  expect([approved.exit, approved.json.status]).toEqual([3, "waiting"]);
  // Nothing else is asked now, and still it is no answer.
  const again = await madrigal(["answer", "last", "all", "approve"], { home });
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("M7104")]);
  expect(did()).toBe("pay\n");
  const told = await document(home, ["answer", "last", "send", 'happened "paid rent"']);
  expect([told.exit, told.json.output]).toEqual([0, { paid: "paid rent", seen: "rent" }]);
  expect(did()).toBe("pay\n");
});

test("a question is answered by its kind, and for the later runs of its thread, not for those of others", async () => {
  const home = workspace(ship);
  const ran = async (thread: string) => {
    const words = ["run", "ship.madrigal", ...input, "--thread", thread];
    return (await madrigal(words, { home })).code;
  };
  expect(await ran("t")).toBe(3);
  const answer = ["answer", "last", "approval", "approve", "--remember", "thread"];
  expect((await madrigal(answer, { home })).code).toBe(0);
  expect([await ran("t"), await ran("u")]).toEqual([0, 3]);
});

test("forked on the command line: its own run from a step, with another value; both are shown", async () => {
  const home = await waiting();
  await madrigal(["answer", "last", "send", "approve"], { home });
  const { stdout } = await madrigal(["show", "last", "--json"], { home });
  const first: string = JSON.parse(stdout).run_id;
  const set = ["--set", '{"packed": "crate of figs"}'];
  const printed = await madrigal(["fork", first, "1", ...set], { home });
  // What it has from the other run is copied, and not performed.
  expect(printed.stdout).toContain("send asks: Start `send`?");
  expect(printed.stdout).not.toContain("pack#1");
  const { exit, json } = await document(home, ["fork", first, "1", ...set]);
  expect([exit, json.status, json.state]).toEqual([3, "waiting", { packed: "crate of figs" }]);
  const answered = await document(home, ["answer", "last", "all", "approve"]);
  expect([answered.exit, answered.json.output]).toEqual([0, { sent: "sent crate of figs" }]);
  const shown = await madrigal(["show", first], { home });
  expect(shown.stdout).toMatch(/branches:\n {2}[\w-]+ from step 1, succeeded/);
  const branch = await madrigal(["show", "last"], { home });
  expect(branch.stdout).toContain(`forked from: ${first.slice(-8)} at step 1`);
  expect((await madrigal(["fork", first, "x"], { home })).code).toBe(2);
  expect((await madrigal(["fork", first, "9"], { home })).stderr).toContain("M5007");
});

test("each of several persons answers by name, and the log says who said what", async () => {
  const home = workspace({
    "pay.madrigal": `graph Pay(sum: int) returns paid {
  state { paid: boolean = false }
  human sign { ask \`Pay \${sum}?\` from ["lead", "security"]; writes paid }
  start -> sign -> end
}
`,
  });
  const { code, stdout } = await madrigal(["run", "pay.madrigal", "--input", '{"sum":9}'], {
    home,
  });
  expect(code).toBe(3);
  expect(stdout).toMatch(/\n {2}each must say yes: lead, security\n.* sign-0 'as lead:' true\n/);
  const answer = (...words: readonly string[]) => said(home, ["answer", "last", "sign", ...words]);
  expect(await answer("yes")).toContain("it must say who of `lead`, `security` answers");
  expect(await answer("as", "bob:", "yes")).toContain("not for `bob`");
  expect(await answer("as lead: yes")).toMatch(
    /^exit 3\nresumed\nsign#1 is told: yes \(as lead\), and asks: Pay 9\?[\s\S]*lead said yes at .*\n.* sign-0 'as security:' true\n/,
  );
  expect(await answer("as", "lead:", "yes")).toContain("`lead` has said yes already");
  const { json: left } = await document(home, [
    "answer",
    "last",
    "sign",
    "as security: yes",
    "--later",
  ]);
  expect(left).toMatchObject({
    interrupts: [{ among: ["lead", "security"], agreed: [{ as: "lead" }] }],
  });
  expect(await said(home, ["resume", "last"])).toContain("sign#1 is told: value (");
  const sql =
    "SELECT status, answer ->> '$.answer.as' AS person FROM interrupts WHERE kind = 'select' ORDER BY seq";
  const { json } = await document(home, ["sql", sql]);
  expect(json).toMatchObject({
    rows: [
      { status: "agreed", person: "lead" },
      { status: "value", person: "security" },
    ],
  });
});

test("an approval by some of its persons: each answer in a process of its own, a no among them", async () => {
  const home = workspace({
    "pay.madrigal": `graph Pay(sum: int) returns paid {
  state { paid: boolean = false }
  graph pay = Book(sum) writes paid { approve before from ["ann", "bob", "cy"] need 2 }
  start -> pay -> end
}
graph Book(sum: int) returns booked {
  state { booked: boolean = false }
  human book { ask "Booked?" from "ann"; writes booked }
  start -> book -> end
}
`,
  });
  const { code, stdout } = await madrigal(["run", "pay.madrigal", "--input", '{"sum":9}'], {
    home,
  });
  expect(code).toBe(3);
  expect(stdout).toContain("\n  2 of 3 must say yes: ann, bob, cy\n");
  const answer = (words: string) => said(home, ["answer", "last", "pay", words]);
  expect(await answer("as bob: deny too dear")).toMatch(
    /pay#1 is told: no \(as bob\), and asks: [\s\S]*2 of 3 must say yes: ann, bob, cy; bob said no at /,
  );
  expect(await answer("as bob: approve")).toContain("`bob` has said no already");
  const { json: left } = await document(home, [
    "answer",
    "last",
    "pay",
    "as cy: approve",
    "--later",
  ]);
  expect(left).toMatchObject({
    interrupts: [{ need: 2, agreed: [], declined: [{ as: "bob" }], among: ["ann", "bob", "cy"] }],
  });
  expect(await said(home, ["resume", "last"])).toContain("pay#1 is told: yes (as cy), and asks: ");
  expect(await answer("as ann: approve")).toContain("book#1 asks: Booked?");
  const sql =
    "SELECT status, answer ->> '$.answer.as' AS person FROM interrupts WHERE kind = 'approval' ORDER BY seq";
  const { json } = await document(home, ["sql", sql]);
  expect(json).toMatchObject({
    rows: [
      { status: "declined", person: "bob" },
      { status: "agreed", person: "cy" },
      { status: "approve", person: "ann" },
    ],
  });
});
