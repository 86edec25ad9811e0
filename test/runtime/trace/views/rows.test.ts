/** Requirement rows that a view or a macro of the trace answers, on runs that the engine made. */
import fc from "fast-check";
import { filter, firstValueFrom, skip } from "rxjs";
import { expect, onTestFinished, test } from "vitest";
import { type Run, scripted, type TraceStore } from "../../../../runtime/index.ts";
import { openAiServer } from "../../../support/openai-server.ts";
import { runText, type Script } from "../../../support/run-graph.ts";
import { drive, gate } from "../../driven-run.ts";
import { newSession, runWith } from "../../scoped-run.ts";
import { metaOf, searchRun, sourceOf } from "../sample.ts";
import { lines, newFolder, traced } from "../store.ts";

interface Traced {
  readonly run: Run;
  readonly traces: TraceStore;
}

async function tracedRun(
  text: string,
  { scope = {}, ...options }: Parameters<typeof runWith>[2] & { readonly scope?: object },
): Promise<Traced> {
  const session = options.session ?? newSession({ env: { MADRIGAL_HOME: newFolder() } });
  const { run } = runWith(text, scope, { ...options, session });
  await run.output.catch(() => {});
  return { run, traces: await session.traces() };
}

const TWO_AGENTS = `graph Two(topic: string) returns notes {
  state { notes: string[] = [] via append }
  agent first { model m; prompt \`Begin \${topic}.\`; writes notes }
  agent second { model m; prompt \`End \${notes}.\`; writes notes }
  start -> first -> second -> end
}`;

test("W05 [LB, DB] how full each agent's context was after every call is what the server counted", async () => {
  const server = await openAiServer([
    { json: { notes: ["a"] }, usage: { input: 1_000, output: 24 } },
    { json: { notes: ["b"] }, usage: { input: 30_000, output: 2_000 } },
  ]);
  onTestFinished(() => server.close());
  const session = newSession({
    env: {
      MADRIGAL_HOME: newFolder(),
      OPENAI_COMPATIBLE_BASE_URL: server.url,
      OPENAI_COMPATIBLE_API_KEY: "key",
    },
  });
  const text = `model m = "openai-compatible/tiny"\n${TWO_AGENTS}`;
  const { run, traces } = await tracedRun(text, { session, input: { topic: "x" } });
  const used = `SELECT agent, call, total_context_length, used_context_length, tokens_so_far
    FROM context_usage WHERE run_id = '${run.id}' ORDER BY seq`;
  expect(await lines(traces, used)).toBe("first 1 128000 1024 1024\nsecond 1 128000 32000 32000");
  await traces.query("INSERT INTO model_contexts VALUES ('openai-compatible/tiny', 64000)");
  const share = `SELECT used_share FROM context_usage WHERE run_id = '${run.id}' AND agent = 'second'`;
  expect(await traces.query(share)).toEqual([{ used_share: 0.5 }]);
  const sums = `SELECT
      (SELECT sum(used_context_length) FROM context_usage WHERE run_id = r.run_id) AS used,
      r.input_tokens + r.output_tokens AS all_tokens
    FROM runs r WHERE r.run_id = '${run.id}'`;
  expect(await traces.query(sums)).toEqual([{ used: 33_024, all_tokens: 33_024 }]);
});

const NESTED = (inner: number, deeper: number) => `model m = "rules"
graph Top(topic: string) returns notes {
  state { notes: string[] = [] via append }
  agent first { model m; prompt \`Begin \${topic}.\`; writes notes }
  graph go = Middle(topic) writes notes
  start -> first -> go -> end
}
graph Middle(topic: string) returns notes {
  state { notes: string[] = [] via append }
${agents("mid", inner)}
  graph on = Leaf(topic) writes notes
  start -> ${[...names("mid", inner), "on"].join(" -> ")} -> end
}
graph Leaf(topic: string) returns notes {
  state { notes: string[] = [] via append }
${agents("leaf", deeper)}
  start -> ${names("leaf", deeper).join(" -> ")} -> end
}`;

function names(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${name}${index}`);
}

function agents(name: string, count: number): string {
  return names(name, count)
    .map((agent) => `  agent ${agent} { model m; prompt \`Go \${topic}.\`; writes notes }`)
    .join("\n");
}

test("W20 [PB] a run's tokens are its own and those of the graphs it called, each once", async () => {
  const session = newSession({ env: { MADRIGAL_HOME: newFolder() } });
  const counts = fc.integer({ min: 1, max: 3 });
  await fc.assert(
    fc.asyncProperty(counts, counts, async (inner, deeper) => {
      const { run, traces } = await tracedRun(NESTED(inner, deeper), {
        session,
        input: { topic: "x" },
      });
      expect(run.status).toBe("succeeded");
      const rows = await traces.query(
        `FROM graph_runs WHERE run_id = '${run.id}' ORDER BY graph_path NULLS FIRST`,
      );
      const own = rows.map((row) => Number(row.input_tokens));
      const total = rows.map((row) => Number(row.total_input_tokens));
      expect(rows.map((row) => row.graph)).toEqual(["Top", "Middle", "Leaf"]);
      expect(own.every((tokens) => tokens > 0)).toBe(true);
      const [top = 0, middle = 0, leaf = 0] = own;
      expect(total).toEqual([top + middle + leaf, middle + leaf, leaf]);
      expect(total[0]).toBe(run.usage.inputTokens);
    }),
    { numRuns: 4 },
  );
});

test("W38 [DB] each called graph with who called it, in which node run and behind which event", async () => {
  const { run, traces } = await tracedRun(NESTED(1, 1), { input: { topic: "x" } });
  const sql = `SELECT g.graph, g.parent_path, g.parent_node, g.status, g.steps, e.kind, e.label
    FROM graph_runs g
    LEFT JOIN events e ON e.run_id = g.run_id AND e.seq = g.parent_seq AND e.kind = 'attempt.started'
    WHERE g.run_id = '${run.id}' ORDER BY g.graph_path NULLS FIRST`;
  expect(await lines(traces, sql)).toMatchInlineSnapshot(`
    "Top null null succeeded 2 null null
    Middle null go succeeded 2 attempt.started go#1
    Leaf go#1 go/on succeeded 1 attempt.started go#1 › on#1"
  `);
});

test("W21 [DB] every event and every run has the trace id of the run, as W3C wants it", async () => {
  const { run, traces } = await tracedRun(NESTED(1, 1), { input: { topic: "x" } });
  const ids = `SELECT DISTINCT trace_id FROM (
    SELECT trace_id FROM events WHERE run_id = '${run.id}'
    UNION ALL SELECT trace_id FROM runs WHERE run_id = '${run.id}')`;
  const [row, ...others] = await traces.query(ids);
  expect([row?.trace_id, others]).toEqual([run.id.replaceAll("-", ""), []]);
  expect(row?.trace_id).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
});

test("W32 [DB] what was done, in sentences in the order of the log", async () => {
  const traces = await traced(sourceOf([searchRun("r1")]));
  expect(
    await lines(traces, "SELECT text FROM execution_log ORDER BY seq, part"),
  ).toMatchInlineSnapshot(`
    "run of DeepSearch started
    plan#1 completed step 1: tasks
    each task: 2 items
    search#1 failed (transport), tries again
    search#2 completed step 2: findings
    search#1 completed step 3: findings
    report#1 completed step 4: report
    run succeeded"
  `);
});

const FAN_OUT = `model m = "rules"
graph Fan(topics: string[]) returns notes {
  state { notes: string[] = [] via append }
  agent look(topic: string) { model m; prompt \`Look at \${topic}.\`; writes notes; retry 1 }
  agent sum { model m; prompt \`Sum \${notes}.\`; writes notes }
  start -> each topic of topics parallel 3 { look(topic) } -> sum -> end
}`;

test("W33 [DB, PB] how each task stands after every step is how the run stood", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 5 }), async (count) => {
      const script: Script = {
        input: { topics: Array.from({ length: count }, (_, index) => `t${index}`) },
        says: { look: "seen", sum: "all" },
      };
      const { records, program } = runText(FAN_OUT, script);
      const meta = { ...metaOf("r1"), graph: "Fan", ir: program.ir };
      const traces = await traced(sourceOf([{ meta, records }]));
      for (const record of records) {
        if (record.kind !== "commit") continue;
        const state = new Map<string, string>();
        for (const before of records.filter(({ seq }) => seq <= record.seq)) {
          if (before.kind === "start") state.set(`r1/${before.key}`, "running");
          if (before.kind !== "commit") continue;
          const started = records.find((one) => one.kind === "start" && one.id === before.id);
          if (started?.kind === "start") state.set(`r1/${started.key}`, "succeeded");
        }
        const rows = await traces.query("FROM task_status($1, $2)", ["r1", record.step]);
        const told = rows.filter((row) => row.state !== "ready");
        expect(new Map(told.map((row) => [row.node_run_id, row.state]))).toEqual(state);
      }
    }),
    { numRuns: 3 },
  );
});

test("W51 [DB] a trajectory of what each agent saw, did and was rewarded for, as JSON lines", async () => {
  const { run, traces } = await tracedRun(`model m = "scripted"\n${TWO_AGENTS}`, {
    input: { topic: "x" },
    models: { m: scripted({ first: ["a"], second: ["b"] }) },
  });
  await traces.query(
    `INSERT INTO scores VALUES ('${run.id}', NULL, 'useful', 0.75, NULL, NULL, 'human', now())`,
  );
  const rows = await traces.query(`FROM trajectory WHERE run_id = '${run.id}' ORDER BY place`);
  expect(rows).toMatchObject([
    { agent: "first", place: 1, action: { tools: [], output: "a" }, reward: null },
    { agent: "second", place: 2, action: { tools: [], output: "b" }, reward: 0.75 },
  ]);
  expect(JSON.stringify(rows[0]?.state)).toContain("Begin x.");
  const json = await traces.query(
    `SELECT to_json(t)::VARCHAR AS line FROM trajectory t WHERE run_id = '${run.id}'`,
  );
  expect(json.map(({ line }) => JSON.parse(String(line)).agent)).toEqual(["first", "second"]);
});

const TEAM = `model m = "scripted"
graph Team(task: string) returns results {
  state {
    plan: Plan
    results: Json
  }
  agent planner { model m; prompt \`Plan: \${task}\`; writes plan }
  agent worker(step: Step) "does one thing" { model m; prompt \`\${step.title}: \${step.details}\` }
  graph go = planGraph(plan) writes results
  start -> planner -> go -> end
}`;

const steps = [
  { id: "read", title: "Read", details: "the scores", agent: "worker" },
  {
    id: "sing",
    title: "Sing",
    details: "them",
    agent: "worker",
    depends: ["read"],
    repeat: "2 times",
  },
];

async function team(): Promise<Traced> {
  return tracedRun(TEAM, {
    input: { task: "a concert" },
    models: {
      m: scripted([
        { says: { steps }, when: "Plan: a concert" },
        { says: "two voices", when: "Read: the scores" },
        { says: "la, la", when: "Sing: them" },
        { says: "lo, lo", when: "Sing: them" },
      ]),
    },
  });
}

test("M70 [DB] each step of a plan: title, place, details, who, what it was asked and what came of it", async () => {
  const { run, traces } = await team();
  const sql = `SELECT place, plan_length, title, details, agent_name, status, rounds, progress_summary
    FROM plan_steps WHERE run_id = '${run.id}' ORDER BY place`;
  expect(await lines(traces, sql)).toBe(
    "1 2 Read the scores worker succeeded 1 two voices\n2 2 Sing them worker succeeded 2 lo, lo",
  );
  const [row] = await traces.query(
    `SELECT instruction FROM plan_steps WHERE run_id = '${run.id}' AND place = 1`,
  );
  expect(JSON.stringify(row?.instruction)).toContain("Read: the scores");
});

test("M91 [DB] the rounds of a node that waits, with its checks and its sleep", async () => {
  let round = 0;
  const driven = drive(
    `model m = "scripted"
graph Watch() returns seen {
  state { seen: string[] = [] via append }
  agent look { model m; prompt \`Look.\`; writes seen; every 1h until "a price fell" by m }
  start -> look -> end
}`,
    {
      goal: "end",
      does: () => "seen",
      judge: async () => {
        round += 1;
        const failed = round === 2 ? { error: true } : {};
        return { met: round === 3, reason: `reason ${round}`, ...failed };
      },
    },
  );
  const { run, store, clock } = driven;
  const sleeping$ = run.events$.pipe(filter(({ kind }) => kind === "sentinel.sleeping"));
  for (const time of [1, 2]) {
    const event = await firstValueFrom(sleeping$.pipe(skip(time - 1)));
    if (event.kind === "sentinel.sleeping") await clock.advance(event.until - clock.now());
  }
  await run.output;
  const records = store.read(run.id);
  const meta = { ...metaOf(run.id), ir: run.ir };
  const traces = await traced(sourceOf([{ meta, records }]));
  const sql = `SELECT check_number, condition, status, reason, errors, sleep_us, ended
    FROM sentinel_checks ORDER BY check_number`;
  expect(await lines(traces, sql)).toBe(
    [
      "1 a price fell not met reason 1 0 3600000000 null",
      "2 a price fell error reason 2 1 30000000 null",
      "3 a price fell met reason 3 0 null met",
    ].join("\n"),
  );
});

test("M91 [DB] a round that failed has a row of its own beside the one that repeats it", async () => {
  let tries = 0;
  const { run, store, clock } = drive(
    `graph Watch() returns seen {
  state { seen: string = "" }
  run look = price() writes seen { every 1h until seen == "24" }
  start -> look -> end
}`,
    {
      goal: "end",
      does: () => {
        tries += 1;
        if (tries === 1) throw new Error("the page did not answer");
        return "24";
      },
    },
  );
  const event = await firstValueFrom(
    run.events$.pipe(filter(({ kind }) => kind === "sentinel.sleeping")),
  );
  if (event.kind === "sentinel.sleeping") await clock.advance(event.until - clock.now());
  await run.output;
  const meta = { ...metaOf(run.id), ir: run.ir };
  const traces = await traced(sourceOf([{ meta, records: store.read(run.id) }]));
  const sql = "SELECT check_number, status, sleep_us, ended FROM sentinel_checks ORDER BY ts";
  expect(await lines(traces, sql)).toBe("1 error 30000000 null\n1 met null met");
});

test("the time in which a run worked is without its sleep and without what it waited for people", async () => {
  const gates = [gate("seen"), gate("seen"), gate("done")];
  let turn = 0;
  const { run, store, clock } = drive(
    `model m = "scripted"
graph Watch() returns seen {
  state { seen: string[] = [] via append }
  agent look { model m; prompt \`Look.\`; writes seen; every 1h until 2 }
  agent close { model m; prompt \`Close.\`; writes seen; approve before }
  start -> look -> close -> end
}`,
    {
      goal: "end",
      does: (_, { cancellation }) => {
        turn += 1;
        return gates[turn - 1]?.pass(cancellation.signal);
      },
    },
  );
  const sleeping$ = run.events$.pipe(filter(({ kind }) => kind === "sentinel.sleeping"));
  const work = async (at: number, ms: number) => {
    await gates[at]?.entered;
    await clock.advance(ms);
    gates[at]?.open();
  };
  const asleep = firstValueFrom(sleeping$);
  await work(0, 1_000);
  const event = await asleep;
  if (event.kind === "sentinel.sleeping") await clock.advance(event.until - clock.now());
  await work(1, 2_000);
  await expect(run.output).rejects.toMatchObject({ code: "M5301" });
  await clock.advance(60_000);
  const [question] = run.interrupts;
  await run.answer(question?.id ?? "", { kind: "approve" });
  await work(2, 4_000);
  await run.output;
  const meta = { ...metaOf(run.id), ir: run.ir };
  const traces = await traced(sourceOf([{ meta, records: store.read(run.id) }]));
  const sql = `SELECT dur_us, active_us, asked_us FROM run_summary('${run.id}')`;
  expect(await traces.query(sql)).toEqual([
    { dur_us: 3_667_000_000, active_us: 7_000_000, asked_us: 60_000_000 },
  ]);
});

test("M122 [DB] every model call with its whole prompt, its answer, its tokens and its cost", async () => {
  const { run, traces } = await team();
  const rows = await traces.query(`FROM llm_calls WHERE run_id = '${run.id}' ORDER BY seq`);
  expect(rows).toHaveLength(run.usage.modelCalls);
  for (const row of rows) {
    expect(row).toMatchObject({ model: "scripted", model_source: "scripted", cost_usd: 0 });
    expect(row.input_tokens).toBeGreaterThan(0);
  }
  const said = rows.map(({ response }) => (response as { readonly text: string }).text);
  expect(said.slice(1)).toEqual(["two voices", "la, la", "lo, lo"]);
  expect(JSON.stringify(rows[1]?.request)).toContain("Read: the scores");
  const sums = `SELECT sum(input_tokens) AS n FROM llm_calls WHERE run_id = '${run.id}'`;
  expect(await traces.query(sums)).toEqual([{ n: run.usage.inputTokens }]);
});
