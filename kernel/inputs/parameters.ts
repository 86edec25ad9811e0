/** Remembers the values that a cell of parameters has set, which inputs of the same names begin with. */
import { currentHost } from "../host.ts";

const parameters = new Map<string, unknown>();

/** The line that `madrigal exec --param` and papermill write above their values. */
const INJECTED = /^\/\/ Parameters$/m;

export function isParameterCell(code: string): boolean {
  return INJECTED.test(code);
}

export function rememberParameters(
  declared: Iterable<string>,
  names: Readonly<Record<string, unknown>>,
): void {
  for (const name of declared) parameters.set(name, names[name]);
}

/** The value that was set for an input; undefined where none was. */
export function parameterOf(name: string): { readonly value: unknown } | undefined {
  return parameters.has(name) ? { value: parameters.get(name) } : undefined;
}

/** The variable that takes the result of a function of ours at the place of this call: `k` of `const k = slider(…)`. */
export function variableAtCall(called: string): string | undefined {
  for (const frame of String(new Error("called").stack).split("\n")) {
    const [, cell = "", line, column] = /(\w+\[\d+\]):(\d+):(\d+)/.exec(frame) ?? [];
    const text = currentHost()?.cellText?.(cell)?.split("\n")[Number(line) - 1];
    if (text === undefined) continue;
    const taken = new RegExp(
      `([\\p{L}_$][\\p{L}\\p{N}_$]*)\\s*(?::[^=,]+)?=\\s*${called}\\s*[(<]`,
      "gu",
    );
    const before = [...text.matchAll(taken)].filter(({ index }) => index < Number(column));
    return before.at(-1)?.[1];
  }
  return undefined;
}
