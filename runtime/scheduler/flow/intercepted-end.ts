/** Asks interceptors about the output of a run, by calls whose results stand in the log. */
import type { Failure } from "../../failure.ts";
import { vetoed } from "../../intercept/ask-interceptors.ts";
import { changedBy, type Interception } from "../../intercept/interception.ts";
import { describeMisfit } from "../../state/json-schema.ts";
import { fieldCheck } from "../expressions/assert-fits.ts";
import { resultOf } from "../expressions/calls.ts";
import type { Program } from "../program/program.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

type ReturnedFields = Readonly<Record<string, unknown>>;

/** Begins the names under which interceptors stand among the code and the calls of a run; no program can write it. */
export const INTERCEPTOR = "@intercept.";

/** The name of the call that asks an interceptor about a run's output. */
export function afterRunCall(name: string): string {
  return `${INTERCEPTOR}${name}`;
}

/** The interceptor of such a name. */
export function interceptorIn(name: string): string {
  return name.slice(INTERCEPTOR.length);
}

/** The output as they let it pass, or why they do not. */
export function interceptedOutput(
  program: Program,
  { afterRun = [] }: Pick<Snapshot, "afterRun">,
  output: ReturnedFields,
): { readonly output: ReturnedFields } | { readonly failure: Failure } {
  let now = output;
  for (const name of afterRun) {
    const call = { name: afterRunCall(name), args: [now] };
    const { value, failure } = resultOf(program.functions, call);
    if (failure !== undefined) return { failure };
    const made = value as readonly Interception[];
    const veto = made.find(({ reason }) => reason !== undefined);
    const what = `behind the run of \`${program.ir.name}\``;
    if (veto !== undefined) return { failure: vetoed(veto.by, veto.reason ?? "", what) };
    now = (changedBy({ output: now }, made).output ?? now) as ReturnedFields;
    const misfit = misfitIn(program, now);
    if (misfit !== undefined) return { failure: misfitting(name, misfit) };
  }
  return { output: now };
}

function misfitIn({ ir, fields }: Program, output: ReturnedFields): string | undefined {
  const other = Object.keys(output).find((name) => !ir.returns.includes(name));
  if (other !== undefined) return `\`${ir.name}\` returns no \`${other}\``;
  for (const field of fields.filter((one) => ir.returns.includes(one.ir.name))) {
    const { name } = field.ir;
    const value = output[name] ?? null;
    const misfit = value === null ? undefined : fieldCheck({ ir }, field).misfit(value);
    if (misfit !== undefined) return `\`${name}\`: ${describeMisfit(misfit)}`;
  }
  return undefined;
}

function misfitting(by: string, misfit: string): Failure {
  return {
    class: "tool",
    code: "M8172",
    message: `the interceptor \`${by}\` returned an output that does not fit the graph: ${misfit}`,
    hint: "`afterRun` returns `{ output }` with the fields that the graph returns",
  };
}
