/** Servers that end, hang, change their tools, or are not there. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LogRecord } from "../../../runtime/index.ts";
import { failureOf, newSession, runWith } from "../scoped-run.ts";
import { calling, commands, countIn, hasEnded, lives, pidsIn, testFolder } from "./servers.ts";

interface Odd {
  readonly folder?: string;
  readonly ways?: readonly string[];
  /** What stands behind the command. */
  readonly settings?: string;
  readonly state?: string;
}

const quoted = (command: string) => `"${command.replaceAll('"', "'")}"`;

function odd(
  lines: string,
  { folder = testFolder(), ways = [], settings = "", state = "a: Json" }: Odd = {},
) {
  const names = [...state.matchAll(/(\w): /g)].map(([, name]) => name).join(", ");
  return `model m = "scripted"
mcp odd = ${quoted(commands.odd(folder, ...ways))} ${settings}
graph G() returns ${names} { state { ${state} }
${lines} }`;
}

const outcomes = (records: readonly LogRecord[]) =>
  records.flatMap((one) => (one.kind === "outcome" ? [one] : []));

/** Answers questions about calls in doubt. */
const inDoubt = (answer: object) => (one: { readonly kind: string }) =>
  one.kind === "doubt" ? answer : undefined;

test("names that a program can't write are written with _, and lead back to their tools", async () => {
  const text = odd(
    "tool one = odd.same_name() writes a\n tool two = odd.same_name_2() writes b\n start -> one -> two -> end",
    {
      state: "a: string  b: string",
    },
  );
  expect(await runWith(text, {}).run.output).toEqual({ a: "the first", b: "the second" });
});

test("a server gets the variables that its declaration names and no other, and the log has no value of them", async () => {
  const text = odd("tool one = odd.environment() writes a\n start -> one -> end", {
    settings: '{ env: ["MY_TOKEN"] }',
    state: "a: Json",
  });
  const env = {
    PATH: process.env.PATH,
    HOME: "/nowhere",
    MY_TOKEN: "correct horse",
    OTHER_KEY: "battery staple",
  };
  const { run } = runWith(text, {}, { session: newSession({ env }) });
  const { a } = await run.output;
  expect(
    (a as { names: string[] }).names.filter((name) => !/^(PWD|_|SHLVL|OLDPWD)$/.test(name)),
  ).toEqual(["HOME", "MY_TOKEN", "PATH"]);
  expect((a as { token: string }).token).toBe("⟦secret:MY_TOKEN⟧");
  const missing = await failureOf(
    runWith(text, {}, { session: newSession({ env: { PATH: process.env.PATH } }) }),
  );
  expect(missing).toMatchObject({
    code: "M8415",
    message: "the server `odd` can't be used: MY_TOKEN is not set",
  });
});

test("an error in which a server names its secret is told without it", async () => {
  const env = { PATH: process.env.PATH, MY_TOKEN: "correct horse" };
  const text = odd("tool one = odd.leak() writes a\n start -> one -> end", {
    settings: '{ env: ["MY_TOKEN"] }',
  });
  const { message } = await failureOf(runWith(text, {}, { session: newSession({ env }) }));
  expect(message).toContain("no entry with ⟦secret:MY_TOKEN⟧");
});

describe("a server that is not there", () => {
  const lines = "agent ask { model m; tools odd; prompt `x`; writes a }\n start -> ask -> end";

  test("E78 [SM] is a failure of class transport, with what it wrote", async () => {
    const text = odd(lines, { ways: ["never"], state: "a: string" });
    expect(await failureOf(runWith(text, {}, { models: calling("ask") }))).toMatchObject({
      class: "transport",
      code: "M8411",
    });
  });

  test("E78 [SM] that is optional leaves the graph without its tools, and the log says why", async () => {
    const text = odd(lines, { ways: ["never"], settings: "optional", state: "a: string" });
    const { run, records } = runWith(text, {}, { models: calling("ask") });
    expect(await run.output).toEqual({ a: "done" });
    expect(outcomes(records())[0]?.value).toMatchObject({
      tools: [],
      absent: expect.stringContaining("could not be started"),
    });
  });

  test("a tool that it does not have is M8413, with the one that was probably meant", async () => {
    const text = odd("tool one = odd.sya() writes a\n start -> one -> end");
    expect(await failureOf(runWith(text, {}))).toMatchObject({
      code: "M8413",
      hint: "did you mean `say`?",
    });
  });

  test("a server that does not survive the question for the newest protocol is asked in the older way", async () => {
    const text = odd('tool one = odd.say({ word: "hi" }) writes a\n start -> one -> end', {
      ways: ["strict"],
      state: "a: string",
    });
    expect(await runWith(text, {}).run.output).toEqual({ a: "hi" });
  });
});

describe("a server that ends during a call", () => {
  test("is started once more: a call that only reads is made again by itself", async () => {
    const text = odd("tool one = odd.end_once() writes a\n start -> one -> end", {
      settings: "{ trustAnnotations: true }",
      state: "a: string",
    });
    expect(await runWith(text, {}).run.output).toEqual({ a: "this time" });
  });

  test("and ends again is a failure of class transport, which retry takes", async () => {
    const text = odd(
      "tool one = odd.end_always() { writes a; retry 1 on transport }\n start -> one -> end",
      { settings: "{ trustAnnotations: true }" },
    );
    const { run, records } = runWith(text, {});
    expect(await failureOf({ run })).toMatchObject({ class: "transport", code: "M8412" });
    expect(records().filter((one) => one.kind === "start").length).toBe(2);
  });

  test("and may have acted asks a person; the next call finds it started again", async () => {
    const text = odd(
      'tool one = odd.end() writes a\n tool two = odd.say({ word: "back" }) writes b\n start -> one -> two -> end',
      {
        state: "a: Json = null  b: string",
      },
    );
    const { run } = runWith(
      text,
      {},
      { answers: inDoubt({ kind: "value", value: "it happened" }) as never },
    );
    expect(await run.output).toEqual({ a: "it happened", b: "back" });
  });

  test("kill -9 of the server at any call ends in a result or an error class, and leaves no process", async () => {
    const place = fc.record({ call: fc.integer({ min: 0, max: 3 }), turns: fc.nat(30) });
    const kills = fc.asyncProperty(place, fc.boolean(), async ({ call, turns }, isTrusted) => {
      const folder = mkdtempSync(join(tmpdir(), "madrigal-mcp-"));
      try {
        let calls = 0;
        const killLater = async () => {
          for (let turn = 0; turn < turns; turn += 1) await new Promise((go) => setImmediate(go));
          for (const pid of pidsIn(folder)) if (lives(pid)) process.kill(pid, "SIGKILL");
        };
        const text = odd(
          "tool c = odd.child() writes c\n tool one = odd.count() writes a\n tool two = odd.count() writes a\n tool three = odd.count() writes a\n start -> c -> one -> two -> three -> end",
          {
            folder,
            settings: isTrusted ? "{ trustAnnotations: true }" : "",
            state: "a: string  c: string",
          },
        );
        const { run } = runWith(
          text,
          {},
          {
            answers: inDoubt({ kind: "deny" }) as never,
            intercept: [
              {
                name: "killer",
                beforeTool: () => {
                  calls += 1;
                  if (calls === call + 1) void killLater();
                  return undefined;
                },
              },
            ],
          },
        );
        await run.output.catch(() => {});
        expect(
          run.failure === undefined || /^(transport|denied|tool)$/.test(run.failure.class),
        ).toBe(true);
        expect(countIn(folder, "counted")).toBeLessThanOrEqual(3);
        await run.dispose();
        await Promise.all(pidsIn(folder).map(hasEnded));
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
    await fc.assert(kills, { numRuns: 12 });
  });
});

describe("the processes of a server", () => {
  const lines = "tool c = odd.child() writes a\n start -> c -> end";

  test("end with the run, also those that it started and one that ignores signals and the end of its input", async () => {
    const folder = testFolder();
    await runWith(odd(lines, { folder, ways: ["stubborn"] }), {}).run.output;
    expect(pidsIn(folder).length).toBeGreaterThan(1);
    await Promise.all(pidsIn(folder).map(hasEnded));
  });

  test("end when this process is killed", async () => {
    const folder = testFolder();
    const text = odd(
      `tool c = odd.child() writes a\n tool h = odd.hang() writes a\n start -> c -> h -> end`,
      { folder, ways: ["stubborn"] },
    );
    const program = `import { Session } from ${JSON.stringify(new URL("../../../runtime/index.ts", import.meta.url).href)};
const [graph] = Object.values(new Session({ store: "memory", env: process.env }).compile(${JSON.stringify(text)}));
graph.run({}).updates$.subscribe(() => process.stdout.write("on"));`;
    const ours = spawn(process.execPath, ["--input-type=module", "-e", program], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await new Promise((resolve) => ours.stdout.once("data", resolve));
    expect(pidsIn(folder).filter(lives).length).toBeGreaterThan(1);
    ours.kill("SIGKILL");
    await Promise.all(pidsIn(folder).map(hasEnded));
  });

  test("do not keep a process alive that has nothing else to do", async () => {
    const folder = testFolder();
    const text = odd(
      `tool c = odd.child() writes a\n human h { ask \`go on?\`; writes a }\n start -> c -> h -> end`,
      { folder },
    );
    const program = `import { Session } from ${JSON.stringify(new URL("../../../runtime/index.ts", import.meta.url).href)};
const [graph] = Object.values(new Session({ store: "memory", env: process.env }).compile(${JSON.stringify(text)}));
await graph.run({}).output.catch(() => {});`;
    const ours = spawn(process.execPath, ["--input-type=module", "-e", program], {
      stdio: "ignore",
    });
    await new Promise((resolve) => ours.once("exit", resolve));
    await Promise.all(pidsIn(folder).map(hasEnded));
  });
});

describe("a server that changes a tool after it was seen", () => {
  const say = 'tool two = odd.say({ word: "hi" }) writes b';
  const state = "a: string  b: string";

  test.each([true, false])("is not called: it tells of the change: %s", async (tells) => {
    const folder = testFolder();
    const first = `tool zero = odd.say({ word: "a" }) writes a\n tool one = odd.change({ tells: ${tells} }) writes a`;
    const text = odd(`${first}\n ${say}\n start -> zero -> one -> two -> end`, { folder, state });
    expect(await failureOf(runWith(text, {}))).toMatchObject({ class: "denied", code: "M8414" });
  });

  test("is not called in the same conversation either", async () => {
    const text = odd(
      "agent ask { model m; tools odd; prompt `x`; writes a }\n start -> ask -> end",
      { state: "a: string" },
    );
    const models = calling(
      "ask",
      ["odd.say", { word: "a" }],
      ["odd.change", { tells: true }],
      ["odd.say", { word: "b" }],
    );
    expect(await failureOf(runWith(text, {}, { models }))).toMatchObject({ code: "M8414" });
  });
});

test("a result that does not fit the output schema of its tool is an error that the agent is told", async () => {
  const text = odd("tool one = odd.wrong() writes a\n start -> one -> end");
  const failure = await failureOf(runWith(text, {}));
  expect(failure).toMatchObject({
    class: "tool",
    code: "M8202",
    message: expect.stringContaining("expected a number"),
  });
});

test("of 50 declared servers those start whose tools a node has that runs", async () => {
  const folder = testFolder();
  const names = Array.from({ length: 50 }, (_, at) => `s${at}`);
  const command = quoted(commands.odd(folder));
  const text = `model m = "scripted"
${names.map((name) => `mcp ${name} = ${command}`).join("\n")}
graph G() returns a { state { a: Json }
tool one = s7.say({ word: "a" }) writes a
tool two = s31.say({ word: "b" }) writes a
agent never { model m; tools ${names.join(", ")}; prompt \`x\`; writes a }
start -> one -> two -> { a == "c" -> never, else -> end }
never -> end }`;
  const models = calling("never");
  expect(await runWith(text, {}, { models }).run.output).toEqual({ a: "b" });
  expect([pidsIn(folder).length, countIn(folder, "listed")]).toEqual([2, 2]);
});

test("a call without a sign of life ends at callWithin, and asks a person", async () => {
  const text = odd("tool one = odd.hang() writes a\n start -> one -> end", {
    settings: "{ callWithin: 50ms }",
  });
  const { run } = runWith(text, {}, { answers: inDoubt({ kind: "deny" }) as never });
  expect(await failureOf({ run })).toMatchObject({ class: "denied", code: "M5021" });
});

test("M08 a run that ended has closed its servers and what they started, and is not begun again", async () => {
  const folder = testFolder();
  const text = odd(
    "tool one = odd.child() writes c\n tool two = odd.count() writes a\n start -> one -> two -> end",
    { folder, state: "a: string  c: string" },
  );
  const { run } = runWith(text, {});
  await run.output;
  expect(pidsIn(folder).length).toBeGreaterThan(1);
  await Promise.all(pidsIn(folder).map(hasEnded));
  await expect(run.resume()).rejects.toMatchObject({
    code: "M5004",
    hint: "start a new run, or fork this one",
  });
  expect(countIn(folder, "counted")).toBe(1);
});
