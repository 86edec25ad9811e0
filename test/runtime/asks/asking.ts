/** Runs that ask: the one place of these tests that knows how one is made. */
import { onTestFinished } from "vitest";
import { type Run, type RunOptions, Session, type Stop } from "../../../runtime/index.ts";

export interface Asking {
  readonly run: Run;
  readonly session: Session;
}

/** Starts a run of the only graph of a text, in memory. */
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
