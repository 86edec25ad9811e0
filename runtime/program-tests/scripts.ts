/** Performs scripted nodes: each attempt takes the next lines of its node, the last one again and again. */
import {
  callsFunction,
  type ExprIr,
  type NodeIr,
  PLAN_GRAPH,
  type ScriptIr,
  type ScriptLineIr,
} from "../../dsl/index.ts";
import { assistantMessage, toolMessage } from "../agents/conversation/messages.ts";
import { spokenMessages } from "../agents/conversation/spoken-messages.ts";
import { createFunctionPerformer } from "../agents/functions/function.ts";
import { createHumanPerformer } from "../agents/human.ts";
import { lookUp, type Scope } from "../agents/scope/scope.ts";
import type { OfferedStreams } from "../attempt/streams.ts";
import { type Failure, FailureError, type RunError } from "../failure.ts";
import {
  type Attempt,
  conversed,
  isDecided,
  type Performer,
  type PerformerContext,
} from "../performer.ts";
import type { LoggedCall } from "../records/records.ts";
import { type Functions, keyOf } from "../scheduler/expressions/calls.ts";
import { EvaluationError } from "../scheduler/expressions/evaluation-errors.ts";
import type { ScriptTurns } from "./script-turns.ts";
import { callOf, isToolOf, type MadeToolCall, makeCall } from "./scripted-calls.ts";
import { failureOf, misfitOf, saidBy } from "./scripted-result.ts";
import type { ScriptedPlace } from "./scripted-run.ts";

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
  {
    scripts,
    evaluate,
    scope,
    stop,
    offered,
  }: Omit<ScriptOptions, "turns" | "choicesOf"> & {
    readonly scripts: readonly ScriptIr[];
    /** Takes the streams that scripts say. */
    readonly offered: OfferedStreams;
  },
): Functions {
  const functions = names.flatMap((name) => {
    const [line, broken] = scripts.find(({ node }) => node === name)?.lines ?? [];
    // It is called, as are those of nodes.
    if (line === undefined && lookUp([name], scope) !== undefined) return [];
    const call = (key: string): Omit<LoggedCall, "name" | "key"> => {
      if (line?.how === "fails") return { failure: failureIn(name, evaluate(line.value)) };
      if (line !== undefined && broken === undefined) return { value: evaluate(line.value) };
      if (line !== undefined && broken !== undefined) {
        const failure = failureIn(name, evaluate(broken.value));
        offered.offer(key, brokenStream(evaluate(line.value), failure));
        return { isStream: true };
      }
      const message = `the run came to a call of \`${name}\`, which has no script`;
      const hint = `write \`${name} says …\`: there is no function of this name to call`;
      stop({ code: "M5703", node: name, message, hint });
      throw new EvaluationError(message);
    };
    return [[name, call] as const];
  });
  const known = new Map(functions);
  return {
    result: (asked) => {
      const call = asked.reducer === undefined ? known.get(asked.name) : undefined;
      const key = keyOf(asked);
      return call && { name: asked.name, key, ...call(key) };
    },
  };
}

function failureIn(name: string, value: unknown): Failure {
  return failureOf(value, { name, kind: "run" });
}

/** The items of a list one by one, and then a failure. */
async function* brokenStream(items: unknown, failure: Failure): AsyncGenerator<unknown> {
  yield* Array.isArray(items) ? items : [items];
  throw new FailureError(failure);
}

/** Returns what a node could say, as a script would say it; nothing where no value of its type is known. */
export type GenerateResult = (
  place: ScriptedPlace,
  node: NodeIr,
  choices: readonly string[],
) => { readonly value: unknown } | undefined;

export interface ScriptOptions {
  readonly turns: ScriptTurns;
  /** Evaluates an expression at this moment of the run. */
  readonly evaluate: (expression: ExprIr) => unknown;
  /** The names that a node may choose behind its arrow: one of the graph, or `go/say` of one that it calls. */
  readonly choicesOf: (node: string, attempt: Attempt) => readonly string[];
  /** Generates what a node without a script says; absent where such a node stops the test. */
  readonly generate?: GenerateResult | undefined;
  readonly scope: Scope;
  /** Told of what keeps the test from going on. */
  readonly stop: (fault: ScriptFault) => void;
}

/** Performs every node of a test: scripted ones from their scripts, functions by calling them. */
export function createScriptedPerformer(
  options: ScriptOptions,
): (place: ScriptedPlace) => Performer {
  const { scope, turns } = options;
  const functions = createFunctionPerformer({ scope: () => scope });
  const humans = createHumanPerformer();
  return (place) => ({
    perform: async (attempt, context) => {
      const { node } = attempt;
      const { node: at } = place;
      const calls: MadeToolCall[] = [];
      for (let number = 1; ; number += 1) {
        const line = turns.next(place);
        // Somebody is asked while it is performed, and answered by the script.
        if (line === undefined && node.kind === "human" && turns.answersAbout(at))
          return await humans.perform(attempt, context);
        if (line === undefined && callsFunction(node.kind))
          return await functions.perform(attempt, context);
        const choices = options.choicesOf(at, attempt);
        const generated = line === undefined ? options.generate?.(place, node, choices) : undefined;
        if (generated !== undefined) return saidBy(node, generated.value, choices).result;
        if (line === undefined) return stop(unscripted(at, node), options);
        const scripted = { at, line, attempt };
        if (line.how !== "calls")
          return withConversation(perform(scripted, options), { attempt, calls });
        const made = await call(scripted, context, { ...options, number });
        if (made !== undefined) calls.push(made);
      }
    },
  });
}

interface ScriptedAttempt {
  readonly at: string;
  readonly line: ScriptLineIr;
  readonly attempt: Attempt;
}

function perform(scripted: ScriptedAttempt, options: ScriptOptions): unknown {
  const { at, line, attempt } = scripted;
  const { node } = attempt;
  const given = evaluated(scripted, options);
  if (line.how === "fails") throw new FailureError(failureOf(given, node));
  const result = saidBy(node, given, options.choicesOf(at, attempt));
  const misfit = "output" in result ? misfitOf(node, result.output) : undefined;
  if (misfit === undefined) return result.result;
  const fields = node.writes.map(({ field }) => `\`${field}\``).join(", ");
  const isGoing = result.output === undefined && isDecided(result.result);
  const message = isGoing
    ? `\`${at}\` says where it goes on, and not what it writes`
    : `what \`${at}\` says does not fit what it writes: ${misfit}`;
  const hint = isGoing
    ? `it writes ${fields}: say \`{ goto: "…", update: … }\`, or hand over by \`{ goto: "…", handoff: { task: "…" } }\``
    : `it writes ${fields}`;
  return stop({ code: "M5704", node: at, message, hint, line: line.value }, options);
}

/** The result with what an agent would have said, where it writes a conversation. */
function withConversation(
  result: unknown,
  { attempt, calls }: { readonly attempt: Attempt; readonly calls: readonly MadeToolCall[] },
): unknown {
  const { kind, conversation } = attempt.node;
  if (kind !== "agent" || conversation === undefined) return result;
  const messages = calls.flatMap(({ answer }) => [
    assistantMessage({ text: "", toolCalls: [answer.call], finish: "tool-calls" }),
    toolMessage([answer]),
  ]);
  const output = isDecided(result) ? result.output : result;
  const text = typeof output === "string" || output === null ? output : JSON.stringify(output);
  const tools = calls.map(({ tool }) => tool);
  const of = { attempt, tools, handoffs: [], steering: new Set<string>() };
  return conversed(result, spokenMessages(messages, text ?? undefined, of));
}

async function call(
  scripted: ScriptedAttempt,
  context: PerformerContext,
  options: ScriptOptions & { readonly number: number },
): Promise<MadeToolCall | undefined> {
  const { at, line, attempt } = scripted;
  const { node } = attempt;
  const wrong = (message: string, hint: string) =>
    stop({ code: "M5704", node: at, message, hint, line: line.value }, options);
  const wanted = callOf(evaluated(scripted, options));
  if (wanted === undefined)
    return wrong(`\`${at}\` calls no tool`, 'write `calls { tool: "docs.search", input: { … } }`');
  if (!isToolOf(node, wanted.tool)) {
    const tools = node.tools.map((tool) => `\`${tool.join(".")}\``).join(", ");
    const hint = tools === "" ? "it has no `tools`" : `its tools are ${tools}`;
    return wrong(`\`${wanted.tool}\` is no tool of \`${at}\``, hint);
  }
  const missing = ({ message }: RunError) =>
    wrong(message, "script its `result`, or export it from the scope");
  return await makeCall(wanted, attempt, context, { ...options, missing });
}

/** Evaluates a script's expression. */
function evaluated({ at, line: { value } }: ScriptedAttempt, options: ScriptOptions): unknown {
  try {
    return options.evaluate(value);
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    const message = `what \`${at}\` says can't be evaluated: ${error.message}`;
    const hint = "a script sees the run as it stands when its node runs";
    return stop({ code: "M5704", node: at, message, hint, line: value }, options);
  }
}

function stop(fault: ScriptFault, options: ScriptOptions): never {
  options.stop(fault);
  throw new FailureError({ class: "aborted", code: fault.code, message: fault.message });
}

function unscripted(at: string, { kind, call }: NodeIr): ScriptFault {
  const isPlan = kind === "graph" && call?.callee.join(".") === PLAN_GRAPH;
  const parts = isPlan ? `, or of a step \`${at}/STEP says …\`` : "";
  return {
    code: "M5703",
    node: at,
    message: `the run came to \`${at}\`, which has no script`,
    hint: `write \`${at} says …\`${parts}: in a test ${WHY[kind] ?? "no model is called"}`,
  };
}

const WHY: Readonly<Partial<Record<NodeIr["kind"], string>>> = {
  human: "nobody is asked",
  operator: "no strong agent is started",
  graph: "no other graph is run",
};
