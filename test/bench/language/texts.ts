/** The texts that are measured: the programs of the language definition, alone and many times over. */
import { readFileSync } from "node:fs";

const folder = new URL("../../dsl/programs/", import.meta.url);
const files = [
  "1-deepsearch",
  "2-plan-code-review",
  "3-magentic",
  "4-state-routing",
  "5-eko-watch",
];

/** Five cells of some forty lines each. */
export const cells: readonly string[] = files.map((file) =>
  readFileSync(new URL(`${file}.madrigal`, folder), "utf8"),
);

/** A graph of so many nodes, one behind the other, each with a field that the next one reads. */
export function chainOf(count: number): string {
  return graphOf(count, (names) => `start -> ${names.join(" -> ")} -> last`);
}

/** A graph of so many nodes beside each other, for which one node waits. */
export function joinOf(count: number): string {
  return graphOf(count, (names) => `start -> [${names.join(", ")}] -> last`);
}

function graphOf(count: number, arrow: (names: readonly string[]) => string): string {
  const names = Array.from({ length: count }, (_, index) => `n${index}`);
  return `graph Large(q: string) returns all {
  state {
    all: string
${names.map((name) => `    of_${name}: string`).join("\n")}
  }
${names.map((name) => `  run ${name} = work(q) writes of_${name}`).join("\n")}
  run last = gather(of_n0) writes all
  ${arrow(names)}
}`;
}

/** The cells one after the other, as often as it takes to have so many characters. */
export function textOf(characters: number): string {
  const all = cells.join("\n");
  return all.repeat(Math.ceil(characters / all.length));
}
