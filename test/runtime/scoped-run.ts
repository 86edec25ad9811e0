/** Runs a text with TypeScript of the test in its scope: the one place of these tests that knows the door of the engine. */
import { onTestFinished } from "vitest";
import type { Ir } from "../../dsl/index.ts";
import type { Failure, LogRecord, Run, RunOptions } from "../../runtime/index.ts";
import { Session, type SessionOptions } from "../../runtime/index.ts";

export interface ScopedOptions extends RunOptions {
  readonly input?: Readonly<Record<string, unknown>>;
  readonly session?: Session;
  /** The checker is not told of the scope. */
  readonly unchecked?: boolean;
}

export function newSession(options: SessionOptions = {}): Session {
  const session = new Session({ store: "memory", env: { MADRIGAL_HOME: "/nowhere" }, ...options });
  onTestFinished(() => session.close());
  return session;
}

export function runWith(
  text: string,
  scope: object,
  { input = {}, session = newSession(), unchecked = false, ...options }: ScopedOptions = {},
): { readonly run: Run; readonly records: () => readonly LogRecord[]; readonly ir: Ir } {
  const given = { ...scope };
  const [graph] = Object.values(session.compile(text, unchecked ? {} : { scope: given }));
  if (graph === undefined) throw new Error("no graph");
  const run = graph.run(input, unchecked ? { scope: given, ...options } : options);
  return { run: run as Run & typeof run, records: () => session.store.read(run.id), ir: graph.ir };
}

/** Why a run failed that must fail. */
export async function failureOf({ run }: { readonly run: Run }): Promise<Failure> {
  await run.output.catch(() => {});
  if (run.failure === undefined) throw new Error(`the run ${run.status}`);
  return run.failure;
}
