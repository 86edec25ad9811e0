/** What a person says to a strong agent while it works. */
import { expect, test } from "vitest";
import { stubbedGraph } from "../stub-runs.ts";

test("A10 an agent that is silent hears what a person tells it by its name, at once", async () => {
  const { graph } = stubbedGraph("steered");
  const run = graph.run({ task: "add a line" });
  const waits = Promise.withResolvers<void>();
  run.events$.subscribe((event) => {
    if (event.kind === "controller.event" && event.event.kind === "message_completed")
      waits.resolve();
  });
  await waits.promise;
  // It says nothing more before it is told something, and its run waits for what it says next.
  for (let turns = 0; turns < 50; turns += 1) await new Promise((go) => setImmediate(go));
  await run.steer("look at b.ts", { to: "code" });
  expect(await run.output).toEqual({ patch: "told: look at b.ts" });
});

test("A10 what a person says before a session goes on is told the agent once it does", async () => {
  const { graph } = stubbedGraph("steered");
  const run = graph.run({ task: "add a line" });
  const [begun, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
  run.events$.subscribe((event) => {
    if (event.kind === "controller.event" && event.event.kind === "message_completed")
      begun.resolve();
    if (event.kind === "interrupt.opened") asked.resolve(event.interrupt);
  });
  await begun.promise;
  await run.pause({ now: true });
  await run.resume();
  const question = await asked.promise;
  await run.steer("look at b.ts", { to: "code" });
  await run.answer(question, { kind: "approve" });
  expect(await run.output).toEqual({ patch: "told: look at b.ts" });
});
