/** People and runs on Restate: questions answered once, pauses, aborts, texts, limits that ask; and attempts that wait. */
import { describe, expect, test } from "vitest";
import { type FunctionContext, tool } from "../../../runtime/index.ts";
import { missing } from "../../support/python-env.ts";
import { plainLog, restateHere, type Served } from "../../support/restate/runs-here.ts";

const reason = await missing("restate");

const HUMAN = `graph G(n: int) returns total {
  state {
    total: int = 0 via sum
    word: string = ""
  }
  run a = double(n) writes total
  human look { ask \`Go on with \${total}?\`; writes word }
  run b = double(total) writes total
  start -> a -> look -> b
}`;

/** The only open question of a run. */
async function question(served: Served, runId: string): Promise<string> {
  const { interrupts } = await served.until(runId, (one) => one.interrupts.length > 0);
  return (interrupts[0] as { readonly id: string }).id;
}

const answer = (interrupt: string, value: unknown) =>
  ({ verb: "answer", interrupt, answer: { kind: "value", value }, by: "ann" }) as const;

describe.skipIf(reason !== undefined)("on Restate", () => {
  const here = restateHere();
  const scope = { double: (n: number) => n * 2 };

  test("of two answers to a question one is taken, and the run has the log that it has here", async () => {
    const served = await here.serve(HUMAN, scope);
    const { runId } = await served.start("G", { n: 2 });
    const asked = await question(served, runId);
    const said = await Promise.allSettled(
      ["yes", "no"].map((word) => served.say(runId, answer(asked, word))),
    );
    expect(said.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(said.find((one) => one.status === "rejected")).toMatchObject({
      reason: { code: "M5310" },
    });
    expect((await served.output("G", runId)).output).toEqual({ total: 12 });
    await served.pull(runId);
    const word = served.session.open(runId).state.word;
    const run = served.graphs.G?.run({ n: 2 }, { answers: { look: word } });
    await run?.output;
    const forms = [runId, run?.id ?? ""].map((id) =>
      JSON.stringify(plainLog(served.records(id))).replace('"from":"script"', '"from":"person"'),
    );
    expect(forms[0]?.replace(',"by":"ann"', "")).toBe(forms[1]);
  });

  test("a reference to a file is refused: nobody there has its bytes", async () => {
    const served = await here.serve(HUMAN.replace(/word: \w+[^\n]*/, "word: Artifact"), scope);
    const { runId } = await served.start("G", { n: 2 });
    const asked = await question(served, runId);
    const file = { id: "x@1", name: "x", kind: "file", mime: "text/plain", bytes: 1 };
    await expect(
      served.say(runId, answer(asked, { ...file, hash: "0".repeat(64) })),
    ).rejects.toMatchObject({ code: "M5311", message: expect.stringContaining("no files") });
  });

  test("an answer that does not fit is refused, and the question stays", async () => {
    const served = await here.serve(HUMAN, scope);
    const { runId } = await served.start("G", { n: 2 });
    const asked = await question(served, runId);
    await expect(served.say(runId, answer(asked, 7))).rejects.toMatchObject({ code: "M5311" });
    expect(await question(served, runId)).toBe(asked);
    await served.say(runId, { verb: "abort", reason: "enough" });
    expect((await served.output("G", runId)).summary.status).toBe("aborted");
  });

  test("an attempt that waits is given up, and what it has done before is done once", async () => {
    const calls: string[] = [];
    const served = await here.serve(
      `graph G() returns words {
  state { words: string[] = [] via append }
  run a = talk() writes words
  start -> a
}`,
      {
        talk: async (context: FunctionContext) => {
          const first = await context.step("first", () => calls.push("first"));
          const said = await context.ask("And now?");
          const second = await context.step("second", () => calls.push("second"));
          return [String(first), JSON.stringify(said), String(second)];
        },
      },
    );
    const { runId } = await served.start("G");
    const asked = await question(served, runId);
    await served.until(runId, () => served.worker.attempts === 0);
    await served.say(runId, answer(asked, "on"));
    const { output } = await served.output("G", runId);
    expect(calls).toEqual(["first", "second"]);
    expect(output).toEqual({ words: ["1", JSON.stringify({ kind: "value", value: "on" }), "2"] });
  });

  test("an abort reaches what is under way, and a pause is resumed", async () => {
    let aborted = 0;
    const begun = Promise.withResolvers<void>();
    let isFirst = true;
    const served = await here.serve(
      `graph G() returns total {
  state { total: int = 0 via sum }
  run a = slow() writes total
  start -> a
}`,
      {
        slow: async ({ signal }: FunctionContext) => {
          if (!isFirst) return 5;
          isFirst = false;
          begun.resolve();
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          aborted += 1;
          return 1;
        },
      },
    );
    const { runId } = await served.start("G");
    await begun.promise;
    await served.say(runId, { verb: "pause" });
    await served.until(runId, ({ summary }) => summary.status === "paused" && aborted === 1);
    await served.say(runId, { verb: "resume" });
    expect((await served.output("G", runId)).output).toEqual({ total: 5 });
    isFirst = true;
    const second = await served.start("G");
    await served.until(second.runId, () => !isFirst);
    await served.say(second.runId, { verb: "abort" });
    expect((await served.output("G", second.runId)).summary.status).toBe("aborted");
    await served.until(second.runId, () => aborted === 2);
  });

  test("a limit that asks stops the run, and lets it go on", async () => {
    const served = await here.serve(
      `graph G() returns total {
  state { total: int = 0 via sum }
  limit 2 steps else ask
  run a = one() writes total
  run b = one() writes total
  run c = one() writes total
  start -> a -> b -> c
}`,
      { one: () => 1 },
    );
    const { runId } = await served.start("G");
    const asked = await question(served, runId);
    await served.say(runId, { verb: "answer", interrupt: asked, answer: { kind: "approve" } });
    expect((await served.output("G", runId)).output).toEqual({ total: 3 });
  });

  test("a question that expires is answered by time, and a sleeping run goes on with its time", async () => {
    const served = await here.serve(
      `graph G() returns word {
  state { word: string = "" }
  human who { ask \`Who?\` within 300ms else "nobody"; writes word }
  run last = same(word) writes word
  start -> who -> last after 200ms
}`,
      { same: (word: string) => word },
    );
    const { runId, output } = await served.run("G");
    expect(output).toEqual({ word: "nobody" });
    await served.pull(runId);
    expect(JSON.stringify(served.records(runId))).toContain('"from":"expiry"');
  });

  test("a tool that needs consent waits for it, and is called once", async () => {
    const sent: unknown[] = [];
    const served = await here.serve(
      `graph G(n: int) returns word {
  state { word: string = "" }
  tool send = mail(n) { approve before \`Send \${n}?\`; writes word }
  start -> send
}`,
      {
        mail: tool((n: number) => `sent ${sent.push(n)}`, {
          effect: "external",
          description: "Sends a mail.",
        }),
      },
    );
    const { runId } = await served.start("G", { n: 3 });
    const asked = await question(served, runId);
    expect(sent).toEqual([]);
    await served.say(runId, { verb: "answer", interrupt: asked, answer: { kind: "approve" } });
    expect((await served.output("G", runId)).output).toEqual({ word: "sent 1" });
    expect(sent).toEqual([3]);
  });
});
