/** The client of the server: a run somewhere else, used as one of this process. */
import { lastValueFrom, toArray } from "rxjs";
import { expect, test } from "vitest";
import { connect } from "../../../kernel/http-client/connect.ts";
import { served, TOKENS } from "./serving.ts";

test("a run of a server has an output, steps, states, events, artifacts and a drawing", async () => {
  const { url } = await served();
  const server = connect(url, { token: TOKENS.run });
  const run = await server.graph<{ text: string }, { loud: string }>("Shout").run({ text: "la" });
  expect((await run.output).loud).toBe("LA");
  const nodes: string[] = [];
  for await (const { step, node } of run) nodes.push(`${step} ${node}`);
  expect(nodes).toEqual(["1 shout"]);
  expect(await run.stateAt(1)).toMatchObject({ loud: "LA" });
  expect(await run.steps()).toMatchObject([{ step: 1, node: "shout" }]);
  const events = await lastValueFrom(run.events$.pipe(toArray()));
  expect([events[0]?.kind, events.at(-1)?.kind]).toEqual(["run.started", "run.finished"]);
  const [artifact] = await run.artifacts();
  expect(Buffer.from(await run.artifact(artifact?.id ?? "")).toString()).toBe("# la");
  const { data } = await run.toMimeBundle();
  expect(data["image/svg+xml"]).toContain("<svg");
  expect(data["text/plain"]).toMatch(/of Shout · succeeded/);
  expect((await server.list({ graph: "Shout" })).length).toBe(1);
  expect((await server.graphs()).map(({ name }) => name)).toContain("Hang");
});

test("a question is answered, and the output goes on from there", async () => {
  const { url } = await served();
  const run = await connect(url, { token: TOKENS.admin }).graph("Check").run({ what: "it" });
  await expect(run.output).rejects.toMatchObject({ code: "M5301", node: "person" });
  const [question] = run.interrupts;
  expect(question?.question).toBe("Is it right?");
  await run.answer(question?.id ?? "", { kind: "value", value: "yes" });
  expect(await run.output).toEqual({ said: "yes", size: 3 });
  await expect(run.answer(question?.id ?? "", "no")).rejects.toMatchObject({ code: "M5310" });
});

test("errors have their codes: of the run, of the call, of the server", async () => {
  const { url } = await served();
  const admin = connect(url, { token: TOKENS.admin });
  const failed = await admin.graph("Shout").run({ text: "bad" });
  await expect(failed.output).rejects.toMatchObject({
    message: expect.stringMatching("no voice"),
    node: "shout",
  });
  await expect(admin.graph("Shout").run({ txt: "la" })).rejects.toMatchObject({ code: "M5001" });
  await expect(admin.open("no-run")).rejects.toMatchObject({ code: "M5107" });
  const reader = connect(url, { token: TOKENS.read });
  await expect(reader.graph("Shout").run({ text: "la" })).rejects.toMatchObject({ code: "M7778" });
  const nobody = connect("http://127.0.0.1:9", { token: "x", reconnectMs: 0 });
  await expect(nobody.graphs()).rejects.toMatchObject({ code: "M7786" });
});

test("a run is cancelled, forked, steered and resumed", async () => {
  const { url, begun, release } = await served();
  const run = await connect(url, { token: TOKENS.run }).graph("Hang").run({});
  await begun;
  await run.steer("go");
  await run.cancel("enough");
  expect(run.status).toBe("aborted");
  await expect(run.output).rejects.toMatchObject({ runId: run.id });
  release();
  expect(await (await run.fork(0)).output).toEqual({ loud: "AT LAST" });
  await run.resume();
  expect(await run.output).toEqual({ loud: "AT LAST" });
});

test("a drawing keeps up with its run until that is over", async () => {
  const { url, begun, release } = await served();
  const run = await connect(url, { token: TOKENS.run }).graph("Hang").run({});
  await begun;
  const drawing = await run.drawing();
  const { promise: over, resolve } = Promise.withResolvers<unknown>();
  drawing.follow(({ data }) => {
    if (/succeeded/.test(String(data["text/plain"]))) resolve(data["image/svg+xml"]);
  });
  expect(drawing.toMimeBundle().data["text/plain"]).toMatch(/of Hang · running/);
  release();
  expect(await over).toContain("<svg");
});
