/** Bisect over runs: since when a condition holds, what changed, and what it says where that can't be said. */
import { expect, onTestFinished, test, vi } from "vitest";
import { Session } from "../../../runtime/index.ts";
import { temporaryFolder } from "../../support/child.ts";

vi.setConfig({ testTimeout: 60_000 });

const TEXT = (word = "plainly") => `graph Report(topic: string) returns said, size {
  state {
    said: string = ""
    size: int = 0
  }
  run say = say(topic, "${word}") writes said
  run measure = measure(said) writes size
  start -> say -> measure -> end
}`;

function session() {
  const made = new Session({ cwd: temporaryFolder(), store: "memory", env: {}, name: "bisect" });
  onTestFinished(() => made.close());
  const say = (topic: string, word: string) => `${topic} ${word}`;
  const graph = (word?: string, measure = (said: string) => said.length) => {
    const { Report } = made.compile(TEXT(word), { scope: { say, measure } });
    if (Report === undefined) throw new Error("no graph");
    return Report;
  };
  return { made, graph };
}

test("a planted regression among 200 runs is found, with what changed", async () => {
  const { made, graph } = session();
  const [before, after] = [graph(), graph("at great length, and again")];
  const ids: string[] = [];
  for (let at = 0; at < 200; at += 1) {
    const run = (at < 137 ? before : after).run({ topic: "x" });
    await run.output;
    ids.push(run.id);
  }
  const found = await made.bisect({ where: "CAST(output ->> 'size' AS INTEGER) > 20" });
  expect(found).toMatchObject({
    verdict: "found",
    asked: 200,
    bad: 63,
    firstBad: { runId: ids[137] },
    lastGood: { runId: ids[136] },
    isClean: true,
    diff: [
      '-   run say = say(topic, "plainly") writes said',
      '+   run say = say(topic, "at great length, and again") writes said',
    ],
  });
  expect(found.changes.map(({ what }) => what)).toEqual(["graph"]);
});

test("another function and another input are told; a run that is good again makes it unclean", async () => {
  const { made, graph } = session();
  const longer = (said: string) => said.length + 100;
  for (const [one, topic] of [
    [graph(), "a"],
    [graph(undefined, longer), "b"],
    [graph(), "a"],
    [graph(undefined, longer), "b"],
  ] as const) {
    await one.run({ topic }).output;
  }
  const found = await made.bisect({ where: "CAST(output ->> 'size' AS INTEGER) > 50" });
  expect(found).toMatchObject({ verdict: "found", asked: 4, bad: 2, goodAfter: 1, isClean: false });
  expect(found.changes.map(({ what }) => what)).toEqual(["function measure", "input topic"]);
  expect(String(found)).toContain("not clean: 1 of the runs behind it are good");
});

test("no runs, none, all, and a condition that can't be read", async () => {
  const { made, graph } = session();
  expect(await made.bisect({ where: "TRUE" })).toMatchObject({ verdict: "no runs", asked: 0 });
  const run = graph().run({ topic: "x" });
  await run.output;
  await graph().run({ topic: "y" }).output;
  expect(await made.bisect({ where: "status = 'failed'" })).toMatchObject({ verdict: "all good" });
  expect(await made.bisect({ where: "status = 'succeeded'" })).toMatchObject({
    verdict: "all bad",
    changes: [],
  });
  expect(await made.bisect({ where: "TRUE", runs: [run.id], graph: "Report" })).toMatchObject({
    asked: 1,
  });
  await expect(made.bisect({ where: "steps > 1\n  AND stat = 'x'" })).rejects.toMatchObject({
    code: "M6101",
    line: 2,
    column: 7,
    sql: "steps > 1\n  AND stat = 'x'",
  });
  await expect(made.bisect({ where: " " })).rejects.toMatchObject({
    code: "M6101",
    message: "the condition is empty",
  });
});

test("a graph of which there is no run is M5459, with the name that was meant", async () => {
  const { made, graph } = session();
  const asked = made.bisect({ where: "TRUE", graph: "Report" });
  await expect(asked).rejects.toMatchObject({
    code: "M5459",
    message: "no run is of a graph called `Report`",
    hint: "there are no runs here yet",
  });
  await graph().run({ topic: "x" }).output;
  const misspelt = made.bisect({ where: "TRUE", graph: "Raport" });
  await expect(misspelt).rejects.toMatchObject({ hint: "did you mean `Report`?" });
  const other = made.bisect({ where: "TRUE", graph: "Something" });
  await expect(other).rejects.toMatchObject({ hint: "there are runs of `Report`" });
});
