import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectNode, projectRoot } from "../../../support/child.ts";
import { madrigal } from "../../../support/warm/madrigal.ts";
import { document, greet, hello, put, said, workspace } from "../calling.ts";

const name = ["--input", '{"name": "Ada"}'];

test("a run tells its nodes, its output, its table and where it is kept", async () => {
  const home = workspace({ "greet.madrigal": greet, "hello.ts": hello });
  expect(await said(home, ["run", "greet.madrigal", ...name])).toMatchInlineSnapshot(`
    "exit 0
    greet#1 started
    greet#1 succeeded TIME
    wish#1 started
    wish#1 succeeded TIME

    greeting:
    hello Ada

    wish:
    Nothing was found that answers this: Wish Ada a good day.

    node   runs   time  model calls  tool calls  tokens in  tokens out  cost  model  model source
    greet     1 TIME            0           0          0           0    $0  -      -
    wish      1 TIME            1           0         41          16    $0  rules  rules

    run: RUN
    log: HOME/.madrigal/runs.sqlite
    trace: HOME/.madrigal/traces/live-cli.duckdb"
  `);
});

test("contract: run --json", async () => {
  const home = workspace({ "greet.madrigal": greet, "hello.ts": hello });
  const { exit, json } = await document(home, ["run", "greet.madrigal", "Greet", ...name]);
  expect(exit).toBe(0);
  expect(json).toMatchInlineSnapshot(`
    {
      "cost_usd": 0,
      "duration_ms": 0,
      "graph": "Greet",
      "graph_hash": "HASH",
      "interrupts": [],
      "model_sources": [
        "rules",
      ],
      "output": {
        "greeting": "hello Ada",
        "wish": "Nothing was found that answers this: Wish Ada a good day.",
      },
      "reason": "done",
      "run_id": "RUN",
      "state": {
        "greeting": "hello Ada",
        "wish": "Nothing was found that answers this: Wish Ada a good day.",
      },
      "status": "succeeded",
      "steps": 2,
      "thread_id": "RUN",
      "tokens": {
        "input": 41,
        "output": 16,
      },
      "version": 1,
    }
  `);
});

test("with --json nothing else is on stdout, whatever the program's TypeScript prints", async () => {
  const loud = 'console.log("loaded");\nexport const hello = (n: string) => (console.log(n), n);\n';
  const home = workspace({ "greet.madrigal": greet, "hello.ts": loud });
  const { stdout, stderr } = await madrigal(["run", "greet.madrigal", ...name, "--json"], { home });
  expect(JSON.parse(stdout)).toMatchObject({ version: 1, status: "succeeded" });
  expect(stderr).toContain("loaded\n");
});

test("contract: run --events prints one event a line", async () => {
  const home = workspace({ "greet.madrigal": greet, "hello.ts": hello });
  const { code, stdout } = await madrigal(["run", "greet.madrigal", ...name, "--events"], { home });
  const kinds = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).kind);
  expect(code).toBe(0);
  expect(kinds.slice(0, 3)).toEqual(["run.started", "route.chosen", "attempt.started"]);
  expect(kinds.at(-1)).toBe("run.finished");
});

test("a run that fails says what, where and how to go on; resume goes on with the code as it is then", async () => {
  const broken = 'export const hello = (_: string) => { throw new Error("no voice"); };\n';
  const home = workspace({ "greet.madrigal": greet, "hello.ts": broken });
  expect(await said(home, ["run", "greet.madrigal", ...name])).toMatchInlineSnapshot(`
    "exit 1
    greet#1 started
    greet#1 failed TIME M8301: \`hello\` threw: no voice

    node   runs   time  model calls  tool calls  tokens in  tokens out  cost  model  model source
    greet     1 TIME            0           0          0           0    $0  -      -

    run: RUN
    log: HOME/.madrigal/runs.sqlite
    trace: HOME/.madrigal/traces/live-cli.duckdb
    ! error[M8301]: \`hello\` threw: no voice
    !   at node \`greet\`, attempt 1, greet.madrigal:8:3
    !     at hello hello.ts:1:45
    !   hint: mend \`hello\`: the next attempt calls it as it is then
    !   hint: finished work is kept; to continue: madrigal resume RUN"
  `);
  expect(await said(home, ["show", "last"])).toMatchInlineSnapshot(`
    "exit 0
    run: RUN (RUN)
    graph: Greet (HOME/greet.madrigal)
    status: failed (error)
    started: DATE UTC, ran TIME
    tokens: 0 in, 0 out, cost $0
    models: m = rules
    input: {"name":"Ada"}

    node   runs   time  model calls  tool calls  tokens in  tokens out  cost  model  model source
    greet     1 TIME            0           0          0           0    $0  -      -

    failed attempts:
      greet#1 attempt 1: M8301 \`hello\` threw: no voice (then: fail)

    error[M8301]: \`hello\` threw: no voice
      at node \`greet\`, attempt 1, greet.madrigal:8:3
        at hello hello.ts:1:45
      hint: mend \`hello\`: the next attempt calls it as it is then
      hint: finished work is kept; to continue: madrigal resume RUN"
  `);
  const again = await document(home, ["resume", "last"]);
  expect(again.json.error).toMatchObject({ stack: expect.stringContaining("hello.ts:1:45") });
  expect(withoutStack(again)).toMatchInlineSnapshot(`
    {
      "exit": 1,
      "json": {
        "cost_usd": 0,
        "duration_ms": 0,
        "error": {
          "attempt": 2,
          "code": "M8301",
          "hint": "mend \`hello\`: the next attempt calls it as it is then",
          "line": 8,
          "message": "\`hello\` threw: no voice",
          "node": "greet",
        },
        "graph": "Greet",
        "graph_hash": "HASH",
        "interrupts": [],
        "model_sources": [],
        "output": null,
        "reason": "error",
        "run_id": "RUN",
        "state": {},
        "status": "failed",
        "steps": 0,
        "thread_id": "RUN",
        "tokens": {
          "input": 0,
          "output": 0,
        },
        "version": 1,
      },
    }
  `);
  put(home, "hello.ts", hello);
  expect(await said(home, ["resume", "last"])).toMatchInlineSnapshot(`
    "exit 0
    resumed
    greet#1 started again (resume, attempt 3)
    greet#1 succeeded TIME
    wish#1 started
    wish#1 succeeded TIME

    greeting:
    hello Ada

    wish:
    Nothing was found that answers this: Wish Ada a good day.

    node   runs   time  model calls  tool calls  tokens in  tokens out  cost  model  model source
    greet     1 TIME            0           0          0           0    $0  -      -
    wish      1 TIME            1           0         41          16    $0  rules  rules

    run: RUN
    log: HOME/.madrigal/runs.sqlite
    trace: HOME/.madrigal/traces/live-cli.duckdb"
  `);
  expect(await said(home, ["resume", "last"])).toMatchInlineSnapshot(`
    "exit 1
    ! error[M5004]: run \`RUN\` has succeeded; there is nothing to resume
    !   hint: start a new run, or fork this one"
  `);
  expect(await said(home, ["abort", "last"])).toMatchInlineSnapshot(`
    "exit 1
    ! error[M5004]: run \`RUN\` has ended: it succeeded
    !   hint: madrigal show RUN"
  `);
});

// The frames of our own files in it are nobody's contract.
function withoutStack({ exit, json }: Awaited<ReturnType<typeof document>>) {
  const { stack: _, ...error } = json.error as Readonly<Record<string, unknown>>;
  return { exit, json: { ...json, error } };
}

test("runs and show tell the same of a stored run, as text and as a document", async () => {
  const home = workspace({
    "greet.madrigal": greet,
    "scope.ts": "export {};\n",
    "hello.ts": hello,
  });
  const words = ["run", "greet.madrigal", "--scope", "scope.ts", "--thread", "t1"];
  await madrigal([...words, "--durability", "sync", ...name], { home });
  expect(await said(home, ["runs", "--graph", "Greet"])).toMatchInlineSnapshot(`
    "exit 0
    run       graph  status     started (UTC)        steps  tokens  cost  why
    RUN  Greet  succeeded  DATE      2      57    $0"
  `);
  expect(await said(home, ["runs", "--status", "failed"])).toBe("exit 0\nno runs");
  expect(await said(home, ["runs", "--graph", "Greet", "--status", "failed"])).toBe(
    "exit 0\nno runs",
  );
  expect(await said(home, ["runs", "--graph", "Great"])).toMatchInlineSnapshot(`
    "exit 1
    ! error[M5459]: no run is of a graph called \`Great\`
    !   hint: did you mean \`Greet\`?"
  `);
  expect(await document(home, ["runs", "--limit", "1"])).toMatchInlineSnapshot(`
    {
      "exit": 0,
      "json": {
        "runs": [
          {
            "cost_usd": 0,
            "created_at": "DATE",
            "graph": "Greet",
            "graph_hash": "HASH",
            "lost": false,
            "owner": null,
            "reason": "done",
            "run_id": "RUN",
            "status": "succeeded",
            "steps": 2,
            "thread_id": "t1",
            "tokens": {
              "input": 41,
              "output": 16,
            },
            "updated_at": "DATE",
          },
        ],
        "version": 1,
      },
    }
  `);
  expect(await document(home, ["show", "last"])).toMatchInlineSnapshot(`
    {
      "exit": 0,
      "json": {
        "branches": [],
        "commits": [
          {
            "attempt": 1,
            "fields": [
              "greeting",
            ],
            "node": "greet",
            "step": 1,
          },
          {
            "attempt": 1,
            "fields": [
              "wish",
            ],
            "node": "wish",
            "step": 2,
          },
        ],
        "cost_usd": 0,
        "created_at": "DATE",
        "duration_ms": 0,
        "failures": [],
        "file": "HOME/greet.madrigal",
        "graph": "Greet",
        "graph_hash": "HASH",
        "input": {
          "name": "Ada",
        },
        "interrupts": [],
        "lost": false,
        "model_sources": [
          "rules",
        ],
        "models": {
          "m": "rules",
        },
        "nodes": [
          {
            "attempts": 1,
            "cost_usd": 0,
            "dur_us": 0,
            "failed": 0,
            "input_tokens": 0,
            "model": null,
            "model_calls": 0,
            "model_source": null,
            "node": "greet",
            "output_tokens": 0,
            "runs": 1,
            "tool_calls": 0,
          },
          {
            "attempts": 1,
            "cost_usd": 0,
            "dur_us": 0,
            "failed": 0,
            "input_tokens": 41,
            "model": "rules",
            "model_calls": 1,
            "model_source": "rules",
            "node": "wish",
            "output_tokens": 16,
            "runs": 1,
            "tool_calls": 0,
          },
        ],
        "output": {
          "greeting": "hello Ada",
          "wish": "Nothing was found that answers this: Wish Ada a good day.",
        },
        "owner": null,
        "reason": "done",
        "run_id": "RUN",
        "scope_file": "HOME/scope.ts",
        "state": {
          "greeting": "hello Ada",
          "wish": "Nothing was found that answers this: Wish Ada a good day.",
        },
        "status": "succeeded",
        "steps": 2,
        "thread_id": "t1",
        "tokens": {
          "input": 41,
          "output": 16,
        },
        "version": 1,
      },
    }
  `);
});

test("a reader that closes the pipe early is no fault", () => {
  const home = workspace({ "greet.madrigal": greet, "hello.ts": hello });
  const piped = `set -o pipefail; "$0" "$1" run greet.madrigal --input '{"name": "Ada"}' | true`;
  const command = ["-c", piped, projectNode, join(projectRoot, "kernel/madrigal.js")];
  const env = { PATH: process.env.PATH, HOME: home, MADRIGAL_HOME: home };
  const { status, stderr } = spawnSync("bash", command, { cwd: home, env, encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});

test("runs are asked for without leaving a folder where there are none", async () => {
  const home = workspace();
  expect(await said(home, ["runs"])).toBe("exit 0\nno runs");
  expect(existsSync(join(home, ".madrigal"))).toBe(false);
});

test("breakpoints of a graph are named, and passed, where nobody could let the run go on", async () => {
  const held = greet.replace("  start ->", "  break before greet\n  break after wish\n  start ->");
  const home = workspace({ "greet.madrigal": held, "hello.ts": hello });
  const { code, stdout, stderr } = await madrigal(["run", "greet.madrigal", ...name], { home });
  expect([code, stdout]).toEqual([0, expect.stringContaining("hello Ada")]);
  expect(stderr).toBe(
    "note: `Greet` has breakpoints at `greet`, `wish`; on the command line it goes past them\n",
  );
});

test("settings of a file, and of the file of a graph that is called, are given by --config", async () => {
  const home = workspace({
    "mine.madrigal": `import { Look } from "./look.madrigal"
config { width: 1 }
graph Mine() returns seen, own {
  state { seen: int = 0
    own: int = 0 }
  graph go = Look() writes seen
  start -> go -> end set own = width
}
`,
    "look.madrigal": `config { width: 3 }
graph Look() returns seen {
  state { seen: int = 0 }
  start -> end set seen = width
}
`,
    "given.json": '{"width": 5, "Look.width": 6}',
  });
  const outputOf = async (...words: readonly string[]) =>
    (await document(home, ["run", "mine.madrigal", ...words])).json.output;
  expect(await outputOf()).toEqual({ seen: 3, own: 1 });
  expect(await outputOf("--config", '{"Look.width": 9}')).toEqual({ seen: 9, own: 1 });
  expect(await outputOf("--config", "@given.json")).toEqual({ seen: 6, own: 5 });
  expect(await said(home, ["run", "mine.madrigal", "--config", '{"Look.wide": 9}'])).toMatch(
    /^exit 2\n.*M5353.*`Look.wide` is no setting of the file, of which the graph uses `width`, `Look.width`/s,
  );
  expect(await said(home, ["run", "mine.madrigal", "--config", "[9]"])).toMatch(/M7104.*--config/s);
});
