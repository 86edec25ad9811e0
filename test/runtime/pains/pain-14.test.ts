/** Parallel questions: LangGraph gives them one id, or resumes them all at once. */
import { expect, test } from "vitest";
import { waiting } from "../asks/asking-run.ts";
import { drive } from "../driven-run.ts";

test("pain 14 parallel questions have names of their own, and are answered singly, in any order", async () => {
  const { run, store } = drive(
    `import { f } from "./f.ts"
graph G(names: string[]) returns said {
  state { said: string[] = [] via append }
  human ask(name: string) { ask \`\${name}?\`; writes said = [result] }
  start -> each n of names parallel 3 { ask(n) } -> end
}`.replace("writes said = [result]", "writes said"),
    {
      input: { names: ["a", "b", "c"] },
      does: async ({ question = "" }, context) => {
        const answer = await context.ask({ ask: "input", question });
        return answer.kind === "value" ? answer.value : null;
      },
      goal: "end",
    },
  );
  await waiting(run);
  const ids = run.interrupts.map(({ id }) => id);
  expect(run.interrupts.map(({ question }) => question)).toEqual(["a?", "b?", "c?"]);
  expect(new Set(ids).size).toBe(3);
  const [a = "", b = "", c = ""] = ids;
  await run.answer(c, { kind: "value", value: "C" });
  expect(run.interrupts.map(({ id }) => id)).toEqual([a, b]);
  await run.answer(a, { kind: "value", value: "A" });
  await waiting(run);
  await run.answer(b, { kind: "value", value: "B" });
  expect(await run.output).toEqual({ said: ["A", "B", "C"] });
  const records = store.read(run.id);
  expect(records.filter(({ kind }) => kind === "answer")).toHaveLength(3);
});
