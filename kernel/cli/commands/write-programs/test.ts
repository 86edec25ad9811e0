/** `madrigal test FILE…`: runs the tests of programs, whatever is wrong with the others; no model is called. */
import type { Ir } from "../../../../dsl/index.ts";
import {
  coverGraphs,
  runTest,
  type TestOptions,
  type TestResult,
} from "../../../../runtime/index.ts";
import { CommandError } from "../../../command-error.ts";
import { counted } from "../../../display/visible.ts";
import { EXIT } from "../../../exit-codes.ts";
import { faultFrame } from "../../../program-tests/fault-text.ts";
import { type OpenedTests, openTests } from "../../../program-tests/open-tests.ts";
import { triedText } from "../../../program-tests/tried-text.ts";
import type { CommandCall } from "../../arguments.ts";
import type { CliCommand } from "../../command.ts";
import { faultText, toFault } from "../../fault.ts";
import { isError, tellFrames } from "../../frames.ts";
import { secondsText } from "../../numbers.ts";
import { isColoured, paintFor, print, printJson, tell, withColours } from "../../output.ts";
import {
  coverageJson,
  coverageText,
  coveredPercent,
  tooLittle,
  writeDrawings,
} from "./test-coverage.ts";

export const command: CliCommand = {
  options: {
    json: "flag",
    "no-types": "flag",
    coverage: "flag",
    "coverage-svg": "text",
    "coverage-min": "text",
    seed: "text",
    watch: "flag",
  },
  arguments: ["FILE…"],
  async run(call) {
    if (call.flag("watch")) return await (await import("../../watch.ts")).watchCommand(call);
    const isUntyped = call.flag("no-types");
    const covering = coveringOf(call);
    const seed = seedOf(call);
    const say = call.flag("json") ? () => {} : print;
    const files: TestedFile[] = [];
    for (const file of new Set(call.arguments))
      files.push(await testedFile(file, { say, isUntyped, ...seed }));
    const unread = files.flatMap((file) => file.unread ?? []);
    const lone = files.length === unread.length ? unread.shift() : undefined;
    for (const error of unread) tellError(error);
    if (lone !== undefined) throw lone;
    if (files.every(({ declared }) => declared === 0)) throw noTests(call.arguments);
    const results = files.flatMap((file) => file.results);
    const graphs = files.flatMap((file) => file.graphs);
    const covered = covering === undefined ? undefined : await coverGraphs(graphs, results);
    if (call.flag("json")) {
      const coverage = covered === undefined ? {} : { coverage: covered.map(coverageJson) };
      printJson({ tests: results.map(resultJson), ...coverage });
    } else {
      print(summary(files));
      for (const graph of covered ?? []) print(coverageText(graph, paintFor(process.stdout)));
    }
    const { folder, least } = covering ?? {};
    if (folder !== undefined) await writeDrawings(folder, covered ?? []);
    const isShort = least !== undefined && coveredPercent(covered ?? []) < least;
    if (isShort)
      tell(faultText(toFault(tooLittle(covered ?? [], least)), paintFor(process.stderr)));
    return Math.max(isShort ? EXIT.wrong : EXIT.done, ...files.map(exitCodeOf));
  },
};

interface TestedFile {
  readonly graphs: readonly Ir[];
  readonly results: readonly TestResult[];
  readonly declared: number;
  /** True if its text has errors, so that some tests may not have run. */
  readonly isBroken: boolean;
  /** The error of a file that can't be read. */
  readonly unread?: CommandError;
}

/** The options of the coverage; each of them asks for it by itself. */
interface Covering {
  /** The folder for the drawings. */
  readonly folder?: string;
  /** The least percentage of arrows. */
  readonly least?: number;
}

function coveringOf(call: CommandCall): Covering | undefined {
  const [folder, least] = [call.text("coverage-svg"), call.text("coverage-min")];
  if (folder === undefined && least === undefined) return call.flag("coverage") ? {} : undefined;
  const percent = Number(least ?? 0);
  if (!(percent >= 0 && percent <= 100)) {
    throw new CommandError("M7103", `\`--coverage-min\` needs a percentage, not \`${least}\``, {
      hint: "madrigal test FILE --coverage-min 80",
    });
  }
  return {
    ...(folder === undefined ? {} : { folder }),
    ...(least === undefined ? {} : { least: percent }),
  };
}

/** The seed of generated inputs, as a test that failed names it. */
function seedOf(call: CommandCall): Pick<TestOptions, "seed"> {
  const text = call.text("seed");
  if (text === undefined) return {};
  const seed = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (seed < 2 ** 32) return { seed };
  throw new CommandError(
    "M7103",
    `\`--seed\` needs a whole number below 4294967296, not \`${text}\``,
    {
      hint: "a test with `for any` that fails names the seed of its inputs",
    },
  );
}

interface Testing extends Pick<TestOptions, "seed"> {
  readonly say: (text: string) => void;
  readonly isUntyped: boolean;
}

async function testedFile(file: string, testing: Testing): Promise<TestedFile> {
  try {
    return await testFile(file, testing);
  } catch (thrown) {
    if (!(thrown instanceof CommandError)) throw thrown;
    return { graphs: [], results: [], declared: 0, isBroken: true, unread: thrown };
  }
}

function exitCodeOf({ results, isBroken, unread }: TestedFile): number {
  if (unread !== undefined) return unread.exitCode;
  if (results.some(({ faults }) => faults.some(({ code }) => code === "M9000"))) return EXIT.fault;
  return isBroken || results.some(({ ok }) => !ok) ? EXIT.wrong : EXIT.done;
}

async function testFile(file: string, { say, isUntyped, ...seed }: Testing): Promise<TestedFile> {
  const opened = await openTests(file, { isUntyped });
  const { source, diagnostics, graphs, tests, declared } = opened;
  tellFrames(diagnostics, source);
  const isBroken = diagnostics.some(isError);
  if (tests.length > 0) say(source.file);
  const results: TestResult[] = [];
  for (const { test, scope } of tests) {
    const result = await runTest(test, { scope, ...seed });
    results.push(result);
    say(resultText(result));
    tellFaults(result);
  }
  if (results.some(({ ok }) => !ok)) tellNotLoaded(opened);
  return { graphs, results, declared, isBroken };
}

/**
 * Warns of scope files that could not be loaded. Called after a failed test only, since other tests
 * do not need them.
 */
function tellNotLoaded({ notLoaded }: OpenedTests): void {
  for (const { code, message } of notLoaded)
    tell(`${paintFor(process.stderr)("warning", `warning[${code}]`)}: ${message}
  hint: its functions can't be called; tests that script them run all the same`);
}

function tellError(error: CommandError): void {
  tell(faultText(toFault(error), paintFor(process.stderr)));
}

function resultText({ test, ok, durationMs, ...tried }: TestResult): string {
  const paint = paintFor(process.stdout);
  const mark = ok ? paint("good", "✓") : paint("error", "✗");
  const often = triedText({ ok, ...tried });
  const facts = [secondsText(durationMs), ...(often === "" ? [] : [often])].join("  ");
  return `  ${mark} ${test.name}  ${paint("quiet", facts)}`;
}

function tellFaults({ test, faults }: TestResult): void {
  const color = isColoured(process.stderr);
  for (const fault of faults) tell(withColours(faultFrame(test, fault, { color })));
}

/** Turns a result into a record of `test --json`; of several faults the first one. */
function resultJson({
  test,
  ok,
  path,
  faults,
  orders,
  inputs,
}: TestResult): Readonly<Record<string, unknown>> {
  const [fault] = faults;
  return {
    name: test.name,
    graph: test.ir.name,
    file: test.source.file,
    line: test.line,
    ok,
    ...(fault === undefined ? {} : expectedOf(fault)),
    path,
    ...(orders === undefined ? {} : { orders: ordersJson(orders) }),
    ...(inputs === undefined ? {} : { inputs }),
  };
}

function ordersJson({ isComplete, ...orders }: NonNullable<TestResult["orders"]>) {
  return { ...orders, complete: isComplete };
}

/**
 * Returns the expected and the actual value of a fault; without them, the error that stopped the
 * run.
 */
function expectedOf({ expected, actual, code, message }: TestResult["faults"][number]) {
  return {
    ...(expected === undefined ? {} : { expected }),
    actual: actual ?? `${code} ${message}`,
  };
}

function summary(files: readonly TestedFile[]): string {
  const results = files.flatMap((file) => file.results);
  const declared = files.reduce((sum, file) => sum + file.declared, 0);
  const passed = results.filter(({ ok }) => ok).length;
  const notRun = declared - results.length;
  const counts = [
    `${passed} passed`,
    `${results.length - passed} failed`,
    ...(notRun > 0 ? [`${notRun} not run`] : []),
  ];
  return `${counted(declared, "test")}: ${counts.join(", ")}`;
}

function noTests(files: readonly string[]): CommandError {
  const named = files.map((file) => `\`${file}\``).join(", ");
  return new CommandError("M7210", `there is no test in ${named}`, {
    hint: 'a test is `test "what is so" of GRAPH { … }`; it may stand in a file of its own',
    exitCode: EXIT.wrong,
  });
}
