/** `madrigal watch`: a process that stays, and continues what is due. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startMadrigal } from "../../../support/child.ts";
import { document, put, said, workspace } from "../calling.ts";

const NAP = `import { look } from "./look.ts"
graph Nap() returns seen {
  state { seen: string[] = [] via append }
  run first = look("first") writes seen
  run second = look("second") writes seen
  run third = look("third") writes seen
  start -> first -> second after 1s -> third after 1h -> end
}
`;

/** A run whose process was told to end while it slept, in a folder whose clock a file sets. */
async function asleep(): Promise<{ readonly home: string; readonly env: Record<string, string> }> {
  const home = workspace({
    "nap.madrigal": NAP,
    "look.ts": "export const look = (what: string) => what;\n",
    "later-ms": "0",
  });
  const later = JSON.stringify(join(home, "later-ms"));
  const clock = `import { readFileSync } from "node:fs"; const wall = Date.now; Date.now = () => wall() + Number(readFileSync(${later}, "utf8") || 0);`;
  const child = startMadrigal(["run", "nap.madrigal"], { home });
  await child.said("first#1 succeeded");
  child.signal("SIGTERM");
  await child.ended;
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(clock)}` };
  return { home, env };
}

test("what is due goes on, also once the clock was set forward, and a signal ends the watch and no run", async () => {
  const { home, env } = await asleep();
  const watch = startMadrigal(["watch"], { home, env });
  await watch.said(/Nap, due .* UTC: 1 step, paused, next .* UTC/);
  await watch.said("asleep until");
  put(home, "later-ms", "3600000");
  await watch.said(/Nap, due .* UTC: 1 step, succeeded/);
  await watch.said("nothing is due later");
  watch.signal("SIGINT");
  expect(await watch.ended).toMatchObject({ code: 0 });
  const { json } = await document(home, ["show", "last"]);
  expect(json).toMatchObject({ status: "succeeded", steps: 3 });
  expect((await said(home, ["replay", "last"])).split("\n")[0]).toBe("exit 0");
});

test("a watch that is told to end leaves the run that it works on as one that sleeps, for the next one", async () => {
  const { home, env } = await asleep();
  put(home, "look.ts", "export const look = (what: string) => new Promise<string>(() => {});\n");
  put(home, "later-ms", "60000");
  const watch = startMadrigal(["watch", "--json"], { home, env });
  await expect
    .poll(async () => (await document(home, ["show", "last"])).json, { timeout: 60_000 })
    .toMatchObject({ status: "running", steps: 1 });
  watch.signal("SIGTERM");
  const { code, stdout } = await watch.ended;
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { graph: "Nap", status: "paused" }]);
  put(home, "look.ts", "export const look = (what: string) => what;\n");
  const next = startMadrigal(["watch"], { home, env });
  await next.said(/Nap, due .* UTC: 1 step, paused, next/);
});

test("a run that can't be continued is told once, and tried again when it has changed", async () => {
  const { home, env } = await asleep();
  rmSync(join(home, "look.ts"));
  put(home, "later-ms", "60000");
  const watch = startMadrigal(["watch"], { home, env });
  await watch.said("not resumed");
  await watch.said("nothing is due later");
  watch.signal("SIGTERM");
  const { code, stdout } = await watch.ended;
  expect([code, stdout.match(/not resumed/g)]).toEqual([0, ["not resumed"]]);
});
