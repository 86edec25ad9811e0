/** Graphs use the tools of MCP servers that npm has, over stdio and HTTP. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { progressLine } from "../../../kernel/cli/run/progress.ts";
import { pictureBundle } from "../../../kernel/display/run/run-bundle.ts";
import { count, newTally } from "../../../kernel/display/run/tally.ts";
import { type RunEvent, scripted } from "../../../runtime/index.ts";
import { failureOf, newSession, runWith } from "../scoped-run.ts";
import { calling, commands, everythingOverHttp, testFolder } from "./servers.ts";

const program = (server: string, lines: string, state = "a: Json") => `model m = "scripted"
mcp every = ${server}
graph G() returns ${[...state.matchAll(/(\w): /g)].map(([, name]) => name).join(", ")} { state { ${state} }
${lines} }`;

const outputOf = async (
  text: string,
  options: Parameters<typeof runWith>[2] = {},
): Promise<Readonly<Record<string, unknown>>> => await runWith(text, {}, options).run.output;

describe("server-everything", () => {
  const stdio = `stdio(${JSON.stringify(commands.everything)})`;

  test("E78 M43 [SM] its tools are those of an agent, under names of the language, and nodes call them", async () => {
    const text = program(
      stdio,
      "tool add = every.get_sum({ a: 40, b: 2 }) writes a\n agent ask { model m; tools every; prompt `x`; writes b }\n start -> add -> ask -> end",
      "a: Json  b: Json",
    );
    const { run, records } = runWith(
      text,
      {},
      { models: calling("ask", ["every.echo", { message: "hi" }]) },
    );
    expect(await run.output).toEqual({ a: "The sum of 40 and 2 is 42.", b: "done" });
    const outcomes = records().flatMap((one) => (one.kind === "outcome" ? [one] : []));
    expect(outcomes.map(({ effect, name }) => `${effect} ${name}`)).toEqual([
      "server every",
      "tool every.get_sum",
      "server every",
      "model scripted",
      "tool every.echo",
      "model scripted",
    ]);
    expect(outcomes[4]?.value).toBe("Echo: hi");
    const asked = outcomes[2]?.value as { tools: readonly { member: string }[] };
    expect(asked.tools.map(({ member }) => member)).toContain("read_resource");
  });

  test("M43 [SM] two servers with tools of the same names: a call goes to the server that it names", async () => {
    const text = `model m = "scripted"
mcp one = ${stdio}
mcp two = ${stdio}
graph G() returns a, b { state { a: Json  b: Json }
agent ask { model m; tools one.echo, two.echo, two.get_sum; prompt \`x\`; writes a }
tool add = one.get_sum({ a: 40, b: 2 }) writes b
start -> ask -> add -> end }`;
    const calls = calling("ask", ["one.echo", { message: "hi" }], ["two.echo", { message: "ho" }]);
    const { run, records } = runWith(text, {}, { models: calls });
    expect(await run.output).toEqual({ a: "done", b: "The sum of 40 and 2 is 42." });
    const called = records().flatMap((one) =>
      one.kind === "outcome" && one.effect === "tool" ? [[one.name, one.value]] : [],
    );
    expect(called).toEqual([
      ["one.echo", "Echo: hi"],
      ["two.echo", "Echo: ho"],
      ["one.get_sum", "The sum of 40 and 2 is 42."],
    ]);
    expect(() => newSession().compile(text.replace("mcp two", "mcp one"))).toThrow(/M2001/);
  });

  test("M44 [SM] structure, pictures, resources and prompts", async () => {
    const text = program(
      stdio,
      'tool one = every.get_structured_content({ location: "Chicago" }) writes a\n tool two = every.get_tiny_image() writes b\n tool three = every.list_resources() writes c\n tool four = every.get_prompt({ name: "simple-prompt" }) writes d\n start -> one -> two -> three -> four -> end',
      "a: Json  b: Json  c: Json  d: string",
    );
    const { a, b, c, d } = await outputOf(text);
    expect(a).toEqual({ temperature: 36, conditions: "Light rain / drizzle", humidity: 82 });
    expect((b as { content: { type: string }[] }).content.map(({ type }) => type)).toContain(
      "image",
    );
    const [{ uri }] = (c as { resources: [{ uri: string }] }).resources;
    expect(d).toBe("This is a simple prompt without arguments.");
    const read = program(
      stdio,
      `tool one = every.read_resource({ uri: "${uri}" }) writes a\n start -> one -> end`,
    );
    expect(String((await outputOf(read)).a)).not.toBe("");
  });

  test.each(["streamableHttp", "sse"] as const)("M44 [SM] over %s", async (kind) => {
    const address = await everythingOverHttp(kind);
    const text = program(
      `http("${address}")`,
      "tool add = every.get_sum({ a: 1, b: 2 }) writes a\n start -> add -> end",
    );
    expect((await outputOf(text)).a).toBe("The sum of 1 and 2 is 3.");
  });

  test("what a server says of a call that failed is told to the model, and fails a node", async () => {
    const bad = '{ messageType: "loud", includeImage: false }';
    const text = program(
      stdio,
      "agent ask { model m; tools every.get_sum; prompt `x`; writes a }\n start -> ask -> end",
      "a: string",
    );
    const { run, records } = runWith(
      text,
      {},
      { models: calling("ask", ["every.get_sum", { a: "x", b: 1 }]) },
    );
    await run.output;
    const failed = records().find((one) => one.kind === "outcome" && one.effect === "tool");
    expect(failed).toMatchObject({ failure: { class: "tool", code: "M8202" } });
    const node = program(
      stdio,
      `tool t = every.get_annotated_message(${bad}) writes a\n start -> t -> end`,
    );
    expect(await failureOf(runWith(node, {}))).toMatchObject({ class: "tool", code: "M8202" });
  });

  test("a setting says which server it is, and a run may say another one; without any an optional server is absent", async () => {
    const text = `config { place: "" }
mcp every = place optional
model m = "scripted"
graph G() returns a { state { a: string }
agent ask { model m; tools every; prompt \`x\`; writes a }
start -> ask -> end }`;
    const called = calling("ask", ["every.echo", { message: "hi" }]);
    const { run } = runWith(text, {}, { models: called, config: { place: commands.everything } });
    const results: unknown[] = [];
    run.events$.subscribe((event) => {
      if (event.kind === "tool.result") results.push(event.value);
    });
    await run.output;
    expect(JSON.stringify(results)).toContain("hi");
    const alone = { m: scripted({ ask: ["nobody"] }) };
    expect(await outputOf(text, { models: alone })).toEqual({ a: "nobody" });
  });

  test("progress of a call is told to whoever listens, and stands in no log", async () => {
    const text = program(
      stdio,
      "tool t = every.trigger_long_running_operation(duration: 0.02, steps: 2) writes a\n start -> t -> end",
    );
    const { run } = runWith(text, {});
    const tally = newTally();
    const heard: RunEvent[] = [];
    const lines: (string | undefined)[] = [];
    const drawn: unknown[] = [];
    run.events$.subscribe((event) => {
      count(tally, event);
      if (event.kind === "tool.progress") {
        heard.push(event);
        lines.push(progressLine(event, (_, said) => said));
        drawn.push(pictureBundle(run, { tally, layout: undefined }).data["text/plain"]);
      }
    });
    await run.output;
    await run.settled();
    // The client drops the last one where it comes in one piece with the result.
    const tool = "every.trigger_long_running_operation";
    expect(heard[0]).toMatchObject({ node: "t", label: "t#1", tool, done: 1, total: 2 });
    expect(lines[0]).toBe(`t#1 calls ${tool}: 1 of 2`);
    expect(drawn).toEqual(lines.map((line) => expect.stringContaining(line ?? "")));
    expect(pictureBundle(run, { tally, layout: undefined }).data["text/plain"]).not.toContain(
      "calls every",
    );
    const kept = await Array.fromAsync(run.stream("events"));
    expect(kept.some(({ kind }) => (kind as string) === "tool.progress")).toBe(false);
  });

  test("elicitation is a question of the run, and its answer goes back", async () => {
    const text = program(
      stdio,
      "tool t = every.trigger_elicitation_request() writes a\n start -> t -> end",
      "a: string",
    );
    const asked: unknown[] = [];
    const answers = [
      (one: { kind: string; question: string; schema?: object }) => {
        asked.push([
          one.kind,
          one.question.split("\n")[0],
          Object.keys((one.schema as { properties: object }).properties)[0],
        ]);
        return { kind: "value", value: { name: "Ada", check: true } };
      },
    ];
    const { a } = await outputOf(text, { answers: answers[0] as never });
    expect(asked).toEqual([
      ["input", "the server `every` asks: Please provide inputs for the following fields:", "name"],
    ]);
    expect(String(a)).toContain("Name: Ada");
  });
});

test("server-filesystem keeps to its folder, and annotations that are trusted say what a call touches", async () => {
  const folder = testFolder();
  writeFileSync(join(folder, "a.txt"), "one");
  const text = (settings: string, level: string) => `model m = "scripted"
mcp files = "${commands.filesystem(folder).replaceAll('"', "'")}" ${settings}
graph G() returns a { state { a: string }
  agent ask { model m; tools files.read_text_file; effects ${level}; prompt \`x\`; writes a }
  start -> ask -> end }`;
  const models = calling(
    "ask",
    ["files.read_text_file", { path: join(folder, "a.txt") }],
    ["files.read_text_file", { path: "/etc/hostname" }],
  );
  const { run, records } = runWith(text("{ trustAnnotations: true }", "none"), {}, { models });
  await run.output;
  const results = records().flatMap((one) =>
    one.kind === "outcome" && one.effect === "tool" ? [one.value ?? one.failure] : [],
  );
  expect(results).toEqual([
    { content: "one" },
    expect.objectContaining({ message: expect.stringContaining("Access denied") }),
  ]);
  expect(await failureOf(runWith(text("", "none"), {}, { models: calling("ask") }))).toMatchObject({
    code: "M4105",
    message: "`files.read_text_file` has effect `external`, and `ask` may have `none`",
  });
});

test("server-memory: one process serves all nodes of a run, and ends with it", async () => {
  const folder = testFolder();
  const text = `mcp memory = "${commands.memory.replaceAll('"', "'")}" { env: ["MEMORY_FILE_PATH"] }
graph G() returns a { state { a: Json }
  tool put = memory.create_entities({ entities: [{ name: "Ada", entityType: "person", observations: ["counts"] }] })
  tool get = memory.read_graph() writes a
  start -> put -> get -> end }`;
  const session = newSession({
    env: {
      ...process.env,
      MADRIGAL_HOME: "/nowhere",
      MEMORY_FILE_PATH: join(folder, "memory.jsonl"),
    },
  });
  const { a } = await outputOf(text, { session });
  expect(a).toMatchObject({ entities: [{ name: "Ada", observations: ["counts"] }] });
});
