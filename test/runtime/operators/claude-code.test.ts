/** Claude Code as a node, behind a stub that speaks its wire: what it gets, says, asks for and makes, and how it ends. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Answer, type Interrupt, Session } from "../../../runtime/index.ts";
import { allEvents, stubbedGraph, stubbedProgram, stubController } from "./stub-runs.ts";

const input = { task: "Do it." };

describe("its environment", () => {
  test("A15 A11 it gets what any program needs and the variables that the program names, and nothing else", async () => {
    const env = {
      ANTHROPIC_API_KEY: "sk-secret",
      AWS_SECRET_ACCESS_KEY: "x",
      NAMED: "yes",
      LC_ALL: "C",
    };
    const { graph, home } = stubbedGraph("env", {
      options: 'env: ["NAMED"]',
      set: { OWN: "set" },
      env,
    });
    const { patch } = await graph.run(input).output;
    const { PATH, ...got } = JSON.parse(String(patch));
    expect(PATH).toBe(process.env.PATH);
    expect(got).toEqual({
      ...{ HOME: home, LC_ALL: "C", NAMED: "yes", OWN: "set", STUB_SCENE: "env" },
      ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", CLAUDE_CODE_MAX_RETRIES: "1" },
      ...{ DISABLE_AUTOUPDATER: "1", DISABLE_TELEMETRY: "1", PWD: home },
    });
  });

  test("the value of a variable that it is given stands nowhere, whatever the variable is called", async () => {
    const LOGIN = "correct-horse-battery";
    const place = "/opt/somewhere/else";
    const { graph, session } = stubbedGraph("env", {
      options: 'env: ["LOGIN", "PLACE"]',
      env: { LOGIN, PLACE: place },
    });
    const run = graph.run(input);
    await run.output;
    const log = JSON.stringify(session.store.read(run.id));
    expect(log).toContain("\u27e6secret:LOGIN\u27e7");
    expect(log).not.toContain(LOGIN);
    expect(log).toContain(place);
  });

  test("a named variable that is not set is M8562, a missing program M8561, a missing folder M8563", async () => {
    const unset = stubbedGraph("talks", { options: 'env: ["NOT_THERE"]' });
    await expect(unset.graph.run(input).output).rejects.toMatchObject({ code: "M8562" });
    const nowhere = stubbedGraph("talks", { options: 'cwd: "nowhere"' });
    await expect(nowhere.graph.run(input).output).rejects.toMatchObject({ code: "M8563" });
    const missing = stubbedProgram(
      `graph G() returns a { state { a: string } operator code { controller claude_code(command: ["no-such-claude"]); writes a } start -> code -> end }`,
    );
    await expect(missing.graph.run({}).output).rejects.toMatchObject({ code: "M8561" });
  });

  test("A13 A15 its tools, mode, model and folder are arguments of its program", async () => {
    const options =
      'cwd: "app", model: "opus", mode: "plan", tools: ["Read", "Bash"], allow: ["Bash(ls *)"], deny: ["WebFetch"], turns: 3';
    const { graph, home } = stubbedGraph("args", { options });
    mkdirSync(join(home, "app"));
    const { patch } = await graph.run(input).output;
    const { args, cwd, heard } = JSON.parse(String(patch));
    const value = (flag: string) => args[args.indexOf(flag) + 1];
    expect(cwd).toBe(join(home, "app"));
    expect(
      ["--model", "--permission-mode", "--tools", "--allowedTools", "--disallowedTools"].map(value),
    ).toEqual(["opus", "plan", "Read,Bash", "Bash(ls *),mcp__madrigal", "WebFetch"]);
    expect([value("--max-turns"), value("--input-format")]).toEqual(["3", "stream-json"]);
    expect(heard[0].message.content).toEqual([{ type: "text", text: "Do it." }]);
  });

  test("A18 a prompt that is too long for a message is a file that it is told to read", async () => {
    const { graph } = stubbedGraph("file");
    const task = "x".repeat(1_000_000);
    expect(await graph.run({ task }).output).toEqual({ patch: "1000000" });
  });
});

describe("what it says", () => {
  test("A16 A12 A45 its lines are normalised events, each with its bytes; usage adds up once", async () => {
    const { graph } = stubbedGraph("works", { type: "{ ok: boolean }" });
    const run = graph.run(input);
    const events = await allEvents(run.stream("events"));
    expect(await run.output).toEqual({ patch: { ok: true } });
    const said = events.flatMap((event) =>
      event.kind === "controller.event" ? [event.event] : [],
    );
    expect(said.map(({ kind }) => kind)).toEqual([
      ...["session_started", "message_completed", "heartbeat", "tool_call", "tool_result"],
      ...["heartbeat", "tool_call", "plan_updated", "tool_result"],
      ...["heartbeat", "tool_call", "tool_result", "completed"],
    ]);
    const { inputTokens, outputTokens, costUsd, modelCalls, toolCalls } = run.usage;
    expect({ inputTokens, outputTokens, costUsd, modelCalls, toolCalls }).toEqual({
      ...{ inputTokens: 60, outputTokens: 16, costUsd: 0.01, modelCalls: 4, toolCalls: 3 },
    });
  });

  test("A26 lines that mean nothing, and what stands on stderr, are kept as they came", async () => {
    const { graph, session } = stubbedGraph("babbles");
    const run = graph.run(input);
    const events = await allEvents(run.stream("events"));
    const logs = events.flatMap((event) =>
      event.kind === "controller.event" && event.event.kind === "log" ? [event.event.text] : [],
    );
    expect(logs).toEqual(
      expect.arrayContaining([
        "\u001b[31mwarning\u001b[0m",
        "a note on stderr",
        '{"type":"something_new","at":1}',
      ]),
    );
    const ended = events.find((event) => event.kind === "session.ended");
    const { artifact = "", bytes } = ended?.result?.traceRef ?? {};
    const raw = session.store.artifacts.get(artifact);
    expect(raw.length).toBe(bytes);
    for (const line of [
      "\u001b[31mwarning\u001b[0m\n",
      "a note on stderr\n",
      Buffer.from([0xff, 0xfe, 0x0a]),
    ])
      expect(Buffer.from(raw).includes(line)).toBe(true);
  });

  test("A10 what a person says to the node in the middle of a turn reaches it", async () => {
    const { graph } = stubbedGraph("steered");
    const run = graph.run(input);
    const done = allEvents(run.stream("events"));
    await run.steer("look at b.ts");
    await done;
    expect(await run.output).toEqual({ patch: "told: look at b.ts" });
  });
});

describe("what it asks for", () => {
  async function asked(answer: Answer, scene = "asks") {
    const { graph, home } = stubbedGraph(scene);
    const seen: Interrupt[] = [];
    const run = graph.run(input, {
      answers: (interrupt) => {
        seen.push(interrupt);
        return answer;
      },
    });
    const output = await run.output;
    const note = join(home, "note.txt");
    return { seen, output, note: existsSync(note) ? readFileSync(note, "utf8") : undefined };
  }

  test("A85 a call that it asks leave for is a question; a yes lets it act, a no does not", async () => {
    const { seen, note } = await asked({ kind: "approve" });
    expect(seen.map(({ kind, tool }) => [kind, tool])).toEqual([["approval", "Write"]]);
    expect(note).toBe("hello\n");
    expect(await asked({ kind: "deny", reason: "not here" })).toMatchObject({ note: undefined });
  });

  test("A86 the input that a person puts in the place of its own is what it acts with", async () => {
    const value = { file_path: "note.txt", content: "other words\n" };
    expect(await asked({ kind: "edit", value })).toMatchObject({ note: "other words\n" });
  });

  test("its question to a person is one of the run", async () => {
    const { seen, output } = await asked({ kind: "value", value: "blue" }, "question");
    expect(seen.map(({ kind, question, schema }) => ({ kind, question, schema }))).toEqual([
      {
        kind: "input",
        question: '`code` needs an answer.\nThe agent says: "Which one?"',
        schema: { type: "string", enum: ["red", "blue"] },
      },
    ]);
    expect(output).toEqual({ patch: '{"Which one?":"blue"}' });
  });
});

test("A86 an answer that comes in another process reaches the agent, which is not asked about twice", async () => {
  const { graph, home, session } = stubbedGraph("asks");
  const run = graph.run(input);
  await run.settled();
  const [asked] = run.interrupts;
  expect(asked?.tool).toBe("Write");
  await session.close();
  const next = new Session({ cwd: home, env: { PATH: process.env.PATH, HOME: home } });
  const again = next.open(run.id);
  await again.answer(asked?.id ?? "", { kind: "approve" });
  await again.resume();
  expect(await again.output).toEqual({ patch: "ok" });
  expect(readFileSync(join(home, "note.txt"), "utf8")).toBe("hello\n");
  await next.close();
});

test("an answer that comes in another process is told to the agent, whatever it asks then", async () => {
  const { graph, home, session } = stubbedGraph("question");
  const run = graph.run(input);
  await run.settled();
  const [asked] = run.interrupts;
  await session.close();
  const next = new Session({ cwd: home, env: { PATH: process.env.PATH, HOME: home } });
  const again = next.open(run.id);
  await again.answer(asked?.id ?? "", { kind: "value", value: "blue" });
  await again.resume();
  expect(await again.output).toEqual({ patch: '{"Which one?":"blue"}' });
  const kept = join(home, ".claude-stub");
  const lines = readdirSync(kept).flatMap((name) =>
    readFileSync(join(kept, name), "utf8").trim().split("\n"),
  );
  const tasks = lines.flatMap((line): string[] => JSON.parse(line).user ?? []);
  expect(tasks.at(-1)).toContain('an answer to your question "Which one?". It is given: "blue".');
  await next.close();
});

describe("sessions", () => {
  const twice = (session: string, set = {}) => `graph Two() returns b {
    state { a: string  b: string }
    operator one { controller ${stubController("args", { set })}; prompt \`First.\`; writes a; ${session} }
    operator two { controller ${stubController("args", { set })}; prompt \`Second.\`; writes b; ${session} }
    start -> one -> two -> end
  }`;

  test("A47 with a shared session the next node goes on with it, by its own name of it", async () => {
    const { graph } = stubbedProgram(twice("session reuse s"));
    const run = graph.run({});
    const { b } = await run.output;
    const { args } = JSON.parse(String(b));
    const first = JSON.parse(String(run.state.a)).args;
    expect(args[args.indexOf("--resume") + 1]).toBe(first[first.indexOf("--session-id") + 1]);
  });

  test("A24 the id that it tells wins over the one that it was asked to have", async () => {
    const { graph } = stubbedProgram(twice("session reuse s", { STUB_OTHER_ID: "observed" }));
    const { args } = JSON.parse(String((await graph.run({}).output).b));
    expect(args[args.indexOf("--resume") + 1]).toBe("observed");
  });

  test("A25 a session that it does not know any more is followed by a fresh one, which is told so", async () => {
    const text = `graph G() returns a { state { a: string } operator code { controller ${stubController("args")}; prompt \`Go on.\`; writes a; session resume "lost-one" } start -> code -> end }`;
    const { graph } = stubbedProgram(text);
    const run = graph.run({});
    const events = await allEvents(run.stream("events"));
    const { heard } = JSON.parse(String((await run.output).a));
    expect(heard[0].message.content[0].text).toMatch(/^Go on\.[\s\S]*in a session that is gone/);
    expect(events.find(({ kind }) => kind === "session.started")).toMatchObject({
      gone: "lost-one",
    });
  });

  test("A28 an answer that does not fit is put right in the same session, with fewer tools", async () => {
    const text = `graph G() returns patch, lines { state { patch: string  lines: int } operator code { controller ${stubController("repairs")}; prompt \`Go.\`; writes patch, lines } start -> code -> end }`;
    const { graph } = stubbedProgram(text);
    expect(await graph.run({}).output).toEqual({ patch: "repaired", lines: 2 });
  });
});

describe("its end", () => {
  test.each([
    ["denied401", { class: "model" }],
    ["busy429", { class: "transport" }],
    ["broken500", { class: "transport" }],
    ["turns", { class: "model" }],
    ["exits", { class: "tool", code: "M8504", message: expect.stringContaining("as root") }],
    ["half", { class: "controller_lost" }],
    ["dies", { class: "controller_lost" }],
  ])("A17 %s is a failure of its class", async (scene, failure) => {
    const { graph } = stubbedGraph(scene);
    const run = graph.run(input);
    const events = await allEvents(run.stream("events"));
    await run.output.catch(() => {});
    const failed = events.findLast(({ kind }) => kind === "attempt.finished");
    expect(failed).toMatchObject({ failure });
  });
});

describe("its files", () => {
  test.each(["copy", "worktree"])(
    "A31 with `isolate` (%s) nothing of the root changes before a person took it",
    async (isolate) => {
      const { graph, home } = stubbedGraph("edits", {
        options: `cwd: "app", mode: "acceptEdits", isolate: "${isolate}"`,
      });
      const app = join(home, "app");
      mkdirSync(app);
      writeFileSync(join(app, "note.txt"), "ours\n");
      if (isolate === "worktree") await commitAll(app);
      const before: string[] = [];
      const run = graph.run(input, {
        answers: ({ tool }) => {
          before.push(`${tool}: ${readFileSync(join(app, "note.txt"), "utf8")}`);
          return { kind: "approve" };
        },
      });
      expect(await run.output).toEqual({ patch: "edited" });
      expect(before).toEqual(["files.submit: ours\n"]);
      expect(readFileSync(join(app, "note.txt"), "utf8")).toBe("theirs\n");
    },
  );

  test("A31 changes that nobody takes stay where they are, and the node is denied", async () => {
    const { graph, home } = stubbedGraph("edits", {
      options: 'mode: "acceptEdits", isolate: "copy", cwd: "app"',
    });
    mkdirSync(join(home, "app"));
    const run = graph.run(input, { answers: () => ({ kind: "deny", reason: "too much" }) });
    await expect(run.output).rejects.toMatchObject({
      message: expect.stringContaining("too much"),
    });
    expect(existsSync(join(home, "app", "note.txt"))).toBe(false);
  });
});

async function commitAll(folder: string): Promise<void> {
  const { execFileSync } = await import("node:child_process");
  const own = ["-c", "user.name=t", "-c", "user.email=t@t"];
  for (const args of [
    ["init", "-q"],
    ["add", "."],
    [...own, "commit", "-qm", "begin"],
  ])
    execFileSync("git", args, { cwd: folder });
}
