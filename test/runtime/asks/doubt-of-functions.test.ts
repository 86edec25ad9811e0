/** Functions that act on the world outside, cut off by a crash: nothing of it is done twice without a question. */
import { expect, test } from "vitest";
import { createFunctionPerformer } from "../../../runtime/agents/functions/function.ts";
import type { FunctionContext } from "../../../runtime/agents/functions/function-context.ts";
import type { Scope } from "../../../runtime/agents/scope/scope.ts";
import { command, type DrivenRun, tool } from "../../../runtime/index.ts";
import { innermost } from "../../../runtime/records/records.ts";
import { type DrivenTestRun, drive } from "../driven-run.ts";

/** What a dead process had under way, and what its functions had done by then. */
interface Crash {
  readonly text: string;
  readonly scope: Scope;
  readonly done: readonly string[];
}

const bank = (callee: string, clauses: string) => `import { ${callee.split(".")[0]} } from "./f.ts"
graph Pay(x: string = "rent") returns paid {
  state { paid: string = "" }
  run send = ${callee}(x) writes paid { ${clauses} }
  start -> send -> end
}`;

function plain(): Crash {
  const done: string[] = [];
  const pay = async (x: string) => `${done.push(`paid ${x}`)} ${x}`;
  return { text: bank("pay", "effects external"), scope: { pay }, done };
}

function tools(): Crash {
  const done: string[] = [];
  const bankOf = { pay: tool((x: string) => `${done.push(`paid ${x}`)}`, { effect: "external" }) };
  return { text: bank("bankOf.pay", ""), scope: { bankOf }, done };
}

function called(): Crash {
  const { text, ...rest } = plain();
  const outer = `${text.replace("graph Pay(", "graph Inner(")}
graph Pay() returns paid {
  state { paid: string = "" }
  graph go = Inner() writes paid
  start -> go -> end
}`;
  return { ...rest, text: outer };
}

function inItems(): Crash {
  const done: string[] = [];
  const pay = async (x: string) => `${done.push(`paid ${x}`)}`;
  const text = `import { pay } from "./f.ts"
graph Pay() returns paid {
  state { paid: string[] = [] via append }
  run send(x: string) = pay(x) writes paid { effects external }
  start -> each x of ["a", "b"] parallel 2 { send(x) } -> end
}`;
  return { text, scope: { pay }, done };
}

function orders(): Crash {
  const done: string[] = [];
  const pay = (x: string) => command({ update: { paid: `${done.push(`paid ${x}`)}` } });
  return { text: bank("pay", "effects external"), scope: { pay }, done };
}

function inSteps(): Crash {
  const done: string[] = [];
  const pay = async (x: string, ctx: FunctionContext) => {
    const id = await ctx.step("reserve", () => `${done.push("reserve")}`);
    return await ctx.step("charge", () => `${id} ${x} ${done.push("charge")}`);
  };
  return { text: bank("pay", "effects external"), scope: { pay }, done };
}

function driven({ text, scope }: Crash): DrivenTestRun {
  const does = createFunctionPerformer({ scope: () => scope }).perform;
  return drive(text, { does, goal: "end" });
}

/** The store of a found run gives up the lease of whoever filled it. */
const closed = () => new Promise((resolve) => setImmediate(resolve));

/** What is asked when the run goes on from the first records of its log, and how often which thing was done again before. */
async function goneOn(crash: Crash, count: number) {
  const first = driven(crash);
  await first.run.output;
  const before = crash.done.length;
  const records = first.store.read(first.run.id).slice(0, count).map(innermost);
  const found = first.found(undefined, count);
  await closed();
  await found.resume();
  await found.continue();
  const again = crash.done.slice(before);
  return { found, asked: found.interrupts, again, records };
}

async function lengthOf(make: () => Crash): Promise<number> {
  const straight = driven(make());
  await straight.run.output;
  return straight.store.read(straight.run.id).length;
}

const WAYS = { plain, tools, called, inItems, orders, inSteps };

test.each(Object.entries(WAYS))(
  "%s: wherever the process dies, what was begun outside is asked about and not done again",
  async (_, make) => {
    const length = await lengthOf(make);
    let doubts = 0;
    for (let count = 1; count < length; count += 1) {
      const { asked, again, records, found } = await goneOn(make(), count);
      const begun = records.filter((one) => one.kind === "intent");
      const kinds = new Set(asked.map(({ kind }) => kind));
      // Between its steps the function itself is asked about: it is under way as long as it has not returned.
      const isUnderWay = begun.some(({ id, call }) =>
        records.every((one) => one.kind !== "outcome" || one.id !== id || one.call !== call),
      );
      expect([...kinds], `after ${count}`).toEqual(isUnderWay ? ["doubt"] : []);
      // Another item may begin as long as one is asked about.
      if (isUnderWay && make !== inItems) expect(again, `after ${count}`).toEqual([]);
      doubts += asked.length;
      await found.abort();
    }
    expect(doubts).toBeGreaterThan(0);
  },
);

async function killedIn(make: () => Crash, name: string) {
  const first = driven(make());
  await first.run.output;
  const records = first.store.read(first.run.id).map(innermost);
  const at = records.findIndex((one) => one.kind === "intent" && one.name === name);
  return await goneOn(make(), at + 1);
}

const [approve, happened] = [{ kind: "approve" }, { kind: "value", value: "receipt" }] as const;

async function answered(found: DrivenRun, answer: typeof approve | typeof happened) {
  await found.answer(found.interrupts[0]?.id ?? "", answer);
  return await found.output;
}

test("a function says what it was called with, and goes on as it is told", async () => {
  const { asked, found } = await killedIn(plain, "pay");
  expect(asked).toMatchObject([
    { kind: "doubt", node: "send", shown: { call: "pay", request: ["rent"] } },
  ]);
  expect(await answered(found, happened)).toEqual({ paid: "receipt" });
  const again = await killedIn(plain, "pay");
  expect(await answered(again.found, approve)).toEqual({ paid: "2 rent" });
  expect(again.found.replay()).toMatchObject({ ok: true });
});

test("a command that was recorded before the crash is served from the log", async () => {
  const first = driven(orders());
  await first.run.output;
  const records = first.store.read(first.run.id);
  const count = records.findIndex(({ kind }) => kind === "outcome") + 1;
  const { again, found } = await goneOn(orders(), count);
  expect([again, await found.output]).toEqual([[], { paid: "1" }]);
});

test("of steps only the one under way is in doubt, and the recorded one is served", async () => {
  const { asked, found } = await killedIn(inSteps, "charge");
  expect(asked.map(({ shown }) => shown)).toEqual([{ call: "charge" }]);
  expect(await answered(found, happened)).toEqual({ paid: "receipt" });
});

test("external calls of functions are listed as behind a step", async () => {
  const { run } = driven(plain());
  await run.output;
  expect(run.effectsBehind(0)).toMatchObject([{ node: "send", name: "pay" }]);
});
