/** Ctrl-C and its relatives while a run is under way. */
import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Session } from "../../../runtime/index.ts";
import { madrigal, startMadrigal, startNode } from "../../support/child.ts";
import { document, exitCode, put, textOf, workspace } from "./calling.ts";

/** Another terminal's call: each is a process of its own, whose end closes what it opened. */
const said = async (home: string, words: readonly string[]) =>
  textOf(await madrigal(words, { home }), home);

const slow = `import { first, wait } from "./slow.ts"
graph Slow(word: string) returns out {
  state {
    begun: string
    out: string
  }
  run begin = first(word) writes begun
  run end_ = wait(begun) writes out
  start -> begin -> end_ -> end
}
`;

/** A program whose second node reads a pipe that nobody writes to, which no signal of ours can end. */
function slowProgram(): { home: string; pipe: string; words: readonly string[] } {
  const home = workspace({ "slow.madrigal": slow });
  const pipe = join(home, "pipe");
  spawnSync("mkfifo", [pipe]);
  const code = `import { readFile } from "node:fs/promises";
    export const first = (word: string) => word + "!";
    export const wait = async (word: string) => word + (await readFile(${JSON.stringify(pipe)}, "utf8"));`;
  put(home, "slow.ts", code);
  return { home, pipe, words: ["run", "slow.madrigal", "--input", '{"word": "hi"}'] };
}

test("an abort from another terminal ends the run where it is driven", async () => {
  const { home, words } = slowProgram();
  const child = startMadrigal(words, { home });
  await child.said("end_#1 started");
  expect(await said(home, ["abort", "last", "--reason", "enough"])).toMatchInlineSnapshot(`
    "exit 0
    RUN is aborted; what it did is kept: madrigal resume RUN"
  `);
  const { code, stderr } = await child.ended;
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining("enough") });
});

test("a pause from another process ends the command where the run is driven, and the run goes on from there", async () => {
  const { home, pipe, words } = slowProgram();
  const child = startMadrigal(words, { home });
  await child.said("end_#1 started");
  const session = new Session({ cwd: home, env: {} });
  await session.open("last").pause({ reason: "lunch" });
  const { code, stdout, stderr } = await child.ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "paused by another process: lunch\n" });
  expect(stdout).toMatch(/\npaused: madrigal resume [-0-9a-f]+\n$/);
  expect(session.open("last").status).toBe("paused");
  await session.close();
  const writing = writeFile(pipe, " there");
  expect(await said(home, ["resume", "last"])).toContain("out:\nhi! there");
  await writing;
});

test("a pause at once from another process returns when the run stands still", async () => {
  const { home, words } = slowProgram();
  const child = startMadrigal(words, { home });
  await child.said("end_#1 started");
  const session = new Session({ cwd: home, env: {} });
  const run = session.open("last");
  await run.pause({ now: true, reason: "lunch" });
  expect(run.status).toBe("paused");
  await session.close();
  expect((await child.ended).stdout).toMatch(/\npaused: madrigal resume [-0-9a-f]+\n$/);
});

test("contract: SIGINT pauses the run, the last line says how to resume, and resume ends it", async () => {
  const { home, pipe, words } = slowProgram();
  const child = startMadrigal(words, { home });
  await child.said("end_#1 started");
  expect(await said(home, ["resume", "last"])).toMatchInlineSnapshot(`
    "exit 1
    ! error[M5105]: run \`RUN\` is driven by OWNER ( since DATE)
    !   hint: wait until it has ended, or stop it: \`run.pause()\`, \`madrigal abort\`; reading and answering it is always possible"
  `);
  child.signal("SIGINT");
  expect(textOf(await child.ended, home)).toMatchInlineSnapshot(`
    "exit 130
    begin#1 started
    begin#1 succeeded TIME
    end_#1 started
    end_#1 stopped TIME

    node   runs   time  model calls  tool calls  tokens in  tokens out  cost  model  model source
    begin     1 TIME            0           0          0           0    $0  -      -
    end_      1      -            0           0          0           0    $0  -      -

    run: RUN
    log: HOME/.madrigal/runs.sqlite
    trace: HOME/.madrigal/traces/live-cli.duckdb
    paused: madrigal resume RUN
    ! SIGINT: pausing; once more to leave at once"
  `);
  const writing = writeFile(pipe, " there");
  expect(await said(home, ["resume", "last"])).toMatchInlineSnapshot(`
    "exit 0
    resumed
    end_#1 started
    end_#1 succeeded TIME

    out:
    hi! there

    node   runs   time  model calls  tool calls  tokens in  tokens out  cost  model  model source
    begin     1 TIME            0           0          0           0    $0  -      -
    end_      1 TIME            0           0          0           0    $0  -      -

    run: RUN
    log: HOME/.madrigal/runs.sqlite
    trace: HOME/.madrigal/traces/live-cli.duckdb"
  `);
  await writing;
});

test("contract: SIGTERM exits 143 with the document of a paused run; abort then ends it", async () => {
  const { home, words } = slowProgram();
  const child = startMadrigal([...words, "--json"], { home });
  await child.said("end_#1 started");
  child.signal("SIGTERM");
  const ended = await child.ended;
  expect(exitCode(ended)).toBe(143);
  expect(JSON.parse(ended.stdout)).toMatchObject({
    version: 1,
    status: "paused",
    reason: "SIGTERM",
    output: null,
  });
  expect(ended.stderr).toMatch(/\npaused: madrigal resume [-0-9a-f]+\n$/);
  expect(await document(home, ["abort", "last", "--reason", "enough"])).toMatchInlineSnapshot(`
    {
      "exit": 0,
      "json": {
        "reason": "enough",
        "run_id": "RUN",
        "status": "aborted",
        "version": 1,
      },
    }
  `);
});

test("the command that runs itself again on a newer Node passes signals on", async () => {
  const { home, words } = slowProgram();
  const child = startNode(["test/kernel/startup/as-old-node.ts", "kernel/madrigal.js", ...words], {
    home,
  });
  await child.said("end_#1 started");
  child.signal("SIGINT");
  const ended = await child.ended;
  expect(exitCode(ended)).toBe(130);
  expect(ended.stdout.trimEnd().split("\n").at(-1)).toMatch(/^paused: madrigal resume /);
});
