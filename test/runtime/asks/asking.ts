/** Runs that ask: the one place of these tests that knows how one is made. */
import { onTestFinished } from "vitest";
import { type Run, RunError, type RunOptions, Session, type Stop } from "../../../runtime/index.ts";

export interface Asking {
  readonly run: Run;
  readonly session: Session;
}

/** Starts a run of the first graph of a text, in memory. */
export function ask(
  text: string,
  options: RunOptions & { readonly input?: Readonly<Record<string, unknown>> } = {},
): Asking {
  const session = new Session({ store: "memory", env: { MADRIGAL_HOME: "/nowhere" } });
  onTestFinished(() => session.close());
  const { input = {}, scope = {}, ...more } = options;
  const [graph] = Object.values(session.compile(text, { scope }));
  if (graph === undefined) throw new Error("no graph");
  return { run: graph.run(input, more), session };
}

/** Where the run stops by itself. */
export function nextStop(run: Run): Promise<Stop> {
  return run.continue();
}

/** What a promise rejects with; one that does not is a mistake. */
export async function rejection(promise: Promise<unknown>): Promise<RunError> {
  const [settled] = await Promise.allSettled([promise]);
  if (settled.status === "rejected" && settled.reason instanceof RunError) return settled.reason;
  throw new Error(`not rejected with a RunError: ${JSON.stringify(settled)}`);
}
