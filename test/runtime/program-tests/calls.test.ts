/** Calls of tools that scripted models make, and what nodes of called graphs say. */
import { expect, test } from "vitest";
import { tool } from "../../../runtime/index.ts";
import { outcome, told } from "./testing.ts";

const teller = (clauses: string) => `graph G(amount: int) {
  state { a: string = "" }
  agent teller { model m; prompt "p"; tools bank.pay, bank.look; writes a; ${clauses} }
  run sorry = text() writes a
  start -> teller -> end
  teller -> sorry on error
}`;
const paid: unknown[] = [];
const input = { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] };
const pay = tool(
  ({ amount }: { readonly amount: number }) => {
    paid.push(amount);
    return { ok: true };
  },
  { effect: "external", description: "Pays.", input },
);
const scope = { bank: { pay }, text: () => "sorry" };

test.each([
  ["with a scripted result", "", 'calls { tool: "bank.look", input: {}, result: [1] }, says "b"'],
  ["of the tool itself", "", 'calls { tool: "bank.pay", input: { amount: amount } }, says "b"'],
  ["with arguments that do not fit", "", 'calls { tool: "bank.pay", input: { n: 1 } }, says "b"'],
  [
    "that is denied",
    "approve tool bank.pay when call.args.amount > 100",
    'calls { tool: "bank.pay", input: { amount: 900 } }, denied "no", says "b"',
  ],
  [
    "that nobody is asked about",
    "approve tool bank.pay when call.args.amount > 100",
    'calls { tool: "bank.pay", input: { amount: 9 } }, denied "no", says "b"',
  ],
  ["of a tool that is not there", "", 'calls { tool: "bank.look" }, says "b"'],
  ["of a tool that the node does not list", "", 'calls { tool: "bank.close" }, says "b"'],
  [
    "past its limit",
    "limit 1 calls",
    'calls { tool: "bank.look", result: 1 }, { tool: "bank.look", result: 2 }, says "b"',
  ],
])("a call %s", async (_what, clauses, line) => {
  paid.length = 0;
  const told_ = await told(
    teller(clauses),
    `given amount = 5\nteller ${line}\nexpect a == "b"`,
    scope,
  );
  expect({ told: told_, paid }).toMatchSnapshot();
});

const nested = `graph Talk(topic: string) returns reply {
  state {
    reply: string = ""
    tries: int = 0 via sum
  }
  agent say { model m; prompt "p"; writes reply; retry 1 }
  human check { ask "Good?"; writes tries }
  start -> say -> check -> end
  say -> check on error
}
graph G() returns a {
  state { a: string = "" }
  graph go = Talk("x") writes a
  run shout = up(a) writes a
  start -> go -> shout -> end
}`;

test.each([
  ["its nodes are scripted", 'go/say says "b"\ngo/check says 1\nexpect a == "B"'],
  ["they fail", 'go/say fails "no", says "c"\ngo/check says 1\nexpect a == "C"'],
  ["its people answer", 'go/say says "b"\ngo/check answers 2\nexpect path go -> shout -> end'],
  ["one has no script", 'go/say says "b"\nexpect a == "B"'],
  ["all of it is scripted", 'go says "d"\nexpect a == "D"'],
])("inside a called graph: %s", async (_what, lines) => {
  expect(await told(nested, lines, { up: (text: string) => text.toUpperCase() })).toMatchSnapshot();
});

test("what tests took of a called graph is counted for that graph", async () => {
  const lines = 'go/say fails "no"\ngo/check says 1\nexpect a == ""';
  const { called } = await outcome(nested, lines, { up: (text: string) => text });
  expect(
    called.map(({ ir, arrows }) => [
      ir.name,
      ...arrows.map(({ from, to, times }) => `${times} ${from} -> ${to}`),
    ]),
  ).toMatchSnapshot();
});

test.each([
  [
    "its arguments and result",
    "toolCalls[0].input.amount == 5 && toolCalls[0].result.ok && toolCalls[0].fails == null",
  ],
  [
    "its tool and node",
    'toolCalls.map(c => c.node + " " + c.tool).join() == "teller bank.pay,teller bank.look"',
  ],
  ["one that failed", 'toolCalls[1].fails.includes("closed") && toolCalls[1].result == null'],
  ["another number of calls", "toolCalls.length == 3"],
  ["the run's, where a field has the name", "run.toolCalls.length == 2"],
])("expectations see of calls %s", async (_what, condition) => {
  const lines = `teller calls { tool: "bank.pay", input: { amount: 5 } }, { tool: "bank.look", input: {}, fails: "closed" }, says "b"`;
  const text = `given amount = 5\n${lines}\nexpect ${condition}`;
  expect(await told(teller(""), text, scope)).toMatchSnapshot();
});

test("expectations see calls of called graphs, denied ones too", async () => {
  const bank = `${teller("approve tool bank.pay when call.args.amount > 100").replace("graph G", "graph Bank")}
graph G(amount: int) {
  graph go = Bank(amount)
  start -> go -> end
}`;
  const lines = `given amount = 900
go/teller calls { tool: "bank.pay", input: { amount: 900 } }, denied "too dear", says "b"
expect toolCalls.length == 1 && toolCalls[0].node == "teller" && toolCalls[0].fails.includes("too dear")`;
  paid.length = 0;
  expect(await told(bank, lines, scope)).toMatchInlineSnapshot(`"ok go end"`);
  expect(paid).toEqual([]);
});

const planned = `graph G() returns results {
  state { plan: Plan  results: Json = {} }
  agent worker(step: Step) "does one" { model m; prompt \`\${step.title}\` }
  run mk = f() writes plan
  graph go = planGraph(plan) writes results
  start -> mk -> go -> end
}`;

test.each([
  [
    "every step",
    'go/a says "w"\ngo/b_1 says results.a == null ? "v" : "x"\nexpect results.a == "w" && results["b-1"] == "v"',
    "ok mk go end",
  ],
  ["a step that fails", 'go/a fails "no"\nexpect status == "failed"', "ok mk"],
  [
    "a step without a script",
    'go/a says "w"\nexpect path mk',
    "M5703 the run came to `go/b_1`, which has no script",
  ],
  [
    "a step that there is not",
    'go/c says "w"\nexpect path mk',
    "M5708 the plan of `go` has no step `c`",
  ],
  ["none of them", "expect path mk", "M5703 the run came to `go`, which has no script"],
])("steps of a plan are scripted by their names: %s", async (_what, lines, found) => {
  const steps = `{ id: "a", title: "A", details: "d" }, { id: "b-1", title: "B", details: "d", depends: ["a"] }`;
  expect(await told(planned, `mk says { steps: [${steps}] }\n${lines}`)).toBe(found);
});

test("a step that the plan does not have is told with the steps that it has", async () => {
  const { faults } = await outcome(
    planned,
    `mk says { steps: [{ id: "a", title: "A", details: "d" }] }\ngo/c says "w"\nexpect path mk`,
  );
  expect(faults).toMatchObject([{ code: "M5708", hint: "its steps are `a`" }]);
});
