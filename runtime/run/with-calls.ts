/** Decides with whatever functions of TypeScript it takes: calls what is needed, and decides again. */
import type { LoggedCall } from "../records.ts";
import { CallNeeded, type FunctionCall, keyOf } from "../scheduler/calls.ts";

/** Makes one call; what goes wrong with it is in its result. */
export type MakeCall = (call: FunctionCall) => Promise<LoggedCall>;

/** What `decide` comes to, once all calls that it needs have been made. */
export async function withCalls<T>(
  decide: (known: readonly LoggedCall[]) => T,
  make: MakeCall,
): Promise<T> {
  let known: readonly LoggedCall[] = [];
  for (;;) {
    try {
      return decide(known);
    } catch (error) {
      if (!(error instanceof CallNeeded)) throw error;
      known = [...known, ...(await madeOf(error, make))];
    }
  }
}

/** The results of all calls that were needed, each made once. */
export async function madeOf({ calls }: CallNeeded, make: MakeCall): Promise<LoggedCall[]> {
  const unique = new Map(calls.map((call) => [keyOf(call), call]));
  return await Promise.all([...unique.values()].map((call) => make(call)));
}
