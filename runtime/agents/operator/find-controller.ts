/** Finds the controller that an `operator` node names in the scope. */
import { type DottedIr, isBuiltInController, type NodeIr } from "../../../dsl/index.ts";
import { type Failure, FailureError, RunError } from "../../failure.ts";
import type { Attempt } from "../../performer.ts";
import type { OperatorView } from "../../scheduler/attempts/attempt-view.ts";
import type { AgentSurroundings } from "../controllers/process/process-controller.ts";
import { lookUp, type Scope, suggestion } from "../scope/scope.ts";
import { thrownText } from "../values/thrown.ts";
import { builtInController } from "./built-in.ts";
import { type Controller, isController } from "./controller.ts";

/** Throws M8501 where the controller of an operator is not in the scope, before the run starts. */
export function assertController({ controller }: NodeIr, scope: Scope): void {
  if (controller === undefined) return;
  const found = lookUp(controller.name, scope);
  if (isController(found?.value) || typeof found?.value === "function") return;
  if (found === undefined && isBuiltInController(controller.name.join("."))) return;
  const { code, message, hint } = unknownController(controller.name, scope);
  throw new RunError(code, message, { hint });
}

/**
 * The controller of an operator: a value of the scope that is one, or what a function of the scope makes of the
 * arguments: those without a label in order, then one object of those with one.
 */
export function findController(
  { node }: Pick<Attempt, "node">,
  scope: Scope,
  of: ControllerView,
): Controller {
  const name = node.controller?.name ?? [node.name];
  const found = lookUp(name, scope);
  const value = found?.value;
  if (isController(value)) return value;
  const given = argumentsOf(of.args);
  if (found === undefined && isBuiltInController(name.join(".")))
    return builtInController(node, given, of);
  if (typeof value !== "function") throw new FailureError(unknownController(name, scope));
  const made = make(name.join("."), () => Reflect.apply(value, found?.owner, given));
  if (isController(made)) return made;
  throw new FailureError(notOne(name.join("."), "gives no controller"));
}

/** The parts of which a controller is made: the values of its arguments, and the surroundings of its run. */
export interface ControllerView extends Pick<OperatorView, "args">, Partial<AgentSurroundings> {}

function argumentsOf(args: OperatorView["args"]): unknown[] {
  const labelled = args.flatMap(({ label, value }) =>
    label === undefined ? [] : [[label, value]],
  );
  const plain = args.flatMap(({ label, value }) => (label === undefined ? [value] : []));
  return labelled.length === 0 ? plain : [...plain, Object.fromEntries(labelled)];
}

function make(name: string, call: () => unknown): unknown {
  try {
    return call();
  } catch (thrown) {
    const message = `\`${name}\` threw: ${thrownText(thrown)}`;
    const hint = "a controller is made before its session begins: nothing was started";
    throw new FailureError({ class: "tool", code: "M8501", message, hint }, { cause: thrown });
  }
}

function unknownController(name: DottedIr, scope: Scope): Failure {
  const written = name.join(".");
  if (lookUp(name, scope) !== undefined) return notOne(written, "is no controller");
  const meant = suggestion(name, scope);
  return {
    class: "tool",
    code: "M8501",
    message: `no controller is called \`${written}\``,
    hint:
      meant === undefined
        ? `put one into the scope under this name: what \`controller({…})\` or \`scriptedController(…)\` gives`
        : `did you mean \`${meant}\`?`,
  };
}

function notOne(name: string, what: string): Failure {
  const failure = { class: "tool", code: "M8501" } as const;
  if (isBuiltInController(name)) {
    const message = `\`${name}\` ${what}: a variable of the scope has the name of the controller that comes with Madrigal, and hides it`;
    const hint =
      "give the variable another name; a notebook has the old one until its kernel is restarted";
    return { ...failure, message, hint };
  }
  const hint = "a controller is what `controller({…})` or `scriptedController(…)` gives";
  return { ...failure, message: `\`${name}\` ${what}`, hint };
}
