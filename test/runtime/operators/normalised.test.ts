/** What a strong agent says piece by piece, as the graph, its state and its trace have it. */
import { expect, test } from "vitest";
import { scriptedController } from "../../../runtime/index.ts";
import { eventsOf, graphWith } from "./operators.ts";

const TEXT = `graph Change(task: string) returns patch, note {
  state { patch: string = ""  note: string = "" }
  operator code "changes the files" { controller agent; prompt \`Do \${task}.\`; writes patch }
  run review = check() writes note
  start -> code
  code -> review "looks at it" | end
  review -> end
}`;

test("A45 pieces of a text are one message, tool events are calls with results, hints and patches are writes, handoffs move the work", async () => {
  const agent = scriptedController([
    {
      steps: [
        { say: "I read the files." },
        { tool: "edit", input: { file: "a.ts" }, result: "edited" },
        { kind: "state_hint", patch: { patch: "draft" } },
      ],
      says: "done",
      patch: { patch: "final" },
    },
    { says: "over to you", handoffs: [{ to: "review", task: "Check it" }] },
  ]);
  const check = (ctx: { readonly inbox: readonly { payload: unknown }[] }) =>
    JSON.stringify(ctx.inbox.map(({ payload }) => payload));
  const { graph } = graphWith(TEXT, { agent, check });
  const told = async (run: ReturnType<typeof graph.run>) => {
    const kinds = [
      "controller.event",
      "tool.call",
      "tool.result",
      "commit",
      "message.sent",
    ] as const;
    const events = await eventsOf(run.stream("events"), ...kinds);
    return events.map((event) => {
      if (event.kind === "controller.event") return `${event.kind} ${event.event.kind}`;
      if (event.kind === "message.sent") return `${event.kind} ${event.message.kind}`;
      if (event.kind !== "commit") return `${event.kind} ${event.tool}`;
      return `${event.kind} ${event.node} ${JSON.stringify(event.patches)}`;
    });
  };
  const run = graph.run({ task: "x" });
  const pieces: string[] = [];
  run.messages$.subscribe(({ kind, text }) => pieces.push(`${kind} ${text}`));
  expect(await told(run)).toMatchInlineSnapshot(`
    [
      "controller.event session_started",
      "controller.event message_completed",
      "controller.event tool_call",
      "tool.call edit",
      "controller.event tool_result",
      "tool.result edit",
      "controller.event state_hint",
      "controller.event completed",
      "commit code [{"op":"replace","path":["patch"],"value":"final"}]",
    ]
  `);
  expect(pieces).toMatchInlineSnapshot(`
    [
      "delta I ",
      "delta read ",
      "delta the ",
      "delta files.",
      "message I read the files.",
    ]
  `);
  expect((await run.output).patch).toBe("final");
  const handing = graph.run({ task: "y" });
  expect(await told(handing)).toMatchInlineSnapshot(`
    [
      "controller.event session_started",
      "controller.event completed",
      "commit code []",
      "message.sent handoff",
      "commit review [{"op":"replace","path":["note"],"value":"[{\\"task\\":\\"Check it\\"}]"}]",
    ]
  `);
});
