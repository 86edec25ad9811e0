/** Nothing is done twice outside: retries and repairs are served what came back, and calls in doubt ask. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { FailureError } from "../../../runtime/failure.ts";
import { type FunctionContext, scripted, type ToolContext, tool } from "../../../runtime/index.ts";
import type { PerformerContext } from "../../../runtime/performer.ts";
import { replayLog } from "../../../runtime/replay/replay.ts";
import { ofKind } from "../../support/run-graph.ts";
import { type Does, drive } from "../driven-run.ts";
import { failureOf, newSession, runWith } from "../scoped-run.ts";
import { promisesRun } from "../store/fixtures.ts";
import { lines } from "../trace/store.ts";

/** A mail server on this machine: counts what it is sent, by key; loses the connection of the mails that `loses` names. */
async function mailServer(loses: readonly string[] = []) {
  const sent: string[] = [];
  const keys: string[] = [];
  const lost = new Set(loses);
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    sent.push(text);
    keys.push(String(request.headers["idempotency-key"]));
    // The mail is out, and whoever sent it never hears of it.
    if (lost.delete(text)) response.destroy();
    else response.end(`sent ${sent.length}`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const post = async (to: string, { idempotencyKey }: { readonly idempotencyKey: string }) => {
    const headers = { "idempotency-key": idempotencyKey };
    const options = { method: "POST", body: to, headers };
    return await (await fetch(`http://127.0.0.1:${port}/`, options)).text();
  };
  return { sent, keys, post };
}

const input = { type: "object", properties: { to: { type: "string" } }, required: ["to"] };

const agentText = (policy: string) => `model m = "scripted"
graph Send(whom: string) returns n {
  state { n: number = 0 }
  agent send { model m; tools mail.send; prompt \`Write to \${whom}.\`; writes n; ${policy} }
  start -> send -> end
}`;

const mail = (to: string) => ({ tool: "mail.send", input: { to } });

test("a repair is served the calls that came back, each once and in order; what is new is called", async () => {
  const { sent, keys, post } = await mailServer();
  const send = tool(({ to }: { to: string }, context: ToolContext) => post(to, context), {
    effect: "external",
    input,
  });
  const m = scripted([
    { calls: [mail("Ada"), mail("Ada"), mail("Bob")] },
    "no number",
    { calls: [mail("Ada"), mail("Ada"), mail("Ada"), mail("Cid")] },
    "3",
  ]);
  const { run, records, ir } = runWith(
    agentText(""),
    { mail: { send } },
    { models: { m }, input: { whom: "all" } },
  );
  expect(await run.output).toEqual({ n: 3 });
  expect(sent).toEqual(["Ada", "Ada", "Bob", "Ada", "Cid"]);
  expect(new Set(keys).size).toBe(5);
  const results = ofKind(records(), "outcome").filter(({ effect }) => effect === "tool");
  expect(results.map(({ attempt, value, served }) => [attempt, value, served?.call])).toEqual([
    [1, "sent 1", undefined],
    [1, "sent 2", undefined],
    [1, "sent 3", undefined],
    [2, "sent 1", 1],
    [2, "sent 2", 2],
    [2, "sent 4", undefined],
    [2, "sent 5", undefined],
  ]);
  expect(results[3]?.served).toMatchObject({ runId: run.id, attempt: 1 });
  // Served calls cost nothing and count for nothing.
  expect(run.usage.toolCalls).toBe(5);
  expect(replayLog(records(), { recorded: ir }).divergence).toBeUndefined();
});

test("a retry is served them too, and the trace says so", async () => {
  const { sent, post } = await mailServer();
  const send = tool(({ to }: { to: string }, context: ToolContext) => post(to, context), {
    effect: "external",
    input,
  });
  const session = newSession();
  const m = scripted([{ calls: [mail("Ada")] }, { fails: "no" }, { calls: [mail("Ada")] }, "1"]);
  const { run } = runWith(
    agentText("retry 1 on model"),
    { mail: { send } },
    { session, models: { m }, input: { whom: "Ada" } },
  );
  expect(await run.output).toEqual({ n: 1 });
  expect(sent).toEqual(["Ada"]);
  const sql = `SELECT attempt, status, copied FROM tool_calls WHERE run_id = '${run.id}' ORDER BY seq`;
  expect(await lines(await session.traces(), sql)).toBe("1 ok false\n2 ok true");
});

test("a run that is resumed after its failure starts anew: no retry behind that is served what was done before", async () => {
  const { sent, keys, post } = await mailServer();
  const send = tool(({ to }: { to: string }, context: ToolContext) => post(to, context), {
    effect: "external",
    input,
  });
  const before = [
    { calls: [mail("Ada")] },
    { fails: "no" },
    { calls: [mail("Ada")] },
    { fails: "no" },
  ];
  // The first attempt behind the resume comes to no call, the second calls and fails, the third is served that.
  const behind = [
    { fails: "no" },
    { calls: [mail("Ada")] },
    { fails: "no" },
    { calls: [mail("Ada")] },
    "1",
  ];
  const { run, records, ir } = runWith(
    agentText("retry 2 on model"),
    { mail: { send } },
    { models: { m: scripted([...before, { fails: "no" }, ...behind]) }, input: { whom: "Ada" } },
  );
  await expect(run.output).rejects.toMatchObject({ code: "M8110" });
  expect(sent).toEqual(["Ada"]);
  await run.resume();
  expect(await run.output).toEqual({ n: 1 });
  expect(sent).toEqual(["Ada", "Ada"]);
  // Who knows the key would not do it again.
  expect(new Set(keys).size).toBe(2);
  expect(replayLog(records(), { recorded: ir }).divergence).toBeUndefined();
});

test("a function that failed is called again, and its steps that came back are served to the retry", async () => {
  const { sent, keys, post } = await mailServer();
  let attempts = 0;
  const send = async (context: FunctionContext) => {
    attempts += 1;
    const first = await context.step("mail Ada", (step) => post("Ada", step));
    await context.step("mail Bob", async (step) => {
      await post("Bob", step);
      if (attempts === 1) throw new Error("the printer is on fire");
    });
    return first;
  };
  const text = `graph Send() returns done {
  state { done: string }
  run send = send() { writes done; effects external; retry 2 }
  start -> send -> end
}`;
  const { run } = runWith(text, { send });
  expect(await run.output).toEqual({ done: "sent 1" });
  expect(sent).toEqual(["Ada", "Bob", "Bob"]);
  // What failed is the same call again: the server may know it by its key.
  expect(keys[1]).toBe(keys[2]);
  expect(keys[0]).not.toBe(keys[1]);
});

const nodeText = `graph Send() returns done {
  state { done: number }
  tool send = mail.send({ to: "Ada" }) { writes done; retry 2 }
  start -> send -> end
}`;

test("a node whose one call came back is not helped by a retry, unless the call is idempotent", async () => {
  let calls = 0;
  const of = (idempotent: boolean) => ({
    mail: {
      send: tool(
        () => {
          calls += 1;
          return calls < 3 ? "not a number" : calls;
        },
        { effect: "external", idempotent, input },
      ),
    },
  });
  expect(await failureOf(runWith(nodeText, of(false), { unchecked: true }))).toMatchObject({
    code: "M8304",
  });
  expect(calls).toBe(1);
  calls = 0;
  const again = runWith(nodeText, of(true), { unchecked: true });
  expect(await again.run.output).toEqual({ done: 3 });
});

test.each<[string, object, number]>([
  ["asks whether it happened", {}, 1],
  ["is a failure that the model is told of, where the tool is idempotent", { idempotent: true }, 2],
  ["is the same call again, by its key, where the tool is keyed", { keyed: true }, 2],
])("a connection that is lost in the middle of an external call %s", async (_, how, times) => {
  const { sent, keys, post } = await mailServer(["Ada"]);
  const send = tool(({ to }: { to: string }, context: ToolContext) => post(to, context), {
    effect: "external",
    input,
    ...how,
  });
  const m = scripted([
    { calls: [mail("Ada")] },
    ...(times === 1 ? [] : [{ calls: [mail("Ada")] }]),
    "1",
  ]);
  const { run } = runWith(
    agentText(""),
    { mail: { send } },
    { models: { m }, input: { whom: "Ada" } },
  );
  await run.settled();
  if (times === 1) {
    const [asked] = run.interrupts;
    expect(asked).toMatchObject({ kind: "doubt", tool: "mail.send" });
    expect(asked?.question).toContain("Did it happen?");
    await run.answer(asked?.id ?? "", { kind: "value", value: "sent" });
  }
  expect(await run.output).toEqual({ n: 1 });
  expect(sent).toHaveLength(times);
  expect(new Set(keys).size).toBe(1);
});

test("M34 a pause cancels the external call under way, and the question of the resumed run says so", async () => {
  const { promise: called, resolve: isCalled } = Promise.withResolvers<void>();
  let cancelled = false;
  const send = tool(
    (_: unknown, { signal }: ToolContext) =>
      new Promise<never>(() => {
        signal.addEventListener("abort", () => {
          cancelled = true;
        });
        isCalled();
      }),
    { effect: "external", input },
  );
  const m = scripted([{ calls: [mail("Ada")] }, "1"]);
  const { run } = runWith(
    agentText(""),
    { mail: { send } },
    { models: { m }, input: { whom: "Ada" } },
  );
  await called;
  await run.pause({ now: true });
  expect({ cancelled, status: run.status }).toEqual({ cancelled: true, status: "paused" });
  await run.resume();
  await run.settled();
  const [asked] = run.interrupts;
  expect(asked).toMatchObject({ kind: "doubt", tool: "mail.send" });
  expect(asked?.question).toContain("the run was paused, which cancelled the call. Did it happen?");
  await run.answer(asked?.id ?? "", { kind: "value", value: "sent" });
  expect(await run.output).toEqual({ n: 1 });
});

test("after a doubtful end `again` makes the call again with its key, and `fail` ends the run", async () => {
  const answered = async (kind: "approve" | "deny") => {
    const { sent, keys, post } = await mailServer(["Ada"]);
    const send = tool(({ to }: { to: string }, context: ToolContext) => post(to, context), {
      effect: "external",
      input,
    });
    const m = scripted([{ calls: [mail("Ada")] }, "1"]);
    const one = runWith(
      agentText(""),
      { mail: { send } },
      { models: { m }, input: { whom: "Ada" } },
    );
    await one.run.settled();
    await one.run.answer(one.run.interrupts[0]?.id ?? "", { kind });
    await one.run.settled();
    return { ...one, sent, keys };
  };
  const again = await answered("approve");
  expect(await again.run.output).toEqual({ n: 1 });
  expect(again.sent).toHaveLength(2);
  expect(new Set(again.keys).size).toBe(1);
  const failed = await answered("deny");
  expect(await failureOf(failed)).toMatchObject({ class: "denied", code: "M5021" });
  expect(failed.sent).toHaveLength(1);
});

test("a connection that never was leaves no doubt: the model is told", async () => {
  const send = tool(async () => await (await fetch("http://127.0.0.1:9/")).text(), {
    effect: "external",
    input,
  });
  const m = scripted([{ calls: [mail("Ada")] }, "1"]);
  const { run } = runWith(
    agentText(""),
    { mail: { send } },
    { models: { m }, input: { whom: "Ada" } },
  );
  expect(await run.output).toEqual({ n: 1 });
});

test("a kill behind any record of a run with a retry repeats the call in flight at most, and with its key", async () => {
  const text = `graph Send() returns done {
  state { done: string }
  run send = send() { writes done; retry 1 }
  start -> send -> end
}`;
  const made: string[] = [];
  const send = (context: PerformerContext, name: string, to: string) =>
    context.effect<string>({
      effect: "tool",
      name,
      request: { to },
      external: true,
      perform: async (_, _changed, { idempotencyKey }) => {
        made.push(`${name} ${to} ${idempotencyKey}`);
        return { value: `sent to ${to}` };
      },
    });
  const does: Does = async ({ attempt }, context) => {
    await send(context, "mail", "Ada");
    // Two equal ones at once.
    await Promise.all([send(context, "mail", "Bob"), send(context, "mail", "Bob")]);
    if (attempt === 1)
      throw new FailureError({ class: "tool", code: "M8301", message: "the printer burns" });
    return await send(context, "fax", "Cid");
  };
  const whole = drive(text, { does, goal: "end" });
  // The retry waits.
  await whole.clock.advance(60_000);
  expect(await whole.run.output).toEqual({ done: "sent to Cid" });
  const unbroken = made.splice(0);
  expect(unbroken).toHaveLength(4);
  expect(new Set(unbroken).size).toBe(4);
  const records = whole.store.read(whole.run.id);
  for (let kept = 1; kept < records.length; kept += 1) {
    const before = records.slice(0, kept);
    const begun = ofKind(before, "intent").filter(({ served }) => served === undefined);
    const inFlight = begun.length - ofKind(before, "outcome").filter((one) => !one.served).length;
    const run = whole.found(undefined, kept);
    await promisesRun();
    await run.resume();
    for (;;) {
      await whole.clock.advance(60_000);
      const [asked] = run.interrupts;
      if (asked === undefined) break;
      expect(asked.kind).toBe("doubt");
      await run.answer(asked.id, { kind: "approve" });
    }
    expect(await run.output).toEqual({ done: "sent to Cid" });
    // Made by whoever died, and not again; what was under way is made by both, as the same call.
    const after = made.splice(0);
    expect(after).toHaveLength(4 - begun.length + inFlight);
    expect(unbroken).toEqual(expect.arrayContaining(after));
  }
});
