import { expect, test } from "vitest";
import type { RunEvent } from "../../../runtime/index.ts";
import { drive } from "../driven-run.ts";

const TEXT = `model m = "rules"
graph Parent(topic: string) returns notes {
  state { notes: string[] = [] via append }
  agent first { model m; prompt "First."; writes notes }
  graph go = Middle(topic) writes notes
  agent last { model m; prompt \`End \${notes}.\`; writes notes }
  start -> first -> go -> last
}
graph Middle(topic: string) returns all {
  state { all: string[] = [] via append }
  graph inner = Leaf(topic) writes all
  agent beside { model m; prompt "Beside."; writes all }
  start -> [inner, beside]
}
graph Leaf(topic: string) returns found {
  state { found: string[] = [] via append }
  agent search { model m; prompt \`Search \${topic}.\`; writes found }
  agent read { model m; prompt \`Read \${found}.\`; writes found }
  start -> search -> read
}`;

test("W22 what performs a node is handed its attempt and its own calls, and nothing with which it could start another", async () => {
  const handed = new Set<string>();
  const { run } = drive(TEXT, {
    input: { topic: "x" },
    goal: "end",
    does: (attempt, context) => {
      for (const name of namesOf(context)) handed.add(name);
      expect(Object.values(attempt).filter((value) => typeof value === "function")).toEqual([]);
      return attempt.node.name;
    },
  });
  await run.output;
  expect(handed).toContain("effect");
  expect([...handed].filter((name) => !OF_ITS_OWN.includes(name))).toEqual([]);
});

/** Its signal, its journalled calls, questions and artifacts, its text and the progress of its calls as they come: all of its own attempt. */
const OF_ITS_OWN = [
  ...["artifact", "ask", "cancellation", "consult", "delta", "effect", "progress", "signal"],
];

/** Its own members, and those of its class. */
function namesOf(context: object): readonly string[] {
  const own = Object.getOwnPropertyNames(context);
  const inherited = Object.getOwnPropertyNames(Object.getPrototypeOf(context));
  return [...own, ...inherited].filter((name) => !(name in Object.prototype));
}

test("E11 an abort reaches every attempt, however deep: each ends, from the innermost out, and nothing starts behind it", async () => {
  const entered = Promise.withResolvers<void>();
  const begun: string[] = [];
  const cancelled: string[] = [];
  const { run } = drive(TEXT, {
    input: { topic: "x" },
    goal: "end",
    does: async ({ node }, { signal }) => {
      begun.push(node.name);
      if (node.name === "first") return "first";
      if (begun.includes("search") && begun.includes("beside")) entered.resolve();
      await new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          cancelled.push(node.name);
          reject(new Error("cancelled"));
        });
      });
    },
  });
  const events: RunEvent[] = [];
  run.events$.subscribe((event) => events.push(event));
  await entered.promise;
  await run.abort("enough");
  await expect(run.output).rejects.toMatchObject({ code: "M5005" });
  expect(cancelled.sort()).toEqual(["beside", "search"]);
  expect(begun.sort()).toEqual(["beside", "first", "search"]);
  const said = events.flatMap((event) =>
    event.kind === "attempt.started" || event.kind === "attempt.finished"
      ? [`${event.kind} ${[...(event.path ?? []), event.label].join(" › ")}`]
      : [event.kind],
  );
  const end = said.slice(said.indexOf("attempt.finished first#1") + 1);
  const finished = end.filter((line) => line.startsWith("attempt.finished"));
  expect(new Set(finished)).toEqual(
    new Set([
      "attempt.finished go#1 › inner#1 › search#1",
      "attempt.finished go#1 › inner#1",
      "attempt.finished go#1 › beside#1",
      "attempt.finished go#1",
    ]),
  );
  expect(finished.indexOf("attempt.finished go#1 › inner#1 › search#1")).toBeLessThan(
    finished.indexOf("attempt.finished go#1 › inner#1"),
  );
  expect(finished.at(-1)).toBe("attempt.finished go#1");
  expect(said.at(-1)).toBe("run.finished");
});
