/** Diffs, trees and timelines as they are shown: their marks, and nothing in them that acts. */
import { expect, test } from "vitest";
import { toBundle } from "../../../kernel/display/index.ts";
import { runs } from "../../../kernel/index.ts";
import type { DrivenRun } from "../../../runtime/index.ts";
import { expectHarmless, HOSTILE } from "./hostile.ts";
import { graphOf } from "./runs.ts";
import { valuesOf } from "./well-formed.ts";

const SAY = `graph Say(word: string) returns said {
  state {
    said: string = ""
    heard: string[] = [] via append
  }
  run speak = spoken(word) writes said
  run hear = listened(said) writes heard
  start -> speak -> hear -> end
}`;

const scope = { spoken: (word: string) => `${word}${word}`, listened: (said: string) => [said] };

async function branched(word: string) {
  const graph = await graphOf(SAY, scope);
  const run = graph.run({ word }) as unknown as DrivenRun;
  await run.output;
  const branch = run.fork(1, { said: `other ${word}` });
  await branch.output;
  return { run, branch };
}

test("a tree has a lane for each run, from the step at which it left to its last", async () => {
  const { run, branch } = await branched("a");
  await run.rewind(0);
  const { data } = await toBundle(runs.tree(run));
  const svg = String(data["image/svg+xml"]);
  expect(valuesOf(svg, "data-run")).toEqual([run.id, branch.id]);
  expect(valuesOf(svg, "data-from")).toEqual(["0", "1"]);
  expect(valuesOf(svg, "data-steps")).toEqual(["0", "2"]);
  expect(valuesOf(svg, "data-rewind")).toEqual(["2 → 0"]);
  expect(data["text/plain"]).toBe(String(runs.tree(run.thread)));
});

test("the line to a branch passes behind what is said of the runs, and the tree fits into a cell", async () => {
  const { run } = await branched("a");
  const svg = String((await toBundle(runs.tree(run))).data["image/svg+xml"]);
  const labels = [...svg.matchAll(/<text ([^>]*)>(?:<title>.*?<\/title>)?[0-9a-f]{8} of/g)];
  expect(labels).toHaveLength(2);
  for (const [, look] of labels) expect(look).toContain('paint-order="stroke" stroke="#ffffff"');
  expect(svg.lastIndexOf('d="M', svg.indexOf("data-run"))).toBeGreaterThan(0);
  expect(Number(/^<svg [^>]*width="(\d+)"/.exec(svg)?.[1])).toBeLessThan(740);
});

test("a diff has its steps, its states and its costs as tables, and says where the runs part", async () => {
  const { run, branch } = await branched("a");
  const { data } = await toBundle(run.diff(branch));
  expect(data["text/html"]).toContain("part behind step 1 (edit): only in B, the fork set said");
  expect(data["text/html"]).toContain("&#34;other a&#34;");
  expect(data["text/markdown"]).toContain("| A | B | step |");
});

test("the timeline of a run that may go on says as of when it stands", async () => {
  const { run } = await branched("a");
  expect(String((await toBundle(run.timeline())).data["text/html"])).toContain(": succeeded, ");
  await run.rewind(1);
  expect(String((await toBundle(run.timeline())).data["text/html"])).toMatch(
    /: paused as of \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC, 1 step/,
  );
});

test("nothing that nodes say acts in any of them", async () => {
  for (const word of HOSTILE) {
    const { run, branch } = await branched(word.toWellFormed());
    expectHarmless(await toBundle(run.diff(branch)));
    expectHarmless(await toBundle(runs.tree(run)));
    const { data } = await toBundle(run.timeline());
    // The one picture is our own, as an image.
    const html = String(data["text/html"]).replace(
      /<img alt="[^"<>]*" style="[^"<>]*" src="data:image\/svg\+xml;base64,[\w+/=]+">/,
      "",
    );
    expect(html).not.toContain("<img");
    expectHarmless({ data: { ...data, "text/html": html }, metadata: {} });
  }
});
