/** Rewrites variables so that JupyterLab's panel shows their values, which it does for types of Python alone. */
import type { Variable } from "./protocol.ts";

const TYPES: Readonly<Record<string, string>> = {
  string: "str",
  number: "float",
  boolean: "bool",
};

type PanelVariable = Omit<Variable, "type"> & Partial<Pick<Variable, "type">>;

/** Of a type that the panel does not know, none is told: the value is what people want to see. */
export function forPanel({ type, ...variable }: Variable): PanelVariable {
  const known = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  return known === undefined ? variable : { ...variable, type: known };
}
