/** What people are shown of a run, in notebooks and on the command line, tells no planted secret. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fieldsText, questionsText } from "../../kernel/cli/report-run.ts";
import { eventsOf, outputOf } from "../../kernel/cli/run-facts.ts";
import { runJson } from "../../kernel/cli/run-json.ts";
import { outputBundle } from "../../kernel/display/run/output-bundle.ts";
import { runBundle } from "../../kernel/display/run/run-bundle.ts";
import { StatesBefore } from "../../kernel/display/run/state-before.ts";
import { stepBundle } from "../../kernel/display/run/step-bundle.ts";
import { eventShower, type GraphRun, Session } from "../../runtime/index.ts";
import { KNOWN, PRIVATE, plantedRun, told } from "../support/planted-run.ts";

let home: string;
let session: Session;
let run: GraphRun;

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
  const shower = eventShower(run.ir);
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
