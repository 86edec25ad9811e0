import { expect, test } from "vitest";
import { scriptedController } from "../../../runtime/index.ts";
import { eventsOf, graphWith, oneOperator } from "./operators.ts";

test("an operator's answer is its node's output", async () => {
  const agent = scriptedController([{ steps: [{ say: "I begin." }], says: "+ a line" }]);
  const { graph } = graphWith(oneOperator(), { agent });
  const run = graph.run({ task: "add a line" });
  expect(await run.output).toEqual({ patch: "+ a line" });
  expect(agent.requests.map(({ instruction, role }) => [instruction, role])).toEqual([
    ["Do add a line.", "changes the files"],
  ]);
});

test("E09 a session's life is told in events", async () => {
  const agent = scriptedController([
    {
      steps: [{ tool: "shell", input: { run: "ls" }, result: "a.ts" }],
      says: "+ a line",
      usage: { inputTokens: 10, outputTokens: 5 },
    },
  ]);
  const { graph } = graphWith(oneOperator(), { agent });
  const run = graph.run({ task: "add a line" });
  const events = await eventsOf(
    run.stream("events"),
    ...(["session.requested", "session.started", "controller.event", "controller.raw"] as const),
    ...(["tool.call", "tool.result", "session.ended", "commit"] as const),
  );
  expect(
    events.map((event) => ("event" in event ? `${event.kind} ${event.event.kind}` : event.kind)),
  ).toEqual([
    "session.requested",
    "session.started",
    "controller.raw",
    "controller.event session_started",
    "controller.raw",
    "controller.event tool_call",
    "tool.call",
    "controller.raw",
    "controller.event tool_result",
    "tool.result",
    "controller.raw",
    "controller.event completed",
    "session.ended",
    "commit",
  ]);
});
