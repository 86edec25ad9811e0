/** Puts strong agents in the place of agents of a checked graph: a node keeps its task and what it writes, and a controller does the work. */
import { expressionIn } from "./expression-in.ts";
import { hashIr, withoutSpans } from "./ir/hash.ts";
import type { ExprIr, Ir, NodeIr } from "./ir/ir.ts";
import { outputOf } from "./lower/output.ts";
import { nearest } from "./names/nearest.ts";
import { controllerOptions } from "./vocabulary/controllers.ts";

/** Controllers by the nodes that they work for, each as a program writes it: `claude_code(cwd: "app")`, or a name of the scope. */
export type AgentSlots = Readonly<Record<string, string>>;

/** The first fault of a slot, in words. */
export interface SlotFault {
  readonly message: string;
  readonly hint: string;
}

/** The nodes of a graph whose work a strong agent can do. */
function slotsOf({ nodes }: Pick<Ir, "nodes">): readonly string[] {
  return nodes.flatMap(({ name, kind }) => (KINDS.includes(kind) ? [name] : []));
}

const KINDS: readonly NodeIr["kind"][] = ["agent", "operator", "graph"];

/** The graph with these controllers, under another hash, and the first thing that is wrong with them. */
export function putAgents(
  ir: Ir,
  slots: AgentSlots,
): { readonly ir: Ir; readonly fault?: SlotFault } {
  let { nodes } = ir;
  for (const [name, text] of Object.entries(slots)) {
    if (!slotsOf(ir).includes(name)) return { ir, fault: noSlot(ir, name) };
    const read = readController(ir, { node: name, text });
    if ("message" in read) return { ir, fault: read };
    nodes = nodes.map((node) => (node.name === name ? operatorOf(ir, node, read) : node));
  }
  const { hash: _, ...rest } = { ...ir, nodes };
  return { ir: { ...rest, hash: hashIr(rest as Ir) } };
}

type ControllerIr = NonNullable<NodeIr["controller"]>;

function readController(
  ir: Ir,
  { node, text }: { readonly node: string; readonly text: string },
): ControllerIr | SlotFault {
  // A controller of ours, or one that the scope of a run will have: no name of the graph.
  const own = /^\s*([\p{L}_$][\p{L}\p{N}_$]*)/u.exec(text)?.slice(1) ?? [];
  const { expression, diagnostics } = expressionIn(ir, text, { node, variables: own });
  const [wrong] = diagnostics;
  const hint = 'write it as in a program: `claude_code(cwd: "app")`';
  if (wrong !== undefined)
    return { message: `\`${node}\`: ${wrong.message}`, hint: wrong.hint ?? hint };
  const controller = expression && controllerOf(withoutSpans(expression) as ExprIr);
  if (controller === undefined) return { message: `\`${text}\` is no controller`, hint };
  const options = controllerOptions(controller.name.join(".")) ?? [];
  const unknown = controller.args.find(
    ({ label }) => options.length > 0 && !options.some((one) => one === label),
  );
  if (unknown === undefined) return controller;
  const { label = "" } = unknown;
  const meant = nearest(label, options);
  return {
    message: `\`${controller.name.join(".")}\` has no option \`${label}\``,
    hint: meant === undefined ? `it has ${options.join(", ")}` : `did you mean \`${meant}\`?`,
  };
}

function controllerOf(expression: ExprIr): ControllerIr | undefined {
  const isCall = expression.kind === "call";
  const name = isCall ? expression.callee : expression;
  if (name.kind !== "name") return undefined;
  return { name: [name.name], args: isCall ? expression.args : [] };
}

/** The node without what only an agent of the program's own has: a model, a history, tools that it is offered. */
function operatorOf(ir: Ir, node: NodeIr, controller: ControllerIr): NodeIr {
  const { model: _, history: _history, context: _context, cache: _cache, call, ...rest } = node;
  const asked = call === undefined ? {} : askedOf(ir, rest, call);
  return { ...rest, ...asked, kind: "operator", tools: [], recalls: [], stores: [], controller };
}

/** The task of an agent that does the work of a called graph: the graph's arguments by name, and the fields that it wrote. */
function askedOf(
  { fields, types }: Ir,
  { writes }: Pick<NodeIr, "writes">,
  { args }: NonNullable<NodeIr["call"]>,
): Pick<NodeIr, "prompt" | "output"> {
  const parts = args.flatMap(({ label, value }): readonly (string | ExprIr)[] => [
    label === undefined ? "" : `${label}: `,
    value,
    "\n",
  ]);
  const table = new Map(types.map(({ name, type }) => [name, type]));
  const output = outputOf({ kind: "operator", writes }, fields, table)?.schema;
  return { prompt: { kind: "template", parts }, ...(output === undefined ? {} : { output }) };
}

function noSlot(ir: Ir, name: string): SlotFault {
  const slots = slotsOf(ir);
  const meant = nearest(name, slots);
  const all = slots.length === 0 ? "it has no agents" : `its agents: ${slots.join(", ")}`;
  return {
    message: `\`${ir.name}\` has no agent \`${name}\``,
    hint: meant === undefined ? all : `did you mean \`${meant}\`?`,
  };
}
