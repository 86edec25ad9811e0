/** Reducers with TypeScript in them: what they fold to is asked for like any other call. */
import type { ExprIr, FieldIr, Ir, ReducerIr, ReducerName } from "../../../dsl/index.ts";
import type { Reducer } from "../../state/reducers.ts";
import { resultMisfit } from "../expressions/assert-fits.ts";
import { type Functions, resultOf } from "../expressions/calls.ts";
import { evaluate } from "../expressions/evaluate.ts";
import { CallFailed } from "../expressions/evaluation-error.ts";
import { scopeNames } from "../expressions/scope-names.ts";

/**
 * A reducer of a field as it can be known before a run; one that calls TypeScript has no fold yet. `file`: where its names
 * are meant, if that is not the file of the graph that folds with it.
 */
export function linkReducer(
  reducer: ReducerIr,
  { field, types }: { readonly field: FieldIr | undefined; readonly types: Ir["types"] },
  file?: string,
): Reducer {
  const name = reducer.custom ? "custom" : (reducer.name as ReducerName);
  if (reducer.custom || scopeNames(reducer.args).length > 0) {
    const misfit =
      field && ((value: unknown) => resultMisfit(field, types, { name: reducer.name, value }));
    return {
      name,
      called: reducer,
      ...(file === undefined ? {} : { file }),
      ...(misfit === undefined ? {} : { misfit }),
    };
  }
  const [by] = reducer.args;
  if (by === undefined) return { name };
  return { name, by: constantOf(by) as (item: unknown) => unknown };
}

/** The reducer with the results of this decision. */
export function withResults(reducer: Reducer, functions: Functions | undefined): Reducer {
  const { called, file, misfit } = reducer;
  if (called === undefined) return reducer;
  const meant = {
    ...(file === undefined ? {} : { file }),
    ...(misfit === undefined ? {} : { misfit }),
  };
  return {
    ...reducer,
    fold: (current, values) => {
      const args = [current, ...values];
      const call = { name: called.name, args, reducer: called, ...meant };
      const { value, failure } = resultOf(functions, call);
      if (failure !== undefined) throw new CallFailed(failure);
      return value;
    },
  };
}

function constantOf(expression: ExprIr): unknown {
  const noNames = (): undefined => undefined;
  return evaluate(expression, noNames);
}
