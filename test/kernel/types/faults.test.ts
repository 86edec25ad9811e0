/** Type faults in the six programs are found at the characters that are wrong, and nothing in the sound ones. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Diagnostic, positionAt } from "../../../dsl/index.ts";
import { checkSource } from "../../../kernel/programs/check-source.ts";
import { chosen, type Fault, faultsIn } from "./faults.ts";

const FOLDER = join(import.meta.dirname, "../../dsl/programs");
const names = readdirSync(FOLDER).filter((name) => /^\d.*\.madrigal$/.test(name));
const texts = new Map(names.map((name) => [name, readFileSync(join(FOLDER, name), "utf8")]));

async function errorsOf(name: string, text: string): Promise<readonly Diagnostic[]> {
  const path = join(FOLDER, name);
  const source = { file: path, text };
  const options = { allowUnreadPrograms: true };
  const { diagnostics } = await checkSource({ source, path, types: "checked", options });
  return diagnostics.filter(({ severity }) => severity === "error");
}

/** Whether an error is about exactly these characters; else what was said. */
async function missed(name: string, { what, text, span }: Fault): Promise<readonly string[]> {
  const errors = await errorsOf(name, text);
  const start = positionAt({ file: name, text }, span.start);
  const end = positionAt({ file: name, text }, span.end);
  const isExact = (one: Diagnostic) =>
    one.line === start.line &&
    one.column === start.column &&
    one.endLine === end.line &&
    one.endColumn === end.column;
  if (errors.some(isExact)) return [];
  const said = errors.map((one) => `${one.code} ${one.line}:${one.column} ${one.message}`);
  return [`${name}:${start.line}:${start.column} ${what}: ${said.join(", ") || "nothing said"}`];
}

test.each(names)("%s has no errors", async (name) => {
  expect(await errorsOf(name, texts.get(name) ?? "")).toEqual([]);
});

const SEED = 20_261_122;
const COUNT = 100;

test(`at least 95 of ${COUNT} seeded type faults are found at exactly the faulty characters`, async () => {
  const all = [...texts].flatMap(([name, text]) =>
    faultsIn(text).map((fault) => ({ name, fault })),
  );
  const faults = chosen(all, COUNT, SEED);
  expect(faults.length).toBe(COUNT);
  const lost: string[] = [];
  for (const { name, fault } of faults) lost.push(...(await missed(name, fault)));
  const found = COUNT - lost.length;
  expect(
    found,
    `${found} of ${COUNT} found; not found:\n${lost.join("\n")}`,
  ).toBeGreaterThanOrEqual(95);
  // What is reached today, so that a change that loses one is seen.
  expect(lost).toEqual([]);
});

/** Mistakes as people make them: where, what is written for what, and what is at fault then. */
type Mistake = readonly [program: string, from: string, to: string, fault: string];

const MISTAKES: readonly Mistake[] = [
  ["1-deepsearch", "${task.query}", "${task.topic}", "topic"],
  ["1-deepsearch", "union(f => f.url)", "union(f => f.link)", "link"],
  ["1-deepsearch", "each task of tasks", "each task of question", "question"],
  ["1-deepsearch", "search(task) }", "search(task.query) }", "task.query"],
  ["1-deepsearch", "width: int = 4", 'width: int = "4"', '"4"'],
  ["1-deepsearch", "ensure tasks.length <= width", "ensure tasks.length", "tasks.length"],
  ["2-plan-code-review", "runTests(patch)", "runTests(steps)", "steps"],
  ["2-plan-code-review", "runTests(patch) writes passed", "runTests(patch) writes patch", "patch"],
  ["2-plan-code-review", "set notes = [review.notes]", "set notes = review", "review"],
  ["2-plan-code-review", '"ship" -> signoff', '"shipped" -> signoff', '"shipped"'],
  ["2-plan-code-review", '"replan" -> plan max 1\n    else -> signoff', "", "review.verdict"],
  ["2-plan-code-review", "{ shipIt -> end", "{ review.notes -> end", "review.notes"],
  ["2-plan-code-review", 'call.risk == "high"', 'call.risk == "very high"', '"very high"'],
  ["3-magentic", "steps[at].until != null", "steps[at].til != null", "til"],
  ["3-magentic", "set at = 0", "set at = steps", "steps"],
  ["3-magentic", "{ task, steps } into", "{ task, steps: facts } into", "facts"],
  ["3-magentic", "steps[at].every until", "steps until", "steps"],
  ["4-state-routing", 'status == "in progress"', 'status == "in-progress"', '"in-progress"'],
  ["4-state-routing", "= current_step + 1", '= current_step + "1"', 'current_step + "1"'],
  ["5-eko-watch", "toTable(homes)", "toTable(todo)", "todo"],
  ["5-eko-watch", "home.price < target", "home.cost < target", "cost"],
  ["5-eko-watch", "watchPrices(homes) when", "watchPrices(todo) when", "todo"],
  ["6-tests", "signoff says false", 'signoff says "no"', '"no"'],
  ["6-tests", 'given task = "add a --json flag"', 'given task = ["add"]', '["add"]'],
  ["6-tests", "check says true", 'check says "passed"', '"passed"'],
];

test.each(MISTAKES)("%s: %s → %s", async (program, from, to, fault) => {
  const name = `${program}.madrigal`;
  const before = texts.get(name) ?? "";
  const at = before.indexOf(from);
  expect(at).toBeGreaterThan(-1);
  const text = before.slice(0, at) + to + before.slice(at + from.length);
  // Of what was taken away nothing is left to mark.
  const start = to === "" ? text.indexOf(fault, text.indexOf("match")) : at + to.lastIndexOf(fault);
  const span = { start, end: start + fault.length };
  expect(await missed(name, { what: to, text, span })).toEqual([]);
});
