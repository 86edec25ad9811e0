/** Runs a test with many generated inputs, and looks for the smallest one that breaks it. */
import { type TestIr, toJsonSchema } from "../../dsl/index.ts";
import { seeded } from "../explore/seeded.ts";
import { drawsOf, isSmaller, type KeptDraws, smallerDraws } from "../generated-values/draws.ts";
import { generateValue } from "../generated-values/generate-value.ts";
import { literalOf, literalText } from "../literal-text.ts";
import { holds } from "../scheduler/expressions/evaluate.ts";
import { EvaluationError } from "../scheduler/expressions/evaluation-errors.ts";
import { settingOf } from "../scheduler/lookup.ts";
import { inEveryOrder } from "./every-order.ts";
import { inputOfTest, type OneRunOptions, runOnce } from "./one-run.ts";
import type { GenerateResult } from "./scripts.ts";
import { TakenArrows } from "./taken-arrows.ts";
import type { InputsTried, TestedRuns, TestFault } from "./test-result.ts";

/** The inputs that are tried, those that are tried where each is run in many orders, and those that `when` may leave out. */
const INPUTS = 100;
const ORDERS_OF_EACH = 20;
const SKIPPED_MAX = 1000;
/** The runs in search of a smaller input. */
const SMALLER_MAX = 500;

/** Tries the simplest input, and others by chance; `seed` is another one each time unless it is given. */
export async function withEveryInput(
  test: TestIr,
  options: OneRunOptions,
  seed = Math.floor(Math.random() * 2 ** 32),
): Promise<TestedRuns> {
  const taken = new TakenArrows();
  const random = seeded(seed);
  let skipped = 0;
  let last: TestedRuns | undefined;
  for (let tried = 0; tried < INPUTS; ) {
    const draws = drawsOf([], tried + skipped === 0 ? () => 0 : random);
    const found = await tryInput(test, options, draws);
    if (found === undefined) {
      skipped += 1;
      if (skipped > SKIPPED_MAX) return { ...tooFew(test, tried), ...taken.all };
      continue;
    }
    tried += 1;
    taken.add(found.result);
    last = found.result;
    const inputs = { tried, skipped, seed };
    if (found.result.faults.length > 0) {
      const smallest = await smallestOf(test, options, { found, drawn: draws.drawn });
      return { ...withInput(smallest, inputs), ...taken.all };
    }
  }
  return { path: [], faults: [], ...last, ...taken.all, inputs: { tried: INPUTS, skipped, seed } };
}

interface TriedInput {
  readonly result: TestedRuns;
  /** The generated values as lines of a test. */
  readonly lines: readonly string[];
}

/** Runs the test with one input; nothing where its condition leaves that out. */
async function tryInput(
  test: TestIr,
  options: OneRunOptions,
  draws: KeptDraws,
): Promise<TriedInput | undefined> {
  const values = generatedInput(test, draws);
  if (values === undefined) return undefined;
  const given = withValues(test, values);
  if (!isMeant(given)) return undefined;
  const generated = new Map<string, string[]>();
  const of = { ...options, generate: generatorOf(draws, generated) };
  const result = await (test.anyOrder === undefined
    ? runOnce(given, of)
    : inEveryOrder(given, of, ORDERS_OF_EACH));
  const { path, faults, arrows, called } = result;
  const orders = "orders" in result ? { orders: result.orders } : {};
  return {
    result: { path, faults, arrows, called, ...orders },
    lines: [
      ...Object.entries(values).map(([name, value]) => `given ${name} = ${literalText(value)}`),
      ...[...generated].map(([node, says]) => `${node} says ${says.join(", ")}`),
    ],
  };
}

/** By name; undefined where a value does not fit its type. An optional one may be missing. */
function generatedInput(
  { ir, anyInput }: TestIr,
  draws: KeptDraws,
): Readonly<Record<string, unknown>> | undefined {
  const types = new Map(ir.types.map(({ name, type }) => [name, type]));
  const values: Record<string, unknown> = {};
  for (const { name, of } of anyInput?.inputs ?? []) {
    const declared = (of === "param" ? ir.params : ir.fields).find((one) => one.name === name);
    if (declared === undefined) return undefined;
    if (declared.optional && draws.draw(1) === 0) continue;
    const generated = generateValue(toJsonSchema(declared.type, types).schema, draws);
    if (generated === undefined) return undefined;
    values[name] = generated.value;
  }
  return values;
}

function withValues(test: TestIr, values: Readonly<Record<string, unknown>>): TestIr {
  const inputs = test.anyInput?.inputs ?? [];
  const span = test.anyInput?.span ?? test.span;
  const generated = inputs.flatMap(({ name, of }) =>
    Object.hasOwn(values, name) ? [{ name, of, value: literalOf(values[name]), span }] : [],
  );
  // They may be named by what is given.
  return { ...test, givens: [...generated, ...test.givens] };
}

/** Tells whether the condition behind `when` is true of the input; where it has no value, it is not. */
function isMeant({ ir, anyInput, ...test }: TestIr): boolean {
  if (anyInput?.when === undefined) return true;
  try {
    const input = inputOfTest({ ir, ...test });
    return holds(anyInput.when, (name) => input[name] ?? settingOf(ir, name));
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return false;
  }
}

/** Generates what nodes say, the same for the same attempt in whichever order the run goes. */
function generatorOf(draws: KeptDraws, generated: Map<string, string[]>): GenerateResult {
  const known = new Map<string, { readonly value: unknown } | undefined>();
  return ({ node: at, attempt }, node, choices) => {
    const key = `${at} ${attempt}`;
    if (known.has(key)) return known.get(key);
    const value =
      node.writes.length === 0 ? { value: null } : generateValue(node.output ?? {}, draws);
    const goto = choices[choices.length === 0 ? 0 : draws.draw(choices.length - 1)];
    const result =
      value && goto !== undefined ? chosen(goto, value.value, node.writes.length) : value;
    known.set(key, result);
    if (result !== undefined)
      generated.set(at, [...(generated.get(at) ?? []), literalText(result.value)]);
    return result;
  };
}

function chosen(goto: string, update: unknown, writes: number): { readonly value: unknown } {
  return { value: writes === 0 ? goto : { goto, update } };
}

// ── the smallest input that breaks the test ─────────────────────────────────────────────────────

interface BrokenInput {
  readonly found: TriedInput;
  readonly drawn: readonly number[];
}

async function smallestOf(
  test: TestIr,
  options: OneRunOptions,
  broken: BrokenInput,
): Promise<TriedInput> {
  let smallest = broken;
  for (let runs = 0, isFound = true; isFound; ) {
    isFound = false;
    for (const drawn of smallerDraws(smallest.drawn)) {
      if (runs >= SMALLER_MAX || options.late.signal.aborted) return smallest.found;
      runs += 1;
      const draws = drawsOf(drawn);
      const found = await tryInput(test, options, draws);
      if (found === undefined || !isSmaller(draws.drawn, smallest.drawn)) continue;
      if (!isSameFault(found, broken.found)) continue;
      smallest = { found, drawn: draws.drawn };
      isFound = true;
      break;
    }
  }
  return smallest.found;
}

function isSameFault(a: TriedInput, b: TriedInput): boolean {
  const [first, second] = [a.result.faults[0], b.result.faults[0]];
  if (first === undefined || second === undefined) return false;
  return first.code === second.code && first.span[0] === second.span[0];
}

function withInput({ result, lines }: TriedInput, inputs: InputsTried): TestedRuns {
  const [first, ...more] = result.faults;
  if (first === undefined) return { ...result, inputs };
  const detail = [
    ...(first.detail === undefined ? [] : [first.detail]),
    "the smallest input found that breaks it",
    ...lines.map((line) => `  ${line}`),
    `input ${inputs.tried} of ${INPUTS}; --seed ${inputs.seed} generates the same ones`,
  ].join("\n");
  const faults = [{ ...first, detail }, ...more];
  return { ...result, faults, inputs: { ...inputs, broken: lines } };
}

function tooFew({ anyInput, span }: TestIr, tried: number): Pick<TestedRuns, "path" | "faults"> {
  const fault: TestFault = {
    code: "M8700",
    message: `of ${tried + SKIPPED_MAX} generated inputs ${tried} meet the condition behind \`when\``,
    hint: "generate what it needs: `given` part of the input, or fields of a narrower type",
    span: anyInput?.when?.span ?? anyInput?.span ?? span,
  };
  return { path: [], faults: [fault] };
}
