/** Recorded runs as tests of the language: each text is checked and run before it is given back. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { FailureError } from "../../../runtime/failure.ts";
import { Session, scripted, tool } from "../../../runtime/index.ts";
import { arbitraryGraph } from "../../support/arbitrary-graph.ts";
import { drive } from "../driven-run.ts";

const REVIEW = `model m = "rules"
type Verdict = { good: boolean, note: string }
graph Review(task: string) returns patch, rounds {
  state {
    patch: string = ""
    verdict: Verdict = { good: false, note: "" }
    rounds: int = 0 via sum
  }
  defaults { model m }
  agent code { prompt \`Do \${task}: \${verdict.note}\`; writes patch; set rounds = 1; retry 1 }
  agent judge { prompt \`Is this good? \${patch}\`; writes verdict }
  start -> code -> judge -> { verdict.good -> end, else -> code max 2 }
}`;

test("a run with a failure and a loop becomes a test", async () => {
  let tries = 0;
  const { run } = drive(REVIEW, {
    input: { task: "add a flag" },
    goal: "end",
    does: ({ node: { name } }) => {
      tries += 1;
      if (tries === 1)
        throw new FailureError({ class: "transport", code: "M8106", message: "busy" });
      if (name === "code") return `patch ${tries}`;
      return { good: tries > 5, note: 'no "test"' };
    },
  });
  await run.settled();
  expect(await run.toTest({ name: "it comes back" })).toMatchInlineSnapshot(`
    "test "it comes back" of Review {
      given task = "add a flag"
      code fails { class: "transport", message: "busy" }, says "patch 2", "patch 4", "patch 6"
      judge says { good: false, note: "no \\"test\\"" }, { good: false, note: "no \\"test\\"" }, { good: true, note: "no \\"test\\"" }
      expect path code -> judge -> code -> judge -> code -> judge -> end
      expect patch == "patch 6"
      expect rounds == 3
    }
    "
  `);
});

test("a run with a handoff becomes a test, with what was handed over", async () => {
  const session = new Session({ store: "memory", env: { MADRIGAL_HOME: "/nowhere" } });
  const text = `model m = "scripted"
graph Help(question: string) returns answer {
  state { answer: string = "" }
  defaults { model m }
  agent front { prompt \`\${question}\`; writes answer }
  agent expert { prompt \`\${inbox.map(one => one.payload)}\`; writes answer }
  start -> front -> expert | end
}`;
  const calls = [{ tool: "handoff", input: { to: "expert", task: "Prove it." } }];
  const models = { m: scripted({ front: [{ calls }], expert: "Because." }) };
  const run = session.compile(text).Help?.run({ question: "Why?" }, { models });
  await run?.output;
  expect(await run?.toTest({ name: "it is handed over" })).toMatchInlineSnapshot(`
    "test "it is handed over" of Help {
      given question = "Why?"
      front says { goto: "expert", handoff: { task: "Prove it." } }
      expert says "Because."
      expect path front -> expert -> end
      expect answer == "Because."
    }
    "
  `);
  await session.close();
});

test("a test has private values as they were: it could not hold with others", async () => {
  const session = new Session({ store: "memory", env: { MADRIGAL_HOME: "/nowhere" } });
  const text = `graph Note(name: Private<string>) returns line {
  state { line: Private<string> = "" }
  run write = write(name) writes line
  start -> write -> end
}`;
  const scope = { write: (name: string) => `Dear ${name}` };
  const run = session.compile(text, { scope }).Note?.run({ name: "Ada Lovelace" });
  await run?.output;
  expect(await run?.toTest({ name: "a line" })).toContain('given name = "Ada Lovelace"');
});

test("most generated runs become tests", async () => {
  let told = 0;
  const property = fc.asyncProperty(arbitraryGraph(), async (text) => {
    const { run } = drive(text, { goal: "end" });
    await run.settled();
    const made = await run.toTest();
    expect(made).toContain(`of ${run.graph} {`);
    told += 1;
  });
  await fc.assert(property, { numRuns: 30 });
  expect(told).toBe(30);
});

test("a run under way is no test", async () => {
  const { run } = drive(REVIEW, { input: { task: "x" } });
  await expect(run.toTest()).rejects.toMatchObject({ code: "M5454" });
});

const BANK = `model m = "scripted"
graph Sign(amount: int) returns signed {
  state { signed: boolean = false }
  human boss { ask \`Sign \${amount}?\` within 1d; writes signed }
  start -> boss -> end
}
graph Pay(amount: int) returns reply, signed {
  state { reply: string = ""  signed: boolean = false }
  graph sign = Sign(amount) writes signed
  agent teller {
    model   m
    tools   bank.pay
    prompt  \`Pay \${amount}.\`
    writes  reply
    approve tool bank.pay when call.args.amount > 100
  }
  run sorry = apology() writes reply
  start -> sign -> teller -> end
  sign -> sorry on deny
}`;
const bank = {
  bank: {
    pay: tool(async ({ amount }: { amount: number }) => ({ paid: amount }), {
      effect: "external",
      input: { type: "object", properties: { amount: { type: "number" } } },
    }),
  },
  apology: () => "Sorry.",
};

/** The run of the bank, with these answers to what it asks, as a test. */
async function bankTest(
  amount: number,
  answers: readonly (readonly ["approve" | "deny", string] | readonly ["value", unknown])[],
): Promise<string> {
  const session = new Session({ store: "memory", env: { MADRIGAL_HOME: "/nowhere" } });
  const calls = [{ tool: "bank.pay", input: { amount } }];
  const models = { m: scripted({ teller: [{ calls }, "It is done."] }) };
  const run = session.compile(BANK, { scope: bank }).Pay?.run({ amount }, { models });
  if (run === undefined) throw new Error("no graph");
  for (const [kind, value] of answers) {
    await run.settled();
    const [question] = run.interrupts;
    if (question === undefined) throw new Error("nobody is asked");
    if (kind === "value") await run.answer(question.id, { kind, value });
    else await run.answer(question.id, kind === "deny" ? { kind, reason: `${value}` } : { kind });
  }
  await run.settled();
  const text = await run.toTest({ name: "the bank" });
  await session.close();
  return text;
}

test("calls of tools, answers of people and what they deny, also inside called graphs", async () => {
  expect(
    await bankTest(900, [
      ["value", true],
      ["deny", "too much"],
    ]),
  ).toMatchInlineSnapshot(`
    "test "the bank" of Pay {
      given amount = 900
      sign/boss answers true
      teller calls { tool: "bank.pay", input: { amount: 900 } }, says "It is done.", denied "too much"
      expect path sign -> teller -> end
      expect reply == "It is done."
      expect signed == true
    }
    "
  `);
  expect(await bankTest(9, [["value", true]])).toMatchInlineSnapshot(`
    "test "the bank" of Pay {
      given amount = 9
      sign/boss answers true
      teller calls { tool: "bank.pay", input: { amount: 9 }, result: { paid: 9 } }, says "It is done."
      expect path sign -> teller -> end
      expect reply == "It is done."
      expect signed == true
    }
    "
  `);
  expect(await bankTest(9, [["deny", "not today"]])).toMatchInlineSnapshot(`
    "test "the bank" of Pay {
      given amount = 9
      sign/boss denied "not today"
      sorry says "Sorry."
      expect path sorry -> end
      expect reply == "Sorry."
      expect signed == false
    }
    "
  `);
});
