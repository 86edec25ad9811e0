/** Answers calls of functions in a simulation at once. */
import { FailureError } from "../failure.ts";
import { type Functions, keyOf } from "../scheduler/expressions/calls.ts";
import type { SimulationOptions } from "./simulation.ts";

export function simulatedCalls({
  functions,
  streams,
}: Pick<SimulationOptions, "functions" | "streams">): Functions {
  return {
    result: (call) => {
      const named = { name: call.name, key: keyOf(call) };
      if (streams?.(call) !== undefined) return { ...named, isStream: true };
      try {
        const value = functions?.(call);
        const misfit = call.misfit?.(value);
        return misfit === undefined ? { ...named, value } : { ...named, failure: misfit };
      } catch (thrown) {
        if (!(thrown instanceof FailureError)) throw thrown;
        return { ...named, failure: thrown.failure };
      }
    },
  };
}
