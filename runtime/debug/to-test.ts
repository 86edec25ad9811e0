/** A run that has been, as a `test` of the language: what went in, what each node said and was answered, what came of it. */

import { check, print, type TestIr } from "../../dsl/index.ts";
import { RunError } from "../failure.ts";
import { pathOf } from "../history/log-path.ts";
import type { RunView } from "../history/run-view.ts";
import { literalText } from "../literal-text.ts";
import type { ConversationMessage } from "../messages/message.ts";
import { runTest } from "../program-tests/later.ts";
import type { CommitRecord, LogRecord } from "../records/records.ts";
import type { ToTestOptions } from "../run/handle.ts";
import { shortRunId } from "../run-names.ts";
import {
  type AnswerLine,
  endText,
  type RecordedScript,
  recordedScript,
  type ScriptedEnd,
} from "./recorded-script.ts";

/**
 * The text of a test that passes: it is run before it is given back. M5454 for a run that is not over, and for one that
 * no test tells: somebody sent back a text with a wish, a time decided, a called graph of a plan.
 */
export async function toTest(
  run: RunView,
  { name = `run ${shortRunId(run.id)}` }: ToTestOptions = {},
): Promise<string> {
  if (run.status !== "succeeded" && run.status !== "failed") {
    throw notATest(run, `it is ${run.status}`, "a test is of a run that has succeeded or failed");
  }
  const recorded = recordedOf(run);
  let fault = "";
  for (const draft of draftsOf(recorded)) {
    const text = testText(run, recorded, { name, ...draft });
    const wrong = await faultOf(run, text);
    if (wrong === undefined) return text;
    fault ||= wrong;
  }
  throw notATest(run, fault, "write it by hand from what `madrigal show` tells");
}

interface Recorded extends RecordedScript {
  readonly commits: readonly CommitRecord[];
  /** The values of fields that it began with: those that its thread and its user had kept, and of a fork those it was given. */
  readonly first: Readonly<Record<string, unknown>>;
  /** The results of functions that expressions called, by name. */
  readonly calls: ReadonlyMap<string, unknown>;
}

function recordedOf(run: RunView): Recorded {
  const records = pathOf(run.position.records);
  const own = new Set(run.ir.nodes.map(({ name }) => name));
  const commits = records.flatMap((record) =>
    record.kind === "commit" && own.has(record.node) ? [record] : [],
  );
  return {
    ...recordedScript(run.ir, records),
    commits,
    first: firstIn(records),
    calls: callsIn(records),
  };
}

function firstIn(records: readonly LogRecord[]): Readonly<Record<string, unknown>> {
  const first: Record<string, unknown> = {};
  for (const record of records) {
    if (record.kind === "start") break;
    if (record.kind === "run") Object.assign(first, record.kept);
    if (record.kind === "edit") Object.assign(first, record.values);
  }
  return first;
}

function callsIn(records: readonly LogRecord[]): ReadonlyMap<string, unknown> {
  const calls = new Map<string, unknown>();
  for (const { name, value, isStream } of records.flatMap((record) => record.calls ?? [])) {
    if (value !== undefined && isStream !== true && /^\w+$/.test(name) && !calls.has(name)) {
      calls.set(name, value);
    }
  }
  return calls;
}

interface TestDraft {
  readonly name: string;
  /** The path of the commits; else how often each node committed. */
  readonly isExact: boolean;
  /** Lines of a node in the order in which its attempts began, or in that of the graph. */
  readonly order: "start" | "place";
  /** Tells what models called and people answered; else only how the attempts ended. */
  readonly isDetailed: boolean;
  /** Called graphs are run, and their nodes scripted; else the node that calls says what they came to. */
  readonly isInside: boolean;
}

/** The tests to try, those that say most first; a graph inside is run where somebody was asked or a tool was called there. */
function draftsOf({ attempts, answers }: Recorded): readonly Omit<TestDraft, "name">[] {
  const isDeep = ({ place }: { readonly place: string }) => place.includes("/");
  const deep =
    answers.some((one) => isDeep(one) && !one.isGranted) ||
    attempts.some((one) => isDeep(one) && one.calls.length > 0);
  const drafts = [];
  for (const isDetailed of [true, false])
    for (const isInside of isDetailed && deep ? [true, false] : [false])
      for (const isExact of [true, false])
        for (const order of ["start", "place"] as const)
          drafts.push({ isExact, order, isDetailed, isInside });
  return drafts;
}

function testText(run: RunView, recorded: Recorded, draft: TestDraft): string {
  const { input } = run.position.snapshot;
  const givens = Object.entries({ ...input, ...recorded.first }).map(
    ([key, value]) => `given ${key} = ${literalText(value)}`,
  );
  const lines = [
    ...givens,
    ...scriptsOf(recorded, draft),
    ...[...recorded.calls].map(([called, value]) => `${called} says ${literalText(value)}`),
    ...(draft.isExact ? [pathLine(run, recorded)] : visitLines(recorded)),
    ...endLines(run, draft),
  ];
  return [
    `test ${JSON.stringify(draft.name)} of ${run.graph} {`,
    ...lines.map((line) => `  ${line}`),
    "}",
    "",
  ].join("\n");
}

function scriptsOf({ attempts, answers }: Recorded, draft: TestDraft): readonly string[] {
  const { order, isDetailed, isInside } = draft;
  const inOrder = attempts.toSorted((a, b) =>
    order === "start" ? a.began - b.began : compareKeys(a.key, b.key) || a.began - b.began,
  );
  const isRun = (place: string) => inOrder.some((one) => one.place.startsWith(`${place}/`));
  const shown = (place: string) => (isInside ? !isRun(place) : !place.includes("/"));
  const places = Map.groupBy(
    inOrder.filter(({ place }) => shown(place)),
    ({ place }) => place,
  );
  const asked = Map.groupBy(isDetailed ? answers : [], ({ place }) => place);
  const named = new Set([...attempts.map(({ place }) => place), ...asked.keys()]);
  return [...named].flatMap((place) => {
    const lines = linesOf(places.get(place) ?? [], asked.get(place) ?? [], isDetailed);
    return lines.length === 0 || !shown(place) ? [] : [statementOf(place, lines)];
  });
}

/** The lines of a node; one whose questions are answered by people says nothing itself. */
function linesOf(
  attempts: readonly ScriptedEnd[],
  answers: readonly AnswerLine[],
  isDetailed: boolean,
): readonly string[] {
  const isAsked = answers.some(({ isGranted }) => !isGranted);
  const answered = isAsked ? answers.map(({ text }) => text) : [];
  const isPerson = attempts.every(({ node }) => node.kind === "human");
  const own = attempts.flatMap((attempt) => [
    ...(isDetailed ? attempt.calls : []),
    endText(attempt),
  ]);
  return isAsked && isPerson ? answered : [...own, ...answered];
}

/** `2.0.10` behind `2.0.9`. */
function compareKeys(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}

/** One statement: what is said like the line before it does not say how again. */
function statementOf(place: string, lines: readonly string[]): string {
  const words = lines.map((line, index) => {
    const [how = ""] = line.split(" ", 1);
    return lines[index - 1]?.startsWith(`${how} `) === true && line !== "expires"
      ? line.slice(how.length + 1)
      : line;
  });
  return `${place} ${words.join(", ")}`;
}

function pathLine(run: RunView, { commits }: Recorded): string {
  const end = run.status === "succeeded" ? ["end"] : [];
  return `expect path ${[...commits.map(({ node }) => node), ...end].join(" -> ")}`;
}

function visitLines({ commits }: Recorded): readonly string[] {
  const visits = Map.groupBy(commits, ({ node }) => node);
  return [...visits].map(([node, { length }]) => `expect visits(${node}) == ${length}`);
}

function endLines(run: RunView, { isDetailed }: TestDraft): readonly string[] {
  if (run.status === "failed") {
    const kind = run.position.snapshot.failure?.class;
    return [
      'expect status == "failed"',
      ...(kind === undefined ? [] : [`expect error.class == ${literalText(kind)}`]),
    ];
  }
  return run.ir.returns
    .filter((field) => run.state[field] !== undefined)
    .flatMap((field) => endLine(run, field, isDetailed));
}

/** A conversation by its texts: ids of calls, which a model gives, are others in a test. */
function endLine({ ir, state }: RunView, field: string, isDetailed: boolean): readonly string[] {
  const value = state[field];
  const isTalk = ir.fields.some(
    ({ name, reducer }) => name === field && reducer.name === "messages",
  );
  if (!isTalk) return [`expect ${field} == ${literalText(value)}`];
  if (!isDetailed) return [];
  const texts = (value as readonly ConversationMessage[]).map(({ content }) => content);
  return [`expect ${field}.map(x => x.content) == ${literalText(texts)}`];
}

/** Returns the fault of a test, as a text or as a run; undefined where there is none. */
async function faultOf(run: RunView, text: string): Promise<string | undefined> {
  const { source } = run.ir;
  const program = source?.text ?? print(run.ir);
  const whole = { file: source?.file ?? run.graph, text: `${program}\n\n${text}` };
  const { tests, diagnostics } = check(whole);
  const test: TestIr | undefined = tests.at(-1);
  const error = diagnostics.find(({ severity }) => severity === "error");
  if (error !== undefined || test === undefined) return error?.message ?? "its text is no test";
  const [fault] = (await runTest(test)).faults;
  return fault?.message;
}

function notATest(run: RunView, why: string, hint: string): RunError {
  return new RunError("M5454", `run \`${shortRunId(run.id)}\` does not become a test: ${why}`, {
    hint,
    runId: run.id,
  });
}
