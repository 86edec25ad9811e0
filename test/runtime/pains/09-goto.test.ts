/** Pain point 9 of LangGraph: a `goto` adds to the static edges instead of replacing them. */
import { afterEach, expect, test } from "vitest";
import { command, Session } from "../../../runtime/index.ts";

const sessions: Session[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
});

const text = `graph G(to: string) returns seen {
  state { seen: string[] = [] via append }
  run a = go(to) writes seen
  run b = see("b") writes seen
  run c = see("c") writes seen
  start -> a -> b
  a -> c
}`;

const scope = { go: (to: string) => command({ goto: to }), see: (name: string) => [name] };

test.each(["b", "c"])("pain 9 goto replaces the arrows: to `%s` alone", async (to) => {
  const session = new Session({ store: "memory", env: { MADRIGAL_HOME: "/nowhere" } });
  sessions.push(session);
  const run = session.compile(text, { scope }).G?.run({ to });
  expect(await run?.output).toEqual({ seen: [to] });
  expect(run?.steps.map(({ node }) => node)).toEqual(["a", to]);
});
