/** Handoffs, `tell`, inboxes and teams in runs. */
import { afterEach, expect, test } from "vitest";
import { type Run, type RunEvent, Session, scripted } from "../../../runtime/index.ts";

const sessions: Session[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
});

function start(text: string, script: Record<string, unknown>, scope: object = {}): Run {
  const session = new Session({ store: "memory", env: { MADRIGAL_HOME: "/nowhere" } });
  sessions.push(session);
  const [graph] = Object.values(session.compile(text, { scope: { ...scope } }));
  if (graph === undefined) throw new Error("no graph");
  const models = { m: scripted(script as Parameters<typeof scripted>[0]) };
  return graph.run({ question: "why?" }, { models });
}

const pathOf = (run: Run) => run.steps.map(({ node }) => node).join(" ");

function ofKind<K extends RunEvent["kind"]>(run: Run, kind: K) {
  const found: (RunEvent & { readonly kind: K })[] = [];
  const is = (event: RunEvent): event is RunEvent & { readonly kind: K } => event.kind === kind;
  run.events$.subscribe((event) => {
    if (is(event)) found.push(event);
  });
  return found;
}

/** What the model of a node was first asked, as one text. */
const askedOf = (run: Run, node: string) =>
  JSON.stringify(ofKind(run, "model.request").find((event) => event.node === node)?.request);

const desk = `model m = "scripted"
graph Desk(question: string) returns answer {
  state { answer: string = "" }
  defaults { model m }
  agent front "answers simple questions" { prompt \`Q: \${question}\`; writes answer }
  agent expert "knows the hard ones" { prompt \`Answer \${question}\`; writes answer }
  start -> front -> expert "too hard for me" | end
  expert -> end
}`;

const handsOver = (input: unknown) => ({ calls: [{ tool: "handoff", input }] });

test("A53 a handoff moves the work: its message lies in the inbox of the node that it starts", async () => {
  const script = {
    front: [handsOver({ to: "expert", task: "Explain it", payload: { level: 3 } })],
    expert: ["because"],
  };
  const run = start(desk, script);
  expect(await run.output).toEqual({ answer: "because" });
  expect(pathOf(run)).toBe("front expert");
  expect(run.messages).toEqual([
    {
      id: "m0.1",
      runId: run.id,
      threadId: run.thread,
      sender: "front",
      receiver: "expert",
      kind: "handoff",
      payload: { task: "Explain it", payload: { level: 3 } },
      artifacts: [],
      createdAt: expect.any(Number),
    },
  ]);
  expect(askedOf(run, "expert")).toContain("[handoff from front]\\nExplain it");
  expect(ofKind(run, "message.read").map(({ message, node }) => [message, node])).toEqual([
    ["m0.1", "expert"],
  ]);
});

test("the tool tells its model whom it can hand over to, and what for", async () => {
  const run = start(desk, { front: ["easy"] });
  expect(await run.output).toEqual({ answer: "easy" });
  const asked = askedOf(run, "front");
  expect(asked).toContain("- expert: knows the hard ones; too hard for me");
  expect(asked).not.toContain("- end");
  expect(pathOf(run)).toBe("front");
});

test("A53 a handoff to whom is not behind the arrow is told to the model with those who are (M5204)", async () => {
  const script = {
    front: [
      handsOver({ to: "boss", task: "t" }),
      { ...handsOver({ to: "expert", task: "t" }), when: "Choose one of these names: expert, end" },
    ],
    expert: ["because"],
  };
  const run = start(desk, script);
  expect(await run.output).toEqual({ answer: "because" });
  expect(ofKind(run, "attempt.finished").map(({ next, failure }) => [failure?.code, next])).toEqual(
    [
      ["M5204", "repair"],
      [undefined, undefined],
      [undefined, undefined],
    ],
  );
});

test("a handoff without a task, or two at once, can't be used", async () => {
  const script = {
    front: [
      handsOver({ to: "expert" }),
      { calls: [1, 2].map(() => ({ tool: "handoff", input: { to: "expert", task: "t" } })) },
      "then I answer",
    ],
  };
  const run = start(desk, script);
  expect(await run.output).toEqual({ answer: "then I answer" });
  const codes = ofKind(run, "attempt.finished").map(({ failure }) => failure?.code);
  expect(codes).toEqual(["M8205", "M8205", undefined]);
});

const pair = (clauses: string) => `model m = "scripted"
graph G(question: string) returns notes {
  state { notes: string[] = [] via append }
  defaults { model m }
  agent write "writes it down" { prompt \`w\`; writes notes; tell check as plan }
  agent check "finds what is wrong" { ${clauses}; writes notes }
  agent hidden { prompt \`h\`; writes notes }
  start -> write -> check -> hidden -> end
}`;

const answers = { write: ["one"], check: ["two"], hidden: ["three"] };

test("who is told sees it before its prompt, or where its prompt says", async () => {
  const plain = start(pair("prompt `check it`"), answers);
  await plain.output;
  expect(askedOf(plain, "check")).toContain("[plan from write]");
  const placed = start(
    pair("prompt `${inbox[0].kind} of ${inbox[0].sender}: ${inbox[0].payload}`"),
    answers,
  );
  await placed.output;
  expect(askedOf(placed, "check")).toContain("plan of write: one");
  expect(askedOf(placed, "check")).not.toContain("[plan from write]");
});

test("`history inbox` shows a node all that it was told so far", async () => {
  const text = `model m = "scripted"
graph G(question: string) returns notes {
  state { notes: string[] = [] via append }
  defaults { model m }
  agent say { prompt \`s\`; writes notes; tell hear }
  agent hear { prompt \`h\`; writes notes; history inbox }
  limit 20 steps
  start -> say -> hear
  hear -> say max 1
}`;
  const run = start(text, { say: ["early", "late"], hear: ["a", "b"] });
  await run.settled();
  const requests = ofKind(run, "model.request").filter(({ node }) => node === "hear");
  const shown = requests.map(({ request }) => JSON.stringify(request).match(/early|late/g));
  expect(shown).toEqual([["early"], ["early", "late"]]);
});

test("`team` is the other nodes that have a description", async () => {
  const run = start(pair('prompt `${team.map(t => t.name + ": " + t.description)}`'), answers);
  await run.output;
  const asked = askedOf(run, "check");
  expect(asked).toContain("write: writes it down");
  expect(asked).not.toContain("check: finds what is wrong");
  expect(asked).not.toContain("hidden");
});

test("a function sees its inbox in its context", async () => {
  const text = `graph G(question: string) returns notes {
    state { notes: string[] = [] via append }
    run x = ask(question) writes notes { tell y as question }
    run y = read() writes notes
    start -> x -> y -> end
  }`;
  const scope = {
    ask: (question: string) => [question],
    read: (ctx: { inbox: readonly { kind: string; payload: unknown }[] }) =>
      ctx.inbox.map(({ kind, payload }) => `${kind} ${String(payload)}`),
  };
  const run = start(text, {}, scope);
  expect(await run.output).toEqual({ notes: ["why?", "question why?"] });
});

test("L4 what nobody has read when the run ends is told as dead", async () => {
  const text = `graph G(question: string) returns notes {
    state { notes: string[] = [] via append }
    run x = ask(question) writes notes { tell y }
    run y = ask("y") writes notes
    start -> x
    start -> y
  }`;
  const run = start(text, {}, { ask: (what: string) => [what] });
  await run.output;
  expect(ofKind(run, "message.dead").map(({ message }) => message)).toEqual(["m0.1"]);
});
