import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Interceptor } from "../../../runtime/index.ts";
import { RunError, Session, scripted, tool } from "../../../runtime/index.ts";

const TEXT = `model m = "scripted"
graph Ask() returns answer {
  state { answer: string }
  agent answer_it { model m; tools send; prompt \`Answer.\`; writes answer }
  start -> answer_it -> end
}`;

/** A workspace on disk, which one session after the other opens: as two processes do. */
function workspace() {
  const folder = mkdtempSync(join(tmpdir(), "madrigal-intercept-"));
  const sent: unknown[] = [];
  const send = tool((args: { text: string }) => void sent.push(args.text), {
    effect: "none",
    input: { type: "object", properties: { text: { type: "string" } } },
  });
  const sessions: Session[] = [];
  onTestFinished(async () => {
    for (const session of sessions) await session.close();
    rmSync(folder, { recursive: true });
  });
  const open = () => {
    const session = new Session({ cwd: folder, env: { MADRIGAL_HOME: folder } });
    sessions.push(session);
    const { Ask } = session.compile(TEXT, { scope: { send } });
    if (Ask === undefined) throw new Error("no graph");
    return { session, graph: Ask };
  };
  return { open, sent };
}

const call = { calls: [{ tool: "send", input: { text: "raw" } }] };

/** A model that answers its first call, and hangs in the second. */
function hanging(settings: unknown[]) {
  const model = scripted({ answer_it: [call] });
  let entered = () => {};
  const isAsked = new Promise<void>((resolve) => {
    entered = resolve;
  });
  let asked = 0;
  const doStream: typeof model.doStream = async (options) => {
    asked += 1;
    settings.push(options.temperature);
    if (asked === 1) return await model.doStream(options);
    entered();
    return await new Promise(() => {});
  };
  const spy = { ...model, specificationVersion: "v4" as const, doStream };
  return { model: spy as typeof model, isAsked };
}

function cooling(name: string, temperature: number, asked: string[]): Interceptor {
  return {
    name,
    beforeModel: ({ messages }) => {
      asked.push(`model ${messages.length}`);
      return { settings: { temperature } };
    },
    beforeTool: ({ args }) => {
      asked.push("tool");
      return { args: { text: `${(args as { text: string }).text} by ${temperature}` } };
    },
    beforeNode: ({ prompt = "" }) => {
      asked.push("node");
      return { prompt: `${prompt} ${temperature}` };
    },
  };
}

test("a run that goes on in another process is served what interceptors decided, and a call that was cut off is made as they had it", async () => {
  const { open, sent } = workspace();
  const first = open();
  const asked: string[] = [];
  const settings: unknown[] = [];
  const { model, isAsked } = hanging(settings);
  const run = first.graph.run(
    {},
    { models: { m: model }, intercept: [cooling("cool", 0.1, asked)] },
  );
  await isAsked;
  await run.pause({ now: true });
  expect(asked).toEqual(["node", "model 2", "tool", "model 4"]);
  await first.session.close();

  const { session } = open();
  const later: string[] = [];
  const seen: unknown[] = [];
  const answers = scripted({ answer_it: [{ says: "done", when: "Answer. 0.1" }] });
  const watched = {
    ...answers,
    doStream: (options: Parameters<typeof answers.doStream>[0]) => {
      seen.push(options.temperature);
      return answers.doStream(options);
    },
  };
  const again = session.open(run.id, {
    models: { m: watched as typeof answers },
    intercept: [cooling("cool", 0.9, later)],
  });
  await again.resume();
  expect(await again.output).toEqual({ answer: "done" });
  expect(later).toEqual([]);
  expect(seen).toEqual([0.1]);
  expect(sent).toEqual(["raw by 0.1"]);
  expect(again.replay()).toMatchObject({ ok: true });
});

test("a run with an interceptor goes on elsewhere only with it, or by somebody who says that it is to go on without", async () => {
  const { open } = workspace();
  const first = open();
  const { model, isAsked } = hanging([]);
  const run = first.graph.run({}, { models: { m: model }, intercept: [cooling("cool", 0.1, [])] });
  await isAsked;
  await run.pause({ now: true });
  await first.session.close();
  const { session } = open();
  const models = { m: scripted({ answer_it: [{ says: "done" }] }) };
  const refused = await session
    .open(run.id, { models })
    .resume()
    .catch((thrown: unknown) => thrown);
  expect(refused).toBeInstanceOf(RunError);
  expect(refused).toMatchObject({
    code: "M8175",
    hint: expect.stringContaining("intercept: [cool]"),
  });
  const without = session.open(run.id, { models, intercept: [] });
  await without.resume();
  expect(await without.output).toEqual({ answer: "done" });
});

test("a secret that an interceptor put into a call is not in the log, so a call that was cut off is not made from there", async () => {
  const { open } = workspace();
  const first = open();
  const { model, isAsked } = hanging([]);
  const intercept: readonly Interceptor[] = [
    { name: "key", beforeModel: () => ({ headers: { authorization: "Bearer of-nobody-else" } }) },
  ];
  const run = first.graph.run({}, { models: { m: model }, intercept });
  await isAsked;
  await run.pause({ now: true });
  expect(JSON.stringify(first.session.store.read(run.id))).not.toContain("of-nobody-else");
  await first.session.close();
  const { session } = open();
  const models = { m: scripted({ answer_it: [call, { says: "done" }] }) };
  const again = session.open(run.id, { models, intercept });
  await again.resume();
  await expect(again.output).rejects.toMatchObject({ code: "M8173" });
  await again.retry("answer_it#1");
  expect(await again.output).toEqual({ answer: "done" });
});

test("a run again is served what an equal interceptor decided; another interceptor is another way to do the work", async () => {
  const { open, sent } = workspace();
  const { graph } = open();
  const models = () => ({ m: scripted({ answer_it: [call, { says: "done" }] }) });
  const asked: string[] = [];
  const intercept = [cooling("cool", 0.1, asked)];
  const run = graph.run({}, { models: models(), intercept });
  await run.output;
  const before = asked.length;
  const same = await graph.rerun(run, { models: models(), intercept });
  expect(same.performs).toEqual([]);
  const served = same.run();
  expect(await served.output).toEqual({ answer: "done" });
  expect(asked).toHaveLength(before);
  const told: string[] = [];
  served.events$.subscribe((event) => {
    if (event.kind === "intercepted") told.push(`${event.by} ${event.on} ${"served" in event}`);
  });
  expect(told).toEqual(["cool node true", "cool model true", "cool tool true", "cool model true"]);
  const without = await graph.rerun(run, { models: models() });
  expect(without.performs).toMatchObject([{ node: "answer_it" }]);
  expect(await without.run().output).toEqual({ answer: "done" });
  expect(sent).toEqual(["raw by 0.1", "raw"]);
});

test("a cached output is of the interceptors that were there", async () => {
  const { open } = workspace();
  const { session } = open();
  const { G } = session.compile(
    `graph G() returns a {
  state { a: string }
  run work = work("x") { cache; writes a }
  start -> work -> end
}`,
    { scope: { work: (text: string) => text } },
  );
  if (G === undefined) throw new Error("no graph");
  const louder: Interceptor = { name: "l", afterNode: ({ output }) => ({ output: `${output}!` }) };
  const results = [];
  for (const intercept of [[], [louder], [louder], []]) {
    const run = G.run({}, { intercept });
    const { a } = await run.output;
    const ends: unknown[] = [];
    run.events$.subscribe((event) => {
      if (event.kind === "attempt.finished") ends.push(event.isCached === true);
    });
    results.push([a, ...ends]);
  }
  expect(results).toEqual([
    ["x", false],
    ["x!", false],
    ["x!", true],
    ["x", true],
  ]);
});
