/** Strong agents of every kind stand behind one interface: the same graph, the same events, the same conditions. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type RunEvent, scriptedController } from "../../../runtime/index.ts";
import type { StubbedAgent } from "../../support/agents/agent-stubs.ts";
import { allEvents, stubbedProgram, stubController } from "./stub-runs.ts";

const graphWith = (controller: string, clauses = "") => `graph Change(task: string) returns patch {
  state { patch: string }
  operator code "changes the files" { controller ${controller}; prompt \`\${task}\`; writes patch; ${clauses} }
  limit 20 steps
  start -> code -> end
}`;

/** The kinds of what an agent says, in order; what only shows progress is each agent's own. */
function kindsOf(events: readonly RunEvent[]): readonly string[] {
  const said = events.flatMap((event) => (event.kind === "controller.event" ? [event.event] : []));
  return said.map(({ kind }) => kind).filter((kind) => kind !== "heartbeat" && kind !== "log");
}

test("A01 the same graph runs with each agent, and hears the same kinds of events", async () => {
  const heard = new Map<string, readonly string[]>();
  const agents: readonly (StubbedAgent | "scripted")[] = [
    "claude_code",
    "codex",
    "acp",
    "scripted",
  ];
  for (const agent of agents) {
    const scope = {
      scripted: scriptedController([{ steps: [{ say: "I think about it." }], says: "done" }]),
    };
    const controller = agent === "scripted" ? agent : stubController("talks", { agent });
    const { graph } = stubbedProgram(graphWith(controller), { scope });
    const run = graph.run({ task: "x" });
    const events = allEvents(run.stream("events"));
    await run.output;
    heard.set(agent, [...new Set(kindsOf(await events))]);
  }
  const kinds = ["session_started", "message_completed", "completed"];
  expect(Object.fromEntries(heard)).toEqual(
    Object.fromEntries(agents.map((agent) => [agent, kinds])),
  );
});

test("A19 Codex is begun with a task, heard, and what it changed is an artifact of the run", async () => {
  const { graph } = stubbedProgram(graphWith(stubController("works", { agent: "codex" })));
  const run = graph.run({ task: "x" });
  const events = allEvents(run.stream("events"));
  expect(await run.output).toEqual({ patch: '{"ok":true}' });
  expect(kindsOf(await events)).toEqual(
    expect.arrayContaining(["tool_call", "tool_result", "plan_updated", "artifact_created"]),
  );
  expect(run.artifacts).toMatchObject([{ name: "a.ts", kind: "patch", producer: "code" }]);
});

test("A20 where OpenClaw is not installed, its node says so and how it is", async () => {
  const { graph } = stubbedProgram(graphWith("openclaw()"), { env: { PATH: "/nowhere" } });
  await expect(graph.run({ task: "x" }).output).rejects.toMatchObject({
    code: "M8561",
    hint: expect.stringContaining("npm install --global openclaw"),
  });
});

test("A27 an agent that ends well and has not made the file that is wanted has failed; one that has made it has not", async () => {
  const made = async (file: string) => {
    let home = "";
    const wrote = (name: string) => existsSync(join(home, name));
    const controller = stubController("edits", { options: 'mode: "acceptEdits"' });
    const program = stubbedProgram(
      graphWith(controller, `ensure wrote("${file}") "${file} is there"`),
      { scope: { wrote } },
    );
    home = program.home;
    return program.graph.run({ task: "x" }).output;
  };
  await expect(made("report.md")).rejects.toMatchObject({
    message: expect.stringContaining("report.md is there"),
  });
  expect(await made("note.txt")).toEqual({ patch: "edited" });
});
