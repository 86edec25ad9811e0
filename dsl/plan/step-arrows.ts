/** Names the nodes of a plan's steps, and draws an arrow for what each of them depends on. */
import type { EdgeIr, ExprIr, Ir } from "../ir/ir.ts";
import type { Plan } from "./plan.ts";
import { isProblem, itemsOf, lengthOf, readWhen } from "./step-conditions.ts";
import type { PlacedStep } from "./step-nodes.ts";

/** A name of the language for each id: `find-it` is `find_it`. None that means something else where it stands. */
export function namesOf({ steps }: Plan, ir: Ir): ReadonlyMap<string, string> {
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

export function edgesOf(
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
