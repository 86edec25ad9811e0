/** What people say to a run under way. */
import { afterEach, expect, test } from "vitest";
import { type Run, type RunEvent, Session, scripted, tool } from "../../../runtime/index.ts";
import { drive, gate } from "../driven-run.ts";

const sessions: Session[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
});

const textWith = (toolIn: string) => `model m = "scripted"
graph G() returns notes {
  state { notes: string[] = [] via append }
  defaults { model m }
  agent plan { ${toolIn === "plan" ? "tools look; " : ""}prompt \`plan\`; writes notes }
  agent write { ${toolIn === "write" ? "tools look; " : ""}prompt \`write\`; writes notes; retry 1 on model }
  start -> plan -> write -> end
}`;

interface Scene {
  readonly run: Run;
  /** Resolves when the first agent's tool is called; the tool ends when it is opened. */
  readonly entered: Promise<void>;
  readonly open: () => void;
}

/** Starts a run whose agent `toolIn` calls its tool first. */
function begin(script: object, toolIn = "plan", text = textWith(toolIn)): Scene {
  const session = new Session({ store: "memory", env: { MADRIGAL_HOME: "/nowhere" } });
  sessions.push(session);
  const entered = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<string>();
  const look = tool(
    () => {
      entered.resolve();
      return opened.promise;
    },
    { effect: "none" },
  );
  const graph = session.compile(text, { scope: { look } }).G;
  const run = graph?.run(
    {},
    { models: { m: scripted({ plan: [LOOK, { says: "a" }], ...script }) } },
  );
  if (run === undefined) throw new Error("no graph");
  return { run, entered: entered.promise, open: () => opened.resolve("seen") };
}

const LOOK = { calls: [{ tool: "look" }] };

function told(run: Run): readonly string[] {
  const lines: string[] = [];
  run.events$.subscribe((event: RunEvent) => {
    if (event.kind === "run.steered")
      lines.push(`said ${event.message.id} ${event.message.payload}`);
    if (event.kind === "message.read") lines.push(`${event.node} hears ${event.message}`);
    if (event.kind === "message.dead") lines.push(`dead ${event.message}`);
  });
  return lines;
}

/** What the model calls of a node were sent beside their own requests. */
const heardBy = (run: Run, node: string) =>
  told(run).filter((line) => line.startsWith(`${node} hears`));

test("E96 [SM] what is said enters with the next model call, in the same conversation", async () => {
  const plan = [LOOK, { says: "a", when: "keep it short" }];
  const { run, entered, open } = begin({ plan, write: [{ says: "b" }] });
  await entered;
  await run.steer("keep it short");
  open();
  await run.output;
  expect(told(run)).toEqual(["said s1 keep it short", "plan hears s1"]);
});

test("L9 what is said to a node while it works is in its inbox when it writes", async () => {
  const text = textWith("plan").replace(
    "writes notes }",
    'writes notes; set notes = inbox.map(one => one.kind + " " + one.payload) }',
  );
  const { run, entered, open } = begin({ write: [{ says: "b" }] }, "plan", text);
  await entered;
  await run.steer("keep it short");
  open();
  expect(await run.output).toEqual({ notes: ["a", "steer keep it short", "b"] });
});

test("what is said to one node waits for it", async () => {
  const { run, entered, open } = begin({ write: [{ says: "b" }] });
  await entered;
  await run.steer("only two", { to: "write" });
  open();
  await run.output;
  expect(told(run)).toEqual(["said s1 only two", "write hears s1"]);
});

test("L9 an attempt that fails has heard nothing: the next one hears it", async () => {
  const { run, entered, open } = begin({
    write: [{ fails: "overloaded" }, { says: "b", when: "only two" }],
  });
  await entered;
  await run.steer("only two", { to: "write" });
  open();
  await run.output;
  expect(heardBy(run, "write")).toEqual(["write hears s1", "write hears s1"]);
});

test("L9 what nobody has heard when the run ends is told as dead", async () => {
  const script = { plan: [{ says: "a" }], write: [LOOK, { says: "b" }] };
  const { run, entered, open } = begin(script, "write");
  await entered;
  await run.steer("too late", { to: "plan" });
  open();
  await run.output;
  expect(told(run)).toEqual(["said s1 too late", "dead s1"]);
  await expect(run.steer("more")).rejects.toMatchObject({ code: "M5333" });
});

test("L4 what an agent of a called graph heard before it failed is dead in the run that it was said to, and only there", async () => {
  const text = `model m = "scripted"
graph Inner() returns notes {
  state { notes: string[] = [] via append }
  agent write { model m; tools look; prompt \`write\`; writes notes }
  start -> write -> end
}
graph G() returns notes {
  state { notes: string[] = [] via append }
  graph inner = Inner() writes notes
  start -> inner -> end
}`;
  const script = { write: [LOOK, { fails: "no idea", when: "hurry" }] };
  const { run, entered, open } = begin(script, "write", text);
  await entered;
  await run.steer("hurry");
  open();
  await expect(run.output).rejects.toThrow("no idea");
  expect(told(run)).toEqual(["said s1 hurry", "write hears s1", "dead s1"]);
});

test("what comes again with its id is heard once: at the same time, when it was heard, when the run is over", async () => {
  const { run, entered, open } = begin({ write: [{ says: "b" }] });
  await entered;
  const say = () => run.steer("keep it short", { id: "words-1" });
  await Promise.all([say(), say()]);
  await say();
  await run.steer("and friendly", { id: "words-2" });
  open();
  await run.output;
  await say();
  expect(told(run)).toEqual([
    "said s:words-1 keep it short",
    "said s:words-2 and friendly",
    "plan hears s:words-1",
    "plan hears s:words-2",
  ]);
  expect(run.replay().divergence).toBeUndefined();
  await expect(run.steer("more", { id: "words-3" })).rejects.toMatchObject({ code: "M5333" });
});

test("who can't hear is told at once", async () => {
  const { run, entered, open } = begin({ write: [{ says: "b" }] });
  await entered;
  await expect(run.steer("hm", { to: "writ" })).rejects.toMatchObject({
    code: "M5334",
    hint: "did you mean `write`?",
  });
  open();
  await run.output;
});

test("a replay hears the same", async () => {
  const { run, entered, open } = begin({ write: [{ says: "b" }] });
  await entered;
  await run.steer("keep it short");
  open();
  await run.output;
  expect(run.replay().divergence).toBeUndefined();
});

test("L9 what is said is stored before whoever said it is told so", async () => {
  const work = gate({ x: "done" });
  const { run, store } = drive(
    'model m = "scripted"\ngraph G() returns x { state { x: string = "" }\n agent a { model m; prompt `Do.`; writes x }\n start -> a }',
    { goal: "end", does: (_, { signal }) => work.pass(signal) },
  );
  await work.entered;
  await run.steer("keep it short");
  expect(store.read(run.id).map(({ kind }) => kind)).toContain("steer");
});

test("L9 what was heard by an attempt that a rewind undoes waits again, also where that one had committed", async () => {
  const work = gate(["done"]);
  const heard: string[] = [];
  const { run } = drive(
    'model m = "scripted"\ngraph G() returns xs { state { xs: string[] = [] via append }\n agent a { model m; prompt `Do.`; writes xs }\n agent b { model m; prompt `Do.`; writes xs }\n start -> a -> b }',
    {
      goal: "end",
      does: async ({ label }, context) => {
        if (label === "a#1" && heard.length === 0) await work.pass(context.signal);
        return await context.effect({
          effect: "model",
          name: "m",
          hear: (words) => heard.push(...words.map((word) => `${label} ${word}`)),
          perform: async () => ({ value: [label] }),
        });
      },
    },
  );
  await work.entered;
  await run.steer("keep it short");
  work.open();
  await run.settled();
  await run.rewind(0);
  await run.resume();
  expect(await run.output).toEqual({ xs: ["a#1", "b#1"] });
  expect(heard).toEqual(["a#1 keep it short", "a#1 keep it short"]);
});
