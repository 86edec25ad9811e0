import type { CheckOptions } from "../../../../dsl/index.ts";
import { violatedFlow } from "./violated-flow.ts";
import { violatedNames } from "./violated-names.ts";

/** Something that is wrong in a graph. */
export interface Violation {
  readonly title: string;
  readonly code: string;
  /** The text, with `«` and `»` around what is wrong. */
  readonly marked: string;
  readonly options: CheckOptions;
}

/** A graph whose lines a violation stands in. */
function inGraph(lines: string, head = "topic: string"): string {
  const all = /\b(?:model|by) m\b/.test(lines) ? 'model m = "openai/gpt-4o"\n' : "";
  return `${all}graph G(${head}) returns a {\n${lines}\n}\n`;
}

const graphOf =
  'graph G(topic: string) returns a {\nstate { a: string = "" }\nrun x = f(topic, n) writes a\nstart -> x\n}\n';

/** What is wrong outside of a graph. */
const inFile: readonly (readonly [title: string, code: string, text: string])[] = [
  [
    "two models of one name",
    "M2001",
    `config { n: 1 }\nmodel m = "openai/b"\nmodel «m» = "openai/d"\n${graphOf}`,
  ],
  [
    "a graph called like a model",
    "M2001",
    `model n = "openai/b"\n${graphOf.replace("graph G", "graph «n»")}`,
  ],
  ["two graphs of one name", "M2001", `config { n: 1 }\n${graphOf}graph «G»() { start -> end }\n`],
  ["a type of no type", "M2104", `config { n: 1 }\ntype T = { x: «U» }\n${graphOf}`],
  ["a setting that nothing uses", "M2301", `config { n: 1, «unused»: 2 }\n${graphOf}`],
  [
    "a test of no graph",
    "M2112",
    `config { n: 1 }\n${graphOf}test "t" of «H» { expect cost < $1 }\n`,
  ],
];

/** One violation of each rule, and more than one where a rule is checked in several places. */
export const violations: readonly Violation[] = [
  ...[...violatedNames, ...violatedFlow].map(([title, code, lines, options = {}]) => ({
    title,
    code,
    marked: inGraph(lines),
    options: { ...options, allowUnreadPrograms: true },
  })),
  ...inFile.map(([title, code, marked]) => ({
    title,
    code,
    marked,
    options: { allowUnreadPrograms: true },
  })),
];

/** The text without its marks. */
export function unmarked({ marked }: Violation): string {
  return marked.replaceAll(/[«»]/g, "");
}
