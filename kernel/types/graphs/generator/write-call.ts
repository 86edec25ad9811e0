/** Writes the check of what a node calls: a function of the scope, a tool, another graph. */
import {
  type ArgIr,
  CONTROLLER_OPTIONS,
  type ControllerOptionKind,
  controllerOptions,
  type NodeIr,
} from "../../../../dsl/index.ts";
import type { Subgraph } from "../../service.ts";
import { BUILT_IN_GRAPHS, memberAccess, scopeName } from "./prelude.ts";
import { typeText } from "./type-text.ts";
import { type GraphContext, VALUE, writeCheck } from "./write-check.ts";
import { toSpan, writeArguments, writeExpression } from "./write-expression.ts";
import { subgraphName } from "./write-subgraphs.ts";

type GeneratedCall = NonNullable<NodeIr["call"]>;

/** Writes the call of a node, and `const result` with what it gives back. */
export function writeCall(context: GraphContext, node: NodeIr, call: GeneratedCall): void {
  const { to, servers, subgraphs } = context;
  const [head = ""] = call.callee;
  const subgraph = subgraphs.get(call.callee.join("."));
  if (node.kind === "graph" && subgraph !== undefined) {
    writeSubgraphCall(context, { node, call, subgraph });
  } else if (node.kind === "graph" && BUILT_IN_GRAPHS.has(head)) {
    writePlanCall(context, call);
  } else if (node.kind === "graph" || servers.has(head)) {
    for (const { value } of call.args) writeCheck(to, VALUE, value);
    to.raw("const result: any = null;\n");
  } else writeFunctionCall(context, node, call);
}

/** The function is called for real, so that TypeScript infers what it returns. */
function writeFunctionCall(
  { to, places, routes }: GraphContext,
  node: NodeIr,
  call: GeneratedCall,
): void {
  const place = places.node(node.name).callee ?? toSpan(node.span);
  const [head = "", ...members] = call.callee;
  const named = [scopeName(head), ...members.map(memberAccess)].join("");
  // Tools of other libraries are objects.
  const callee = node.kind === "tool" ? `$ofTool(${named})` : named;
  // A declared tool takes one object, whose members the labels are; any other function takes its arguments in their order.
  const isInput = node.kind === "tool" && takesLabels(call);
  const plain = isInput ? `$asFunction(${callee})` : callee;
  const writePlainCall = () => {
    to.raw(plain);
    writeArguments(to, call.args);
  };
  to.raw("const $returned = await ");
  to.for("argument", place, () => {
    if (isInput) writeInput(to, `$asTool(${callee})`, call);
    else writePlainCall();
  });
  if (isInput) {
    to.raw(";\n");
    to.for("argument", place, writePlainCall);
  }
  // The update of a command is by field, also where the node writes but one.
  const fields = node.writes.map(({ field }) => JSON.stringify(field));
  const read = fields.length === 1 ? "$only" : "$output";
  const of = fields.length === 0 ? "" : `<typeof $returned, ${fields.join(" | ")}>`;
  to.raw(`;\nconst result = ${read}${of}($returned);\n`);
  // Whether one argument too few is the context that the engine adds.
  to.echo(() => {
    to.raw(plain);
    writeArguments(to, call.args, () => to.for("context", place, () => void to.raw("$context")));
  });
  to.raw(";\n");
  const { targets, isPick } = routes.get(node.name) ?? NO_ROUTE;
  const check = node.writes.length === 0 && isPick ? "$picked" : "$goto";
  to.raw(`$is<${targets.map((name) => JSON.stringify(name)).join(" | ") || "never"}>(`);
  to.for("route", place, () => void to.raw(`${check}($returned)`));
  to.raw(");\n");
}

/** The routes of a node that no arrow leaves: the path ends. */
const NO_ROUTE = { targets: ["end"], isPick: false };

function takesLabels({ args }: GeneratedCall): boolean {
  return args.length === 0 || args.some(({ label }) => label !== undefined);
}

/** Calls a tool with its arguments as the members of one object. */
function writeInput(to: GraphContext["to"], callee: string, { args }: GeneratedCall): void {
  to.raw(`${callee}({ `);
  for (const [index, { label = `${index}`, value }] of args.entries()) {
    // TypeScript blames the key for its value.
    to.mapped(JSON.stringify(label), toSpan(value.span));
    to.raw(": ");
    writeExpression(to, value);
    to.raw(", ");
  }
  to.raw("})");
}

interface SubgraphCall {
  readonly node: NodeIr;
  readonly call: GeneratedCall;
  readonly subgraph: Subgraph;
}

/** Each argument is checked alone, so that the wrong one is blamed; which are missing the language says itself. */
function writeSubgraphCall({ to }: GraphContext, { node, call, subgraph }: SubgraphCall): void {
  const space = subgraphName(call.callee.join("."));
  for (const [index, arg] of call.args.entries()) {
    const param = arg.label ?? subgraph.graph.params[index]?.name;
    const isKnown = subgraph.graph.params.some(({ name }) => name === param);
    const type = isKnown ? `${space}.$Input[${JSON.stringify(param)}]` : "any";
    writeCheck(to, { call: `$is<${type}>`, purpose: "argument" }, arg.value);
  }
  const { returns } = subgraph.graph;
  const [only] = returns;
  // One value that is written as a whole is the value itself.
  const isWhole = node.writes.length === 1 && returns.length === 1;
  const member = isWhole && !readsMember(node, only) ? `[${JSON.stringify(only)}]` : "";
  to.raw(`const result = null! as ${space}.$Output${member};\n`);
}

/** Returns whether a write takes the part of the result with this name. */
function readsMember({ writes }: NodeIr, name: string | undefined): boolean {
  return writes.some(({ value }) => value?.kind === "member" && value.name === name);
}

function writePlanCall({ to }: GraphContext, { args }: GeneratedCall): void {
  const plan = typeText({ kind: "named", name: "Plan", args: [] }, new Map());
  to.raw(`type $Plan = ${plan};\n`);
  for (const { value } of args) writeCheck(to, { call: "$is<$Plan>", purpose: "argument" }, value);
  to.raw("const result: any = null;\n");
}

/** A controller of the scope is a function; what the built-in ones take is known. */
export function writeController(
  { to, places }: GraphContext,
  { name: node, span, controller }: NodeIr,
): void {
  if (controller === undefined) return;
  const [head = "", ...members] = controller.name;
  const known = head === "a2a" ? A2A_OPTIONS : optionTypes(head);
  if (known !== undefined) {
    for (const [index, arg] of controller.args.entries()) writeOption(to, known, arg, index);
    return;
  }
  to.raw("void ");
  to.for("argument", places.node(node).controller ?? toSpan(span), () => {
    const called = [scopeName(head), ...members.map(memberAccess)].join("");
    to.raw(called);
    if (controller.args.length > 0) writeArguments(to, controller.args);
  });
  to.raw(";\n");
}

/** By label; the unlabelled ones in this order. What is not listed may be anything. */
const A2A_OPTIONS = {
  ...{ url: "string", auth: "string", headers: "Record<string, string>", origins: "string[]" },
} as const;

const OPTION_TYPES: Readonly<Record<ControllerOptionKind, string>> = {
  text: "string",
  texts: "string[]",
  number: "number",
  isolation: '"worktree" | "copy"',
  variables: "Record<string, string>",
  source: '"scripted" | "cassette"',
};

function optionTypes(controller: string): Readonly<Record<string, string>> | undefined {
  const options = controllerOptions(controller);
  return (
    options &&
    Object.fromEntries(options.map((name) => [name, OPTION_TYPES[CONTROLLER_OPTIONS[name]]]))
  );
}

function writeOption(
  to: GraphContext["to"],
  options: Readonly<Record<string, string>>,
  { label, value }: ArgIr,
  index: number,
): void {
  const name = label ?? Object.keys(options)[index] ?? "";
  const call = `$is<${options[name] ?? "unknown"}>`;
  to.raw(`${call}(`);
  to.for("argument", toSpan(value.span), () => writeExpression(to, value));
  to.raw(");\n");
}
