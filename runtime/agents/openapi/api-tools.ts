/** Makes tools of the operations of an API: each call is a request to it. */
import { DoubtfulEnd, FailureError } from "../../failure.ts";
import type { Scope } from "../scope/scope.ts";
import { type ToolContext, tool } from "../scope/tools.ts";
import type { Json } from "../values/json.ts";
import { withoutUnseen, withoutUnseenIn } from "../values/unseen-characters.ts";
import { callOperation, type OpenApi } from "./described-api.ts";
import { type ApiOperation, idempotencyParameter, isReading, withoutKey } from "./operations.ts";

/** Takes the values of an API's secrets out of what it returned. */
export type HideApiSecrets = <T>(value: T) => T;

/** The operations as a group of a scope. */
export function apiScope(
  operations: readonly ApiOperation[],
  of: OpenApi,
  hide: HideApiSecrets,
): Scope {
  return Object.fromEntries(operations.map((one) => [one.member, operationTool(one, of, hide)]));
}

function operationTool(operation: ApiOperation, of: OpenApi, hide: HideApiSecrets) {
  const isRead = isReading(operation.method);
  const key = idempotencyParameter(operation);
  return tool(
    async (input: Readonly<Record<string, unknown>>, context: ToolContext) => {
      const { signal, idempotencyKey } = context;
      const call = { input, signal, idempotencyKey };
      return hide(await callOperation(operation, of, call).catch(throwHidden(hide)));
    },
    {
      ...(isRead
        ? ({ effect: "none", parallel: true } as const)
        : { effect: "external", ...(key === undefined ? {} : { keyed: true }) }),
      description: withoutUnseen(operation.description),
      input: { ...(withoutUnseenIn(withoutKey(operation) as Json).value as object) },
      timeoutMs: of.callMs,
      address: fixedAddress(operation),
    },
  );
}

/** An API may tell of a secret in an error, too. */
function throwHidden(hide: HideApiSecrets): (thrown: unknown) => never {
  return (thrown) => {
    if (!(thrown instanceof FailureError)) throw thrown;
    const failure = hide(thrown.failure);
    throw thrown instanceof DoubtfulEnd ? new DoubtfulEnd(failure) : new FailureError(failure);
  };
}

/** The address of an operation up to its first argument. */
function fixedAddress({ server, path }: ApiOperation): string {
  return `${server.replace(/\/$/, "")}${path.split("{", 1)[0]}`;
}
