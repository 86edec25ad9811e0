/** Reads the tools of BFCL: each foreign schema must become one of ours, and each right answer must fit it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonSchema } from "../../../dsl/index.ts";
import { type InputReading, readInput } from "../../../runtime/agents/scope/tool-input.ts";
import { createToolSet } from "../../../runtime/agents/scope/tools.ts";
import { tool } from "../../../runtime/index.ts";
import { folderOfPackage, pythonWith } from "../python-packages.ts";
import { markdownTable } from "../table.ts";
import { toJsonSchema } from "./convert-schema.ts";

// The data alone: what the package says it needs is there to ask models.
const PACKAGES = { name: "bfcl", alone: ["bfcl-eval==2026.3.23"] };

/** The least share of right answers that fit their schema, in percent; the rest are answers that break their own schema. */
const FITTING_MIN = 98;

interface Case {
  readonly id: string;
  readonly function: readonly ForeignTool[];
}

interface ForeignTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: object;
}

interface RightAnswer {
  readonly id: string;
  readonly ground_truth: readonly Readonly<
    Record<string, Readonly<Record<string, readonly unknown[]>>>
  >[];
}

/** The figures of one file. */
export interface BfclFigures {
  readonly set: string;
  tools: number;
  converted: number;
  answers: number;
  fitting: number;
  /** The broken arguments that were tried, and those that were refused. */
  broken: number;
  refused: number;
  readonly reasons: Map<string, number>;
}

/** Returns whether every schema converts, every broken answer is refused and most right answers fit. */
export async function runBfcl(tell: (text: string) => void): Promise<boolean> {
  const all = await readBfcl();
  tell(tableOf(all));
  for (const [reason, count] of reasonsOf(all)) tell(`${count} × ${reason}`);
  const sum = (of: (one: BfclFigures) => number) => all.reduce((total, one) => total + of(one), 0);
  return (
    sum(({ converted }) => converted) === sum(({ tools }) => tools) &&
    sum(({ refused }) => refused) === sum(({ broken }) => broken) &&
    (sum(({ fitting }) => fitting) * 100) / sum(({ answers }) => answers) >= FITTING_MIN
  );
}

/** Reads the sets whose file `isWanted`; all that have single calls by default. */
export async function readBfcl(
  isWanted = (name: string) => /_(?:live_)?(?:simple|multiple|parallel)/.test(name),
): Promise<readonly BfclFigures[]> {
  const folder = join(folderOfPackage(pythonWith(PACKAGES), "bfcl_eval"), "data");
  const names = readdirSync(join(folder, "possible_answer")).filter(isWanted);
  const all: BfclFigures[] = [];
  for (const name of names) {
    const cases = linesOf<Case>(join(folder, name));
    const answers = linesOf<RightAnswer>(join(folder, "possible_answer", name));
    all.push(await readCases(name.replace(/^BFCL_v\d+_|\.json$/g, ""), cases, answers));
  }
  return all;
}

function linesOf<T>(file: string): readonly T[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line) as T);
}

/** Converts the tools of these cases, and holds right answers, and answers without what they must have, against them. */
export async function readCases(
  set: string,
  cases: readonly Case[],
  answers: readonly RightAnswer[],
): Promise<BfclFigures> {
  const figures: BfclFigures = {
    ...{ set, tools: 0, converted: 0, answers: 0, fitting: 0, broken: 0, refused: 0 },
    reasons: new Map(),
  };
  const right = new Map(answers.map((one) => [one.id, one.ground_truth]));
  for (const { id, function: tools } of cases) {
    const read = new Map<string, (input: unknown) => Promise<InputReading>>();
    for (const one of tools) {
      figures.tools += 1;
      try {
        read.set(one.name, readerOf(one));
        figures.converted += 1;
      } catch (thrown) {
        count(figures, `not converted: ${String(thrown).slice(0, 80)}`);
      }
    }
    for (const call of right.get(id) ?? [])
      for (const [name, given] of Object.entries(call)) {
        const of = read.get(name);
        if (of !== undefined) await holdAnswer(figures, of, given);
      }
  }
  return figures;
}

/** A tool as a program has it: what reads its arguments. */
function readerOf({ name, description, parameters }: ForeignTool) {
  const input = toJsonSchema(parameters) as JsonSchema;
  const made = tool(() => null, { effect: "external", description, input });
  const [resolved] = createToolSet(() => ({ foreign: { it: made } })).resolve([["foreign", "it"]]);
  if (resolved === undefined) throw new Error(`no tool \`${name}\``);
  return (given: unknown) => readInput(given, resolved.inputSchema);
}

async function holdAnswer(
  figures: BfclFigures,
  read: (input: unknown) => Promise<InputReading>,
  given: Readonly<Record<string, readonly unknown[]>>,
): Promise<void> {
  const input = firstOf(given) as Readonly<Record<string, unknown>>;
  figures.answers += 1;
  const reading = await read(input);
  if ("value" in reading) figures.fitting += 1;
  else for (const misfit of reading.misfits.slice(0, 1)) count(figures, withoutValues(misfit));
  if (!("value" in reading)) return;
  // The same arguments as a list are no object, whatever the schema says.
  figures.broken += 1;
  if (!("value" in (await read([input])))) figures.refused += 1;
}

/** The first of the values that an answer may have; an empty text says that an argument may be left out. */
function firstOf(given: Readonly<Record<string, readonly unknown[]>>): unknown {
  const members = Object.entries(given).flatMap(([name, values]) => {
    const [first] = values;
    return first === "" && values.length > 0 ? [] : [[name, plainOf(first)] as const];
  });
  return Object.fromEntries(members);
}

/** Objects within an answer list what each of their members may be, too. */
function plainOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainOf);
  if (typeof value !== "object" || value === null) return value;
  const isAlternatives = Object.values(value).every(Array.isArray);
  return isAlternatives ? firstOf(value as Readonly<Record<string, readonly unknown[]>>) : value;
}

function count({ reasons }: BfclFigures, reason: string): void {
  reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
}

function withoutValues(misfit: string): string {
  return misfit
    .replace(/`[^`]*`/g, "`…`")
    .replace(/"[^"]*"/g, '"…"')
    .slice(0, 100);
}

function reasonsOf(all: readonly BfclFigures[]): readonly (readonly [string, number])[] {
  const sums = new Map<string, number>();
  for (const { reasons } of all)
    for (const [reason, times] of reasons) sums.set(reason, (sums.get(reason) ?? 0) + times);
  return [...sums].sort(([, a], [, b]) => b - a).slice(0, 12);
}

function tableOf(all: readonly BfclFigures[]): string {
  const head = ["set", "schemas converted", "right answers that fit", "broken answers refused"];
  const rows = all.map((one) => [
    one.set,
    `${one.converted} of ${one.tools}`,
    `${one.fitting} of ${one.answers}`,
    `${one.refused} of ${one.broken}`,
  ]);
  return markdownTable(head, rows);
}
