/** One graph with each strong agent behind its wire: the same events, whichever it is. */
import { expect, test } from "vitest";
import { type StubbedAgent, stubCommand } from "../../../support/agents/agent-stubs.ts";
import { allEvents, stubbedProgram } from "../stub-runs.ts";

/** The graph of one operator behind a controller, as a program names it. */
function graphBehind(controller: string, agent: StubbedAgent, scene: string, clauses = "") {
  const command = JSON.stringify(stubCommand(agent));
  return stubbedProgram(`graph Change(task: string) returns done {
    state { done: string }
    operator code { controller ${controller}(command: ${command}, set: { STUB_SCENE: "${scene}" }); prompt \`\${task}\`; writes done; ${clauses} }
    start -> code -> end
  }`);
}

test.each([
  ["A01 A15", "claude_code", "claude_code"],
  ["A01 A19", "codex", "codex"],
  ["A01 A20", "openclaw", "acp"],
  ["A01", "acp", "acp"],
] as const)(
  "%s the same graph runs with %s, and its events are of the same kinds",
  async (_, controller, agent) => {
    const { graph } = graphBehind(controller, agent, "works");
    const run = graph.run({ task: "change it" });
    const events = await allEvents(run.stream("events"));
    await run.output;
    const kinds = events.flatMap((event) =>
      event.kind === "controller.event" ? [event.event.kind] : [],
    );
    for (const kind of [
      "session_started",
      "message_completed",
      "tool_call",
      "tool_result",
      "completed",
    ])
      expect(kinds).toContain(kind);
    expect(events.map(({ kind }) => kind)).toContain("session.ended");
    const session = run.session("code");
    expect(session.turns.map(({ status, controller: name }) => [status, name])).toEqual([
      ["done", controller],
    ]);
    expect(session.items.some((item) => item.kind === "call" && item.status === "failed")).toBe(
      true,
    );
  },
);

test("A27 an agent that ends well without what was expected of it has not succeeded", async () => {
  const ensure = 'ensure done.length > 100 "the report is whole"';
  const { graph } = graphBehind("claude_code", "claude_code", "talks", ensure);
  const run = graph.run({ task: "report" });
  await run.output.catch(() => {});
  expect([run.status, run.failure?.class]).toEqual(["failed", "invalid"]);
  expect(run.failure?.message).toContain("the report is whole");
  // It was told so, in its session, before the node failed.
  const told = run.session("code").items.filter(({ kind }) => kind === "instruction");
  expect(told.length).toBeGreaterThan(1);
});
