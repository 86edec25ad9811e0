import type { CheckOptions } from "../../../../dsl/index.ts";

/** Something wrong in the lines of a graph, with `«` and `»` around it. */
export type ViolatedLines = readonly [
  title: string,
  code: string,
  lines: string,
  options?: CheckOptions,
];

export const one = 'state { a: string = "" }\n';
export const list = "state { a: string[] = [] via append }\n";
export const run = (...names: readonly string[]) =>
  names.map((name) => `run ${name} = f(topic) writes a\n`).join("");
export const agent = (name: string, clauses: string) =>
  `agent ${name} { model m; prompt \`Do ${"${topic}"}\`; ${clauses} }\n`;
