/** Performs `run` and `reduce` nodes by calling the functions of the scope. */
import type { DottedIr, NodeIr } from "../../../dsl/index.ts";
import { isCommand } from "../../command.ts";
import { type Failure, FailureError, RunError } from "../../failure.ts";
import type {
  Attempt,
  CallIdentity,
  Performer,
  PerformerContext,
  Repeats,
} from "../../performer.ts";
import { inOwnTurn, isThenable } from "../abort.ts";
import { lookUp, type Scope, suggestion } from "../scope/scope.ts";
import { effectOf, repeatsOf } from "../scope/tools.ts";
import { isStreamSource } from "../values/stream-source.ts";
import { callOutside } from "./call-outside.ts";
import { collectStream } from "./collect-stream.ts";
import { CallContext, type FunctionOptions } from "./function-context.ts";
import { assertJson, failureIn, readResult } from "./function-result.ts";
import { ordersOf } from "./orders.ts";

/** Performs `run` and `reduce` nodes: calls the scope's function with the node's arguments and a `FunctionContext`. */
export function createFunctionPerformer(options: FunctionOptions): Performer {
  return {
    perform: (attempt, context) =>
      inOwnTurn(() => perform(attempt, context, options), context.cancellation),
  };
}

/**
 * Reads a result that is returned at once without a promise, which would cost as much as a small
 * step.
 */
function perform(attempt: Attempt, context: PerformerContext, options: FunctionOptions): unknown {
  const { name, value, owner, isExternal, repeats } = find(attempt.node, options.scope());
  const { callArgs = NO_ARGS } = attempt;
  const call = (identity?: CallIdentity) => {
    const of = { attempt, context, options, isExternal, repeats, identity };
    const given = options.isPure === true ? callArgs : callArgs.concat(new CallContext(name, of));
    return Reflect.apply(value, owner, given);
  };
  const read = (returned: unknown) => readReturned(returned, name, { attempt, context });
  if (isExternal) return callOutside(name, call, { attempt, context, repeats }).then(read);
  const returned = tryTo(name, call);
  if (!isThenable(returned) && !isStreamSource(returned)) return read(returned);
  const failed = (thrown: unknown) => {
    throw failureIn(name, thrown);
  };
  const reading = { attempt, context, cancellation: context.cancellation };
  const collect = (one: unknown) => collectStream(one, reading);
  return Promise.resolve(returned).then(collect).then(read, failed);
}

const NO_ARGS: readonly never[] = [];

function readReturned(
  returned: unknown,
  name: string,
  { attempt, context }: { readonly attempt: Attempt; readonly context: PerformerContext },
): unknown {
  if (!isCommand(returned)) return readResult(returned, name, attempt);
  const toJson = (value: unknown) => assertJson(value, `the command of \`${name}\``);
  return ordersOf(returned, { name, attempt, toJson }, context);
}

function tryTo<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw failureIn(name, thrown);
  }
}

/** Throws M8303 where a `run` node's function is not there, before the run starts. */
export function assertFunction(callee: DottedIr, scope: Scope): void {
  if (typeof lookUp(callee, scope)?.value === "function") return;
  const { code, message, hint } = unknownFunction(callee, scope);
  throw new RunError(code, message, { hint });
}

interface FunctionCallee {
  readonly name: string;
  readonly value: (...args: readonly unknown[]) => unknown;
  readonly owner: unknown;
  /** It acts on the world outside, as its node or its own declaration says. */
  readonly isExternal: boolean;
  readonly repeats: Repeats | undefined;
}

function find(node: NodeIr, scope: Scope): FunctionCallee {
  const callee = node.call?.callee ?? [node.name];
  const name = callee.length === 1 ? (callee[0] ?? "") : callee.join(".");
  const found = lookUp(callee, scope);
  const value = found?.value;
  if (typeof value !== "function") throw new FailureError(unknownFunction(callee, scope));
  return {
    name,
    value: value as FunctionCallee["value"],
    owner: found?.owner,
    isExternal: node.effects === "external" || effectOf(value) === "external",
    repeats: repeatsOf(value),
  };
}

function unknownFunction(callee: DottedIr, scope: Scope): Failure {
  const name = callee.join(".");
  const meant = suggestion(callee, scope);
  const found = lookUp(callee, scope);
  return {
    class: "tool",
    code: "M8303",
    message:
      found === undefined ? `no function is called \`${name}\`` : `\`${name}\` is not a function`,
    hint:
      meant === undefined
        ? `run the cell that declares \`${name}\` first, and that of its graph; without a notebook, export it from the scope file`
        : `did you mean \`${meant}\`?`,
  };
}
