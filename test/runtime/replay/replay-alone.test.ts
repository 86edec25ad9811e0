import { expect, test } from "vitest";
import { Session, scripted } from "../../../runtime/index.ts";
import { startNode, temporaryFolder } from "../../support/child.ts";

const text = `model m = "scripted"
graph Alone(n: int = 3) returns log, moment {
  state { log: string[] = [] via append
    moment: number = 0 }
  run look = look(n) writes moment
  agent say(x: int) { model m; prompt \`\${x} of \${moment}\`; tools more; writes log }
  start -> look -> each x of [1, 2, 3] { say(x) } -> end
}`;

test("L13 a run of models, tools, clocks and chance replays where all of them throw", async () => {
  const home = temporaryFolder();
  const session = new Session({ cwd: home, env: { MADRIGAL_HOME: home } });
  const scope = {
    look: () => Date.now() + Math.random(),
    more: () => String(Math.random()),
  };
  const { Alone } = session.compile(text, { scope });
  const models = { m: scripted([`a ${Math.random()}`, "b", "c"]) };
  const run = Alone?.run({}, { models });
  await run?.output;
  const state = run?.state;
  await session.close();
  const { stdout, stderr } = await startNode(["test/runtime/replay/nothing-but-the-log.ts"], {
    home,
  }).ended;
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, status: "succeeded", state, told: state });
});
