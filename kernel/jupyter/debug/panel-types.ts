/** Rewrites variables so that JupyterLab's panel shows their values, which it does for types of Python alone. */
import type { Variable } from "./protocol.ts";

const TYPES: Readonly<Record<string, string>> = {
  string: "str",
  number: "float",
  boolean: "bool",
};

type PanelVariable = Omit<Variable, "type"> & Partial<Pick<Variable, "type">>;

/** Returns a variable for the panel; without its type if the panel does not know that. */
export function forPanel({ type, ...variable }: Variable): PanelVariable {
  const known = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  return known === undefined ? variable : { ...variable, type: known };
}
