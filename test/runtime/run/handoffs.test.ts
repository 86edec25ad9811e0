/** Handoffs to nodes with parameters: their tools, their arguments, and what does not fit. */
import { afterEach, expect, test } from "vitest";
import { type Run, Session, scripted } from "../../../runtime/index.ts";

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

/** The request of the first call of a node's model. */
function requestOf(run: Run, node: string): { readonly tools?: unknown } {
  const requests: unknown[] = [];
  run.events$.subscribe((event) => {
    if (event.kind === "model.request" && event.node === node) requests.push(event.request);
  });
  return requests[0] as { readonly tools?: unknown };
}

const airline = `model m = "scripted"
graph Desk(question: string) returns answer {
  state { answer: string = "" }
  defaults { model m }
  agent front "answers simple questions" { prompt \`Q: \${question}\`; writes answer }
  run booking(from: string, to: string, seats: int = 1) "books a flight" = book(from, to, seats) writes answer
  agent expert "knows the hard ones" { prompt \`Answer \${question}\`; writes answer }
  start -> front -> booking | expert | end
}`;

const book = (from: string, to: string, seats: number) => `${seats} from ${from} to ${to}`;
const books = (input: unknown) => ({ calls: [{ tool: "handoff_booking", input }] });

test("a node with parameters is handed over to by a tool of its own, which has them", async () => {
  const run = start(airline, { front: [books({ from: "Rome", to: "Oslo" })] }, { book });
  expect(await run.output).toEqual({ answer: "1 from Rome to Oslo" });
  expect(pathOf(run)).toBe("front booking");
  expect(run.messages[0]).toMatchObject({
    kind: "handoff",
    receiver: "booking",
    payload: { payload: { from: "Rome", to: "Oslo" } },
  });
  expect(requestOf(run, "front").tools).toMatchInlineSnapshot(`
    [
      {
        "description": "Hands this work over to another one and ends yours, without an answer. You can hand over to:
    - expert: knows the hard ones",
        "input": {
          "additionalProperties": false,
          "properties": {
            "payload": {
              "description": "Data for it, where a text is not enough.",
            },
            "task": {
              "description": "What is to be done, with all that the other one needs to know.",
              "type": "string",
            },
            "to": {
              "enum": [
                "expert",
              ],
              "type": "string",
            },
          },
          "required": [
            "to",
            "task",
          ],
          "type": "object",
        },
        "name": "handoff",
      },
      {
        "description": "Hands this work over and ends yours, without an answer:
    - booking: books a flight",
        "input": {
          "additionalProperties": false,
          "properties": {
            "from": {
              "type": "string",
            },
            "seats": {
              "type": "integer",
            },
            "to": {
              "type": "string",
            },
          },
          "required": [
            "from",
            "to",
          ],
          "type": "object",
        },
        "name": "handoff_booking",
      },
    ]
  `);
});

test("M8720 arguments that do not fit are told to the agent, which hands over again", async () => {
  const script = {
    front: [
      books({ from: "Rome" }),
      { ...books({ from: "Rome", to: "Oslo", seats: 2 }), when: "expected" },
    ],
  };
  const run = start(airline, script, { book });
  expect(await run.output).toEqual({ answer: "2 from Rome to Oslo" });
});

test("M8720 fails the attempt where the agent does not put them right", async () => {
  const run = start(
    airline,
    { front: [1, 2, 3].map(() => books({ from: 1, to: "Oslo" })) },
    { book },
  );
  await expect(run.output).rejects.toMatchObject({ code: "M8720" });
});

test("what the arrow gives is not asked for", async () => {
  const text = airline.replace("booking | expert", 'booking("Rome") | expert');
  const run = start(text, { front: [books({ to: "Oslo", seats: 3 })] }, { book });
  expect(await run.output).toEqual({ answer: "3 from Rome to Oslo" });
});

test("an agent that gets arguments has them in its prompt, and the handoff in its inbox", async () => {
  const text = `model m = "scripted"
graph Desk(question: string) returns answer {
  state { answer: string = "" }
  defaults { model m }
  agent front { prompt \`Q: \${question}\`; writes answer }
  agent booking(city: string) { prompt \`Book \${city}, \${inbox.length}\`; writes answer }
  start -> front -> booking | end
}`;
  const front = [{ calls: [{ tool: "handoff_booking", input: { city: "Oslo" } }] }];
  const run = start(text, { front, booking: ["done"] });
  expect(await run.output).toEqual({ answer: "done" });
  expect(JSON.stringify(requestOf(run, "booking"))).toContain("Book Oslo, 1");
});

const tree = `model m = "scripted"
graph Desk(question: string) returns log {
  state { log: string[] = [] via append }
  defaults { model m }
  limit 30 steps
  agent front { prompt \`Q: \${question} \${log}\`; writes log = [result] }
  agent booking(city: string) { prompt \`Book \${city}\`; writes log = [result] }
  agent payment { prompt \`Pay\`; writes log = [result] }
  start -> front -> booking | end
  booking -> payment | return
  payment -> return
}`;

const to = (node: string, input: unknown = { to: node, task: "t" }) => ({
  calls: [{ tool: node === "booking" ? "handoff_booking" : "handoff", input }],
});

test("`return` goes back to who handed over, nested, with the arguments that it had", async () => {
  const run = start(tree, {
    front: [to("booking", { city: "Oslo" }), "all done"],
    booking: [to("payment"), "booked"],
    payment: ["paid"],
  });
  expect(await run.output).toEqual({ log: ["paid", "booked", "all done"] });
  expect(pathOf(run)).toBe("front booking payment booking front");
  expect(JSON.stringify(requestOf(run, "booking"))).toContain("Book Oslo");
  expect((await run.replay()).ok).toBe(true);
});

test("an agent with `| return | end` ends where nobody handed over", async () => {
  const text = `model m = "scripted"
graph Desk(question: string) returns log {
  state { log: string[] = [] via append }
  defaults { model m }
  limit 30 steps
  agent front { prompt \`Q: \${question} \${log}\`; writes log = [result] }
  agent expert { prompt \`E\`; writes log = [result] }
  start -> { question == "why?" -> expert, else -> front }
  front -> expert | end
  expert -> front | return | end
}`;
  const run = start(text, { expert: ["because"] });
  expect(await run.output).toEqual({ log: ["because"] });
  expect(pathOf(run)).toBe("expert");
});

test("M8721 a `return` where nobody handed over on this way fails the run", async () => {
  const text = tree.replace(
    "start -> front",
    'start -> { question == "why?" -> payment, else -> front }\n  front',
  );
  const run = start(text, { payment: ["paid"] });
  await expect(run.output).rejects.toMatchObject({
    code: "M8721",
    message: expect.stringContaining("nobody handed over"),
  });
});

test("items of an `each` and branches of a fork have handovers of their own", async () => {
  const text = `model m = "scripted"
graph Desk(question: string) returns log {
  state { log: string[] = [] via append }
  defaults { model m }
  limit 60 steps
  agent front(x: int) { prompt \`Q: \${x} \${log}\`; writes log = [result] }
  agent booking { prompt \`B\`; writes log = [result] }
  run last = done(log.length) writes log
  start -> each x of [1, 2] parallel 1 {
    front(x) -> booking | end
    booking -> return
  } -> last -> end
}`;
  const run = start(
    text,
    {
      front: [
        to("expert", { to: "booking", task: "t" }),
        "one",
        to("expert", { to: "booking", task: "t" }),
        "two",
      ],
      booking: ["b1", "b2"],
    },
    { done: (n: number) => [String(n)] },
  );
  expect(await run.output).toEqual({ log: ["b1", "one", "b2", "two", "4"] });
  expect(pathOf(run)).toBe("front booking front front booking front last");
});

test("a group hands over each to each other in one line, and nobody to itself", async () => {
  const text = `model m = "scripted"
graph Desk(question: string) returns log {
  state { log: string[] = [] via append }
  defaults { model m }
  limit 30 steps
  agent a { prompt \`A\`; writes log = [result] }
  agent b { prompt \`B\`; writes log = [result] }
  agent c { prompt \`C\`; writes log = [result] }
  start -> a
  a | b | c -> a | b | c | end
}`;
  const run = start(text, { a: [to("c")], c: [to("b")], b: ["said"] });
  expect(await run.output).toEqual({ log: ["said"] });
  expect(pathOf(run)).toBe("a c b");
  const [tool] = requestOf(run, "a").tools as { description: string }[];
  expect(tool?.description.split("\n").slice(1)).toEqual(["- b", "- c"]);
});

test("the debugger and the trace say who waits for a `return`", async () => {
  const run = start(tree, {
    front: [to("booking", { city: "Oslo" }), "all done"],
    booking: [to("payment"), "booked"],
    payment: ["paid"],
  });
  const handovers: unknown[] = [];
  run.events$.subscribe((event) => {
    if (event.kind === "route.chosen") handovers.push(event.handover);
  });
  await run.output;
  expect(handovers).toEqual([undefined, "hand-over", "hand-over", "return", "return", undefined]);
});
