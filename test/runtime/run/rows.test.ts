/** Requirement rows that need a model, its tools and the handle of a run. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Run, type RunEvent, type Session, scripted, tool } from "../../../runtime/index.ts";
import { newSession } from "../scoped-run.ts";

type Script = Parameters<typeof scripted>[0];

interface Started {
  readonly run: Run;
  readonly session: Session;
  readonly events: readonly RunEvent[];
}

function start(text: string, script: Script, scope: object = {}, input = {}): Started {
  const session = newSession();
  const [graph] = Object.values(session.compile(text, { scope: { ...scope } }));
  if (graph === undefined) throw new Error("no graph");
  const run = graph.run(input, { models: { m: scripted(script) } }) as Run;
  const events: RunEvent[] = [];
  run.events$.subscribe((event) => void events.push(event));
  return { run, session, events };
}

const kindsOf = (events: readonly RunEvent[]) => events.map(({ kind }) => kind);

/** What the model of a node was asked each time, as texts. */
const askedOf = (events: readonly RunEvent[], node: string) =>
  events.flatMap((event) =>
    event.kind === "model.request" && event.node === node ? [JSON.stringify(event.request)] : [],
  );

describe("a group chat: a manager, two members, a shared history", () => {
  const text = `model m = "scripted"
graph Chat(task: string) returns said {
  state { said: string[] = [] via append }
  defaults { model m; history none }
  router boss "decides who speaks" { reads said; prompt \`Who speaks next on \${task}?\` }
  agent ann "knows numbers" { prompt \`Task: \${task}. So far: \${said}\`; writes said; tell bob }
  agent bob "knows words" { prompt \`Task: \${task}. So far: \${said}. \${inbox}\`; writes said }
  limit 20 steps
  start -> boss -> ann | bob | end
  ann | bob -> boss
}`;
  const talk = () =>
    start(
      text,
      { boss: ["ann", "bob", "end"], ann: ["it is 42"], bob: ["forty-two"] },
      {},
      { task: "count" },
    );

  test("M04 [SM] the start makes the state and gives the task to all of its members", async () => {
    const { run, events } = talk();
    await run.output;
    expect(events[0]).toMatchObject({
      kind: "run.started",
      input: { task: "count" },
      patches: [{ op: "add", path: ["said"], value: [] }],
    });
    for (const node of ["boss", "ann", "bob"]) expect(askedOf(events, node)[0]).toContain("count");
  });

  test("M05 [SM] what members say to each other are messages, also to whoever listens", async () => {
    const { run, events } = talk();
    await run.output;
    expect(run.messages).toMatchObject([{ sender: "ann", receiver: "bob", payload: "it is 42" }]);
    expect(kindsOf(events).filter((kind) => kind.startsWith("message."))).toEqual([
      "message.sent",
      "message.read",
    ]);
    expect(askedOf(events, "bob")[0]).toContain("it is 42");
  });

  test("M06 [SM] the manager names who speaks, and nobody else is asked", async () => {
    const { run, events } = talk();
    await run.output;
    const chosen = events.flatMap((event) =>
      event.kind === "route.chosen" && event.node === "boss"
        ? [event.to.map(({ node }) => node)]
        : [],
    );
    expect(chosen).toEqual([["ann"], ["bob"], []]);
    const asked = events.flatMap((event) => (event.kind === "attempt.started" ? [event.node] : []));
    expect(asked).toEqual(["boss", "ann", "boss", "bob", "boss"]);
  });

  test("M07 [SM] an answer is in the history before the next one is asked, with what led to it", async () => {
    const { run, events } = talk();
    expect(await run.output).toEqual({ said: ["it is 42", "forty-two"] });
    expect(askedOf(events, "boss").map((asked) => asked.includes("it is 42"))).toEqual([
      ...[false, true, true],
    ]);
    const ofAnn = events.filter((event) => "label" in event && event.label === "ann#1");
    expect(kindsOf(ofAnn).filter((kind) => /^(model.re|attempt|commit)/.test(kind))).toEqual([
      ...["attempt.started", "model.request", "model.response", "attempt.finished", "commit"],
    ]);
  });
});

test("M83 [SM] a judge is told the rules; a round without a real attempt proves nothing, and what can never be met ends the waiting", async () => {
  const text = `model m = "scripted"
graph Watch() returns seen {
  state { seen: string[] = [] via append }
  agent look { model m; prompt \`Look.\`; writes seen; every 1ms until "the shop is open" by m max 9 }
  start -> look -> end
}`;
  const verdict = (reason: string, error_encountered: boolean) => ({
    reason,
    condition_met: true,
    sleep_duration_reason: "",
    sleep_duration: 0,
    error_encountered,
  });
  const { run, events } = start(text, {
    look: ["a login is asked for", "closed for good"],
    "look.judge": [verdict("a login", true), verdict("it can never open again", false)],
  });
  expect(await run.output).toEqual({ seen: ["a login is asked for", "closed for good"] });
  const [first = ""] = askedOf(events, "look").filter((asked) =>
    asked.includes("the shop is open"),
  );
  for (const rule of ["It must hold now", "a captcha", "can never be met any more"])
    expect(first).toContain(rule);
});

test("M85 [SM] each round of a sentinel is asked anew: its goal, the instruction as it is then, and which round it is", async () => {
  const text = `model m = "scripted"
graph Watch(goal: string) returns seen {
  state { seen: string[] = [] via append  instruction: string = "look closely" }
  agent look {
    model m
    prompt \`Goal: \${goal}. Instruction: \${instruction}. This is round \${run.round}.\`
    writes seen
    every 1ms until 3
    set instruction = \`after \${seen.length}\`
  }
  start -> look
}`;
  const { run, events } = start(text, { look: ["a", "b", "c"] }, {}, { goal: "find it" });
  await run.output;
  const prompts = askedOf(events, "look").map((asked) => /Goal: [^"\\]*/.exec(asked)?.[0]);
  expect(prompts).toEqual([
    "Goal: find it. Instruction: look closely. This is round 1.",
    "Goal: find it. Instruction: after 1. This is round 2.",
    "Goal: find it. Instruction: after 2. This is round 3.",
  ]);
});

describe("E92 errors of three levels: a tool's, an agent's, the task's", () => {
  const text = (more: string, flow = "start -> work") => `model m = "scripted"
graph G returns note {
  state { note: string = "" }
  agent work { model m; tools look; prompt "work"; writes note; ${more} }
  run mend = mended() writes note
  limit 9 steps
  ${flow}
}`;
  const call = { calls: [{ tool: "look", input: {} }] };
  const broken = tool(
    () => {
      throw new Error("no network");
    },
    { effect: "none", input: { type: "object" } },
  );
  const scope = { look: broken, mended: () => "mended" };
  const errorsOf = (events: readonly RunEvent[]) =>
    events.flatMap((event) => {
      if (event.kind === "tool.result" && event.failure !== undefined)
        return [`tool ${event.tool}`];
      if (event.kind === "attempt.finished" && event.status !== "ok")
        return [`agent ${event.next}`];
      return event.kind === "run.finished" && event.status === "failed" ? ["task"] : [];
    });

  test.each<[string, string, string | undefined, Script, string, readonly string[]]>([
    [
      "a tool's is told to its agent",
      "",
      undefined,
      { work: [call, "done"] },
      "succeeded",
      ["tool look"],
    ],
    [
      "an agent's is tried again",
      "retry 1",
      undefined,
      { work: [{ fails: "tired" }, "done"] },
      "succeeded",
      ["agent retry"],
    ],
    [
      "or leads along its arrow",
      "",
      "start -> work\n  work -> mend on error",
      { work: [{ fails: "tired" }] },
      "succeeded",
      ["agent go-on"],
    ],
    [
      "what nobody takes is the task's",
      "",
      undefined,
      { work: [{ fails: "tired" }] },
      "failed",
      ["agent fail", "task"],
    ],
  ])("E92 [SM] %s", async (_, more, flow, script, status, errors) => {
    const { run, events } = start(text(more, flow), script, scope);
    await Promise.allSettled([run.output]);
    expect(run.status).toBe(status);
    expect(errorsOf(events)).toEqual(errors);
  });
});

test("E102 [SM] every event of a node leads to its agent, with what that has around it", async () => {
  const text = `model m = "scripted"
graph Outer(topics: string[]) returns all {
  state { all: string[] = [] via append }
  agent work(topic: string) { model m; prompt \`Do \${topic}\`; writes all; state { seen: int = 0 } set seen = seen + 1 }
  graph go = Inner() writes all
  start -> each topic of topics { work(topic) } -> go
}
graph Inner() returns found {
  state { found: string[] = [] via append }
  agent find { model m; prompt "Find"; writes found }
  start -> find
}`;
  const script = { work: ["one", "two"], find: ["three"] };
  const { run, events } = start(text, script, {}, { topics: ["a", "b"] });
  await run.output;
  let agents = 0;
  for (const event of events) {
    if (!("label" in event) || event.kind === "model.delta") continue;
    const id = [...(event.path ?? []), event.label].join(" › ");
    const agent = run.agent(id);
    expect([agent.node, agent.context.agent_id]).toEqual([event.node, agent.id]);
    agents += 1;
  }
  expect(agents).toBeGreaterThan(15);
  expect(run.agent("work#2").state).toEqual({ seen: 1 });
  expect(run.agent("go#1 › find#1").context.outputs).toEqual(["three"]);
});

/** A small world behind HTTP on this machine: a counter that wants to be at `goal`. */
async function world(goal: number, step = 1) {
  let count = 0;
  const server = createServer((request, response) => {
    if (request.url === "/increase") count += step;
    response.end(JSON.stringify({ count, solved: count === goal }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const ask = async (path: string) => (await fetch(`http://127.0.0.1:${port}/${path}`)).json();
  const input = { type: "object" } as const;
  return {
    increase: tool(() => ask("increase"), { effect: "workspace", input }),
    look: tool(() => ask("look"), { effect: "none", input }),
  };
}

describe("state routing: act, look at what came of it, plan again", () => {
  const text = `model m = "scripted"
graph Route(goal: string) returns status, observation {
  state {
    plan: string[] = ["increase", "increase", "increase", "increase", "increase", "increase"]
    current_step: int = 0
    observation: string[] = [] via append
    status: "in progress" | "completed" = "in progress"
  }
  defaults { model m; history none }
  agent actor {
    tools env.increase, env.look
    prompt \`Carry out step \${current_step} of \${plan} with one tool call.\`
    writes observation
    set current_step = current_step + 1
  }
  agent analyst { prompt \`Goal: \${goal}. Observations: \${observation}\`; writes status }
  limit 20 steps
  start -> actor -> analyst -> { status == "in progress" -> actor, else -> end }
}`;
  const act = [{ calls: [{ tool: "env_increase", input: {} }] }, "done"];
  const judged = (rounds: number) =>
    Array.from({ length: rounds }, (_, at) => (at + 1 === rounds ? "completed" : "in progress"));

  test("S14 [SM] who acts reads the plan and the step, calls the tool, and says what came of it", async () => {
    const env = await world(1);
    const { run, events } = start(
      text,
      { actor: act, analyst: ["completed"] },
      { env },
      { goal: "1" },
    );
    expect(await run.output).toMatchObject({ observation: ["done"], status: "completed" });
    expect(run.state).toMatchObject({ current_step: 1 });
    expect(askedOf(events, "actor")[0]).toContain("Carry out step 0 of");
    const called = events.filter(({ kind }) => kind === "tool.result");
    expect(called).toMatchObject([{ tool: "env.increase", value: { count: 1, solved: true } }]);
  });

  test("S24 [SM] a counter is solved in six actions", async () => {
    const env = await world(6);
    const script = { actor: Array(6).fill(act).flat(1), analyst: judged(6) };
    const { run, events } = start(text, script, { env }, { goal: "six" });
    expect(await run.output).toMatchObject({ status: "completed" });
    expect(run.state).toMatchObject({ current_step: 6 });
    const values = events.flatMap((event) => (event.kind === "tool.result" ? [event.value] : []));
    expect(values.at(-1)).toEqual({ count: 6, solved: true });
    expect(values).toHaveLength(6);
  });

  test("S24 [SM] one that can't be solved ends at its limit, not as solved", async () => {
    const env = await world(7, 2);
    const script = { actor: Array(12).fill(act).flat(1), analyst: Array(12).fill("in progress") };
    const { run } = start(text, script, { env }, { goal: "seven" });
    await expect(run.output).rejects.toMatchObject({ code: "M5010" });
    expect([run.status, run.reason, run.steps.length]).toEqual(["failed", "limit:steps", 20]);
  });
});

describe("W55 an agent that may acts on the run it is part of", () => {
  const text = (tools: string) => `model m = "scripted"
graph G returns a, b {
  state { a: string = ""  b: string = "" }
  defaults { model m }
  agent first { ${tools}; prompt "first"; writes a }
  agent second { prompt "second"; writes b }
  start -> first -> second
}`;
  const calls = (name: string, input: Readonly<Record<string, string>>) => ({
    calls: [{ tool: name, input }],
  });

  test("W55 [SM] `run.steer` tells the others something", async () => {
    const script = {
      first: [calls("run_steer", { text: "Hurry", to: "second" }), "x"],
      second: ["y"],
    };
    const { run, events } = start(text("tools run.steer"), script);
    await run.output;
    const heard = events.flatMap((event) => (event.kind === "message.read" ? [event.node] : []));
    expect([heard, run.messages]).toMatchObject([["second"], []]);
    expect(events).toContainEqual(expect.objectContaining({ kind: "run.steered" }));
    expect(run.replay()).toMatchObject({ ok: true });
  });

  test("W55 [SM] `run.pause` holds it for people", async () => {
    const script: Script = {
      first: [calls("run_pause", { reason: "look at this" }), "x"],
      second: ["y"],
    };
    const { run } = start(text("tools run.pause"), script);
    await run.continue();
    expect([run.status, run.reason, run.isHeld]).toEqual(["paused", "look at this", true]);
    await run.continue();
    expect(await run.output).toEqual({ a: "x", b: "y" });
  });

  test("W55 [SM] who does not list it has no such tool", async () => {
    const script: Script = { first: [calls("run_pause", {}), "x"], second: ["y"] };
    const { run } = start(text("tools run.steer"), script);
    await expect(run.output).rejects.toMatchObject({
      code: "M8122",
      message: "the script calls `run_pause`, and `first` has no such tool",
      hint: "it has `run.steer`",
    });
  });
});
