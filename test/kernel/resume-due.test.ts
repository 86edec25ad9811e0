/** `madrigal resume --due`: runs that only time goes on with, and that no process stays for. */
import { expect, test } from "vitest";
import { startMadrigal } from "../support/child.ts";
import { document, said, workspace } from "./calling.ts";

const files = {
  "nap.madrigal": `import { look } from "./look.ts"
graph Nap() returns seen {
  state { seen: string[] = [] via append }
  run first = look("first") writes seen
  run second = look("second") writes seen
  run third = look("third") writes seen
  start -> first -> second after 1s -> third after 1h -> end
}
`,
  "look.ts": "export const look = (what: string) => what;\n",
};

/** A run whose process was told to end while it slept. */
async function asleep(): Promise<string> {
  const home = workspace(files);
  const child = startMadrigal(["run", "nap.madrigal"], { home });
  await child.said("first#1 succeeded");
  child.signal("SIGTERM");
  await child.ended;
  return home;
}

test("what is due goes on, what is not is left alone, and a run that sleeps again is let go", async () => {
  const home = await asleep();
  await expect
    .poll(async () => (await document(home, ["resume", "--due"])).json, { timeout: 30_000 })
    .toMatchObject({ resumed: [{ graph: "Nap", steps: 1, status: "paused" }] });
  const { json } = await document(home, ["show", "last"]);
  expect(json).toMatchObject({ status: "paused", reason: "sleeping", owner: null, steps: 2 });
  expect(await said(home, ["resume", "--due"])).toBe("exit 0\nno run is due");
});

test("a run or what is due, not both and not neither", async () => {
  const home = workspace();
  expect(await said(home, ["resume"])).toContain("M7103");
  expect(await said(home, ["resume", "last", "--due"])).toContain("M7103");
  expect(await said(home, ["resume", "--due"])).toBe("exit 0\nno run is due");
});
