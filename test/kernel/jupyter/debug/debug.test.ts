/** The page's debugger on graph cells, as JupyterLab speaks with it: one kernel, no browser. */
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Dict } from "../../../../kernel/jupyter/wire/message.ts";
import { ownKernel, sharedKernel, shown } from "../../conformance/real-kernel.ts";
import { type DebugSession, debugSession } from "./debug-session.ts";

const FUNCTIONS = `const plan = (topic: string) => [topic, topic + "!"];
const look = (topic: string) => "found " + topic;
const tidy = (found: string) => found.toUpperCase();`;

const GRAPHS = `%%graph
graph Research(topic: string) returns notes {
  state {
    steps: string[] = []
    notes: string[] = [] via append
  }
  run plan = plan(topic)
    writes steps
  graph go = Search(topic) writes notes
  run close = look(topic) writes notes
  start -> plan -> go -> close -> end
}
graph Search(topic: string) returns found {
  state { found: string = "" }
  run search = look(topic) writes found
  run read = tidy(found) writes found
  start -> search -> read -> end
}
`;

const kernel = sharedKernel();
let session: DebugSession;

beforeAll(async () => {
  session = debugSession(kernel().client);
  for (const code of [FUNCTIONS, GRAPHS]) {
    const { reply } = await kernel().client.execute(code);
    expect(reply.content.evalue ?? "").toBe("");
  }
});

// What a test that failed has left stopped must not keep the others from running.
afterEach(async ({ task }) => {
  if (task.result?.state !== "fail") return;
  await session.ask("initialize");
  await session.ask("disconnect", { terminateDebuggee: true });
  session.forget();
});

interface Framed {
  readonly id: number;
  readonly name: string;
  readonly line: number;
  readonly source: { readonly path: string };
}

/** The stack, a line a frame. */
async function stack(threadId: number) {
  const { stackFrames } = (await session.ask("stackTrace", { threadId })) as {
    readonly stackFrames: readonly Framed[];
  };
  return stackFrames;
}

async function variables(reference: number): Promise<readonly string[]> {
  const { variables } = (await session.ask("variables", { variablesReference: reference })) as {
    readonly variables: readonly { readonly name: string; readonly value: string }[];
  };
  return variables.map(({ name, value }) => `${name} = ${value}`);
}

async function scopes(frameId: number): Promise<Readonly<Record<string, readonly string[]>>> {
  const { scopes } = (await session.ask("scopes", { frameId })) as {
    readonly scopes: readonly { readonly name: string; readonly variablesReference: number }[];
  };
  const shown = await Promise.all(
    scopes.map(async ({ name, variablesReference }) => [name, await variables(variablesReference)]),
  );
  return Object.fromEntries(shown);
}

describe("a graph cell in the panel", () => {
  test("in the order in which JupyterLab asks", async () => {
    expect(await session.ask("debugInfo")).toMatchObject({
      isStarted: false,
      hashMethod: "Murmur2",
      breakpoints: [],
      stoppedThreads: [],
      richRendering: true,
    });
    const { exceptionBreakpointFilters } = await session.ask("initialize", {
      clientID: "jupyterlab",
    });
    expect(exceptionBreakpointFilters).toHaveLength(5);
    await session.event("initialized");
    await session.ask("attach");
    await session.ask("setExceptionBreakpoints", { filters: [] });
    expect(await session.ask("inspectVariables")).toMatchObject({
      variables: [
        { name: "plan", value: "function" },
        { name: "look" },
        { name: "tidy" },
        { name: "Research", value: "graph Research" },
        { name: "Search" },
      ],
    });
    expect(await session.ask("modules")).toEqual({ modules: [], totalModules: 0 });
    const { sourcePath } = await session.ask("dumpCell", { code: GRAPHS });
    const source = { path: sourcePath };
    // A line inside a node's text, one of neither a node nor an arrow, and one in the called graph.
    const set = {
      source,
      breakpoints: [{ line: 8 }, { line: 5 }, { line: 16 }],
      sourceModified: false,
    };
    expect(await session.ask("setBreakpoints", set)).toEqual({
      breakpoints: [7, 16].map((line) => ({ verified: true, line, source })),
    });
    expect((await session.ask("debugInfo")).breakpoints).toEqual([
      { source: sourcePath, breakpoints: [{ line: 7 }, { line: 16 }] },
    ]);
    const running = kernel().client.execute('(await Research.invoke({ topic: "x" })).notes.join()');
    const stopped = await session.event("stopped");
    const thread = Number(stopped.threadId);
    expect(stopped).toMatchObject({ reason: "breakpoint", threadId: thread });
    const first = await stack(thread);
    expect(first.map(({ name, line }) => `${name} ${line}`)).toEqual([
      "plan#1 7",
      expect.stringMatching(/^Research \(.*\) 2$/),
    ]);
    expect(first.map(({ source }) => source.path)).toEqual([sourcePath, sourcePath]);
    expect(await session.ask("source", { source, sourceReference: 0 })).toMatchObject({
      content: GRAPHS,
    });
    expect(await scopes(first[0]?.id ?? 0)).toMatchObject({
      State: ['topic = "x"', "steps = []", "notes = []"],
      "Last changes": [],
    });
    expect(
      await session.ask("evaluate", {
        expression: "topic + '?'",
        frameId: first[0]?.id,
        context: "repl",
      }),
    ).toMatchObject({ result: '"x?"', type: "string" });
    await session.ask("next", { threadId: thread });
    expect(await session.event("continued")).toMatchObject({ threadId: thread });
    expect(await session.event("stopped")).toMatchObject({ reason: "step", threadId: thread });
    const second = await stack(thread);
    expect(await scopes(second[0]?.id ?? 0)).toMatchObject({
      "Last changes": ['steps = ["x", "x!"]'],
    });
    await session.ask("stepIn", { threadId: thread });
    // Into the function that the node calls, and out of it, behind the node.
    const { threadId } = await session.event("stopped");
    expect((await stack(Number(threadId))).map(({ name, line }) => `${name} ${line}`)).toEqual([
      "look 2",
    ]);
    await session.ask("stepOut", { threadId });
    await session.event("stopped");
    expect((await stack(thread)).map(({ name, line }) => `${name} ${line}`)).toEqual([
      "search 15",
      "Search (go#1) 13",
      expect.stringMatching(/^Research .* 2$/),
    ]);
    // JupyterLab has forgotten the thread by now, and says another.
    await session.ask("continue", { threadId: 1 });
    expect(await session.event("stopped")).toMatchObject({ reason: "breakpoint" });
    await session.ask("stepOut", { threadId: thread });
    await session.event("stopped");
    expect((await stack(thread)).map(({ name }) => name)).toEqual(["go", expect.anything()]);
    await session.ask("continue", { threadId: thread });
    const { reply } = await running;
    expect(reply.content.status).toBe("ok");
  });
});

test("a line of arrows holds a run on each of them, and the frame shows where it leads", async () => {
  await attach([11, 17]);
  const running = kernel().client.execute('(await Research.invoke({ topic: "x" })).notes.join()');
  const seen: string[] = [];
  for (const reason of ["start", "plan", "start", "search", "read", "go"]) {
    const thread = await stop();
    const [frame] = await stack(thread);
    seen.push(`${reason}: ${frame?.name} ${frame?.line}`);
    await session.ask("continue", { threadId: thread });
  }
  expect((await running).reply.content.status).toBe("ok");
  expect(seen).toEqual([
    ...["start: plan#1 11", "plan: plan 11"],
    ...["start: search#1 17", "search: search 17", "read: read 17"],
    "go: go 11",
  ]);
  await session.ask("disconnect");
});

test("a condition without an answer is told in the cell and as an event, and holds nobody", async () => {
  await attach([7]);
  const running = kernel().client.execute('(await Research.invoke({ topic: "x" })).notes.join()');
  const thread = await stop();
  await session.ask("evaluate", { expression: ":break close if notes.length", context: "repl" });
  await session.ask("continue", { threadId: thread });
  const { output } = await session.event("output");
  const { reply, iopub } = await running;
  expect(reply.content.status).toBe("ok");
  const said = "warning[M5458]: the condition of the breakpoint before `close` has no answer";
  expect(output).toContain(said);
  expect(output).toContain("(`notes.length`:1:1)");
  const shown = iopub.filter(({ header }) => header.msg_type === "display_data");
  const texts = shown.map(({ content }) => (content.data as Record<string, unknown>)["text/plain"]);
  expect(texts.join("\n")).toContain(said);
  await session.ask("disconnect");
});

/** Attached, with breakpoints on these lines of the graphs' cell and no others. */
async function attach(lines: readonly number[], filters: readonly string[] = []): Promise<void> {
  await session.ask("initialize");
  await session.ask("attach");
  await session.ask("setExceptionBreakpoints", { filters });
  const { sourcePath } = await session.ask("dumpCell", { code: GRAPHS });
  const breakpoints = lines.map((line) => ({ line }));
  await session.ask("setBreakpoints", { source: { path: sourcePath }, breakpoints });
}

/** Runs a cell to its end; its result as text, or its error. */
async function run(code: string): Promise<string> {
  const { reply, iopub } = await kernel().client.execute(code);
  const result = iopub.find(({ header }) => header.msg_type === "execute_result");
  const data = result?.content.data as { readonly "text/plain": string } | undefined;
  return data?.["text/plain"] ?? String(reply.content.evalue ?? "");
}

/** The thread of the next stop. */
async function stop(): Promise<number> {
  return (await session.event("stopped")).threadId as number;
}

async function evaluate(expression: string, frameId?: number, context?: string): Promise<string> {
  try {
    return String((await session.ask("evaluate", { expression, frameId, context })).result);
  } catch (error) {
    return (error as Error).message;
  }
}

async function topFrame(thread: number): Promise<number> {
  return (await stack(thread))[0]?.id ?? 0;
}

describe("the Debug Console", () => {
  test("has commands behind a colon: a person edits the state, steps back, forks, and the panel follows", async () => {
    await attach([10]);
    const running = run('(await Research.invoke({ topic: "y" })).notes.join()');
    const thread = await stop();
    expect(await evaluate("notes", await topFrame(thread))).toBe('["FOUND Y"]');
    // JupyterLab shows nothing of a failed reply, so what is wrong with a line is the answer to it.
    expect(await evaluate("nots", await topFrame(thread), "repl")).toBe(
      "M5450: `nots` can't be read: `Research` has nothing named `nots`\nhint: did you mean `notes`?",
    );
    expect(await evaluate(":fork 0 steps = [7, 8]", await topFrame(thread), "repl")).toContain(
      "M5354",
    );
    const hovered = { expression: "nots", frameId: await topFrame(thread), context: "hover" };
    await expect(session.ask("evaluate", hovered)).rejects.toThrow("M5450");
    expect(await evaluate(":help")).toContain("set FIELD = JSON");
    expect(await evaluate(":blame notes[0]")).toContain("step 2 go");
    expect(await evaluate(':set notes = ["mine"]')).toContain('notes = ["mine"]');
    expect(await stop()).toBe(thread);
    expect(await scopes(await topFrame(thread))).toMatchObject({
      State: ['topic = "y"', 'steps = ["y", "y!"]', 'notes = ["mine"]'],
    });
    expect(await evaluate(":back", await topFrame(thread))).toContain("step 1 plan");
    expect(await stop()).toBe(thread);
    expect((await stack(thread)).map(({ name }) => name)[0]).toBe("plan");
    expect(await evaluate(':fork 1 steps = ["other"]')).toMatch(/forked from .* at step 1/);
    const branch = await stop();
    expect(branch).not.toBe(thread);
    expect(await evaluate("steps", await topFrame(branch))).toBe('["other"]');
    // Both are stopped; the newest goes on to the breakpoint of its past, then to its end, and the other is shown again.
    await session.ask("continue", { threadId: branch });
    expect(await stop()).toBe(thread);
    expect(await stop()).toBe(branch);
    await session.ask("continue", { threadId: branch });
    expect(await stop()).toBe(thread);
    await session.ask("continue", { threadId: branch });
    expect(await stop()).toBe(thread);
    await session.ask("continue", { threadId: thread });
    expect(await running).toBe("'FOUND Y,found y'");
    expect(await evaluate(":back")).toMatch(/^M7762: /);
    expect(await evaluate(":bakc")).toMatch(/^M5452: .*\nhint: did you mean `back`/);
  });
});

describe("variables", () => {
  test("are opened one by one, in parts where there are many, and rendered whole", async () => {
    await attach([]);
    await run(
      "const many = (topic: string) => Array.from({ length: 250 }, (_, at) => ({ at, topic }));",
    );
    await run(MANY);
    const { sourcePath: path } = await session.ask("dumpCell", { code: MANY });
    await session.ask("setBreakpoints", { source: { path }, breakpoints: [{ line: 7 }] });
    const running = run('(await Many.invoke({ topic: "<img src=x onerror=alert(1)>" })).last');
    const thread = await stop();
    const frameId = await topFrame(thread);
    const { scopes } = (await session.ask("scopes", { frameId })) as {
      readonly scopes: readonly { readonly name: string; readonly variablesReference: number }[];
    };
    const inside = async (reference: number) =>
      (await session.ask("variables", { variablesReference: reference })).variables as readonly {
        readonly name: string;
        readonly value: string;
        readonly variablesReference: number;
        readonly evaluateName?: string;
      }[];
    const state = await inside(scopes[0]?.variablesReference ?? 0);
    const all = state.find(({ name }) => name === "all");
    expect(all?.value.length).toBeLessThan(220);
    const parts = await inside(all?.variablesReference ?? 0);
    expect(parts.map(({ name, value }) => `${name} ${value}`)).toEqual([
      "[0 … 99] 100 of 250",
      "[100 … 199] 100 of 250",
      "[200 … 249] 50 of 250",
    ]);
    const last = (await inside(parts[2]?.variablesReference ?? 0)).at(-1);
    expect(last).toMatchObject({ name: "249", evaluateName: "all[249]" });
    expect(await evaluate(last?.evaluateName ?? "", frameId)).toContain("at: 249");
    const paged = { variablesReference: all?.variablesReference, start: 120, count: 2 };
    expect((await session.ask("variables", paged)).variables).toMatchObject([
      { name: "120" },
      { name: "121" },
    ]);
    const rich = async (variableName: string) =>
      (await session.ask("richInspectVariables", { variableName, frameId })).data as Dict;
    expect((await rich("all"))["application/json"]).toHaveLength(250);
    expect((await rich("topic"))["text/plain"]).toBe("<img src=x onerror=alert(1)>");
    expect((await rich("(drawing)"))["image/svg+xml"]).toContain('data-marked="close"');
    expect(
      await session.ask("copyToGlobals", {
        srcVariableName: "all",
        dstVariableName: "taken",
        srcFrameId: frameId,
      }),
    ).toEqual({});
    await session.ask("continue", { threadId: thread });
    await running;
    expect(await run("taken[249].at + taken.length")).toBe("499");
    expect(await evaluate("all", frameId)).toMatch(/^M7763: /);
    const global = await session.ask("richInspectVariables", { variableName: "Many" });
    expect(global.data).toHaveProperty(["image/svg+xml"]);
  });
});

const MANY = `%%graph
graph Many(topic: string) returns last {
  state {
    all: Json[] = []
    last: string
  }
  run close = look(topic) writes last
  run many = many(topic) writes all
  start -> many -> close -> end
}`;

describe("what goes wrong", () => {
  test("holds the run where the panel was told to catch it, before it is decided on", async () => {
    await attach([], ["error", "nobody's"]);
    await run('const fails = (topic: string): string => { throw new Error("no " + topic); };');
    await run(`graph Failing(topic: string) returns said {
  state { said: string }
  run fails = fails(topic) writes said
  start -> fails -> end
}`);
    const running = run('await Failing.invoke({ topic: "z" })');
    expect(await session.event("stopped")).toMatchObject({ reason: "exception" });
    await session.ask("continue", { threadId: 1 });
    expect(await running).toContain("no z");
  });

  test.each([
    [{}, "M7764"],
    [{ command: 7 }, "M7764"],
    [{ command: "constructor" }, "M7765"],
    [{ command: "stepBack", arguments: { threadId: 1 } }, "M7765"],
    [{ command: "dumpCell", arguments: { code: 7 } }, "M7764"],
    [{ command: "setBreakpoints", arguments: [] }, "M7764"],
    [
      { command: "setBreakpoints", arguments: { source: { path: "x" }, breakpoints: "all" } },
      "M7764",
    ],
    [{ command: "setBreakpoints", arguments: { source: null } }, "M7764"],
    [{ command: "source", arguments: { source: { path: "/etc/passwd" } } }, "M7766"],
    [{ command: "scopes", arguments: { frameId: 12345 } }, "M7763"],
    [{ command: "scopes", arguments: { frameId: -1 } }, "M7764"],
    [{ command: "variables", arguments: { variablesReference: 99999999999 } }, "M7763"],
    [{ command: "variables", arguments: { variablesReference: 0 } }, "M7763"],
    [{ command: "evaluate", arguments: { expression: "1" } }, "M7762"],
    [{ command: "evaluate", arguments: { expression: null } }, "M7764"],
    [{ command: "next", arguments: { threadId: 1 } }, "M7762"],
    [{ command: "richInspectVariables", arguments: { variableName: "__proto__" } }, "M7767"],
  ])("%j is answered with %s", async (content, code) => {
    await attach([]);
    const answer = await session.answer({ type: "request", seq: 3, ...content });
    expect(answer).toMatchObject({ type: "response", request_seq: 3, success: false });
    expect(String(answer.message).slice(0, 5)).toBe(code);
  });

  test("breakpoints in a text that is no graph, or that nobody has told of, are left out", async () => {
    await attach([]);
    for (const code of ["%%sql\nSELECT 1", "%%graph\ngraph ???", ""]) {
      const { sourcePath: path } = await session.ask("dumpCell", { code });
      const given = { source: { path }, breakpoints: [{ line: 1 }, { line: 900 }] };
      expect(await session.ask("setBreakpoints", given)).toEqual({ breakpoints: [] });
    }
    const unknown = { source: { path: "nobody" }, breakpoints: [{ line: 1 }] };
    expect(await session.ask("setBreakpoints", unknown)).toEqual({ breakpoints: [] });
  });
});

test("an approval holds the run where the panel was told to; it is answered in the console, or after the run went on", async () => {
  await attach([], ["approval"]);
  await run(`graph Mail(topic: string) returns text {
  state { text: string }
  run send = look(topic) writes text { approve before }
  start -> send -> end
}`);
  for (const isAnsweredHeld of [true, false]) {
    expect(await run('const mail = Mail.run({ topic: "m" });\nmail.graph')).toBe("'Mail'");
    const thread = Number((await session.event("stopped")).threadId);
    expect(await evaluate(":questions")).toContain("send asks");
    if (isAnsweredHeld) {
      expect(await evaluate(":answer send approve")).toContain("answered");
      expect(await stop()).toBe(thread);
    }
    await session.ask("continue", { threadId: thread });
    if (!isAnsweredHeld)
      expect(await run('await mail.answer("send-0", { kind: "approve" })')).toBe("");
    expect(await run("(await mail.output).text")).toBe("'found m'");
  }
});

describe("while a cell blocks the main thread", () => {
  test("every request is answered: what was told at the stop is shown, the rest says that the cell blocks", async () => {
    await attach([7]);
    await run('const blocked = Research.run({ topic: "b" });');
    const thread = await stop();
    const [top] = await stack(thread);
    const frameId = top?.id ?? 0;
    const looping = run('console.log("loops"); while (true) {}');
    await kernel().client.iopub(({ content }) => content.text === "loops\n");
    expect(await session.ask("debugInfo")).toMatchObject({
      isStarted: true,
      stoppedThreads: [thread],
    });
    expect(await stack(thread)).toMatchObject([{ name: "plan#1", line: 7 }, {}]);
    expect(((await session.ask("scopes", { frameId })).scopes as unknown[]).length).toBe(5);
    expect((await session.ask("inspectVariables")).variables).not.toEqual([]);
    expect(await session.ask("modules")).toMatchObject({ totalModules: 0 });
    const { sourcePath } = await session.ask("dumpCell", { code: GRAPHS });
    const source = { path: sourcePath };
    expect(await session.ask("source", { source })).toMatchObject({ content: GRAPHS });
    const set = { source, breakpoints: [{ line: 7 }, { line: 10 }] };
    expect((await session.ask("setBreakpoints", set)).breakpoints).toHaveLength(2);
    expect(await evaluate("topic", frameId)).toMatch(/^M7761: the cell blocks/);
    await session.ask("continue", { threadId: thread });
    kernel().client.send("interrupt_request", {}, { channel: "control" });
    expect(await looping).toContain("cancelled");
    // What was said meanwhile is done now: it went on, to the breakpoint that was set.
    expect(await stop()).toBe(thread);
    expect((await stack(thread)).map(({ line }) => line)[0]).toBe(10);
    await session.ask("continue", { threadId: thread });
    expect(await run("(await blocked.output).notes.length")).toBe("2");
  });
});

describe("several runs", () => {
  test("are threads: the newest that stops is shown, the others as it goes on", async () => {
    await attach([7]);
    const running = run(
      '(await Promise.all(["a", "b"].map((topic) => Research.invoke({ topic })))).map(({ notes }) => notes[1]).join()',
    );
    const [first, second] = [await stop(), await stop()];
    expect(await session.ask("debugInfo")).toMatchObject({ stoppedThreads: [second] });
    expect(await evaluate("topic", await topFrame(first))).toBe('"a"');
    expect(await evaluate("topic", await topFrame(second))).toBe('"b"');
    expect(await evaluate("topic")).toBe('"b"');
    await session.ask("continue", { threadId: 1 });
    expect(await stop()).toBe(first);
    await session.ask("continue", { threadId: second });
    expect(await running).toBe("'found a,found b'");
    expect(await session.ask("debugInfo")).toMatchObject({ stoppedThreads: [] });
  });
});

describe("who leaves", () => {
  const running = () => run('(await Research.invoke({ topic: "l" })).notes.length');

  test("lets what is stopped go on, and nothing stops any more", async () => {
    await attach([7, 10]);
    const result = running();
    await stop();
    await session.ask("disconnect", { restart: false, terminateDebuggee: false });
    expect(await result).toBe("2");
    expect(await session.ask("debugInfo")).toMatchObject({
      isStarted: false,
      breakpoints: [],
      stoppedThreads: [],
    });
    expect(await evaluate("1")).toMatch(/^M7760: /);
    expect(await session.ask("inspectVariables")).toEqual({ variables: [] });
    expect(await running()).toBe("2");
  });

  test("and comes back at once has pressed Terminate: what is stopped is aborted", async () => {
    await attach([7]);
    const result = running();
    await stop();
    await session.ask("disconnect", { restart: false, terminateDebuggee: false });
    await attach([]);
    expect(await result).toMatch(/abort/);
  });

  test("a cell that is interrupted pauses its run, and the thread is gone", async () => {
    await attach([7]);
    const result = running();
    const thread = await stop();
    kernel().client.send("interrupt_request", {}, { channel: "control" });
    expect(await result).toMatch(/cancelled/);
    await expect.poll(() => stack(thread)).toEqual([]);
  });
});

test("a kernel that is restarted leaves a stopped run paused, and the next one resumes it", async () => {
  await attach([10]);
  expect(await run('const left = Research.run({ topic: "r" });\nleft.id.length')).toBe("36");
  await stop();
  await kernel().client.request("shutdown_request", { restart: true }, { channel: "control" });
  await kernel().ended;
  const next = await ownKernel(kernel().home);
  const resumed = [
    ...[FUNCTIONS, GRAPHS],
    `import { runs } from "madrigal";
const again = runs.last("Research");
const before = again.status;
await again.resume();
const { notes } = await again.output;
[before, again.steps.length, String(notes)].join()`,
  ];
  const said: string[] = [];
  for (const code of resumed) said.push(await shown(next, code));
  expect(said.at(-1)).toContain("paused,3,FOUND R,found r");
});
