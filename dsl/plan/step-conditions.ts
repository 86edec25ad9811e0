/** Reads `when` of a plan's step, and the items of `repeat: "each of …"`, as expressions over the results of steps before. */
import { expressionIn } from "../expression-in.ts";
import type { ExprIr, Ir, NameMeaning } from "../ir/ir.ts";
import type { PlanProblem, PlanStep } from "./plan.ts";

/** The field of the results in the graph of a plan. */
export const RESULTS = "results";

/** The steps before one, directly or not, and those that are done already. */
export function stepsBefore(
  step: PlanStep,
  { steps, done }: { readonly steps: readonly PlanStep[]; readonly done: readonly string[] },
): readonly string[] {
  const byId = new Map(steps.map((one) => [one.id, one]));
  const found = new Set(done);
  const pending = [...(step.depends ?? [])];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    pending.push(...(byId.get(id)?.depends ?? []));
  }
  return [...found];
}

/** The condition of a step in which each id is a result; what is wrong with it (M5060). Undefined where there is none. */
export function readWhen(
  { id, when }: PlanStep,
  before: readonly string[],
  ir: Ir,
): ExprIr | PlanProblem | undefined {
  if (when == null) return undefined;
  // Only results can be read, since a plan may come from a model.
  const alone: Ir = { ...ir, params: [], fields: [], nodes: [], config: [] };
  const { expression, diagnostics } = expressionIn(alone, when, {
    variables: [...before, RESULTS],
  });
  if (expression !== undefined) return withResults(expression);
  const reason = diagnostics[0]?.message ?? "it is no expression";
  return {
    code: "M5060",
    message: `\`when\` of step \`${id}\` can't be read: ${reason}`,
    hint: `write a condition over the results of steps that it waits for (${before.map(nameInWhen).join(", ") || "it waits for none"}), as \`price != "sold"\``,
    step: id,
  };
}

/** An id like `a-1` is no name in an expression, where it would be a difference. */
function nameInWhen(id: string): string {
  return /^[A-Za-z_]\w*$/.test(id) ? id : `${RESULTS}[${JSON.stringify(id)}]`;
}

export function isProblem(read: ExprIr | PlanProblem | undefined): read is PlanProblem {
  return read !== undefined && "code" in read;
}

/** The result of a step, as an expression of the plan's graph. */
export function resultOf(id: string): ExprIr {
  const object: ExprIr = { kind: "name", name: RESULTS, of: "field" };
  return { kind: "index", object, index: { kind: "literal", value: id } };
}

/** Ids become results; a parameter of a lambda hides an id. */
function withResults<T>(part: T, hidden: readonly string[] = []): T {
  if (Array.isArray(part)) return part.map((item) => withResults(item, hidden)) as T;
  if (typeof part !== "object" || part === null) return part;
  const { kind, of, name, params = [] } = part as NameOrLambda;
  if (kind === "name" && of === "variable" && name !== undefined && !hidden.includes(name))
    return (name === RESULTS ? { ...part, of: "field" } : resultOf(name)) as T;
  const inside = kind === "lambda" ? [...hidden, ...params] : hidden;
  return Object.fromEntries(
    Object.entries(part).map(([key, member]) => [key, withResults(member, inside)]),
  ) as T;
}

interface NameOrLambda {
  readonly kind?: ExprIr["kind"];
  readonly of?: NameMeaning;
  readonly name?: string;
  readonly params?: readonly string[];
}

/**
 * Returns the items of `each of …` as an expression: a list of JSON, words between commas, or what the step of that id came to, which
 * `planning.items` reads as a list. Undefined for another repetition.
 */
export function itemsOf(repeat: string, before: readonly string[]): ExprIr | undefined {
  const written = EACH_OF.exec(repeat.trim())?.[1]?.trim();
  if (written === undefined || written === "") return undefined;
  const id = written.replace(/^\$\{?(.*?)\}?$/, "$1");
  if (!before.includes(id)) return listOf(listed(written));
  const planning: ExprIr = { kind: "name", name: "planning", of: "scope" };
  const callee: ExprIr = { kind: "member", object: planning, name: "items", optional: false };
  return { kind: "call", callee, args: [{ value: resultOf(id) }] };
}

const EACH_OF = /^each\s+of\s+(.+)$/is;

function listed(text: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value))
      return value.map((one) => (typeof one === "string" ? one : JSON.stringify(one)));
  } catch {
    // Words between commas are no JSON.
  }
  return text.split(",").flatMap((word) => (word.trim() === "" ? [] : [word.trim()]));
}

function listOf(items: readonly string[]): ExprIr {
  return { kind: "list", items: items.map((value) => ({ kind: "literal", value })) };
}

/** The length of a list, as an expression. */
export function lengthOf(object: ExprIr): ExprIr {
  return { kind: "member", object, name: "length", optional: false };
}

/** The item of the round that a repeated step is in. */
export function itemOfRound(object: ExprIr): ExprIr {
  const run: ExprIr = { kind: "name", name: "run", of: "special" };
  const round: ExprIr = { kind: "member", object: run, name: "round", optional: false };
  const one: ExprIr = { kind: "literal", value: 1 };
  return { kind: "index", object, index: { kind: "binary", op: "-", left: round, right: one } };
}

/** A text, with the item of the round behind it. */
export function textForItem(text: ExprIr, items: ExprIr): ExprIr {
  return {
    kind: "template",
    parts: [...partsOf(text), "\n\nThis time for: ", itemOfRound(items)],
  };
}

function partsOf(text: ExprIr): readonly (ExprIr | string)[] {
  if (text.kind === "template") return text.parts;
  return text.kind === "literal" ? [String(text.value)] : [text];
}
