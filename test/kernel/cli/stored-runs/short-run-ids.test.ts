/** Runs are called by short ids, on the command line, in cells and in pictures, and those are understood wherever a run is named. */
import { expect, onTestFinished, test } from "vitest";
import { runs, waterfall } from "../../../../kernel/index.ts";
import { closeSession, useSession } from "../../../../kernel/session.ts";
import { Session } from "../../../../runtime/index.ts";
import { madrigal } from "../../../support/warm/madrigal.ts";
import { document, greet, hello, workspace } from "../calling.ts";

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

test("what the command line prints of a run has its short id alone, and takes it back", async () => {
  const home = workspace({ "greet.madrigal": greet, "hello.ts": hello });
  const ran = await madrigal(["run", "greet.madrigal", "--input", '{"name":"Ada"}'], { home });
  const [, short = ""] = /^run: ([0-9a-f]{8})$/m.exec(ran.stdout) ?? [];
  const { stdout: list } = await madrigal(["runs"], { home });
  expect(list).toMatch(new RegExp(`^${short} +Greet +succeeded `, "m"));
  for (const words of [
    ["runs", "tree", short],
    ["diff", short, short],
    ["replay", short],
    ["chart", "waterfall", short],
    ["export", short, "out.madrigal-run"],
    ["fork", short, "1"],
    ["runs", "delete", short],
  ]) {
    const { code, stdout, stderr } = await madrigal(words, { home });
    expect([words, code, stderr]).toEqual([words, 0, expect.any(String)]);
    expect(stdout + stderr).toContain(short);
    expect(stdout + stderr).not.toMatch(UUID);
  }
});

test("show tells the whole id once, for SQL; documents have the whole id alone", async () => {
  const home = workspace({ "greet.madrigal": greet, "hello.ts": hello });
  const call = ["run", "greet.madrigal", "--input", '{"name":"Ada"}', "--json"];
  const id = String(JSON.parse((await madrigal(call, { home })).stdout).run_id);
  const { stdout } = await madrigal(["show", id.slice(-8)], { home });
  expect(stdout.split("\n")[0]).toBe(`run: ${id.slice(-8)} (${id})`);
  expect(stdout.match(new RegExp(UUID, "g"))).toEqual([id]);
  expect((await document(home, ["show", id.slice(-8)])).json.run_id).toBe("RUN");
});

test("TypeScript opens a run by its short id, and charts take it", async () => {
  const session = new Session({ store: "memory" });
  useSession(session);
  onTestFinished(closeSession);
  const text = `graph Say(word: string) returns heard {
    state { heard: string }
    run keep = say(word) writes heard
    start -> keep -> end
  }`;
  const { Say } = session.compile(text, { scope: { say: (word: string) => word } });
  const run = Say?.run({ word: "so" });
  await run?.output;
  const short = run?.id.slice(-8) ?? "";
  expect(runs.open(short).id).toBe(run?.id);
  expect(runs.tree(short).roots[0]?.runId).toBe(run?.id);
  expect((await waterfall(short).drawing()).text).toContain(`run ${short} of Say`);
});
