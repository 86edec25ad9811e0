/** Checks the argument labels of TypeScript functions, which a run would refuse (M5380). */
import { type Diagnostic, type Ir, type Source, toDiagnostic } from "../../dsl/index.ts";
import { scopes } from "../../runtime/index.ts";
import { askedNames } from "../types/named/asked-tools.ts";
import type { ScopeModule } from "../types/named/scope-module.ts";
import { findSignatures } from "./program-tools.ts";

export interface LabelsToCheck {
  readonly source: Source;
  /** The program's, absolute. */
  readonly path: string;
  readonly graphs: readonly Ir[];
  readonly scope: ScopeModule | undefined;
}

/** Each call with a label that is not that of its parameter, where the function is written in TypeScript. */
export async function checkLabels(of: LabelsToCheck): Promise<readonly Diagnostic[]> {
  const { source, path, graphs, scope } = of;
  const calls = graphs.flatMap(scopes.labelledCalls);
  const names = new Set(calls.map(({ name }) => name));
  const asked = askedNames(
    [...names].map((name) => name.split(".")),
    source,
    scope,
  );
  const found = await findSignatures(path, asked);
  const known = new Map(found.map(({ name, parameterNames }) => [name, parameterNames]));
  return calls.flatMap((call) => {
    const written = known.get(call.name)?.map((name) => name ?? undefined);
    const fault = written && scopes.labelFault(call, written);
    if (fault === undefined) return [];
    const { argument, message, hint } = fault;
    const [start, end] = argument.value.span ?? [0, 0];
    return [toDiagnostic(source, { code: "M5380", message, hint, span: { start, end } })];
  });
}
