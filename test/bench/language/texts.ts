/** The texts that are measured: the programs of the language definition, alone and many times over. */
import { readFileSync } from "node:fs";
import type { Plan } from "../../../dsl/index.ts";

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

/** A graph whose only agent does the steps of a plan. */
export const TEAM = `model m = "rules"
graph Team(plan: Plan) returns results {
  limit 2000 steps
  state { results: Json }
  agent worker(step: Step, before: Json) "does one thing" {
    model  m
    prompt \`Do \${step.title}: \${step.details}. So far: \${before}\`
    retry  2
  }
  graph go = planGraph(plan) writes results
  start -> go -> end
}`;

/** A plan of so many steps, each behind the two before. */
export function planOf(count: number, task: string): Plan {
  const steps = Array.from({ length: count }, (_, at) => ({
    id: `s${at}`,
    title: `Step ${at}`,
    details: `${task}: look at part ${at} and say what it comes to`,
    depends: [at - 1, at - 2].flatMap((one) => (one < 0 ? [] : [`s${one}`])),
  }));
  return { task, steps };
}

/** The cells one after the other, as often as it takes to have so many characters. */
export function textOf(characters: number): string {
  const all = cells.join("\n");
  return all.repeat(Math.ceil(characters / all.length));
}
