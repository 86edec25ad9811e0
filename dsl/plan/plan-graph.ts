/**
 * Plan → graph: a node a step, an arrow for what a step depends on. A step's node is made from the agent that it names,
 * one of the calling graph: its model, tools and clauses; its prompt too, where it has a parameter for the step.
 */
import { check } from "../compile.ts";
import { defined } from "../ir/defined.ts";
import { canonicalJson } from "../ir/hash.ts";
import type { ArgIr, EdgeIr, ExprIr, Ir, NodeIr, ParamIr, TypeIr } from "../ir/ir.ts";
import { walk } from "../ir/visit-tree.ts";
import { isRecord } from "../is-record.ts";
import { print } from "../print/print.ts";
import {
  type FinishedSteps,
  isPlan,
  PLAN_GRAPH,
  type Plan,
  type PlanProblem,
  type PlanStep,
  readPlan,
} from "./plan.ts";
import { readRepeat } from "./repeat.ts";
import {
  isProblem,
  itemsOf,
  lengthOf,
  readWhen,
  resultOf,
  stepsBefore,
  textForItem,
} from "./step-conditions.ts";
import { isPerformer, problemsOf, templateOf } from "./step-problems.ts";

/**
 * The graph of a plan, for a graph that calls it; its problems where there is none. Steps that are done already have no
 * node: their results are there from the start.
 */
export function planGraph(
  ir: Ir,
  value: unknown,
  kept: KeptOfPlan = {},
): Ir | readonly PlanProblem[] {
  const { done = {}, rounds = {} } = kept;
  const plan = readPlan(value, done);
  if (!isPlan(plan)) return plan;
  const key = canonicalJson([ir.hash, ir.source?.file, plan, done, rounds]);
  let made = MADE.get(key);
  if (made === undefined) {
    const left = leftOf(plan, done);
    const problems = left.flatMap((step) => problemsOf(step, beforeIn(plan, done, step), ir));
    if (problems.length > 0) return problems;
    made = asText(ir, draftOf(ir, plan, { done, rounds }));
  }
  MADE.delete(key);
  MADE.set(key, made);
  for (const oldest of MADE.keys()) if (MADE.size > MADE_MAX) MADE.delete(oldest);
  return made;
}

/** The results of a plan that the new plan replaces. */
export interface KeptOfPlan {
  readonly done?: FinishedSteps | undefined;
  /** The latest results of repeated steps under way, by their ids. */
  readonly rounds?: FinishedSteps | undefined;
}

/** The engine, its events and its trace ask for the same few plans again and again. */
const MADE = new Map<string, ReturnType<typeof asText>>();
const MADE_MAX = 32;

export function isGraph(made: Ir | readonly PlanProblem[]): made is Ir {
  return "irVersion" in made;
}

/**
 * Returns the problems of a plan that a node of a graph writes; if the graph runs plans, also those
 * with its agents.
 */
export function planProblems(ir: Ir, value: unknown): readonly PlanProblem[] {
  const plan = readPlan(value);
  if (!isPlan(plan)) return plan;
  const runsPlans = ir.nodes.some(({ call }) => call?.callee.join(".") === PLAN_GRAPH);
  if (!runsPlans) return [];
  return plan.steps.flatMap((step) => problemsOf(step, beforeIn(plan, {}, step), ir));
}

/** The ids of the steps whose results are there when a step begins, for steps that may read them in a condition or a repetition. */
function beforeIn({ steps }: Plan, done: FinishedSteps, step: PlanStep): readonly string[] {
  if (step.when == null && step.repeat == null) return [];
  return stepsBefore(step, { steps, done: Object.keys(done) });
}

/** Returns whether a field of a graph holds a plan: it is of the built-in type. */
export function holdsPlan({ fields, types }: Ir, field: string): boolean {
  const type = fields.find(({ name }) => name === field)?.type;
  if (type?.kind !== "named" || type.name !== "Plan") return false;
  return !types.some(({ name }) => name === "Plan");
}

/**
 * Returns the values of the calling graph that the steps of any plan may read, as arguments of the
 * call.
 */
export function planArguments(ir: Ir): readonly (ArgIr & { readonly label: string })[] {
  const read = new Map<string, ExprIr & { readonly kind: "name" }>();
  for (const node of ir.nodes.filter(isPerformer)) {
    for (const name of readBy(node)) if (name.name !== "plan") read.set(name.name, name);
  }
  return [...read.values()].map((value) => ({ label: value.name, value }));
}

/**
 * Prints a plan's graph and compiles the text, so that the plan can hold nothing that the language
 * can't express; returns the graph, or the problem M5032.
 */
function asText(ir: Ir, draft: Ir): Ir | readonly PlanProblem[] {
  const file = ir.source?.file ?? "plan";
  const text = print(draft);
  const { graphs, diagnostics } = check({ file, text }, { allowNotYet: true });
  const [graph] = graphs;
  if (graph !== undefined) return graph;
  const error = diagnostics.find(({ severity }) => severity === "error");
  const message = `its steps make no graph: ${error?.code} ${error?.message}`;
  return [{ code: "M5032", message, hint: error?.hint ?? "look at the agents that it names" }];
}

function leftOf({ steps }: Plan, done: FinishedSteps): readonly PlanStep[] {
  return steps.filter(({ id }) => !Object.hasOwn(done, id));
}

function draftOf(ir: Ir, plan: Plan, kept: Required<KeptOfPlan>): Ir {
  const { done = {} } = kept;
  const names = namesOf(plan, ir);
  const left = leftOf(plan, done);
  const parts = left.map((step): PlacedStep => ({ step, before: beforeIn(plan, done, step) }));
  const nodes = parts.map((one) => nodeOf(one, ir, names));
  const used = new Set(nodes.flatMap((node) => readBy(node)).map(({ name }) => name));
  const { limit: _, calls: __, graphs: ___, source: ____, description: _____, ...rest } = ir;
  return {
    ...rest,
    hash: "",
    name: planName(ir),
    memories: ir.memories.filter(({ name }) => nodes.some((node) => usesMemory(node, name))),
    params: liftedParams(ir, used),
    returns: ["results"],
    fields: [resultsOf(plan, kept)],
    nodes: nodes.map((node) => lifted(node)),
    edges: edgesOf(parts, names, ir),
    approvals: [],
    breaks: [],
    endWhen: [],
  };
}

/**
 * Returns the field of the results: by id, in the order of the plan; null until a step has ended.
 */
function resultsOf({ steps }: Plan, kept: KeptOfPlan): Ir["fields"][number] {
  const { done = {}, rounds = {} } = kept;
  const ids = new Set([...Object.keys(done), ...steps.map(({ id }) => id)]);
  const entries = [...ids].map((key) => ({
    key,
    value: jsonLiteral(done[key] ?? rounds[key] ?? null),
  }));
  return {
    name: "results",
    scope: "run",
    optional: false,
    type: { kind: "named", name: "Record", args: [named("string"), named("Json")] },
    default: { kind: "object", entries },
    reducer: { name: "merge", custom: false, args: [] },
  };
}

function jsonLiteral(value: unknown): ExprIr {
  if (Array.isArray(value)) return { kind: "list", items: value.map(jsonLiteral) };
  if (typeof value !== "object" || value === null) {
    return { kind: "literal", value: value as string | number | boolean | null };
  }
  const entries = Object.entries(value).map(([key, one]) => ({ key, value: jsonLiteral(one) }));
  return { kind: "object", entries };
}

function named(name: string): TypeIr {
  return { kind: "named", name, args: [] };
}

/** Not the name of a type or a graph that stands beside it. */
function planName({ name, types }: Ir): string {
  let made = `${name}Plan`;
  while (types.some((type) => type.name === made)) made += "_";
  return made;
}

// ── steps ───────────────────────────────────────────────────────────────────────────────────────

/** A step with the ids of those whose results are there when it begins. */
interface PlacedStep {
  readonly step: PlanStep;
  readonly before: readonly string[];
}

function nodeOf(placed: PlacedStep, ir: Ir, names: ReadonlyMap<string, string>): NodeIr {
  const { step, before } = placed;
  const name = names.get(step.id) ?? step.id;
  const template = templateOf(step, ir);
  if (step.agent == null && step.tool != null) return toolNode(placed, step.tool, name);
  if (template === undefined) throw new Error(`M9000: nobody does step ${step.id}`);
  const { each: _, output: __, span: ___, every: ____, ...of } = template;
  const judge = of.model?.kind === "name" ? of.model.name : undefined;
  return defined({
    ...of,
    name,
    description: step.title,
    params: paramsFor(step, of.params),
    prompt: withItem(of.params.length === 0 ? promptFor(step) : of.prompt, placed),
    writes: [writeOf(step)],
    sets: [],
    ensures: of.ensures.filter(({ condition }) => fieldsIn(condition).length === 0),
    every: step.repeat == null ? undefined : readRepeat(step.repeat, { by: judge, before }),
  });
}

function toolNode({ step, before }: PlacedStep, tool: string, name: string): NodeIr {
  const judged = step.repeat == null ? undefined : readRepeat(step.repeat, { before });
  return defined({
    name,
    kind: "tool" as const,
    description: step.title,
    params: [],
    tools: [],
    skills: [],
    call: {
      callee: tool.split("."),
      args: [{ value: inputOf({ step, before }) }],
    },
    edits: [],
    writes: [writeOf(step)],
    sets: [],
    ensures: [],
    recalls: [],
    stores: [],
    approvals: [],
    every: judged,
  });
}

/** `writes results = { id: result }`; of a step that is repeated, what all of its rounds came to. */
function writeOf({ id, repeat }: PlanStep): NodeIr["writes"][number] {
  const result: ExprIr = { kind: "name", name: "result", of: "special" };
  const stepResult = repeat == null ? result : withRound(id, result);
  const value: ExprIr = { kind: "object", entries: [{ key: id, value: stepResult }] };
  return { field: "results", optional: false, value };
}

/** `(results["id"] ?? []).concat([result])` */
function withRound(id: string, result: ExprIr): ExprIr {
  const none: ExprIr = { kind: "list", items: [] };
  const before: ExprIr = { kind: "binary", op: "??", left: resultOf(id), right: none };
  const callee: ExprIr = { kind: "member", object: before, name: "concat", optional: false };
  return { kind: "call", callee, args: [{ value: { kind: "list", items: [result] } }] };
}

/** The first parameter is the step; a second one is what the steps came to that it depends on, by id. */
function paramsFor(step: PlanStep, params: readonly ParamIr[]): readonly ParamIr[] {
  return params.map((param, index) => {
    if (index === 0) return { ...param, default: stepLiteral(step) };
    return index === 1 ? { ...param, default: resultsBefore(step) } : param;
  });
}

function stepLiteral({ id, title, details, agent, tool, depends, when, repeat }: PlanStep): ExprIr {
  const texts = { id, title, details, agent, tool, when, repeat };
  const entries = Object.entries(texts).flatMap(([key, value]) =>
    value == null ? [] : [{ key, value: literal(value) }],
  );
  if (depends == null) return { kind: "object", entries };
  const list: ExprIr = { kind: "list", items: depends.map(literal) };
  return { kind: "object", entries: [...entries, { key: "depends", value: list }] };
}

function resultsBefore({ depends }: PlanStep): ExprIr {
  const entries = [...new Set(depends ?? [])].map((id) => ({ key: id, value: resultOf(id) }));
  return { kind: "object", entries };
}

/** The arguments of a tool: an object where `details` are one in JSON, else the text. */
function inputOf(placed: PlacedStep): ExprIr {
  const { details } = placed.step;
  try {
    const value: unknown = JSON.parse(details);
    if (isRecord(value)) return jsonLiteral(value);
  } catch {
    // Most details are sentences.
  }
  return withItem(literal(details), placed);
}

/** A text of a step that is done for each of some items, with the item of the round behind it. */
function withItem<T extends ExprIr | undefined>(text: T, { step, before }: PlacedStep): T | ExprIr {
  const items = step.repeat == null ? undefined : itemsOf(step.repeat, before);
  if (items === undefined || text === undefined) return text;
  return textForItem(text, items);
}

/**
 * Returns the prompt of a step, with the results of the steps before; the agent's own prompt names
 * fields of the calling graph.
 */
function promptFor(step: PlanStep): ExprIr {
  const task = `${step.title}\n\n${step.details}`;
  if ((step.depends ?? []).length === 0) return { kind: "template", parts: [task] };
  return {
    kind: "template",
    parts: [`${task}\n\nWhat came of the steps before, by their ids:\n`, resultsBefore(step)],
  };
}

function literal(value: string): ExprIr {
  return { kind: "literal", value };
}

// ── names and arrows ────────────────────────────────────────────────────────────────────────────

/** A name of the language for each id: `find-it` is `find_it`. None that means something else where it stands. */
function namesOf({ steps }: Plan, ir: Ir): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = takenNames(ir);
  for (const { id } of steps) {
    const word = id.replaceAll(/[^A-Za-z0-9_]+/g, "_");
    let name = /^[A-Za-z]/.test(word) && !RESERVED.has(word) ? word : `step_${word}`;
    while (taken.has(name)) name += "_";
    taken.add(name);
    names.set(id, name);
  }
  return names;
}

function takenNames(ir: Ir): Set<string> {
  const { params, fields, models, config, memories, imports, nodes } = ir;
  return new Set([
    ...[
      "results",
      "start",
      "end",
      "return",
      "state",
      "result",
      "call",
      "inbox",
      "run",
      "team",
      "artifacts",
    ],
    ...[params, fields, models, memories].flatMap((all) => all.map(({ name }) => name)),
    ...config.map(({ key }) => key),
    ...imports.map(({ as }) => as),
    ...nodes.flatMap((node) => node.params.map(({ name }) => name)),
    ...nodes.flatMap(({ tools }) => tools.map(([first = ""]) => first)),
  ]);
}

const RESERVED: ReadonlySet<string> = new Set([
  "true",
  "false",
  "null",
  "else",
  "when",
  "each",
  "match",
]);

function edgesOf(
  steps: readonly PlacedStep[],
  names: ReadonlyMap<string, string>,
  ir: Ir,
): readonly EdgeIr[] {
  if (steps.length === 0) return [edge({ kind: "start" }, "end")];
  const left = new Set(steps.map(({ step }) => step.id));
  return steps.map((placed) => {
    const { id, depends } = placed.step;
    const open = [...new Set(depends ?? [])].filter((one) => left.has(one));
    const sources = open.map((one) => names.get(one) ?? one);
    const to = names.get(id) ?? id;
    const when = conditionOf(placed, ir);
    if (sources.length === 0) return edge({ kind: "start" }, to, when);
    return edge({ kind: sources.length === 1 ? "any" : "join", nodes: sources }, to, when);
  });
}

/** A step begins where its `when` holds, and there are items to do it for. */
function conditionOf({ step, before }: PlacedStep, ir: Ir): ExprIr | undefined {
  const when = readWhen(step, before, ir);
  if (isProblem(when)) throw new Error(`M9000: ${when.message}`);
  const items = step.repeat == null ? undefined : itemsOf(step.repeat, before);
  if (items === undefined || items.kind === "list") return when;
  const none: ExprIr = { kind: "literal", value: 0 };
  const some: ExprIr = { kind: "binary", op: ">", left: lengthOf(items), right: none };
  return when === undefined ? some : { kind: "binary", op: "&&", left: when, right: some };
}

function edge(from: EdgeIr["from"], to: string, when?: ExprIr): EdgeIr {
  const route = { kind: "to" as const, targets: [{ node: to, args: [] }] };
  return { from, on: "done", route: when === undefined ? route : { ...route, when } };
}

// ── what the steps read of the calling graph ────────────────────────────────────────────────────

type PlanNameIr = ExprIr & { readonly kind: "name" };

/** The parameters and fields of the calling graph that a node's expressions name. */
function readBy(node: NodeIr): readonly PlanNameIr[] {
  const { writes: _, params, prompt, ...rest } = node;
  return fieldsIn([rest, params.slice(2), prompt]).filter(({ name }) => name !== "results");
}

function fieldsIn(part: unknown): readonly PlanNameIr[] {
  const found: PlanNameIr[] = [];
  walk([part], (one) => {
    const { kind, of } = one as Partial<PlanNameIr>;
    if (kind === "name" && (of === "field" || of === "param"))
      found.push(one as unknown as PlanNameIr);
  });
  return found;
}

function liftedParams(ir: Ir, used: ReadonlySet<string>): readonly ParamIr[] {
  const known = [
    ...ir.params.map(({ name, type }) => ({ name, type })),
    ...ir.fields.map(({ name, type }) => ({ name, type })),
  ];
  return known
    .filter(({ name }) => used.has(name))
    .map((one): ParamIr => ({ ...one, optional: true }));
}

/** A field of the calling graph is a parameter of this one: it has the value of the time of the call. */
function lifted<T>(part: T): T {
  if (Array.isArray(part)) return part.map(lifted) as T;
  if (typeof part !== "object" || part === null) return part;
  const { kind, of, name } = part as Partial<PlanNameIr>;
  if (kind === "name" && of === "field" && name !== "results") return { ...part, of: "param" };
  return Object.fromEntries(
    Object.entries(part).map(([key, member]) => [key, lifted(member)]),
  ) as T;
}

function usesMemory({ recalls, stores }: NodeIr, name: string): boolean {
  return [...recalls, ...stores].some(({ memory }) => memory === name);
}
