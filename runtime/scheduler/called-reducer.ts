/** Reducers with TypeScript in them: what they fold to is asked for like any other call. */
import type { ExprIr, ReducerIr } from "../../dsl/index.ts";
import type { Reducer, ReducerName } from "../state/reducers.ts";
import { type Functions, resultOf } from "./calls.ts";
import { evaluate } from "./evaluate.ts";
import { CallFailed } from "./evaluation-error.ts";
import { scopeNames } from "./scope-names.ts";

/** A reducer as it can be known before a run; one that calls TypeScript has no fold yet. */
export function linkReducer(reducer: ReducerIr): Reducer {
  const name = reducer.custom ? "custom" : (reducer.name as ReducerName);
  if (reducer.custom || scopeNames(reducer.args).length > 0) return { name, called: reducer };
  const [by] = reducer.args;
  if (by === undefined) return { name };
  return { name, by: constantOf(by) as (item: unknown) => unknown };
}

/** The reducer with the results of this decision. */
export function withResults(reducer: Reducer, functions: Functions | undefined): Reducer {
  const { called } = reducer;
  if (called === undefined) return reducer;
  return {
    ...reducer,
    fold: (current, values) => {
      const args = [current, ...values];
      const { value, failure } = resultOf(functions, { name: called.name, args, reducer: called });
      if (failure !== undefined) throw new CallFailed(failure);
      return value;
    },
  };
}

function constantOf(expression: ExprIr): unknown {
  const noNames = (): undefined => undefined;
  return evaluate(expression, noNames);
}
