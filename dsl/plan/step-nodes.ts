/** Makes the node of a plan's step from the agent or the tool that it names. */
import { defined } from "../ir/defined.ts";
import { withoutSpans } from "../ir/hash.ts";
import type { ExprIr, Ir, NodeIr, ParamIr } from "../ir/ir.ts";
import { isRecord } from "../is-record.ts";
import { fieldsIn, lifted } from "./caller-names.ts";
import type { PlanStep } from "./plan.ts";
import { readRepeat } from "./repeat.ts";
import { itemOfRound, itemsOf, resultOf, textForItem } from "./step-conditions.ts";
import { templateOf } from "./step-problems.ts";

/** A step with the ids of those whose results are there when it begins. */
export interface PlacedStep {
  readonly step: PlanStep;
  readonly before: readonly string[];
}

/** The nodes of steps, in their order. */
export function stepNodes(
  parts: readonly PlacedStep[],
  names: ReadonlyMap<string, string>,
  ir: Ir,
): readonly NodeIr[] {
  const templates = new Map<NodeIr, StepTemplate>();
  return parts.map((placed) => {
    const { step } = placed;
    const name = names.get(step.id) ?? step.id;
    if (step.agent == null && step.tool != null) return toolNode(placed, step.tool, name);
    const agent = templateOf(step, ir);
    if (agent === undefined) throw new Error(`M9000: nobody does step ${step.id}`);
    const template = templates.get(agent) ?? stepTemplate(agent);
    templates.set(agent, template);
    return agentNode(placed, template, name);
  });
}

/** An agent as its steps have it: made once, since a plan may have thousands of them. */
type StepTemplate = ReturnType<typeof stepTemplate>;

function stepTemplate(agent: NodeIr) {
  const { each: _, output: __, span: ___, every: ____, ...node } = agent;
  const ensures = node.ensures.filter(({ condition }) => fieldsIn(condition).length === 0);
  return lifted(withoutSpans({ ...node, sets: [], ensures })) as typeof node;
}

function agentNode(placed: PlacedStep, template: StepTemplate, name: string): NodeIr {
  const { step, before } = placed;
  const { params, prompt, model } = template;
  const judge = model?.kind === "name" ? model.name : undefined;
  return defined({
    ...template,
    name,
    description: step.title,
    params: paramsFor(step, params),
    prompt: withItem(params.length === 0 ? promptFor(step) : prompt, placed),
    writes: [writeOf(step)],
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

/** The argument of a tool: an object where `details` are one in JSON, else the text. */
function inputOf(placed: PlacedStep): ExprIr {
  const { details } = placed.step;
  try {
    const value: unknown = JSON.parse(details);
    if (isRecord(value)) return objectForItem(value, itemsFor(placed));
  } catch {
    // Most details are sentences.
  }
  return withItem(literal(details), placed);
}

/** `{item}` in the texts of an object is the item of the round; where no text has it, the object gets it as `item`. */
function objectForItem(
  value: Readonly<Record<string, unknown>>,
  items: ExprIr | undefined,
): ExprIr {
  if (items === undefined) return jsonLiteral(value);
  const item = itemOfRound(items);
  if (JSON.stringify(value).includes(ITEM)) return jsonLiteral(value, item);
  return jsonLiteral({ ...value, item: ITEM }, item);
}

const ITEM = "{item}";

function itemsFor({ step, before }: PlacedStep): ExprIr | undefined {
  return step.repeat == null ? undefined : itemsOf(step.repeat, before);
}

/** A text of a step that is done for each of some items, with the item of the round behind it. */
function withItem<T extends ExprIr | undefined>(text: T, placed: PlacedStep): T | ExprIr {
  const items = itemsFor(placed);
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

/** A value of JSON as an expression; `item` stands where a text has `{item}`. */
export function jsonLiteral(value: unknown, item?: ExprIr): ExprIr {
  if (Array.isArray(value))
    return { kind: "list", items: value.map((one) => jsonLiteral(one, item)) };
  if (typeof value === "string" && item !== undefined) return textWith(value, item);
  if (typeof value !== "object" || value === null) {
    return { kind: "literal", value: value as string | number | boolean | null };
  }
  const entries = Object.entries(value).map(([key, one]) => ({
    key,
    value: jsonLiteral(one, item),
  }));
  return { kind: "object", entries };
}

/** A text that is the item alone has its value, which may be no text. */
function textWith(text: string, item: ExprIr): ExprIr {
  if (text === ITEM) return item;
  const [first = "", ...more] = text.split(ITEM);
  if (more.length === 0) return literal(text);
  const parts = [first, ...more.flatMap((one) => [item, one])];
  return { kind: "template", parts: parts.filter((part) => part !== "") };
}
