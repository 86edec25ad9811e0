/** Pain 3: a "replay" that runs everything again, with new calls, new costs and other results. */
import { expect, test } from "vitest";
import { Session, scripted } from "../../../runtime/index.ts";

const text = `model m = "scripted"
graph Roll(n: int = 3) returns rolls, said {
  state { rolls: number[] = [] via append
    said: string = "" }
  run roll(x: int) = dice(x) writes rolls
  agent tell { model m; prompt \`Tell of \${rolls}.\`; writes said }
  start -> each x of [1, 2, 3] { roll(x) } -> tell -> end
}`;

test("pain 3 a replay calls nothing, costs nothing, and comes to the same numbers", async () => {
  const session = new Session({ store: "memory" });
  let calls = 0;
  const dice = () => {
    calls += 1;
    return Math.random();
  };
  const { Roll } = session.compile(text, { scope: { dice } });
  // One answer: a model that was asked again would have none left.
  const run = Roll?.run({}, { models: { m: scripted(["three numbers"]) } });
  await run?.output;
  const { usage, state } = run ?? {};
  expect(run?.replay()).toMatchObject({ ok: true, status: "succeeded", state });
  expect(session.open(run?.id ?? "", { scope: {} }).replay()).toMatchObject({ ok: true, state });
  expect(calls).toBe(3);
  expect(run?.usage).toEqual(usage);
  await session.close();
});
