/** Makes the calls of TypeScript functions that a decision needs, and decides again. */
import type { LoggedCall } from "../records/records.ts";
import {
  CallNeeded,
  type FunctionCall,
  KnownCalls,
  keyOf,
} from "../scheduler/expressions/calls.ts";
import type { Program } from "../scheduler/program/program.ts";

/** Makes one call; what goes wrong with it is in its result. */
export type MakeCall = (call: FunctionCall) => Promise<LoggedCall>;

/** Returns the result of `decide`: at once if it needs no calls, which is usual, else after they have been made. */
export function withCalls<T>(
  decide: (known: readonly LoggedCall[]) => T,
  make: MakeCall,
): T | Promise<T> {
  try {
    return decide(NONE);
  } catch (error) {
    if (!(error instanceof CallNeeded)) throw error;
    return decideAgain(decide, make, error);
  }
}

const NONE: readonly LoggedCall[] = [];

/** The program with what these calls came to. */
export function knowing(program: Program, known: readonly LoggedCall[]): Program {
  if (known.length === 0) return program;
  const functions = new KnownCalls(known, { otherwise: program.functions });
  return { ...program, functions };
}

async function decideAgain<T>(
  decide: (known: readonly LoggedCall[]) => T,
  make: MakeCall,
  needed: CallNeeded,
): Promise<T> {
  let known: readonly LoggedCall[] = await madeOf(needed, make);
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
