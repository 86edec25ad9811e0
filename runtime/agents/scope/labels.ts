/** Labels of arguments that functions of TypeScript are given: each must name the parameter at its place. */
import { type ArgIr, callsFunction, type Ir, nearest } from "../../../dsl/index.ts";
import { RunError } from "../../failure.ts";
import { perGraph } from "../../per-graph.ts";
import { scopePath } from "../../scheduler/expressions/calls.ts";
import { parameterNames } from "./parameter-names.ts";
import { lookUp, type Scope } from "./scope.ts";
import { isTool } from "./tools.ts";

/** A call of a function of TypeScript. */
export interface LabelledCall {
  /** Dotted. */
  readonly name: string;
  readonly args: readonly ArgIr[];
}

/** Throws M5380 for the first label that is not that of its parameter: arguments go in their order. */
export function assertLabels(ir: Ir, scope: Scope): void {
  for (const call of labelledCalls(ir)) assertCall(call, scope);
}

/** The calls in which an argument has a label. */
export const labelledCalls = perGraph(({ nodes, edges, endWhen, fields }) => {
  const own = nodes.flatMap(({ kind, call }) =>
    call !== undefined && callsFunction(kind)
      ? [{ name: call.callee.join("."), args: call.args }]
      : [],
  );
  const parts = nodes.map(({ controller: _, ...node }) => node);
  const all = [...own, ...callsIn([parts, edges, endWhen, fields])];
  return all.filter(({ args }) => args.some(({ label }) => label !== undefined));
});

function callsIn(part: unknown): readonly LabelledCall[] {
  if (typeof part !== "object" || part === null) return [];
  const { kind, callee, args } = part as { kind?: unknown; callee?: unknown; args?: unknown };
  const isCall = kind === "call" && typeof callee === "object" && callee !== null;
  const name = isCall && "kind" in callee ? scopePath(callee as never) : undefined;
  const own = name === undefined ? [] : [{ name, args: args as readonly ArgIr[] }];
  return [...own, ...Object.values(part).flatMap(callsIn)];
}

function assertCall({ name, args }: LabelledCall, scope: Scope): void {
  const value = lookUp(name.split("."), scope)?.value;
  // A declared tool takes one object: labels are its members. What is not there is told elsewhere.
  if (typeof value !== "function" || isTool(value)) return;
  const fault = labelFault({ name, args }, parameterNames(value as () => unknown));
  if (fault !== undefined) throw new RunError("M5380", fault.message, { hint: fault.hint });
}

/** A faulty label, with its argument. */
export interface LabelFault {
  readonly argument: ArgIr;
  readonly message: string;
  readonly hint: string;
}

/** The first label that is not that of its parameter; `names` are undefined where nobody knows them. */
export function labelFault(
  { name, args }: LabelledCall,
  names: readonly (string | undefined)[] | undefined,
): LabelFault | undefined {
  for (const [index, argument] of args.entries()) {
    const { label } = argument;
    if (label !== undefined && names?.[index] !== label)
      return { argument, ...wrong({ name, label, names, index }) };
  }
  return undefined;
}

interface Wrong {
  readonly name: string;
  readonly label: string;
  readonly names: readonly (string | undefined)[] | undefined;
  readonly index: number;
}

function wrong({ name, label, names, index }: Wrong): Omit<LabelFault, "argument"> {
  const known = names?.flatMap((one) => one ?? []) ?? [];
  if (known.length === 0) {
    return {
      message: `nobody can say which parameter of \`${name}\` is \`${label}\``,
      hint: "leave the label out: arguments of TypeScript go in their order",
    };
  }
  const order = `arguments of TypeScript go in their order: \`${name}(${known.join(", ")})\``;
  if (known.includes(label)) {
    const taken = names?.[index];
    const there =
      taken === undefined ? "stands where it has none" : `stands where \`${taken}\` does`;
    return { message: `\`${label}\` of \`${name}\` ${there}`, hint: order };
  }
  const meant = nearest(label, known);
  return {
    message: `\`${name}\` has no parameter \`${label}\``,
    hint: meant === undefined ? order : `did you mean \`${meant}\`? ${order}`,
  };
}
