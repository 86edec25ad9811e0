/**
 * Compiles a plan's graph. Only a sample of its nodes is compiled as text, two of each shape: steps of one shape differ in literals
 * alone, so what the language says of these two it says of all.
 */
import { check } from "../compile.ts";
import { defined } from "../ir/defined.ts";
import { canonicalJson, hashIr, withoutSpans } from "../ir/hash.ts";
import type { FieldIr, Ir, NodeIr, TypeIr } from "../ir/ir.ts";
import { print } from "../print/print.ts";
import { liftedParams, readBy, usesMemory } from "./caller-names.ts";
import type { FinishedSteps, Plan, PlanProblem, PlanStep } from "./plan.ts";
import { withGraphTools } from "./plan-calls.ts";
import { edgesOf, namesOf } from "./step-arrows.ts";
import { jsonLiteral, type PlacedStep, stepNodes } from "./step-nodes.ts";

/** A plan in which no problem was found, for the graph that calls it. */
interface ReadPlan {
  readonly ir: Ir;
  readonly plan: Plan;
  readonly kept: { readonly done: FinishedSteps; readonly rounds: FinishedSteps };
  /** The steps that are left. */
  readonly parts: readonly PlacedStep[];
}

/** Returns the graph, with the hash that its text has; the problem M5032 where the language can't express it. */
export function compilePlan(read: ReadPlan): Ir | readonly PlanProblem[] {
  const made = compileSteps(read);
  return isIr(made) ? withGraphTools(made, read.ir) : made;
}

function compileSteps(read: ReadPlan): Ir | readonly PlanProblem[] {
  const { ir, plan, parts } = read;
  const names = namesOf(plan, ir);
  const nodes = stepNodes(parts, names, ir);
  const shapes = parts.map(({ step }) => shapeOf(step));
  const sample = sampleOf(shapes);
  const sampled = sample.flatMap((at) => nodes[at] ?? []);
  const draft = draftOf(read, sampled);
  const text = compileText({
    ...draft,
    fields: [{ ...resultsOf(read), default: { kind: "object", entries: [] } }],
    nodes: sampled,
    edges: edgesOf(
      sample.flatMap((at) => parts[at] ?? []),
      names,
      ir,
    ),
  });
  const edges = edgesOf(parts, names, ir);
  const isOdd = parts.some(({ step }) => step.id in Object.prototype);
  // Between other arrows two steps may do what they don't do in the plan: then the plan decides, as a text.
  if (isOdd || !isIr(text) || !isSame(text.nodes, sampled))
    return compileText({ ...draft, nodes, edges });
  const { hash: _, span: __, source: ___, ...compiled } = text;
  const outputs = new Map(sample.map((at, index) => [shapes[at], text.nodes[index]?.output]));
  const made = {
    ...compiled,
    fields: draft.fields,
    nodes: nodes.map((node, at) => defined({ ...node, output: outputs.get(shapes[at]) })),
    edges,
  };
  return { ...made, hash: hashIr(made), source: new PrintedSource(draft.source.file, made) };
}

function isIr(made: Ir | readonly PlanProblem[]): made is Ir {
  return "irVersion" in made;
}

/** The text of a graph that was not compiled from one, printed when somebody reads it. */
class PrintedSource {
  readonly file: string;
  readonly #graph: Omit<Ir, "hash">;
  #text: string | undefined;

  constructor(file: string, graph: Omit<Ir, "hash">) {
    this.file = file;
    this.#graph = graph;
  }

  get text(): string {
    this.#text ??= print({ ...this.#graph, hash: "" });
    return this.#text;
  }

  toJSON(): NonNullable<Ir["source"]> {
    return { file: this.file, text: this.text };
  }
}

function compileText(draft: Ir): Ir | readonly PlanProblem[] {
  const file = draft.source?.file ?? "plan";
  const { graphs, diagnostics } = check(
    { file, text: print(draft) },
    { allowUnreadPrograms: true },
  );
  const [graph] = graphs;
  if (graph !== undefined) return graph;
  const error = diagnostics.find(({ severity }) => severity === "error");
  const message = `its steps make no graph: ${error?.code} ${error?.message}`;
  return [{ code: "M5032", message, hint: error?.hint ?? "look at the agents that it names" }];
}

/** Returns whether the text of nodes means them, apart from what is derived. */
function isSame(compiled: readonly NodeIr[], written: readonly NodeIr[]): boolean {
  const meaning = compiled.map(({ output: _, ...node }) => withoutSpans(node));
  return canonicalJson(meaning) === canonicalJson(written.map(withoutSpans));
}

// ── shapes ──────────────────────────────────────────────────────────────────────────────────────

/** The first two steps of each shape, by their indices: two may be side by side. */
function sampleOf(shapes: readonly string[]): readonly number[] {
  const counts = new Map<string, number>();
  return shapes.flatMap((shape, at) => {
    const count = (counts.get(shape) ?? 0) + 1;
    counts.set(shape, count);
    return count <= 2 ? [at] : [];
  });
}

/** All of a step that is more than a text in a literal of its node. */
function shapeOf({ agent, tool, when, repeat, depends }: PlanStep): string {
  return JSON.stringify([agent, agent == null && tool, when, repeat, (depends ?? []).length > 0]);
}

// ── what stands beside the nodes ────────────────────────────────────────────────────────────────

function draftOf(read: ReadPlan, nodes: readonly NodeIr[]) {
  const { ir } = read;
  const used = new Set(nodes.flatMap((node) => readBy(node)).map(({ name }) => name));
  const { limit: _, calls: __, graphs: ___, description: ____, ...rest } = ir;
  return {
    ...rest,
    hash: "",
    source: { file: ir.source?.file ?? "plan", text: "" },
    name: planName(ir),
    memories: ir.memories.filter(({ name }) => nodes.some((node) => usesMemory(node, name))),
    params: liftedParams(ir, used),
    returns: ["results"],
    fields: [resultsOf(read)],
    nodes,
    edges: [],
    approvals: [],
    breaks: [],
    endWhen: [],
  } satisfies Ir;
}

/** The field of the results: by id, in the order of the plan; null until a step has ended. */
function resultsOf({ plan, kept: { done, rounds } }: ReadPlan): FieldIr {
  const ids = new Set([...Object.keys(done), ...plan.steps.map(({ id }) => id)]);
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

function named(name: string): TypeIr {
  return { kind: "named", name, args: [] };
}

/** The name of the graphs that a graph makes of plans: not that of a type or a graph that stands beside it. */
export function planName({ name, types }: Pick<Ir, "name" | "types">): string {
  let made = `${name}Plan`;
  while (types.some((type) => type.name === made)) made += "_";
  return made;
}
