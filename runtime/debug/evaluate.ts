/** Evaluates an expression of the language at a place of a stopped run. */
import { expressionIn } from "../../dsl/index.ts";
import { messageOf, RunError } from "../failure.ts";
import { CallNeeded } from "../scheduler/expressions/calls.ts";
import { evaluate, type Lookup } from "../scheduler/expressions/evaluate.ts";
import { lookupAt, shownField, shownState } from "../scheduler/lookup.ts";
import { inboxOf } from "../scheduler/mail.ts";
import { ROOT } from "../scheduler/snapshot/snapshot.ts";
import type { FrameScope } from "./frames.ts";
import { eachVariables, NO_ITEM } from "./item-values.ts";

/**
 * The value of a text in a frame. In a node's frame fields are as that node sees them; elsewhere they are what everything
 * committed so far folds to. M5450 for what can't be read, M5011 for what has no value here.
 */
export function evaluateIn(scope: FrameScope, text: string): unknown {
  const { frame, within } = scope;
  if (within === undefined) {
    throw new RunError(
      "M5450",
      `\`${text}\` can't be read: the call of \`${frame.graph || frame.name}\` is over`,
      {
        hint: "take the frame of the run",
      },
    );
  }
  if (text.trim() === "") {
    throw new RunError("M5450", "there is no expression to evaluate", { hint: EXAMPLE });
  }
  const read = expressionIn(within.program.ir, text, {
    ...(frame.node === undefined ? {} : { node: frame.node }),
    variables: variablesOf(scope),
  });
  if (read.expression === undefined) {
    const [first] = read.diagnostics;
    throw new RunError("M5450", `\`${text}\` can't be read: ${first?.message ?? "it is empty"}`, {
      hint: first?.hint ?? EXAMPLE,
    });
  }
  const missing = new Set<string>();
  try {
    const value = evaluate(read.expression, noting(missing, argumentsKnown(scope)));
    // Arithmetic makes NaN of what is missing, which says neither that nor what.
    if (Number.isNaN(value) && missing.size > 0) throw notKnown([...missing]);
    return value;
  } catch (error) {
    throw withoutValue(text, error);
  }
}

/** The names of a frame; the arguments of a node are known only while it runs. */
function argumentsKnown(scope: FrameScope): Lookup {
  const lookup = lookupIn(scope);
  return (name, of) => {
    if (of === "argument" && scope.nodeRun?.run.args === undefined) {
      throw new Error(`\`${name}\` is known only while \`${scope.frame.node}\` runs`);
    }
    return lookup(name, of);
  };
}

/** Notes the names that have no value. */
function noting(missing: Set<string>, lookup: Lookup): Lookup {
  return (name, of) => {
    const value = lookup(name, of);
    if (value === undefined) missing.add(name);
    return value;
  };
}

function notKnown(names: readonly string[]): Error {
  const listed = names.map((name) => `\`${name}\``).join(" and ");
  return new Error(`${listed} ${names.length === 1 ? "is" : "are"} not known here`);
}

const EXAMPLE = "an expression of the language, such as `notes.length`";

function withoutValue(text: string, error: unknown): RunError {
  if (error instanceof CallNeeded) {
    const why = "would call TypeScript, and looking at a run calls nothing";
    return new RunError("M5450", `\`${text}\` ${why}`, {
      cause: error,
      hint: "call the function in a cell, with `run.state`",
    });
  }
  return new RunError("M5011", `\`${text}\` has no value here: ${messageOf(error)}`, {
    cause: error,
  });
}

/** The variables of the `each`es around the node. */
function variablesOf({ within, nodeRun, item }: FrameScope): readonly string[] {
  if (within === undefined) return [];
  if (nodeRun === undefined) return Object.keys(item?.().variables ?? {});
  return eachVariables(nodeRun.program, nodeRun.snapshot, nodeRun.run.scope);
}

function lookupIn({ within, nodeRun, step, item }: FrameScope): Lookup {
  if (nodeRun !== undefined) {
    const { program, snapshot, run } = nodeRun;
    const inbox = run.inbox ?? inboxOf(snapshot, run);
    const { frame, scope, args } = run;
    return lookupAt(program, snapshot, { frame, scope, args, inbox, node: run.node });
  }
  if (within === undefined) return () => undefined;
  const { program, snapshot } = within;
  const other = lookupAt(program, snapshot, { frame: ROOT, scope: ROOT, result: step?.output });
  const { fields, variables } = item?.() ?? NO_ITEM;
  return (name, of) => {
    if (of === "field") return fields[name] ?? shownField(program, snapshot, name);
    if (of === "variable" && Object.hasOwn(variables, name)) return variables[name];
    if (of === "special" && name === "state")
      return { ...snapshot.input, ...shownState(program, snapshot), ...fields };
    return other(name, of);
  };
}
