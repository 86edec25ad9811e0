/** Runs one `test` of the language: once, in every order of finishing, or with many generated inputs. */
import { performance } from "node:perf_hooks";
import type { TestIr } from "../../dsl/index.ts";
import type { Scope } from "../agents/scope/scope.ts";
import { withEveryInput } from "./every-input.ts";
import { inEveryOrder } from "./every-order.ts";
import { type Lateness, type OneRunOptions, runOnce } from "./one-run.ts";
import type { TestedRuns, TestFault, TestResult } from "./test-result.ts";

export interface TestOptions {
  /** The functions that unscripted nodes call. */
  readonly scope?: Scope;
  /** Calls the test off: `runTest` rejects with its reason. */
  readonly signal?: AbortSignal;
  /** The time limit of the functions that it calls, in milliseconds of real time; a minute by default. */
  readonly timeoutMs?: number;
  /** The seed of generated inputs, from 0 to 4294967295; by default another one each time. */
  readonly seed?: number;
}

const TIMEOUT_MS = 60_000;

/** Runs a test and says how it came out; what is wrong with the graph or the test is in the result. */
export async function runTest(test: TestIr, options: TestOptions = {}): Promise<TestResult> {
  const begun = performance.now();
  const { scope, timeoutMs = TIMEOUT_MS, seed } = options;
  const late = lateAfter(timeoutMs, options.signal);
  try {
    const { faults, ...found } = await allRuns(test, { scope, late }, seed);
    const durationMs = performance.now() - begun;
    return { test, ok: faults.length === 0, ...found, faults, durationMs };
  } finally {
    late.forget();
  }
}

/** All runs of a test; an error of our own is a fault of this test only, and the others run. */
async function allRuns(
  test: TestIr,
  options: OneRunOptions,
  seed: number | undefined,
): Promise<TestedRuns> {
  try {
    return await runAll(test, options, seed);
  } catch (thrown) {
    options.late.signal.throwIfAborted();
    return { path: [], arrows: [], called: [], faults: [ownFault(test, thrown)] };
  }
}

function ownFault({ span }: TestIr, thrown: unknown): TestFault {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  return {
    code: "M9000",
    message: error.message.replace(/^M9000: /, ""),
    hint: "this is an error in Madrigal; please report it with the lines below",
    span,
    detail: error.stack ?? error.message,
  };
}

async function runAll(
  test: TestIr,
  options: OneRunOptions,
  seed: number | undefined,
): Promise<TestedRuns> {
  if (test.anyInput !== undefined) return await withEveryInput(test, options, seed);
  if (test.anyOrder !== undefined) return await inEveryOrder(test, options);
  const { path, faults, arrows, called } = await runOnce(test, options);
  return { path, faults, arrows, called };
}

/** Aborts with `signal`, and by itself after a while; what it waits for keeps the process alive. */
function lateAfter(
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Lateness & { readonly forget: () => void } {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), timeoutMs);
  return {
    timeoutMs,
    signal: AbortSignal.any([timeout.signal, ...(signal === undefined ? [] : [signal])]),
    isLate: () => timeout.signal.aborted && signal?.aborted !== true,
    forget: () => clearTimeout(timer),
  };
}
