import fc from "fast-check";
import { expect, test } from "vitest";
import type { CellOutput } from "../../../kernel/cell-output.ts";
import {
  drawingsReady,
  followRun,
  rememberOutput,
  toBundle,
} from "../../../kernel/display/index.ts";
import { runs } from "../../../kernel/index.ts";
import { currentSession } from "../../../kernel/session.ts";
import { type DrivenRun, scripted } from "../../../runtime/index.ts";
import { expectHarmless, HOSTILE, hostileText } from "./hostile.ts";
import {
  bundleIn,
  follow,
  graphOf,
  looked,
  normal,
  SEARCH,
  searching,
  VirtualTime,
} from "./runs.ts";
import { valuesOf } from "./well-formed.ts";

const RUN_JSON = "application/vnd.madrigal.run+json";

test("the drawing is shown at once, and its last picture before the output is there", async () => {
  const { run, outputs } = follow(searching(await graphOf(SEARCH, { looked })));
  expect(outputs.map(({ kind }) => kind)).toEqual(["display"]);
  const atOutput = run.output.then(() => outputs.length);
  await run.output;
  const last = bundleIn(outputs.at(-1));
  expect(await atOutput).toBe(outputs.length);
  expect(outputs.map(({ kind }) => kind)).toEqual(["display", "update"]);
  expect(
    outputs.every((output) => "displayId" in output && output.displayId === `run-${run.id}`),
  ).toBe(true);
  const svg = String(last.data["image/svg+xml"]);
  expect(valuesOf(svg, "data-node")).toEqual(["plan", "look", "write"]);
  expect(valuesOf(svg, "data-status")).toEqual(["succeeded", "succeeded", "succeeded"]);
  expect(valuesOf(svg, "data-runs")).toEqual(["1", "2", "1"]);
  expect(svg).toContain("answers by a script, not a model");
  expect(last.metadata).toEqual({});
});

test("boxes have the status that the view node_runs has", async () => {
  const boom = (task: string) => {
    if (task === "b") throw new Error("boom");
    return looked(task);
  };
  const { run, outputs } = follow(searching(await graphOf(SEARCH, { looked: boom })));
  await run.output.catch(() => {});
  const traces = await currentSession().traces();
  const rows = await traces.query(
    "SELECT node, label, status, input_tokens, output_tokens FROM node_runs ORDER BY ts, node_run",
  );
  const { nodes } = bundleIn(outputs.at(-1)).data[RUN_JSON] as {
    readonly nodes: readonly {
      node: string;
      ordinal: number;
      status: string;
      tokens: { input: number; output: number };
    }[];
  };
  expect(
    nodes.map(({ node, ordinal, status, tokens }) => ({
      node,
      label: `${node}#${ordinal}`,
      status,
      input_tokens: tokens.input,
      output_tokens: tokens.output,
    })),
  ).toEqual(rows);
  const svg = String(bundleIn(outputs.at(-1)).data["image/svg+xml"]);
  expect(valuesOf(svg, "data-status")).toEqual(["succeeded", "failed", "idle"]);
});

test("what happens between two ticks is one picture", async () => {
  const started = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const slow = async (task: string) => {
    started.resolve();
    await release.promise;
    return looked(task);
  };
  const plan = Array.from({ length: 50 }, (_, index) => `task ${index}`);
  const { run, outputs, tick } = follow(
    searching(await graphOf(SEARCH, { looked: slow }), { plan }),
  );
  await started.promise;
  expect(outputs).toHaveLength(1);
  tick();
  tick();
  expect(outputs).toHaveLength(2);
  const svg = String(bundleIn(outputs.at(-1)).data["image/svg+xml"]);
  expect(svg).toContain(">0/50 ·");
  release.resolve();
  await run.output;
  expect(outputs).toHaveLength(3);
  tick();
  expect(outputs).toHaveLength(3);
});

test("a run that was paused and goes on elsewhere is followed in both places", async () => {
  const started = Promise.withResolvers<void>();
  const never = () => {
    started.resolve();
    return new Promise<never>(() => {});
  };
  const graph = await graphOf(SEARCH, { looked: never });
  const first = follow(searching(graph));
  await started.promise;
  await first.run.pause({ now: true, reason: "test" });
  await drawingsReady();
  const paused = bundleIn(first.outputs.at(-1));
  // Who reads it later knows how old it is.
  expect(normal(paused.data["text/plain"])).toMatch(
    /^run RUN of Search · paused \(test\) as of \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC ·/,
  );
  const svg = String(paused.data["image/svg+xml"]);
  // Its node failed nothing and tries nothing again.
  expect(valuesOf(svg, "data-status")).toEqual(["succeeded", "paused", "idle"]);
  expect(svg).toMatch(/>paused · 0\/2/);
  const second = follow(first.run);
  expect(second.outputs).toMatchObject([{ kind: "display", displayId: `run-${first.run.id}-2` }]);
  await first.run.abort("enough");
  for (const { outputs } of [first, second]) {
    const last = bundleIn(outputs.at(-1));
    expect(normal(last.data["text/plain"])).toMatch(/^run RUN of Search · aborted \(enough\) ·/);
    const drawn = String(last.data["image/svg+xml"]);
    expect(valuesOf(drawn, "data-status")).toEqual(["succeeded", "aborted", "idle"]);
  }
});

test("a run that had failed and goes on elsewhere is left there as it had failed", async () => {
  let isFixed = false;
  const boom = (task: string) => {
    if (!isFixed) throw new Error("boom");
    return looked(task);
  };
  const first = follow(searching(await graphOf(SEARCH, { looked: boom })));
  await first.run.output.catch(() => {});
  const shown = first.outputs.length;
  isFixed = true;
  await first.run.resume();
  const second = follow(first.run);
  await first.run.output;
  expect(first.outputs).toHaveLength(shown);
  expect(bundleIn(first.outputs.at(-1)).data["text/plain"]).toContain("· failed (");
  expect(bundleIn(second.outputs.at(-1)).data["text/plain"]).toContain("· succeeded ·");
});

test("a node that asks before it starts is counted, and says since when it asks", async () => {
  const graph = await graphOf(
    `graph Mail(to: string) returns answer {
      state { answer: string }
      run send = sent(to) writes answer { approve before }
      start -> send -> end
    }`,
    { sent: (to: string) => to },
  );
  const { run, outputs } = follow(graph.run({ to: "Ann" }) as unknown as DrivenRun);
  await run.settled();
  await drawingsReady();
  const { data } = bundleIn(outputs.at(-1));
  expect(data["text/plain"]).toContain("0 of 1 node run done · 1 question open");
  expect(String(data["image/svg+xml"])).toMatch(/>asks since \d\d:\d\d UTC</);
});

const NODES = 30;

/** A chain whose nodes take these times, one after the other. */
async function timed(takesMs: readonly number[]) {
  const time = new VirtualTime();
  const left = [...takesMs];
  const nodes = takesMs.map((_, index) => `run n${index} = step() writes count`);
  const graph = await graphOf(
    `graph Timed() returns count {
      state { count: int = 0 }
      ${nodes.join("\n")}
      start -> ${takesMs.map((_, index) => `n${index}`).join(" -> ")} -> end
    }`,
    {
      step: async () => {
        await time.sleep(left.shift() ?? 0);
        return takesMs.length - left.length;
      },
    },
  );
  const run = graph.run({}) as unknown as DrivenRun;
  const shown: { readonly at: number; readonly output: CellOutput }[] = [];
  followRun(run, (output) => shown.push({ at: time.now, output }), time.schedule);
  await time.run(() => run.status === "succeeded");
  await run.output;
  return { run, shown };
}

test("a run of 3 s with 30 node changes is drawn 10 to 30 times, and the last picture is how it ended", async () => {
  const { run, shown } = await timed(Array.from({ length: NODES }, () => 100));
  expect(shown.map(({ output }) => output.kind).indexOf("display", 1)).toBe(-1);
  expect(shown.length - 1).toBeGreaterThanOrEqual(10);
  expect(shown.length - 1).toBeLessThanOrEqual(30);
  expect(bundleIn(shown.at(-1)?.output)).toEqual(await toBundle(run));
});

test("whenever the nodes of a run begin and end, it is drawn ten times a second at most, and once more at its end", async () => {
  const takes = fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(takes, async (takesMs) => {
      const { run, shown } = await timed(takesMs);
      const updates = shown.slice(1, -1).map(({ at }) => at);
      for (const [index, at] of updates.entries()) {
        expect(at - (updates[index - 1] ?? shown[0]?.at ?? 0)).toBeGreaterThanOrEqual(100);
      }
      expect(bundleIn(shown.at(-1)?.output)).toEqual(await toBundle(run));
    }),
    { numRuns: 8 },
  );
});

test("a run that is rewound and ends again and again is drawn ten times a second at most, and as it ended last when its cell is over", async () => {
  const time = new VirtualTime();
  const graph = await graphOf(
    "graph Again() returns count {\n  state { count: int = 0 }\n  run n = step() writes count\n  start -> n -> end\n}",
    { step: async () => await time.sleep(20).then(() => time.now) },
  );
  const run = graph.run({}) as unknown as DrivenRun;
  const shown: { readonly at: number; readonly output: CellOutput }[] = [];
  const show = (output: CellOutput) => void shown.push({ at: time.now, output });
  let isOver = false;
  const loop = async () => {
    for (let times = 0; times < 60; times += 1) {
      if (times > 0) {
        await run.rewind(0);
        void run.resume();
      }
      // As the kernel does whenever a cell sets it going.
      followRun(run, show, time.schedule);
      await run.output;
    }
    isOver = true;
  };
  const looping = loop();
  await time.run(() => isOver);
  await looping;
  expect(shown.filter(({ output }) => output.kind === "display")).toHaveLength(1);
  const updates = shown.slice(1).map(({ at }) => at);
  expect(updates.length).toBeGreaterThan(5);
  for (const at of updates) {
    const soon = updates.filter((other) => other >= at && other < at + 1000);
    expect(soon.length).toBeLessThanOrEqual(10);
  }
  await drawingsReady();
  expect(bundleIn(shown.at(-1)?.output)).toEqual(await toBundle(run));
});

test("what a run came to so far stands below its drawing: node runs, calls, tokens, cost", async () => {
  const { run, outputs } = follow(searching(await graphOf(SEARCH, { looked })));
  await run.output;
  const { data } = bundleIn(outputs.at(-1));
  const counters = "4 of 4 node runs done · 2 model calls · 195 tokens";
  expect(String(data["text/plain"]).split("\n")[1]).toContain(counters);
  expect(String(data["image/svg+xml"])).toContain(counters);
});

test("a node that asks looks so, and the drawing says what it asks and how to answer; answered, it is gone", async () => {
  const graph = await graphOf(
    `graph Ask() returns sent {
    state { sent: string }
    run first = one() writes sent
    run send = one() writes sent { approve before }
    start -> first -> send -> end
  }`,
    { one: () => "sent" },
  );
  const { run, outputs, tick } = follow(graph.run({}) as unknown as DrivenRun);
  await run.settled();
  tick();
  const asking = bundleIn(outputs.at(-1));
  const svg = String(asking.data["image/svg+xml"]);
  expect(valuesOf(svg, "data-status")).toEqual(["succeeded", "waiting"]);
  const [question] = run.interrupts;
  expect(asking.data[RUN_JSON]).toMatchObject({
    status: "waiting",
    questions: [{ id: question?.id, node: "send", kind: "approval", question: "Start `send`?" }],
  });
  const said = String(asking.data["text/plain"]);
  expect(said).toContain("1 question open");
  expect(said).toContain(`\`send\` asks: Start \`send\`? · await run.answer("${question?.id}",`);
  await run.answer(question?.id ?? "", { kind: "approve" });
  await run.output;
  const done = bundleIn(outputs.at(-1));
  expect(String(done.data["text/plain"])).not.toContain("asks");
  expect(valuesOf(String(done.data["image/svg+xml"]), "data-status")).toEqual([
    "succeeded",
    "succeeded",
  ]);
});

test("a step back: what is undone is no part of the picture any more", async () => {
  const graph = await graphOf(SEARCH, { looked });
  const { run, outputs } = follow(searching(graph));
  await run.output;
  await run.rewind(1);
  const again = follow(run);
  const svg = String(bundleIn(again.outputs.at(-1)).data["image/svg+xml"]);
  expect(valuesOf(svg, "data-status")).toEqual(["succeeded", "stale", "stale"]);
  expect(outputs.length).toBeGreaterThan(1);
  await run.abort("enough");
});

test("each step by hand is drawn when the cell that made it is over, and in between ten times a second at most", async () => {
  const graph = await graphOf(SEARCH, { looked });
  const models = { m: scripted({ plan: [["a", "b"]], write: ["done"] }) };
  const { run, outputs } = follow(graph.debug({ question: "why" }, { models }) as never);
  const statuses = () =>
    valuesOf(String(bundleIn(outputs.at(-1)).data["image/svg+xml"]), "data-status").join(" ");
  await run.step();
  await drawingsReady();
  expect(statuses()).toBe("succeeded idle idle");
  const drawn = outputs.length;
  await run.step();
  expect(outputs).toHaveLength(drawn);
  await drawingsReady();
  expect(outputs).toHaveLength(drawn + 1);
  expect(statuses()).toMatch(/^succeeded running idle$|^succeeded succeeded idle$/);
  await run.abort("enough");
});

test("who shows the drawing can't harm the run", async () => {
  const run = searching(await graphOf(SEARCH, { looked }));
  followRun(run, () => {
    throw new Error("the cell is gone");
  });
  await expect(run.output).resolves.toMatchObject({
    notes: [{ text: "saw a" }, { text: "saw b" }],
  });
});

test("the output of a run: reports as text, lists as tables, and whose answers they are", async () => {
  const write = "# Found\n\nAll of `it`: <b>bold</b> [x](javascript:alert(1)).\n\n- one\n- two";
  const { run } = follow(searching(await graphOf(SEARCH, { looked }), { write }));
  const { data } = await toBundle(await run.output);
  expect(normal(data["text/plain"])).toMatchInlineSnapshot(`
    "report:
    # Found

    All of \`it\`: <b>bold</b> [x](javascript:alert(1)).

    - one
    - two

    notes:
    text   size
    saw a     1
    saw b     1
    2 rows

    run RUN of Search · succeeded · answers by a script, not a model"
  `);
  expect(normal(data["text/markdown"])).toMatchInlineSnapshot(`
    "#### report

    # Found

    All of \`it\`: &#60;b>bold&#60;/b> &#91;x](javascript\\:alert(1)).

    - one
    - two

    #### notes

    | text | size |
    | --- | ---: |
    | saw a | 1 |
    | saw b | 1 |

    2 rows

    run RUN of Search · succeeded · answers by a script, not a model"
  `);
  expect(normal(data["text/html"])).toMatchInlineSnapshot(`
    "<h4 style="margin:.8em 0 .4em">report</h4>
    <div class="madrigal-report mathjax_ignore" style="max-width:60em"><h1>Found</h1>
    <p>All of <code>it</code>: &lt;b&gt;bold&lt;/b&gt; [x](javascript:alert(1)).</p>
    <ul>
    <li>one</li>
    <li>two</li>
    </ul>
    </div>
    <h4 style="margin:.8em 0 .4em">notes</h4>
    <table class="madrigal-table mathjax_ignore" cellpadding="5" style="border-collapse:collapse;color:inherit;font-variant-numeric:tabular-nums">
    <thead><tr style="border-bottom:2px solid rgba(128,128,128,.6)"><th style="text-align:left;vertical-align:bottom">text</th><th style="text-align:right;vertical-align:bottom">size</th></tr></thead>
    <tbody><tr style="border-bottom:1px solid rgba(128,128,128,.35)"><td style="text-align:left;vertical-align:top;white-space:pre">saw a</td><td style="text-align:right;vertical-align:top;white-space:pre">1</td></tr>
    <tr style="border-bottom:1px solid rgba(128,128,128,.35)"><td style="text-align:left;vertical-align:top;white-space:pre">saw b</td><td style="text-align:right;vertical-align:top;white-space:pre">1</td></tr></tbody>
    </table>
    <div class="madrigal-caption" style="opacity:.7;font-size:smaller">2 rows</div>
    <div class="madrigal-caption" style="opacity:.7;font-size:smaller">run RUN of Search · succeeded · answers by a script, not a model</div>"
  `);
});

test("of a text that nobody reads in a cell the beginning is shown, and where the rest is", async () => {
  const { run } = follow(searching(await graphOf(SEARCH, { looked })));
  await run.output;
  const output = { report: "word ".repeat(10_000_000) };
  rememberOutput(output, run);
  const { data } = await toBundle(output);
  const note =
    "… the first 100,000 of 50,000,000 characters; (await run.output).report has all of them";
  for (const mime of ["text/plain", "text/html"]) {
    expect(String(data[mime])).toContain(note);
    expect(String(data[mime]).length).toBeLessThan(110_000);
  }
  expect(String(data["text/markdown"])).toContain("50,000,000 characters");
});

test("a run that failed says why where it is drawn", async () => {
  const glue = () => {
    throw new Error("no glue");
  };
  const { run, outputs } = follow(searching(await graphOf(SEARCH, { looked: glue })));
  await run.output.catch(() => {});
  const { data } = bundleIn(outputs.at(-1));
  expect(String(data["text/plain"]).split("\n").at(-1)).toBe(
    "failed: M8301 `looked` threw: no glue",
  );
  expect(String(data["image/svg+xml"])).toMatch(/data-caption=""[^>]*>failed: M8301 /);
});

test("the output of a run that was opened shows itself as that of one that was started", async () => {
  const { run } = follow(searching(await graphOf(SEARCH, { looked })));
  const own = await toBundle(await run.output);
  expect(await toBundle(await runs.open(run.id).output)).toEqual(own);
  expect(await toBundle(await runs.last("Search").output)).toEqual(own);
});

test("a run shows how it stands", async () => {
  const { run } = follow(searching(await graphOf(SEARCH, { looked })));
  await run.output;
  const { data } = await toBundle(run);
  expect(Object.keys(data)).toEqual(["image/svg+xml", RUN_JSON, "text/plain"]);
  expect(normal(data["text/plain"])).toMatchInlineSnapshot(`
    "run RUN of Search · succeeded · answers by a script, not a model
    4 of 4 node runs done · 2 model calls · 195 tokens · no cost
    node run  status time  tokens in  tokens out
    plan#1    succeeded TIME        138           9
    look#1    succeeded TIME          0           0
    look#2    succeeded TIME          0           0
    write#1   succeeded TIME         39           9"
  `);
});

test("the steps of a run and the runs of a workspace are tables", async () => {
  const { run } = follow(searching(await graphOf(SEARCH, { looked })));
  await run.output;
  expect(normal((await toBundle(run.steps)).data["text/plain"])).toMatchInlineSnapshot(`
    "step  node   attempt  changed
       1  plan         1  tasks
       2  look         1  notes
       3  look         1  notes
       4  write        1  report
    4 steps"
  `);
  const listed = String((await toBundle(runs.list())).data["text/plain"]);
  expect(listed.split("\n")).toHaveLength(3);
  expect(listed).toMatch(/^run +graph +status +reason +started +steps +tokens +error$/m);
  expect(listed).toMatch(/ Search +succeeded +done .* 4 +\d+ +NULL$/m);
  const html = String((await toBundle(runs.list())).data["text/html"]);
  expect(html).toContain(` title="${run.id}">${run.id.slice(-8)}<`);
  expect((await toBundle(runs.list({ graph: "Other" }))).data["text/plain"]).toBe("no runs");
});

test.each(HOSTILE)("%j in an error of a run is text in the table of runs", async (text) => {
  const bad = () => {
    throw new Error(text);
  };
  const { run, outputs } = follow(searching(await graphOf(SEARCH, { looked: bad })));
  await run.output.catch(() => {});
  expectHarmless(await toBundle(runs.list()));
  for (const output of outputs) expectHarmless(bundleIn(output));
});

test("a step: what changed, before and after", async () => {
  const text = `graph G() returns n {
    state {
      n: int = 1
      list: string[] = ["a"] via append
    }
    run a = one() writes n
    run b = two() writes list
    run c = one() writes n
    start -> a -> b -> c -> end
  }`;
  let n = 1;
  const graph = await graphOf(text, { one: () => (n += 1), two: () => ["b", "c"] });
  const { run } = follow(graph.run({}) as never);
  await run.output;
  const shown = await Promise.all(
    run.steps.map(async (step) => (await toBundle(step)).data["text/plain"]),
  );
  expect(shown.join("\n\n")).toMatchInlineSnapshot(`
    "step 1: a
    2
    path  before  after  change
    n     1       2      replace
    1 change

    step 2: b
    ["b","c"]
    path     before  after  change
    list[1]          "b"    add (append)
    list[2]          "c"    add (append)
    2 changes

    step 3: c
    3
    path  before  after  change
    n     2       3      replace
    1 change"
  `);
});

test("the path of a change stands on one line", async () => {
  const text = `graph G() returns theTemperatureThatWasMeasured {
    state { theTemperatureThatWasMeasured: int = 1 }
    run a = one() writes theTemperatureThatWasMeasured
    start -> a -> end
  }`;
  const { run } = follow((await graphOf(text, { one: () => 2 })).run({}) as never);
  await run.output;
  const html = String((await toBundle(run.steps[0])).data["text/html"]);
  expect(html).toMatch(/white-space:pre">theTemperatureThatWasMeasured</);
});

test.each(HOSTILE)("%j in a report, an output and an error stays text", async (text) => {
  const bad = () => [{ text, size: 1 }];
  const { run } = follow(searching(await graphOf(SEARCH, { looked: bad }), { write: text }));
  const output = await run.output;
  expectHarmless(await toBundle(output));
  expectHarmless(await toBundle(run));
  for (const step of run.steps) expectHarmless(await toBundle(step));
  expectHarmless(await toBundle(new Error(text)));
  expectHarmless(await toBundle({ [text]: text }));
});

test("no report acts in any of its forms", async () => {
  const { run } = follow(searching(await graphOf(SEARCH, { looked })));
  await run.output;
  await fc.assert(
    fc.asyncProperty(hostileText, hostileText, async (a, b) => {
      const output = { [a]: `${a}\n\n${b}`, list: [{ [b]: a }], other: { a, b } };
      rememberOutput(output, run);
      expectHarmless(await toBundle(output));
    }),
    { numRuns: 100 },
  );
});
