/** A run whose machine has another time when it goes on. */
import { expect, test } from "vitest";
import { madrigal } from "../../../support/child.ts";
import { document, workspace } from "../calling.ts";

const program = {
  "ask.madrigal": `graph Ask() returns name {
  state { name: string }
  human who { ask \`Your name?\` within 30d; writes name }
  start -> who -> end
}
`,
};

test.each([
  ["an hour back", -3_600_000],
  ["a day back", -86_400_000],
  ["half an hour forward", 1_800_000],
])("a run that waited when the clock was set %s is answered, ends and replays", async (_, by) => {
  const home = workspace(program);
  expect((await madrigal(["run", "ask.madrigal"], { home })).code).toBe(3);
  const setBy = `const wall = Date.now; Date.now = () => wall() + ${by};`;
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(setBy)}` };
  const { exit, json } = await document(home, ["answer", "last", "who", "Ann"], { env });
  expect([exit, json.status, json.output]).toEqual([0, "succeeded", { name: "Ann" }]);
  expect((await madrigal(["show", "last"], { home })).stdout).not.toMatch(/-\d+(\.\d+)?(s|ms)\b/);
  expect((await madrigal(["replay", "last"], { home })).code).toBe(0);
});
