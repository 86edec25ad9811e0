/** What is served of each kind of work: conversations, tools, items, called graphs, people, judges, what came after a failure. */
import { expect, onTestFinished, test, vi } from "vitest";
import type { Script } from "../../../runtime/agents/models/scripted.ts";
import {
  type DrivenRun,
  type Graph,
  type RunOptions,
  type Scope,
  Session,
  scripted,
  tool,
} from "../../../runtime/index.ts";
import { temporaryFolder } from "../../support/child.ts";

vi.setConfig({ testTimeout: 60_000 });

function world(cwd = temporaryFolder()) {
  const session = new Session({ cwd, env: {}, name: "rerun" });
  onTestFinished(() => session.close());
  /** What models and functions were asked for, since it was last taken. */
  const asked: string[] = [];
  const take = () => asked.splice(0);
  const model = (script: Script) => {
    const one = scripted(script);
    const doStream: typeof one.doStream = async (call) => {
      const last = call.prompt.at(-1)?.content;
      asked.push(typeof last === "string" ? last : (last ?? []).map(textOf).join(" "));
      return await one.doStream(call);
    };
    return { ...one, doStream };
  };
  const counted = <A extends unknown[]>(name: string, work: (...args: A) => unknown) => {
    return (...args: A) => {
      asked.push(name);
      return work(...args);
    };
  };
  const compiled = (text: string, scope: Scope = {}): Graph => {
    const graph = Object.values(session.compile(text, { scope })).at(-1);
    if (graph === undefined) throw new Error("no graph");
    return graph;
  };
  const ran = async (graph: Graph, options: RunOptions = {}, input = {}) => {
    const run = graph.run(input, options) as unknown as DrivenRun;
    await run.output;
    return run;
  };
  return { session, take, model, counted, compiled, ran, cwd };
}

function textOf(part: unknown): string {
  const { text, type } = part as { readonly text?: string; readonly type: string };
  return text ?? type;
}

const LOOP = (word = "Write") => `model m = "scripted"
graph G() returns notes, end {
  state {
    notes: string[] = [] via append
    end: string = ""
    at: int = 0
  }
  agent write { model m; prompt \`Write \${at}\`; writes notes; set at = at + 1; history own }
  agent close { model m; prompt \`${word} the end\`; writes end }
  start -> write -> { at > 1 -> close -> end, else -> write max 9 }
}`;

test("a conversation is served turn by turn, and counts no token twice", async () => {
  const { session, compiled, model, ran, take } = world();
  const m = model({ write: ["one", "two"], close: ["bye"] });
  const run = await ran(compiled(LOOP()), { models: { m } });
  expect(take()).toEqual(["Write 0", "Write 1", "Write the end"]);
  const edited = compiled(LOOP("Say"));
  const plan = await edited.rerun(run, { models: { m: model({ close: ["well"] }) } });
  expect(plan.performs).toEqual([{ node: "close", label: "close#1", why: ["prompt changed"] }]);
  expect(plan.saves.sure).toMatchObject({ nodeRuns: 2, calls: 2 });
  expect(take()).toEqual([]);
  const again = plan.run();
  expect(await again.output).toEqual({ notes: ["one", "two"], end: "well" });
  expect(take()).toEqual(["Say the end"]);
  expect(again.usage.modelCalls).toBe(1);
  expect(again.agent("write").context.conversation).toEqual(
    run.agent("write").context.conversation,
  );
  const traces = await session.traces();
  const rows = (sql: string) => traces.query(sql, [again.id]);
  expect(await rows("SELECT rerun_of, model_calls FROM runs WHERE run_id = ?")).toEqual([
    { rerun_of: run.id, model_calls: 1 },
  ]);
  expect(
    await rows("SELECT label, served FROM node_runs WHERE run_id = ? ORDER BY node_run"),
  ).toEqual([
    { label: "write#1", served: true },
    { label: "write#2", served: true },
    { label: "close#1", served: false },
  ]);
  expect(
    await rows("SELECT label, copied, input_tokens FROM llm_calls WHERE run_id = ? ORDER BY seq"),
  ).toMatchObject([
    { label: "write#1", copied: true, input_tokens: null },
    { label: "write#2", copied: true, input_tokens: null },
    { label: "close#1", copied: false },
  ]);
});

const TOOLS = `model m = "scripted"
graph G() returns said {
  state { said: string = "" }
  agent ask { model m; tools look; prompt \`Ask\`; writes said; retry 1 }
  start -> ask -> end
}`;

test("tools are served with what they did; one whose code changed is called again", async () => {
  const { compiled, model, ran, take, counted } = world();
  const look = tool(
    counted("look", ({ at }: { at: string }) => `found ${at}`),
    {
      effect: "external",
      input: { type: "object", properties: { at: { type: "string" } }, required: ["at"] },
    },
  );
  const turns = () => model([{ calls: [{ tool: "look", input: { at: "x" } }] }, "done"]);
  const run = await ran(compiled(TOOLS, { look }), { models: { m: turns() } });
  take();
  const graph = compiled(TOOLS, { look });
  const served = await graph.rerun(run, { models: { m: turns() } });
  expect(await served.run().output).toEqual({ said: "done" });
  expect(take()).toEqual([]);
  const outside = await graph.rerun(run, { models: { m: turns() }, external: "anew" });
  expect(outside.performs).toMatchObject([{ why: ["it calls something outside"] }]);
  expect(await outside.run().output).toEqual({ said: "done" });
  expect(take()).toContain("look");
});

const MAPPED = {
  text: `graph Inner(x: int) returns y {
  state { y: int = 0 }
  run twice = double(x) writes y
  start -> twice -> end
}
graph G(xs: int[]) returns all, text {
  state {
    all: int[] = [] via append
    text: string = ""
  }
  graph inner(x: int) = Inner(x) writes all
  run tell = tell(all) writes text
  start -> each x of xs { inner(x) } -> tell -> end
}`,
};

test("items and called graphs: what another input adds is performed, the others are served", async () => {
  const { compiled, ran, take, counted } = world();
  const scope = {
    double: counted("double", (x: number) => x * 2),
    tell: counted("tell", (all: readonly number[]) => all.join(" ")),
  };
  const graph = compiled(MAPPED.text, scope);
  const run = await ran(graph, {}, { xs: [1, 2, 3] });
  expect([run.state.text, take()]).toEqual(["2 4 6", ["double", "double", "double", "tell"]]);
  const plan = await graph.rerun(run, { input: { xs: [3, 5, 1] } });
  expect(plan.performs).toMatchObject([
    { label: "inner#2 › twice#1", why: ["its arguments are others"] },
    { label: "tell#1", why: ["its arguments are others"] },
  ]);
  expect(await plan.run().output).toEqual({ all: [6, 10, 2], text: "6 10 2" });
  expect(take()).toEqual(["double", "tell"]);
});

const PEOPLE = (question = "Which?") => `graph G() returns said, done {
  state {
    said: string = ""
    done: string = ""
  }
  human choose { ask \`${question}\`; writes said }
  run act = act(said) writes done
  approve before act \`Act on \${said}?\`
  approve after act
  start -> choose -> act -> end
}`;

test("what people answered is not asked again, unless the question is another", async () => {
  const { compiled, ran, take, counted } = world();
  const scope = { act: counted("act", (said: string) => `did ${said}`) };
  const answers = { choose: "left", act: { kind: "approve" } };
  const run = await ran(compiled(PEOPLE(), scope), { answers });
  expect([run.state.done, take()]).toEqual(["did left", ["act"]]);
  const plan = await compiled(PEOPLE(), scope).rerun(run);
  expect(plan.performs).toEqual([]);
  const again = plan.run() as unknown as DrivenRun;
  expect(await again.output).toEqual({ said: "left", done: "did left" });
  expect([take(), again.steps.length]).toEqual([[], 2]);
  const other = await compiled(PEOPLE("What?"), scope).rerun(run);
  expect(other.performs).toMatchObject([{ node: "choose", why: ["question changed"] }]);
  const asking = other.run() as unknown as DrivenRun;
  await expect(asking.output).rejects.toMatchObject({ code: "M5301" });
  expect(asking.interrupts).toMatchObject([{ node: "choose", question: "What?" }]);
  await asking.answer("choose-0", { kind: "value", value: "left" });
  expect(await asking.output).toEqual({ said: "left", done: "did left" });
  expect(take()).toEqual([]);
});

const TRIED = (limit = 3) => `graph G() returns number, told {
  state {
    number: int = 0
    told: string = ""
  }
  run draw = draw() writes number { retry 2 on tool; ensure number < ${limit} "it is small" }
  run tell = tell(number) writes told
  start -> draw -> tell -> end
}`;

test("what came after a failure is served at once; a condition is asked again", async () => {
  const { compiled, ran, take, counted } = world();
  let drawn = 0;
  const draw = counted("draw", () => {
    drawn += 1;
    if (drawn === 1) throw new Error("no luck");
    return drawn;
  });
  const scope = { draw, tell: counted("tell", (number: number) => `got ${number}`) };
  const run = await ran(compiled(TRIED(), scope));
  expect([run.state.told, take()]).toEqual(["got 2", ["draw", "draw", "tell"]]);
  const again = (await compiled(TRIED(), scope).rerun(run)).run() as unknown as DrivenRun;
  expect(await again.output).toEqual({ number: 2, told: "got 2" });
  expect(take()).toEqual([]);
  drawn = 0;
  const stricter = await compiled(TRIED(2), scope).rerun(run);
  await stricter.run().settled();
  expect(take()[0]).toBe("draw");
});

const CHAIN = (word: string) => `graph G() returns log {
  state { log: string[] = [] via append }
  run a = work("a") writes log
  run b = work("b") writes log
  run c = work("${word}", log) writes log
  run d = work("d", log) writes log
  start -> a -> b -> c -> d -> end
}`;

test("a re-run whose process is gone goes on in another one, and is served the rest", async () => {
  const first = world();
  let gate: PromiseWithResolvers<void> | undefined;
  const scopeOf = (counted: typeof first.counted) => ({
    work: counted("work", async (word: string) => {
      if (word === "C") await gate?.promise;
      return word;
    }),
  });
  const scope = scopeOf(first.counted);
  const run = await first.ran(first.compiled(CHAIN("c"), scope));
  first.take();
  gate = Promise.withResolvers();
  const again = (await first.compiled(CHAIN("C"), scope).rerun(run)).run() as unknown as DrivenRun;
  await vi.waitFor(() => expect(first.take()).toEqual(["work"]));
  await again.pause({ now: true });
  gate.resolve();
  const second = world(first.cwd);
  second.compiled(CHAIN("C"), scopeOf(second.counted));
  const there = second.session.open(again.id);
  await there.resume();
  expect(await there.output).toEqual({ log: ["a", "b", "C", "d"] });
  expect(second.take()).toEqual(["work", "work"]);
  expect(there.replay()).toMatchObject({ ok: true });
});

const REVIEWED = `graph G() returns said, told {
  state {
    said: string = ""
    told: string = ""
  }
  run say = say() writes said
  run tell = tell(said) writes told
  approve after say
  start -> say -> tell -> end
}`;

test("what somebody made of an output in a review is made of it again, by the recorded answer", async () => {
  const { compiled, ran, take, counted } = world();
  const scope = {
    say: counted("say", () => "rough"),
    tell: counted("tell", (said: string) => `told ${said}`),
  };
  const answers = { say: { kind: "edit", value: "smooth" } };
  const run = await ran(compiled(REVIEWED, scope), { answers });
  expect([run.state.told, take()]).toEqual(["told smooth", ["say", "tell"]]);
  const again = (await compiled(REVIEWED, scope).rerun(run)).run() as unknown as DrivenRun;
  expect(await again.output).toEqual({ said: "smooth", told: "told smooth" });
  expect(take()).toEqual([]);
  const unasked = compiled(REVIEWED.replace("  approve after say\n", ""), scope);
  const without = (await unasked.rerun(run)).run();
  expect(await without.output).toEqual({ said: "rough", told: "told rough" });
  expect(take()).toEqual(["tell"]);
});

const JUDGED = (condition = "it is polite") => `model m = "scripted"
graph G() returns said {
  state { said: string = "" }
  agent say { model m; prompt \`Say it\`; writes said; ensure "${condition}" by m }
  start -> say -> end
}`;

test("a verdict on the same output is not asked for again; another condition is", async () => {
  const { compiled, model, ran, take } = world();
  const yes = { condition_met: true, reason: "so it is" };
  const m = model({ say: ["please"], "say.judge": [yes, yes] });
  const run = await ran(compiled(JUDGED()), { models: { m } });
  expect(take()).toHaveLength(2);
  const again = await compiled(JUDGED()).rerun(run, { models: { m } });
  expect(await again.run().output).toEqual({ said: "please" });
  expect(take()).toEqual([]);
  const other = await compiled(JUDGED("it is short")).rerun(run, { models: { m } });
  expect(other.performs).toEqual([]);
  expect(await other.run().output).toEqual({ said: "please" });
  expect(take()).toHaveLength(1);
});

test("a re-run of a re-run, and one of a run that went back, are served what counts", async () => {
  const { compiled, ran, take, counted } = world();
  const scope = { work: counted("work", (word: string) => word) };
  const run = await ran(compiled(CHAIN("c"), scope));
  await run.rewind(2);
  await run.resume();
  await run.settled();
  take();
  const once = (await compiled(CHAIN("c"), scope).rerun(run)).run() as unknown as DrivenRun;
  await once.output;
  const twice = (await compiled(CHAIN("c"), scope).rerun(once)).run() as unknown as DrivenRun;
  expect(await twice.output).toEqual({ log: ["a", "b", "c", "d"] });
  expect(take()).toEqual([]);
});

test("what a person did to a run is not done again, and the plan says so", async () => {
  const { compiled, ran } = world();
  const graph = compiled(CHAIN("c"), { work: (word: string) => word });
  const run = await ran(graph);
  expect((await graph.rerun(run)).notes).toEqual([]);
  const edited = run.fork(2, { log: ["by hand"] });
  await edited.output;
  const plan = await graph.rerun(edited as unknown as DrivenRun);
  expect(plan.notes).toEqual(["its state was edited while it ran: that is not done again"]);
  expect(String(plan)).toContain("note: its state was edited");
  expect(await plan.run().output).toEqual({ log: ["a", "b", "c", "d"] });
});
