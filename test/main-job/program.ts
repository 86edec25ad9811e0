/** Small programs of the tests, written to a workspace and run as a person would. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Ended, madrigal, temporaryFolder } from "../support/child.ts";

export interface Written {
  readonly home: string;
  /** `madrigal ARG …` in the folder of the program. */
  madrigal(...args: string[]): Promise<Ended>;
  /** `madrigal run` of it, with its TypeScript. */
  run(...args: string[]): Promise<Ended>;
}

/** Writes `g.madrigal`, and beside it the TypeScript that it names. */
export function written(
  text: string,
  options: { readonly typescript?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Written {
  const { typescript, env = {} } = options;
  const home = temporaryFolder();
  writeFileSync(join(home, "g.madrigal"), text);
  const scope = typescript === undefined ? [] : ["--scope", "scope.ts"];
  if (typescript !== undefined) writeFileSync(join(home, "scope.ts"), typescript);
  const call = (...args: string[]) => madrigal(args, { home, env });
  return { home, madrigal: call, run: (...args) => call("run", "g.madrigal", ...scope, ...args) };
}

/** One node that calls a function. */
export const oneCall = `graph G() returns answer {
  state { answer: string }
  run ask = work() writes answer
  start -> ask
}
`;
