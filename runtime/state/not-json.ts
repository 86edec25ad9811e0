/** Finds values of an expression that JSON, and so the log, can not hold. */
import { isFrozenJson, pathTo } from "./json.ts";
import type { Misfit } from "./json-schema.ts";

/** The first place of a computed value that JSON can't hold: a division by zero, a lambda, nothing in a list. */
export function notJsonIn(value: unknown): Misfit | undefined {
  const fault = faultIn(value);
  if (fault === undefined) return undefined;
  const { steps, expected, found } = fault;
  return { path: steps.reduceRight<string>(pathTo, ""), expected, found };
}

interface Fault {
  /** From the place up to the value. */
  readonly steps: (string | number)[];
  readonly expected: string;
  readonly found: string;
}

function faultIn(value: unknown): Fault | undefined {
  switch (typeof value) {
    case "number":
      if (Number.isFinite(value)) return undefined;
      return { steps: [], expected: "a finite number", found: String(value) };
    case "function":
      return { steps: [], expected: "a value", found: "a function" };
    case "object":
      if (value === null || isFrozenJson(value)) return undefined;
      return Array.isArray(value) ? faultOfItem(value) : faultOfMember(value);
    default:
      return undefined;
  }
}

function faultOfItem(list: readonly unknown[]): Fault | undefined {
  for (const [index, item] of list.entries()) {
    if (item === undefined) return { steps: [index], expected: "a value", found: "nothing" };
    const fault = faultIn(item);
    if (fault !== undefined) return below(index, fault);
  }
  return undefined;
}

function faultOfMember(object: object): Fault | undefined {
  for (const [name, member] of Object.entries(object)) {
    const fault = faultIn(member);
    if (fault !== undefined) return below(name, fault);
  }
  return undefined;
}

function below(step: string | number, fault: Fault): Fault {
  fault.steps.push(step);
  return fault;
}
