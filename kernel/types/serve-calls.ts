/** Answers the calls of a port one at a time, in their order. */
import type { MessagePort } from "node:worker_threads";
import type { TypeAnswer, TypeCall, TypeService } from "./service.ts";

export interface ServerHooks {
  /** Called behind each answer. */
  readonly answered: () => void;
  /** Called when nobody has asked for a while. */
  readonly idle: () => void;
}

/** Answers the calls that come by a port: one at a time, in the order in which they came by any port. */
export function createServer(
  service: TypeService,
  { answered, idle }: ServerHooks,
): (port: MessagePort) => void {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let timer: NodeJS.Timeout | undefined;
  return (port) => {
    port.on("message", (call: TypeCall) => {
      clearTimeout(timer);
      waiting += 1;
      last = last.then(async () => {
        port.postMessage(await answer(call, service));
        answered();
        waiting -= 1;
        if (waiting === 0) timer = setTimeout(idle, IDLE_MS);
      });
    });
  };
}

/**
 * The time without a call after which slow work may begin, in milliseconds; cells of "run all" come
 * faster than that.
 */
const IDLE_MS = 300;

async function answer(call: TypeCall, service: TypeService): Promise<TypeAnswer> {
  const { id } = call;
  try {
    return { id, value: await perform(call, service) };
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    const { message, stack } = error;
    return { id, error: { message, ...(stack === undefined ? {} : { stack }) } };
  }
}

/** The argument was made by a `TypeService` on the other side: the method's name says its type. */
function perform({ method, argument }: TypeCall, service: TypeService): Promise<unknown> {
  const methods: Readonly<Record<string, ((argument: never) => Promise<unknown>) | undefined>> = {
    ...service,
  };
  const known = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (known === undefined) return Promise.reject(new Error(`no method is called ${method}`));
  return known(argument as never);
}
