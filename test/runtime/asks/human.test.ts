/** `human` nodes: what they ask, what may be said, and what it comes to. */
import { expect, test } from "vitest";
import { ask, nextStop } from "./asking.ts";

const signoff = `graph G() returns ok {
  state { ok: boolean = false }
  human signoff { ask \`Ship it?\`; writes ok }
  start -> signoff -> end
}`;

test("a human node asks, and the run waits", async () => {
  const { run } = ask(signoff);
  expect(await nextStop(run)).toEqual({ kind: "interrupt", id: "signoff-0", node: "signoff" });
  expect(run.status).toBe("waiting");
  expect(run.interrupts).toMatchObject([
    {
      id: "signoff-0",
      kind: "select",
      node: "signoff",
      question: "Ship it?",
      options: [true, false],
    },
  ]);
  await run.answer("signoff-0", { kind: "value", value: true });
  expect(await run.output).toEqual({ ok: true });
  expect(run.interrupts).toEqual([]);
});
