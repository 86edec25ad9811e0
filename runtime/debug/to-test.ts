/** A run that has been, as a `test` of the language: what went in, what each node said, what came of it. */

import { check, print, type TestIr } from "../../dsl/index.ts";
import { type Failure, RunError } from "../failure.ts";
import { pathOf } from "../history/log-path.ts";
import type { RunView } from "../history/run-view.ts";
import { literalText } from "../literal-text.ts";
import { runTest } from "../program-tests/later.ts";
import type { AttemptRecord, CommitRecord, LogRecord } from "../records/records.ts";
import type { ToTestOptions } from "../run/handle.ts";
import { shortRunId } from "../run-names.ts";

/**
 * The text of a test that passes: it is run before it is given back. M5454 for a run that is not over, and for one that
 * no test tells: a person said no, a time decided, a called graph of a plan.
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
  for (const isExact of [true, false]) {
    for (const order of ["start", "place"] as const) {
      const text = testText(run, recorded, { name, isExact, order });
      const wrong = await faultOf(run, text);
      if (wrong === undefined) return text;
      fault ||= wrong;
    }
  }
  throw notATest(run, fault, "write it by hand from what `madrigal show` tells");
}

/** One attempt of a node, and what it came to. */
interface TriedTest {
  readonly node: string;
  readonly began: number;
  readonly key: string;
  readonly end: CommitRecord | AttemptRecord;
}

interface Recorded {
  readonly tried: readonly TriedTest[];
  readonly commits: readonly CommitRecord[];
  /** The results of functions that expressions called, by name. */
  readonly calls: ReadonlyMap<string, unknown>;
}

function recordedOf(run: RunView): Recorded {
  const records = pathOf(run.position.records);
  const own = new Set(run.ir.nodes.map(({ name }) => name));
  const starts = records.filter((record) => record.kind === "start");
  const tried = records.flatMap((record): readonly TriedTest[] => {
    if (record.kind !== "commit" && record.kind !== "attempt") return [];
    const { id, node, attempt } = record;
    const start = starts.findLast((one) => one.id === id && one.attempt <= attempt);
    return own.has(node)
      ? [{ node, began: start?.seq ?? record.seq, key: start?.key ?? "", end: record }]
      : [];
  });
  const commits = tried.flatMap(({ end }) => (end.kind === "commit" ? [end] : []));
  return { tried, commits, calls: callsIn(records) };
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
}

function testText(run: RunView, recorded: Recorded, { name, isExact, order }: TestDraft): string {
  const { input } = run.position.snapshot;
  const givens = Object.entries(input).map(
    ([key, value]) => `given ${key} = ${literalText(value)}`,
  );
  const lines = [
    ...givens,
    ...scriptsOf(run, recorded, order),
    ...[...recorded.calls].map(([called, value]) => `${called} says ${literalText(value)}`),
    ...(isExact ? [pathLine(run, recorded)] : visitLines(recorded)),
    ...endLines(run),
  ];
  return [
    `test ${JSON.stringify(name)} of ${run.graph} {`,
    ...lines.map((line) => `  ${line}`),
    "}",
    "",
  ].join("\n");
}

function scriptsOf(
  { ir }: RunView,
  { tried }: Recorded,
  order: TestDraft["order"],
): readonly string[] {
  const inOrder = tried.toSorted((a, b) =>
    order === "start" ? a.began - b.began : compareKeys(a.key, b.key) || a.began - b.began,
  );
  return ir.nodes.flatMap(({ name, writes }) => {
    const ends = inOrder.filter(({ node }) => node === name).map(({ end }) => end);
    return ends.length === 0
      ? []
      : [
          lineOf(
            name,
            ends.map((end) => saidIn(end, writes.length > 0)),
          ),
        ];
  });
}

/** `2.0.10` behind `2.0.9`. */
function compareKeys(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}

interface TestScriptLine {
  readonly how: "says" | "fails";
  readonly text: string;
}

function saidIn(end: CommitRecord | AttemptRecord, writes: boolean): TestScriptLine {
  if (end.kind === "attempt") return { how: "fails", text: literalText(failureSaid(end.failure)) };
  const { goto, handoff, output = null } = end;
  if (goto !== undefined && handoff !== undefined)
    return { how: "says", text: literalText({ goto, handoff }) };
  if (goto === undefined) return { how: "says", text: literalText(output) };
  return { how: "says", text: literalText(writes ? { goto, update: output } : goto) };
}

function failureSaid({ class: kind, message, limit }: Failure): unknown {
  return { class: kind, message, ...(limit === undefined ? {} : { limit }) };
}

/** One statement a node: what is said like the line before it does not say how again. */
function lineOf(node: string, ends: readonly TestScriptLine[]): string {
  const lines = ends.map(({ how, text }, index) =>
    ends[index - 1]?.how === how ? text : `${how} ${text}`,
  );
  return `${node} ${lines.join(", ")}`;
}

function pathLine(run: RunView, { commits }: Recorded): string {
  const end = run.status === "succeeded" ? ["end"] : [];
  return `expect path ${[...commits.map(({ node }) => node), ...end].join(" -> ")}`;
}

function visitLines({ commits }: Recorded): readonly string[] {
  const visits = Map.groupBy(commits, ({ node }) => node);
  return [...visits].map(([node, { length }]) => `expect visits(${node}) == ${length}`);
}

function endLines(run: RunView): readonly string[] {
  if (run.status === "failed") return ['expect status == "failed"'];
  return run.ir.returns
    .filter((field) => run.state[field] !== undefined)
    .map((field) => `expect ${field} == ${literalText(run.state[field])}`);
}

/** Returns the fault of a test, as a text or as a run; undefined where there is none. */
async function faultOf(run: RunView, text: string): Promise<string | undefined> {
  const { source } = run.ir;
  const program = source?.text ?? print(run.ir);
  const whole = { file: source?.file ?? run.graph, text: `${program}\n\n${text}` };
  const { tests, diagnostics } = check(whole, { forTests: true });
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
