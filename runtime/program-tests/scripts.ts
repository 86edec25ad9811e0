/** Performs scripted nodes: each attempt takes the next line of its node, the last one again and again. */
import { callsFunction, type ExprIr, type NodeIr, type ScriptIr } from "../../dsl/index.ts";
import { createFunctionPerformer } from "../agents/functions/function.ts";
import { lookUp, type Scope } from "../agents/scope/scope.ts";
import { FailureError } from "../failure.ts";
import type { Performer } from "../performer.ts";
import { type Functions, keyOf } from "../scheduler/expressions/calls.ts";
import { EvaluationError } from "../scheduler/expressions/evaluation-errors.ts";
import { failureOf, misfitOf, saidBy } from "./scripted-result.ts";

/** The fault that stops a test; no policy of the graph may handle it. */
export interface ScriptFault {
  readonly code: "M5703" | "M5704";
  readonly node: string;
  readonly message: string;
  readonly hint: string;
  /** The value that does not fit. */
  readonly line?: ExprIr;
}

/** Returns the results of functions in expressions: scripted values, else real calls; a fault where there is no function to call. */
export function scriptedFunctions(
  names: readonly string[],
  { scripts, evaluate, scope, stop }: Omit<ScriptOptions, "choicesOf">,
): Functions {
  const functions = names.flatMap((name) => {
    const line = scripts.find(({ node }) => node === name)?.lines[0];
    // It is called, as are those of nodes.
    if (line === undefined && lookUp([name], scope) !== undefined) return [];
    const say = () => {
      if (line !== undefined) return evaluate(line.value);
      const message = `the run came to a call of \`${name}\`, which has no script`;
      const hint = `write \`${name} says …\`: there is no function of this name to call`;
      stop({ code: "M5703", node: name, message, hint });
      throw new EvaluationError(message);
    };
    return [[name, say] as const];
  });
  const known = new Map(functions);
  return {
    result: (call) => {
      const say = call.reducer === undefined ? known.get(call.name) : undefined;
      return say && { name: call.name, key: keyOf(call), value: say() };
    },
  };
}

export interface ScriptOptions {
  readonly scripts: readonly ScriptIr[];
  /** Evaluates an expression at this moment of the run. */
  readonly evaluate: (expression: ExprIr) => unknown;
  /** The names that a node may choose behind its arrow. */
  readonly choicesOf: (node: string) => readonly string[];
  readonly scope: Scope;
  /** Told of what keeps the test from going on. */
  readonly stop: (fault: ScriptFault) => void;
}

/** Performs every node of a test: scripted ones from their scripts, functions by calling them. */
export function createScriptedPerformer(options: ScriptOptions): Performer {
  const { scope } = options;
  const functions = createFunctionPerformer({ scope: () => scope });
  const lines = linesInTurn(options.scripts);
  return {
    perform: async (attempt, context) => {
      const { node } = attempt;
      const line = lines(node.name);
      if (line !== undefined) return perform(line, node, options);
      if (callsFunction(node.kind)) return await functions.perform(attempt, context);
      return stop(unscripted(node), options);
    },
  };
}

type ScriptTextLine = ScriptIr["lines"][number];

/** Returns a function that gives each node its next line; undefined where it has no script. */
function linesInTurn(scripts: readonly ScriptIr[]): (node: string) => ScriptTextLine | undefined {
  const used = new Map<string, number>();
  return (node) => {
    const { lines } = scripts.find((script) => script.node === node) ?? {};
    const turn = used.get(node) ?? 0;
    used.set(node, turn + 1);
    return lines?.[Math.min(turn, lines.length - 1)];
  };
}

function perform({ how, value }: ScriptTextLine, node: NodeIr, options: ScriptOptions): unknown {
  const given = evaluated(value, node, options);
  if (how === "fails") throw new FailureError(failureOf(given, node));
  const scripted = saidBy(node, given, options.choicesOf(node.name));
  const misfit = "output" in scripted ? misfitOf(node, scripted.output) : undefined;
  if (misfit === undefined) return scripted.result;
  const message = `what \`${node.name}\` says does not fit what it writes: ${misfit}`;
  const hint = `it writes ${node.writes.map(({ field }) => `\`${field}\``).join(", ")}`;
  return stop({ code: "M5704", node: node.name, message, hint, line: value }, options);
}

/** Evaluates a script's expression. */
function evaluated(value: ExprIr, { name }: NodeIr, options: ScriptOptions): unknown {
  try {
    return options.evaluate(value);
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    const message = `what \`${name}\` says can't be evaluated: ${error.message}`;
    const hint = "a script sees the run as it stands when its node runs";
    return stop({ code: "M5704", node: name, message, hint, line: value }, options);
  }
}

function stop(fault: ScriptFault, options: ScriptOptions): never {
  options.stop(fault);
  throw new FailureError({ class: "aborted", code: fault.code, message: fault.message });
}

function unscripted({ name, kind }: NodeIr): ScriptFault {
  return {
    code: "M5703",
    node: name,
    message: `the run came to \`${name}\`, which has no script`,
    hint: `write \`${name} says …\`: in a test ${WHY[kind] ?? "no model is called"}`,
  };
}

const WHY: Readonly<Partial<Record<NodeIr["kind"], string>>> = {
  human: "nobody is asked",
  operator: "no strong agent is started",
  graph: "no other graph is run",
};
