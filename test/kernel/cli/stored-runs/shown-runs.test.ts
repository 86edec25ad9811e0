/** What people are shown of a run, in notebooks and on the command line, tells no planted secret. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fieldsText, questionsText } from "../../../../kernel/cli/run/report-run.ts";
import { eventsOf, outputOf } from "../../../../kernel/cli/run/run-facts.ts";
import { runJson } from "../../../../kernel/cli/run/run-json.ts";
import { GraphDebugging } from "../../../../kernel/debugging/graph-debugging.ts";
import { CHARTS, type NamedChart } from "../../../../kernel/display/index.ts";
import { diffBundle } from "../../../../kernel/display/run/diff-bundle.ts";
import { outputBundle } from "../../../../kernel/display/run/output-bundle.ts";
import { runBundle } from "../../../../kernel/display/run/run-bundle.ts";
import { StatesBefore } from "../../../../kernel/display/run/state-before.ts";
import { stepBundle } from "../../../../kernel/display/run/step-bundle.ts";
import { timelineBundle } from "../../../../kernel/display/run/timeline-bundle.ts";
import { treeBundle } from "../../../../kernel/display/run/tree-bundle.ts";
import type { DebugNews, StackFrameFacts } from "../../../../kernel/jupyter/debug/graph-link.ts";
import type { Variable } from "../../../../kernel/jupyter/debug/protocol.ts";
import { reportPage } from "../../../../kernel/report/report-page.ts";
import { useSession } from "../../../../kernel/session.ts";
import { type DrivenRun, redaction, Session } from "../../../../runtime/index.ts";
import { GUESSED, KNOWN, PRIVATE, plantedRun, told } from "../../../support/planted-run.ts";

let home: string;
let session: Session;
let run: DrivenRun;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "madrigal-shown-"));
  session = new Session({ env: { MADRIGAL_HOME: home, PLANTED_API_KEY: KNOWN }, store: "memory" });
  run = await plantedRun(session);
});

afterAll(async () => {
  await session.close();
  rmSync(home, { recursive: true, force: true });
});

test("on the command line: the output, the state, the questions, the events", () => {
  const shower = redaction.eventShower(run.ir);
  const events = eventsOf(run).map((event) => {
    shower.learn(event);
    return shower.show(event);
  });
  expect(told(JSON.stringify(eventsOf(run)))).not.toEqual([]);
  expect(told(JSON.stringify(events))).toEqual([]);
  expect(told(JSON.stringify(runJson(run, run.ir)))).toEqual([]);
  expect(told(fieldsText(outputOf(run) ?? {}))).toEqual([]);
  expect(told(questionsText(run))).toEqual([]);
  expect(runJson(run, run.ir)).toMatchObject({
    status: "succeeded",
    output: { letter: "Dear ward", verdict: { length: 21 }, age: { length: 5 } },
    state: { letter: "Dear ward", notes: { $private: expect.any(String) } },
  });
});

test("a private value that a person set, and that a step wrote over", async () => {
  const text = `graph Note(name: Private<string>) returns line {
  state {
    letter: Private<string> = ""
    line: string = ""
  }
  run write = say(name) writes letter
  run read = say(letter) writes line { set letter = "gone" }
  start -> write -> read -> end
}`;
  const scope = { say: (what: string) => `Dear ${what}` };
  const first = session.compile(text, { scope }).Note?.run({ name: "Ada Lovelace" });
  await first?.output;
  const fork = first?.fork(1, { letter: "Emmy Noether" }) as unknown as DrivenRun;
  expect(await fork.output).toEqual({ line: "Dear Emmy Noether" });
  for (const one of [fork, session.open(fork.id)]) {
    expect(JSON.stringify(runJson(one, one.ir))).not.toContain("Noether");
    expect(fieldsText(outputOf(one) ?? {})).toContain("private");
  }
});

test("in a notebook: the run, its output, its steps", async () => {
  const states = new StatesBefore(run.ir);
  for (const event of eventsOf(run)) states.take(event, run.steps);
  const output = await run.output;
  expect(output).toMatchObject({ verdict: PRIVATE[2] });
  const bundles = [
    await runBundle(run),
    await outputBundle(output, run),
    ...run.steps.map(stepBundle),
  ];
  for (const bundle of bundles) expect(told(JSON.stringify(bundle))).toEqual([]);
  expect(JSON.stringify(bundles)).toContain("Dear ward");
  expect(JSON.stringify(bundles)).toContain("$private");
});

/** What a page or a picture tells: the age is a number, and may stand in one that says where something is drawn. */
function toldDrawn(text: string): readonly string[] {
  const words = PRIVATE.filter((secret) => !/^\d+$/.test(secret));
  const age = /(?<![\d.])42[,.\u202f]?137(?!\d)/.test(text) ? ["42137"] : [];
  return [...told(text, [KNOWN, ...GUESSED, ...words]), ...age];
}

function drawn(named: NamedChart, other: string): ReturnType<NamedChart["make"]> {
  switch (named.of) {
    case "run":
      return named.make(run.id);
    case "runs":
      return named.make([run.id]);
    case "timed runs":
      return named.make([run.id], {});
    case "two":
      return named.make(run.id, other);
    case "step":
      return named.make(run.id, run.steps.length);
  }
}

test("on the report page and in every chart, in words, rows and pictures", async () => {
  useSession(session);
  const other = await plantedRun(session);
  const page = await reportPage(run.id);
  expect(toldDrawn(page)).toEqual([]);
  // What it has instead: the hash and the length.
  expect(page).toContain("$private");
  expect(page).toContain("Dear ward");
  for (const [name, named] of Object.entries(CHARTS)) {
    const chart = drawn(named, other.id);
    const { spec, svg, text } = await chart.drawing();
    const shown = JSON.stringify([spec, svg, text, await chart.rows()]);
    expect([name, toldDrawn(shown)]).toEqual([name, []]);
  }
});

test("in its timeline, beside another run, and in the tree of its thread", async () => {
  const other = await plantedRun(session);
  const timeline = run.timeline();
  const pages = timeline.entries.map(({ index }) => timeline.at(index));
  expect(pages.length).toBeGreaterThan(4);
  const diff = run.diff(other);
  const tree = session.tree(run.id);
  const shown = {
    pages: pages.map(({ graph: _, ...shownPage }) => shownPage),
    timeline: [String(timeline), await timelineBundle(timeline)],
    diff: [String(diff), diffBundle(diff), JSON.stringify(diff)],
    tree: [String(tree), treeBundle(tree)],
  };
  for (const [what, value] of Object.entries(shown)) {
    expect([what, toldDrawn(JSON.stringify(value))]).toEqual([what, []]);
  }
  expect(JSON.stringify(shown)).toContain("Dear ward");
});

test("in the panel of the page's debugger, opened to its last variable, and in its console", async () => {
  const stops: DebugNews[] = [];
  const debugging = new GraphDebugging({
    tell: (said) => void stops.push(said),
    session: () => session,
    names: {},
    declare: async () => {},
  });
  const ask = (asked: Parameters<GraphDebugging["take"]>[0]) => debugging.take(asked, []);
  await ask({ kind: "attach" });
  const held = run.fork(run.steps.length - 1, undefined, { isHeld: true });
  debugging.started(held);
  await expect.poll(() => stops.at(-1)?.kind).toBe("stopped");
  const { frames } = stops.at(-1) as { readonly frames: readonly StackFrameFacts[] };
  // The text of the cell is the person's own.
  const seen: unknown[] = frames.map(({ text: _, ...frame }) => frame);
  for (const { id: frame, scopes } of frames) {
    for (const { variablesReference } of scopes) await open(variablesReference);
    for (const name of ["patient", "phone", "verdict", "age", "notes", "patient.name"]) {
      seen.push(await ask({ kind: "evaluate", expression: name, frame }));
      seen.push(await ask({ kind: "render", name, frame }));
    }
    for (const line of [":state", ":print verdict", ":where", ":blame verdict"]) {
      seen.push(await ask({ kind: "evaluate", expression: line, frame }));
    }
  }
  expect(told(JSON.stringify(seen))).toEqual([]);
  expect(JSON.stringify(seen)).toContain("Dear ward");
  expect(JSON.stringify(seen)).toContain("$private");
  await ask({ kind: "detach", leaving: "abort" });

  async function open(reference: number): Promise<void> {
    const listed = await ask({ kind: "variables", reference, paging: {} });
    seen.push(listed);
    for (const { variablesReference: inside } of listed as readonly Variable[]) {
      if (inside > 0) await open(inside);
    }
  }
});
