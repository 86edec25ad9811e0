/** What a run and its agents have around them. */
import { expect, test } from "vitest";
import { scripted } from "../../../runtime/index.ts";
import { newSession, runWith } from "../scoped-run.ts";

const text = `model m = "scripted"
config { depth: 2 }
type Task = { name: string }
graph Search(question: string, width: int = 1) returns report, notes "finds things out" {
  state {
    tasks: Task[]
    notes: string[] = [] via append
    report: string
    refs: Record<string, string> = {} via merge
  }
  state thread { asked: string[] = [] via append }
  agent plan { model m; prompt \`Split \${question} \${depth}\`; writes tasks; set asked = [question] }
  agent work(task: Task) {
    model m
    prompt \`Do \${task.name} for \${question}: \${seen}\`
    writes notes
    state { seen: string[] = [] via append }
    set seen = [task.name], refs = { found: task.name }
  }
  run write = join(notes) writes report { retry 1 }
  start -> plan -> each task of tasks parallel 2 { work(task) } -> write -> end
}`;

const script = {
  plan: [[{ name: "a" }, { name: "b" }]],
  work: [
    { says: "note a", when: "Do a" },
    { says: "note b", when: "Do b" },
  ],
};

let fails = 1;
const join = (notes: readonly string[]) => {
  fails -= 1;
  if (fails === 0) throw new Error("no glue");
  return notes.join(", ");
};

async function searched() {
  fails = 1;
  const session = newSession();
  const { run } = runWith(
    text,
    { join },
    {
      session,
      thread: "t",
      input: { question: "why" },
      config: { depth: 3 },
      models: { m: scripted(script) },
    },
  );
  await run.output;
  return { run, session };
}

test("W12 W16 W17 E20 a run's context: its task, session, outputs, state, usage and what comes from beyond", async () => {
  const { run } = await searched();
  expect(run.context).toEqual({
    task: {
      id: run.id,
      graph: "Search",
      description: "finds things out",
      input: { question: "why", width: 1 },
      status: "succeeded",
      reason: "done",
    },
    session: {
      thread: "t",
      messages: [],
      steps: [
        { step: 1, node: "plan", output: [{ name: "a" }, { name: "b" }] },
        { step: 2, node: "work", output: "note a" },
        { step: 3, node: "work", output: "note b" },
        { step: 4, node: "write", output: "note a, note b" },
      ],
    },
    outputs: { report: "note a, note b", notes: ["note a", "note b"] },
    artifacts: [],
    working_state: {
      tasks: [{ name: "a" }, { name: "b" }],
      notes: ["note a", "note b"],
      report: "note a, note b",
      refs: { found: "b" },
    },
    trace_state: {
      trace_id: run.id,
      graph_hash: run.graphHash,
      records: expect.any(Number),
      steps: 4,
    },
    context_usage: run.usage,
    custom_information: { depth: 3, asked: ["why"] },
  });
  expect(Object.isFrozen(run.context.working_state.notes)).toBe(true);
});

test("E21 E101 W02 an agent's context: its own memory and conversation, by instance", async () => {
  const { run } = await searched();
  const agent = run.agent("work#2");
  expect([agent.id, agent.node, agent.state]).toEqual(["work@1.1", "work", { seen: ["b"] }]);
  expect(run.agent("work@1.0").context).toMatchObject({
    agent_id: "work@1.0",
    working_memory: { seen: ["a"] },
    outputs: ["note a"],
    context_usage: { modelCalls: 1 },
    consecutive_errors: 0,
  });
  const told = JSON.stringify(run.agent("work@1.0").context.conversation);
  expect(told).toContain("Do a for why");
  expect(told).toContain("note a");
  expect(told).not.toContain("Do b");
  expect(run.agent("write").context).toMatchObject({
    consecutive_errors: 0,
    last_error: { code: "M8301" },
    conversation: [],
  });
});

test("an agent that is none is told with those that there are", async () => {
  const { run } = await searched();
  expect(() => run.agent("work")).toThrow("`work` has run for several items");
  expect(() => run.agent("wrk@1.0")).toThrow(
    expect.objectContaining({ code: "M5355", hint: expect.stringContaining("work@1.0") }),
  );
});

test("W01 the database has three values of one agent's field, each with its instance", async () => {
  const { run, session } = await searched();
  const traces = await session.traces();
  const rows = await traces.query(
    `SELECT agent, field, value::VARCHAR AS value FROM agent_changes WHERE run_id = '${run.id}' ORDER BY agent`,
  );
  expect(rows).toEqual([
    { agent: "work@1.0", field: "seen", value: '"a"' },
    { agent: "work@1.1", field: "seen", value: '"b"' },
  ]);
});

test.each([
  [{ depht: 3 }, "`depht` is no setting of the file"],
  [{ depth: "three" }, "the setting `depth` is a number"],
])("a setting that is none is told before the run starts: %j", (config, said) => {
  expect(() =>
    runWith(
      text,
      { join },
      { input: { question: "why" }, config, models: { m: scripted(script) } },
    ),
  ).toThrow(expect.objectContaining({ code: "M5353", message: expect.stringContaining(said) }));
});
