/** Makes the controllers that a program names without anybody bringing them. */
import type { DottedIr, ExprIr, NodeIr } from "../../../dsl/index.ts";
import { FailureError, RunError } from "../../failure.ts";
import { remoteController } from "../a2a/a2a-controller.ts";
import { remotePlace } from "../a2a/remote-options.ts";
import type { Controller } from "./controller.ts";

export function isBuiltInController(name: DottedIr): boolean {
  return name.length === 1 && name[0] === "a2a";
}

/** `args`: those without a label in order, then one object of those with one. */
export function builtInController(
  { controller }: NodeIr,
  args: readonly unknown[],
  env: Readonly<Record<string, string | undefined>> | undefined,
): Controller {
  const [first, second] = args;
  const { url, ...options } = { ...objectOf(first), ...objectOf(second) };
  // An address that stands in the program is meant; one that comes from the state may be anybody's.
  const isWritten = controller?.args.every(({ value }) => isLiteral(value)) ?? false;
  try {
    const address = typeof first === "string" ? first : url;
    const place = remotePlace(address, options, { isWritten, env: env ?? process.env });
    return remoteController(place);
  } catch (thrown) {
    if (!(thrown instanceof RunError)) throw thrown;
    const { code, message, hint } = thrown;
    const hinted = hint === undefined ? {} : { hint };
    throw new FailureError({ class: "tool", code, message, ...hinted }, { cause: thrown });
  }
}

function isLiteral(value: ExprIr): boolean {
  return value.kind === "literal" || (value.kind === "list" && value.items.every(isLiteral));
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
