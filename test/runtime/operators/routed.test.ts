/** What strong agents say that the graph acts on: whom they hand their work over to, and what they made. */
import { expect, test } from "vitest";
import { type ScriptedTurn, scriptedController } from "../../../runtime/index.ts";
import { eventsOf, graphWith } from "./operators.ts";

const text = (arrow: string) => `graph Change(task: string) returns patch, note {
  state { patch: string = ""  note: string = "" }
  operator code "changes the files" { controller agent; prompt \`Do \${task}.\`; writes patch }
  run review = check() writes note
  start -> code
  ${arrow}
  limit 20 steps
}`;

function runOf(turns: readonly ScriptedTurn[], arrow = 'code -> review "looks at it" | end') {
  const agent = scriptedController(turns);
  const check = (ctx: { readonly inbox: readonly unknown[] }) => JSON.stringify(ctx.inbox);
  const { graph, session } = graphWith(text(arrow), { agent, check });
  return { run: graph.run({ task: "x" }), agent, session };
}

const over = (...names: string[]) => ({
  handoffs: names.map((to) => ({ to, task: "Check the patch" })),
});

test("A42 A53 [SM] its handoff moves the work, with a message in the inbox of whom it starts", async () => {
  const { run } = runOf([{ says: "I am done", ...over("review") }]);
  const { note } = await run.output;
  expect(JSON.parse(String(note))).toMatchObject([
    { sender: "code", receiver: "review", kind: "handoff", payload: { task: "Check the patch" } },
  ]);
  expect(run.steps.map(({ node }) => node)).toEqual(["code", "review"]);
  expect(run.replay()).toMatchObject({ ok: true });
});

test.each([
  ["to whom no arrow leads", over("nobody"), undefined, "M5204", "can't go to `nobody`"],
  ["with no arrow to choose", over("review"), "code -> review", "M5382", "no arrow lets it choose"],
  ["to two at once", over("review", "end"), undefined, "M5382", "to one only"],
])(
  "a handoff %s is told to the agent, and is an error in the end",
  async (_, turn, arrow, code, message) => {
    const { run, agent } = runOf([turn, turn, turn], arrow);
    await expect(run.output).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
    expect(agent.calls.filter((call) => /^(start|resume)/.test(call))).toHaveLength(3);
  },
);

test("A46 a message to somebody whom its node does not tell is told to the agent, and is M8440 in the end", async () => {
  const turn = {
    steps: [{ kind: "message_sent", to: "review", payload: "x" }] as const,
    says: "done",
  };
  const { run, agent } = runOf([turn, turn, turn]);
  await expect(run.output).rejects.toMatchObject({ code: "M8440" });
  expect(agent.calls.filter((call) => /^(start|resume)/.test(call))).toHaveLength(3);
});

test("A122 [SM] what it made is an artifact of the run, once its turn is committed", async () => {
  const made = {
    kind: "artifact_created",
    name: "fix.patch",
    artifactKind: "patch",
    path: "out/fix.patch",
    text: "+ a line\n",
  } as const;
  const odd = { ...made, name: "odd", artifactKind: "sculpture", path: "odd.txt" };
  const { run } = runOf([{ steps: [made, odd], says: "done" }]);
  const created = eventsOf(run.stream("events"), "artifact.created");
  await run.output;
  expect(run.artifacts).toMatchObject([
    { name: "fix.patch", kind: "patch", mime: "text/x-diff", path: "out/fix.patch" },
    { name: "odd", kind: "other" },
  ]);
  expect(run.artifacts[0]?.producer).toBe("code");
  expect(new TextDecoder().decode(run.artifact(run.artifacts[0]?.id ?? ""))).toBe("+ a line\n");
  expect((await created).map(({ node }) => node)).toEqual(["code", "code"]);
});

test("what a turn made that failed is no artifact of the run", async () => {
  const made = { kind: "artifact_created", name: "a", artifactKind: "file", text: "x" } as const;
  const fails = { class: "model", reason: "overloaded", message: "529" } as const;
  const { run } = runOf([{ steps: [made], fails }]);
  await expect(run.output).rejects.toMatchObject({ node: "code" });
  expect(run.artifacts).toEqual([]);
});
