/** Runs on a real Restate server come to what they come to here, and their logs are the same. */
import { describe, expect, test } from "vitest";
import { tool } from "../../../runtime/index.ts";
import { missing } from "../../support/python-env.ts";
import { plainLog, restateHere } from "../../support/restate/runs-here.ts";

const reason = await missing("restate");

const scope = {
  double: (n: number) => n * 2,
  isBig: (n: number) => n > 3,
  items: () => [1, 2, 3],
  fails: (n: number) => {
    throw new Error(`no ${n}`);
  },
  look: tool((of: { n: number }) => `seen ${of.n}`, {
    effect: "none",
    description: "Looks a number up.",
    input: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
  }),
};

/** One way after the other, so that there is one order in which things can happen. */
const PROGRAMS: readonly (readonly [string, string, Record<string, unknown>])[] = [
  [
    "functions, and a choice by a function",
    `graph G(n: int) returns total {
  state { total: int = 0 via sum }
  run a = double(n) writes total
  run b = double(total) writes total
  start -> a -> { isBig(total) -> b, else -> end }
}`,
    { n: 3 },
  ],
  [
    "an each, a join, and a wait",
    `graph G(n: int) returns log {
  state { log: int[] = [] via append }
  run one(i: int) = double(i) writes log
  run last = double(n) writes log
  start -> each i of items() parallel 1 { one(i) } -> last after 50ms
}`,
    { n: 5 },
  ],
  [
    "retries, an error and the way behind it",
    `graph G(n: int) returns total {
  state { total: int = 0 }
  run a = fails(n) writes total { retry 2 }
  run b = double(n) writes total
  start -> a -> b
  a -> b on error
}`,
    { n: 2 },
  ],
  [
    "an agent on rules with a tool, and a called graph",
    `model m = "rules"
graph G(n: int) returns said, x {
  state {
    said: string = ""
    x: int = 0
  }
  agent talk { model m; tools look; prompt \`Say \${n}\`; writes said }
  graph inner = H(n) writes x
  start -> talk -> inner
}
graph H(n: int) returns y {
  state { y: int = 0 }
  run w = double(n) writes y
  start -> w
}`,
    { n: 4 },
  ],
  [
    "a failure",
    `graph G(n: int) returns total {
  state { total: int = 0 }
  run a = fails(n) writes total
  start -> a
}`,
    { n: 1 },
  ],
];

describe.skipIf(reason !== undefined)("on Restate", () => {
  const here = restateHere();

  test.each(PROGRAMS)("%s: the same log, state and end as here", async (_, text, input) => {
    const served = await here.serve(text, scope);
    const { runId, summary, output } = await served.run("G", input);
    const run = served.graphs.G?.run(input);
    const local = await run?.output.catch((error: Error) => error.message);
    expect(summary.status).toBe(run?.status);
    if (summary.status === "succeeded") expect(output).toEqual(local);
    await served.pull(runId);
    expect(plainLog(served.records(runId))).toEqual(plainLog(served.records(run?.id ?? "")));
    const pulled = served.session.open(runId);
    expect(pulled.state).toEqual(run?.state);
    expect(pulled.replay()).toMatchObject({ ok: true });
  });

  test("branches run beside each other, and join in the order of the graph", async () => {
    const served = await here.serve(
      `graph G(n: int) returns log {
  state { log: int[] = [] via append }
  run a = double(1) writes log
  run b = double(2) writes log
  run c = double(3) writes log
  run last = double(n) writes log
  start -> [a, b, c] -> last
}`,
      scope,
    );
    const { output } = await served.run("G", { n: 9 });
    expect(output).toEqual({ log: [2, 4, 6, 18] });
  });

  test("a start that is repeated with its id starts one run, and whoever attaches gets its end", async () => {
    const served = await here.serve(PROGRAMS[0]?.[1] ?? "", scope);
    const id = "01998a52-7c3e-7d41-b6a0-0c1d2e3f4a5b";
    const starts = await Promise.all([1, 2].map(() => served.start("G", { n: 3 }, id)));
    expect(starts.map(({ runId }) => runId)).toEqual([id, id]);
    const ends = await Promise.all([1, 2].map(() => served.output("G", id)));
    expect(ends.map(({ output }) => output)).toEqual([{ total: 18 }, { total: 18 }]);
    await served.pull(id);
    expect(served.records(id).filter(({ kind }) => kind === "run")).toHaveLength(1);
  });

  test("a run that was forgotten can be begun anew under its id", async () => {
    const served = await here.serve(PROGRAMS[0]?.[1] ?? "", scope);
    const id = "a-run-of-mine";
    await served.start("G", { n: 3 }, id);
    expect((await served.output("G", id)).output).toEqual({ total: 18 });
    expect(await served.pull(id, { forget: true })).toMatchObject({ isMoved: true });
    await served.start("G", { n: 1 }, id);
    expect((await served.output("G", id)).output).toEqual({ total: 2 });
  });

  test("what is wrong with a call is said with its code, and not tried again", async () => {
    const served = await here.serve(PROGRAMS[0]?.[1] ?? "", scope);
    await expect(served.run("G", { m: 1 })).rejects.toMatchObject({
      code: "M5001",
      message: "`G` has no parameter `m`",
    });
    await expect(served.pull("nobody")).rejects.toMatchObject({ code: "M5806" });
    const strong = `graph G() returns a {
  state thread { a: string = "" }
  run f = double(1) writes a
  start -> f
}`;
    await expect(here.serve(strong, scope)).rejects.toMatchObject({ code: "M5809" });
  });

  test("a long text goes by a file of the folder of blobs, and one that is too large fails its attempt", async () => {
    const served = await here.serve(
      `graph G(length: int) returns n {
  state {
    text: string = ""
    n: int = 0
  }
  run a = long(length) writes text
  run b = count(text) writes n
  start -> a -> b
}`,
      { long: (length: number) => "é".repeat(length), count: (text: string) => text.length },
    );
    const { runId, output } = await served.run("G", { length: 300_000 });
    expect(output).toEqual({ n: 300_000 });
    await served.pull(runId);
    expect(String(served.session.open(runId).state.text).length).toBe(300_000);
    const list = await here.serve(
      `graph L(length: int) returns n {
  state {
    texts: string[] = []
    n: int = 0
  }
  run a = many(length) writes texts
  start -> a
}`,
      { many: (length: number) => Array.from({ length }, () => "x".repeat(200_000)) },
    );
    const tooLarge = await list.run("L", { length: 50 });
    expect(tooLarge.summary).toMatchObject({ status: "failed", error: { code: "M5804" } });
  });

  test("a run of more than one segment goes on from its snapshot, and is pulled whole", async () => {
    const served = await here.serve(
      `graph G(n: int) returns count {
  state { count: int = 0 via sum }
  limit 200 steps
  run a = one() writes count
  run b = one() writes count
  start -> a -> b
  b -> { count < n -> a max 100, else -> end }
}`,
      { one: () => 1 },
    );
    const { runId, output, lastSeq } = await served.run("G", { n: 80 });
    expect(output).toEqual({ count: 80 });
    expect(lastSeq).toBeGreaterThan(150);
    await served.pull(runId);
    const run = served.session.open(runId);
    expect(run.replay()).toMatchObject({ ok: true, steps: 80 });
  });
});
