/** `madrigal resume --due`: runs that only time goes on with, and that no process stays for. */
import { expect, test } from "vitest";
import { startMadrigal } from "../../../support/child.ts";
import { madrigal } from "../../../support/warm/madrigal.ts";
import { document, said, workspace } from "../calling.ts";

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
async function asleep(
  signal: "SIGTERM" | "SIGINT" = "SIGTERM",
  home: string = workspace(files),
): Promise<string> {
  const child = startMadrigal(["run", "nap.madrigal"], { home });
  await child.said("first#1 succeeded");
  child.signal(signal);
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

test("a run that somebody paused by Ctrl-C is left alone, also once its time has come", async () => {
  const home = await asleep("SIGINT");
  const { stdout } = await madrigal(["show", "last", "--json"], { home });
  const { run_id: first, reason } = JSON.parse(stdout);
  expect(reason).toBe("SIGINT");
  // The second one is due later, so the first one is by then.
  await asleep("SIGTERM", home);
  await expect
    .poll(async () => (await document(home, ["resume", "--due"])).json, { timeout: 30_000 })
    .toMatchObject({ resumed: [{ graph: "Nap", steps: 1 }] });
  const { json } = await document(home, ["show", first]);
  expect(json).toMatchObject({ status: "paused", reason: "SIGINT", steps: 1 });
});

test("M15 a question that nobody answers in time has its default answer, and the run replays so", async () => {
  const home = workspace({
    "ask.madrigal": `graph Ask() returns name {
  state { name: string }
  human who { ask \`Who?\` within 5s else "nobody"; writes name }
  start -> who -> end
}
`,
  });
  expect((await madrigal(["run", "ask.madrigal"], { home })).code).toBe(3);
  await expect
    .poll(async () => (await document(home, ["resume", "--due"])).json, { timeout: 30_000 })
    .toMatchObject({ resumed: [{ graph: "Ask", steps: 1, status: "succeeded" }] });
  expect(await said(home, ["show", "last"])).toContain("name:\nnobody");
  expect(await said(home, ["replay", "last"])).toBe(
    "exit 0\nrun RUN replays: 8 records, 1 step, succeeded with the same state",
  );
});

test("a run or what is due, not both and not neither", async () => {
  const home = workspace();
  expect(await said(home, ["resume"])).toContain("M7103");
  expect(await said(home, ["resume", "last", "--due"])).toContain("M7103");
  expect(await said(home, ["resume", "--due"])).toBe("exit 0\nno run is due");
});
